// SPDX-License-Identifier: Apache-2.0
/// Exclusive accesses through a monitor, with the code of docs/02_user/porting.md.
#include "tlm/peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/exclusive_monitor.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;
using weft::tlm2::timing;

namespace {

constexpr unsigned Cores = 4, Rounds = 25;

tlm::tlm_response_status exclusive(initiator& cpu, std::uint32_t owner, owned_transaction& t, bool& succeeded) {
  weft::tlm2::exclusive_extension exclusive(owner);
  t.set_extension(&exclusive);
  sc_time delay;
  cpu.socket->b_transport(t, delay);
  t.clear_extension(&exclusive);
  succeeded = exclusive.succeeded;
  return t.get_response_status();
}

void atomic_increment(initiator& cpu, std::uint32_t owner, std::uint64_t address) {
  for (bool done = false; !done;) {
    owned_transaction& load = cpu.pool.acquire(tlm::TLM_READ_COMMAND, address, bytes(8));
    bool ignored = false;
    exclusive(cpu, owner, load, ignored);
    owned_transaction& store = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, address, bytes_of(value_of(load.data) + 1));
    exclusive(cpu, owner, store, done);
    load.release();
    store.release();
  }
}

/// Cores that increment one word through a monitor. \p answers is the answer style of the memory behind it.
struct contended_counter {
  explicit contended_counter(answer_style answers) : counter("memory", 64) {
    weft::tlm2::noc_parameters p = mesh(3, 2);
    p.map = {{0, 64, 5}};
    network = std::make_unique<weft::noc>("network", p);
    counter.style = answers;
    counter.latency = sc_time(3, SC_NS);
    network->to_target[5].bind(before.from);
    before.to.bind(monitor.from_network);
    monitor.to_target.bind(behind.from);
    behind.to.bind(counter.socket);
    for (unsigned i = 0; i < Cores; ++i) {
      cores.push_back(std::make_unique<initiator>(("core_" + std::to_string(i)).c_str()));
      cores[i]->socket.bind(network->from_initiator[i]);
    }
  }

  std::unique_ptr<weft::noc> network;
  protocol_checker before{"before"}, behind{"behind"};
  weft::tlm2::exclusive_monitor monitor{"monitor"};
  memory counter;
  std::vector<std::unique_ptr<initiator>> cores;
};

}  // namespace

class tlm_exclusive_counter : public testing::TestWithParam<answer_style> {};

TEST_P(tlm_exclusive_counter, exclusive_accesses_lose_no_increment) {
  contended_counter system(GetParam());
  for (unsigned i = 0; i < Cores; ++i)
    system.cores[i]->run([&system, i] {
      for (unsigned n = 0; n < Rounds; ++n) atomic_increment(*system.cores[i], i, 8);
    });
  sc_core::sc_start();
  EXPECT_EQ(value_of(bytes(system.counter.content.begin() + 8, system.counter.content.begin() + 16)), Cores * Rounds);
  EXPECT_GT(system.network->in_flight() + system.counter.served, 2 * Cores * Rounds) << "some had to try again";
  EXPECT_THAT(system.before.violations(), IsEmpty());
  EXPECT_THAT(system.behind.violations(), IsEmpty());
  EXPECT_EQ(system.monitor.reservations(), 0U);
}
INSTANTIATE_TEST_SUITE_P(with, tlm_exclusive_counter,
                         testing::Values(answer_style::Accepted, answer_style::EndRequest, answer_style::BeginResponse,
                                         answer_style::Completed, answer_style::Any));

TEST(tlm_exclusive, concurrent_plain_reads_and_writes_lose_increments) {
  contended_counter system(answer_style::Completed);
  for (unsigned i = 0; i < Cores; ++i)
    system.cores[i]->run([&system, i] {
      for (unsigned n = 0; n < Rounds; ++n) {
        bytes data(8);
        system.cores[i]->read(8, data);
        system.cores[i]->write(8, bytes_of(value_of(data) + 1));
      }
    });
  sc_core::sc_start();
  EXPECT_LT(value_of(bytes(system.counter.content.begin() + 8, system.counter.content.begin() + 16)), Cores * Rounds);
}

