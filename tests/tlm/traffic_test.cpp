// SPDX-License-Identifier: Apache-2.0
/// Many concurrent initiators; every byte is compared with a model of the memories.
#include "tlm/peers.h"
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/data_type_extension.h"
#include "weft/topology/generators/grid.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;

namespace {

std::uint64_t seed() {
  const char* const given = std::getenv("WEFT_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
}

/// Every thread has a slice of every memory, and a model of its contents.
class traffic {
 public:
  static constexpr std::size_t Slice = 1 << 13;

  explicit traffic(platform& system) : m_system(system) {
    for (std::size_t i = 0; i < system.memories.size(); ++i) m_models.emplace_back(platform::MemorySize);
  }

  void start(unsigned transactions) {
    unsigned slice = 0;
    for (std::size_t i = 0; i < m_system.initiators.size(); ++i) {
      initiator& cpu = *m_system.initiators[i];
      cpu.response_time = sc_time(5, SC_NS);
      cpu.run([=, &cpu] { block(cpu, slice, transactions); });
      cpu.run([=, &cpu] { block(cpu, slice + 1, transactions); });
      cpu.run([=, &cpu] { pipeline(cpu, slice + 2, transactions); });
      slice += 3;
    }
  }

  std::uint64_t done() const { return m_done; }

  /// Number of memories that differ from the model.
  unsigned different() const {
    unsigned count = 0;
    for (std::size_t i = 0; i < m_models.size(); ++i) count += m_models[i] != m_system.memories[i]->content;
    return count;
  }

 private:
  struct access {
    bool write = false;
    std::uint64_t address = 0;
    bytes data, expected;
  };

  /// A random write, which updates the model, or a random read with its expected data.
  access draw(std::mt19937_64& random, unsigned slice) {
    access a;
    const std::size_t target = random() % m_models.size();
    const std::size_t size = random() % 20 == 0 ? 1 + random() % 3000 : 1 + random() % 64;
    const std::uint64_t offset = slice * Slice + random() % (Slice - size);
    a.write = random() % 2 == 0;
    a.address = platform::base(static_cast<unsigned>(target)) + offset;
    const auto at = m_models[target].begin() + static_cast<std::ptrdiff_t>(offset);
    if (a.write) {
      a.data = random_bytes(random, size);
      std::copy(a.data.begin(), a.data.end(), at);
      a.expected = a.data;
    } else {
      a.data.resize(size);
      a.expected.assign(at, at + static_cast<std::ptrdiff_t>(size));
    }
    return a;
  }

  void block(initiator& cpu, unsigned slice, unsigned transactions) {
    std::mt19937_64 random(seed() * 1000 + slice);
    for (unsigned i = 0; i < transactions; ++i) {
      access a = draw(random, slice);
      sc_time delay(static_cast<double>(random() % 5000), sc_core::SC_PS);
      const auto status = a.write ? cpu.write(a.address, a.data, delay) : cpu.read(a.address, a.data, delay);
      ASSERT_EQ(status, tlm::TLM_OK_RESPONSE);
      ASSERT_EQ(a.data, a.expected) << "slice " << slice << ", transaction " << i;
      sc_core::wait(delay);
      ++m_done;
    }
  }

  /// Sends as many requests as the network accepts. A read observes the write before it, though neither is answered.
  void pipeline(initiator& cpu, unsigned slice, unsigned transactions) {
    std::mt19937_64 random(seed() * 1000 + slice);
    for (unsigned i = 0; i < transactions; ++i) {
      const access a = draw(random, slice);
      owned_transaction& t =
          cpu.pool.acquire(a.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, a.address, a.data);
      if (random() % 2 == 0) t.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Int));
      cpu.start(t, [this, i, slice, expected = a.expected](owned_transaction& answer) {
        EXPECT_TRUE(answer.is_response_ok());
        EXPECT_EQ(answer.data, expected) << "slice " << slice << ", transaction " << i;
        ++m_done;
      });
      if (random() % 4 == 0) sc_core::wait(static_cast<double>(random() % 20000), sc_core::SC_PS);
    }
    cpu.finish();
    EXPECT_LE(cpu.pool.in_use(), 2U) << "transactions are not released";
  }

  platform& m_system;
  std::vector<bytes> m_models;
  std::uint64_t m_done = 0;
};

void run_traffic(weft::tlm2::noc_parameters p, unsigned transactions) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed()));
  platform system(std::move(p), 8, 4);
  for (auto& m : system.memories) {
    m->accept_time = sc_time(3, SC_NS);
    m->latency = sc_time(20, SC_NS);
  }
  traffic load(system);
  load.start(transactions);
  sc_core::sc_start();
  EXPECT_EQ(load.done(), std::uint64_t{3} * 8 * transactions);
  EXPECT_EQ(load.different(), 0U);
  EXPECT_THAT(system.violations(), IsEmpty());
  EXPECT_EQ(system.network.in_flight(), 0U);
  for (const auto& checker : system.initiator_checkers) {
    EXPECT_EQ(checker->blocking_calls(), 2 * transactions);
    EXPECT_EQ(checker->non_blocking_transactions(), transactions);
  }
}

}  // namespace

TEST(tlm_traffic, passes_with_8_initiators_and_4_memories) { run_traffic(mesh(4, 3), 300); }

TEST(tlm_traffic, passes_with_single_message_queues_and_small_buffers) {
  weft::tlm2::noc_parameters p = mesh(4, 3, 1);
  p.queue_depth = p.receive_depth = 1;
  p.router.depth = 1;
  p.nic.ejection_depth = 1;
  p.max_packet_flits = 4;
  run_traffic(p, 150);
}

TEST(tlm_traffic, passes_with_virtual_cut_through_and_wide_flits) {
  weft::tlm2::noc_parameters p = mesh(4, 3);
  p.router.flow = weft::flow_control::VirtualCutThrough;
  p.max_packet_flits = 8;
  p.payload_bits = 128;
  run_traffic(p, 150);
}

TEST(tlm_traffic, passes_through_compressors) {
  weft::tlm2::noc_parameters p = mesh(4, 3);
  p.nic.compression.selection.mode = weft::selection_mode::Always;
  run_traffic(p, 150);
}

/// Uses codecs with a given latency instead of the hardware stages.
TEST(tlm_traffic, passes_through_compressors_with_a_given_latency) {
  weft::tlm2::noc_parameters p = mesh(4, 3);
  p.nic.compression.selection.mode = weft::selection_mode::Always;
  p.nic.compression.latency = 30;
  run_traffic(p, 150);
}

/// With two channels between node and router, messages can overtake each other, and so can the packets of a message.
TEST(tlm_traffic, passes_with_two_ports_per_node) {
  weft::grid_parameters shape;
  shape.shape = {4, 3};
  shape.options.nic_ports = 2;
  weft::tlm2::noc_parameters p;
  p.graph = weft::make_grid(shape);
  p.max_packet_flits = 4;
  run_traffic(p, 150);
}

TEST(tlm_traffic, passes_in_loose_mode) {
  weft::tlm2::noc_parameters p = mesh(4, 3);
  p.mode = weft::tlm2::timing::Loose;
  run_traffic(p, 300);
}