/// One core reserves; the accesses of another determine whether its write succeeds.
TEST(tlm_exclusive, reservation_ends_on_use_or_overlapping_write) {
  contended_counter system(answer_style::Completed);
  initiator& cpu = *system.cores[0];
  initiator& other = *system.cores[1];
  const auto reserve = [&](std::uint32_t owner, std::uint64_t address, std::size_t size) {
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_READ_COMMAND, address, bytes(size));
    bool ignored = false;
    EXPECT_EQ(exclusive(cpu, owner, t, ignored), tlm::TLM_OK_RESPONSE);
    t.release();
  };
  const auto store = [&](std::uint32_t owner, std::uint64_t address, std::size_t size) {
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, address, bytes(size, 1));
    bool succeeded = false;
    EXPECT_EQ(exclusive(cpu, owner, t, succeeded), tlm::TLM_OK_RESPONSE);
    t.release();
    return succeeded;
  };
  cpu.run([&] {
    EXPECT_FALSE(store(0, 8, 8)) << "nothing was reserved";
    EXPECT_EQ(system.counter.content[8], 0) << "nothing was written";
    reserve(0, 8, 8);
    EXPECT_TRUE(store(0, 8, 8));
    EXPECT_FALSE(store(0, 8, 8)) << "a reservation is for one write";
    reserve(0, 8, 8);
    EXPECT_FALSE(store(1, 8, 8)) << "the reservation belongs to another initiator";
    EXPECT_TRUE(store(0, 8, 8)) << "a write that was not made does not end a reservation";
    reserve(0, 8, 8);
    reserve(1, 8, 8);
    EXPECT_TRUE(store(1, 8, 8));
    EXPECT_FALSE(store(0, 8, 8)) << "another initiator wrote first";
    reserve(0, 8, 4);
    EXPECT_FALSE(store(0, 8, 8)) << "only half of the bytes are reserved";
    reserve(0, 8, 8);
    EXPECT_TRUE(store(0, 12, 4)) << "a part of the reserved bytes";
    reserve(0, 8, 8);
    reserve(0, 24, 8);
    EXPECT_FALSE(store(0, 8, 8)) << "one reservation at a time";
    for (const std::uint64_t address : {8U, 15U}) {
      reserve(0, 8, 8);
      other.write(address, bytes(1));
      EXPECT_FALSE(store(0, 8, 8)) << address;
    }
    for (const std::uint64_t address : {7U, 16U}) {
      reserve(0, 8, 8);
      other.write(address, bytes(1));
      EXPECT_EQ(store(0, 8, 8), true) << address << " is next to the reserved bytes";
    }
    reserve(0, 8, 8);
    owned_transaction& t = other.pool.acquire(tlm::TLM_WRITE_COMMAND, 8, bytes(8));
    t.set_streaming_width(0);  // debug transport has none
    other.socket->transport_dbg(t);
    t.release();
    EXPECT_FALSE(store(0, 15, 1)) << "debug transport wrote";
    reserve(0, 8, 8);
    owned_transaction& nothing = cpu.pool.acquire(tlm::TLM_IGNORE_COMMAND, 8, bytes(8));
    bool ignored = false;
    EXPECT_EQ(exclusive(cpu, 0, nothing, ignored), tlm::TLM_OK_RESPONSE);
    nothing.release();
    EXPECT_TRUE(store(0, 8, 8)) << "TLM_IGNORE_COMMAND is not an access";
    owned_transaction& large = cpu.pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(65537));
    large.set_streaming_width(8);
    EXPECT_EQ(exclusive(cpu, 0, large, ignored), tlm::TLM_BURST_ERROR_RESPONSE) << "it would be divided into parts";
    large.release();
  });
  sc_core::sc_report_handler::set_actions("/weft/noc/refused", sc_core::SC_DO_NOTHING);
  sc_core::sc_start();
}

/// A write is in progress in the target while another core reserves, so the value that core has read is outdated.
TEST(tlm_exclusive, a_slow_write_ends_reservations_made_meanwhile) {
  struct slow_memory : sc_core::sc_module {
    tlm_utils::passthrough_target_socket<slow_memory, 64> socket{"socket"};
    unsigned char content = 0;
    explicit slow_memory(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &slow_memory::serve);
    }
    void serve(tlm::tlm_generic_payload& t, sc_time&) {
      if (t.is_write()) wait(100, SC_NS);
      t.is_write() ? content = *t.get_data_ptr() : *t.get_data_ptr() = content;
      t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  };
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = timing::Loose;
  p.map = {{0, 64, 2}};
  weft::noc network("network", p);
  weft::tlm2::exclusive_monitor monitor("monitor");
  slow_memory memory("memory");
  network.to_target[2].bind(monitor.from_network);
  monitor.to_target.bind(memory.socket);
  initiator cpu("cpu"), other("other");
  cpu.socket.bind(network.from_initiator[0]);
  other.socket.bind(network.from_initiator[1]);
  other.run([&] { other.write(0, bytes(1, 100)); });
  bool succeeded = true;
  cpu.run([&] {
    sc_core::wait(50, SC_NS);
    bool ignored = false;
    owned_transaction& load = cpu.pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(1));
    exclusive(cpu, 0, load, ignored);
    EXPECT_EQ(load.data, bytes(1, 0));
    sc_core::wait(100, SC_NS);
    owned_transaction& store = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(1, 1));
    exclusive(cpu, 0, store, succeeded);
  });
  sc_core::sc_start();
  EXPECT_FALSE(succeeded);
  EXPECT_EQ(memory.content, 100);
}
