// SPDX-License-Identifier: Apache-2.0
/// Tests the code of docs/02_user/porting.md.
#include "tlm/peers.h"
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using testing::IsEmpty;
using weft::tlm2::timing;

namespace {

constexpr unsigned LockCores = 4, LockRounds = 25;

// --- An access that synchronizes in the way the network needs

/// A core with its own local time.
struct core {
  initiator& port;
  tlm_utils::tlm_quantumkeeper keeper;

  tlm::tlm_response_status access(tlm::tlm_generic_payload& transaction) {
    sc_time delay = keeper.get_local_time();
    port.socket->b_transport(transaction, delay);  // Cycle: time has passed, and delay is 0. Loose: delay has grown
    keeper.set(delay);
    if (keeper.need_sync()) keeper.sync();
    return transaction.get_response_status();
  }
};

// --- Reading by a pointer

/// Fetches instructions: through the network until it gets a pointer, and again after the pointer is invalidated.
class fetcher : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<fetcher, 64> socket{"socket"};
  tlm_utils::tlm_quantumkeeper keeper;

  explicit fetcher(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &fetcher::forget);
    m_direct.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
  }

  void fetch(tlm::tlm_generic_payload& read) {
    const std::uint64_t first = read.get_address(), bytes = read.get_data_length();
    sc_time delay = keeper.get_local_time();
    if (m_direct.is_read_allowed() && first >= m_direct.get_start_address() &&
        first + bytes - 1 <= m_direct.get_end_address()) {
      std::memcpy(read.get_data_ptr(), m_direct.get_dmi_ptr() + (first - m_direct.get_start_address()), bytes);
      delay += m_direct.get_read_latency() * static_cast<double>(bytes);  // includes the empty network
      read.set_response_status(tlm::TLM_OK_RESPONSE);
    } else {
      socket->b_transport(read, delay);
      if (read.is_dmi_allowed()) request_dmi(read);
    }
    keeper.set(delay);
    if (keeper.need_sync()) keeper.sync();
  }

 private:
  void request_dmi(tlm::tlm_generic_payload& read) {
    m_direct.init();  // grants no access yet, as the standard requires
    if (!socket->get_direct_mem_ptr(read, m_direct)) m_direct.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
  }
  void forget(sc_dt::uint64 first, sc_dt::uint64 last) {
    if (first <= m_direct.get_end_address() && last >= m_direct.get_start_address())
      m_direct.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
  }

  tlm::tlm_dmi m_direct;
};

// --- A lock over the whole network

/// For a platform whose cores implement atomic operations by a read and a write while all others wait.
class bus_lock {
 public:
  explicit bus_lock(const weft::tlm2::noc_base& network) : m_network(network) {}

  /// Call it before any access of \p core.
  void pass(unsigned core) {
    while (m_held && m_owner != core) sc_core::wait(m_free);
  }
  void acquire(unsigned core) {
    pass(core);
    m_held = true;
    m_owner = core;
  }
  /// Waits until all earlier messages of other initiators have arrived.
  void drain() const {
    while (m_network.in_flight() > 0) sc_core::wait(m_network.parameters().clock_period);
  }
  void release() {
    m_held = false;
    m_free.notify();
  }

 private:
  const weft::tlm2::noc_base& m_network;
  bool m_held = false;
  unsigned m_owner = 0;
  sc_core::sc_event m_free;
};

}  // namespace

TEST(tlm_porting, a_quantum_keeper_works_in_both_modes) {
  static std::vector<std::unique_ptr<platform>> systems;
  std::vector<sc_time> ends(2);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(500, SC_NS));
  for (const timing mode : {timing::Cycle, timing::Loose}) {
    weft::tlm2::noc_parameters p = mesh(2, 2);
    p.mode = mode;
    systems.push_back(std::make_unique<platform>(p, 1, 1, mode == timing::Cycle ? "cycle" : "loose"));
    platform& system = *systems.back();
    sc_time& end = ends[mode == timing::Cycle ? 0 : 1];
    system.initiators[0]->run([&system, &end] {
      core cpu{*system.initiators[0], {}};
      cpu.keeper.reset();
      for (int i = 0; i < 100; ++i) {
        owned_transaction& t = cpu.port.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0), bytes(8));
        EXPECT_EQ(cpu.access(t), tlm::TLM_OK_RESPONSE);
        t.release();
      }
      end = cpu.keeper.get_current_time();
    });
  }
  sc_core::sc_start();
  EXPECT_EQ(ends[0], ends[1]) << "alone in the network, both modes agree";
  EXPECT_GT(ends[0], sc_time(1000, SC_NS));
}

TEST(tlm_porting, instructions_are_fetched_through_dmi_until_invalidated) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = timing::Loose;
  p.allow_dmi = true;
  platform system(p, 1, 1);
  memory& code = *system.memories[0];
  code.allows_dmi = true;
  fetcher cpu("cpu");
  cpu.socket.bind(system.network.from_initiator[3]);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, sc_core::SC_MS));
  system.initiators[0]->run([&] {
    cpu.keeper.reset();
    const auto fetch = [&](std::uint64_t at) {
      owned_transaction& t =
          system.initiators[0]->pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0) + at, bytes(8));
      const sc_time before = cpu.keeper.get_local_time();
      cpu.fetch(t);
      EXPECT_TRUE(t.is_response_ok());
      EXPECT_EQ(t.data, bytes(code.content.begin() + static_cast<std::ptrdiff_t>(at),
                              code.content.begin() + static_cast<std::ptrdiff_t>(at) + 8));
      t.release();
      return cpu.keeper.get_local_time() - before;
    };
    code.content[16] = 7;
    fetch(0);
    EXPECT_EQ(code.served, 1U);
    const sc_time by_pointer = fetch(16);
    EXPECT_GT(by_pointer, 8 * sc_time(3, SC_NS)) << "the memory's time, and that in the network";
    code.content[platform::MemorySize - 8] = 9;
    EXPECT_EQ(fetch(platform::MemorySize - 8), by_pointer);
    EXPECT_EQ(code.served, 1U);
    code.socket->invalidate_direct_mem_ptr(platform::MemorySize, ~std::uint64_t{0});  // outside this region
    fetch(16);
    EXPECT_EQ(code.served, 1U);
    code.socket->invalidate_direct_mem_ptr(0x100, 0x1ff);
    fetch(16);
    EXPECT_EQ(code.served, 2U);
    code.allows_dmi = false;
    code.socket->invalidate_direct_mem_ptr(0, 1);
    fetch(0);
    fetch(0);
    EXPECT_EQ(code.served, 4U);
  });
  sc_core::sc_start();
  EXPECT_THAT(system.violations(), IsEmpty());
}

namespace {

/// Copies, and signals the end on a wire.
struct copier {
  initiator& port;
  sc_core::sc_signal<bool> interrupt{"interrupt"};

  void copy_and_interrupt(std::uint64_t to, const bytes& data) {
    port.write(to, data);  // returns when the target has answered
    interrupt.write(true);
  }
};

}  // namespace

TEST(tlm_porting, data_arrive_before_the_interrupt_that_announces_them) {
  platform system(mesh(4, 2), 1, 2);
  copier dma{*system.initiators[0]};
  const bytes data(100, 5);
  bool seen = false;
  sc_core::sc_spawn([&] {
    sc_core::wait(dma.interrupt.posedge_event());
    seen = true;
    EXPECT_EQ(bytes(system.memories[1]->content.begin(), system.memories[1]->content.begin() + 100), data);
  });
  system.initiators[0]->run([&] {
    sc_core::wait(SC_ZERO_TIME);
    dma.copy_and_interrupt(platform::base(1), data);
  });
  sc_core::sc_start();
  EXPECT_TRUE(seen);
}

namespace {

/// Cores 1 to 3 write a word without reading it; core 0 increments it by a read and a write under the lock. A write of
/// another core between these two would be lost. Returns the number of increments that such a write interrupts.
unsigned broken_increments(bool drains) {
  platform system(mesh(4, 2), LockCores, 1);
  bus_lock lock(system.network);
  std::uint64_t& served = system.memories[0]->served;
  unsigned broken = 0;
  bool stop = false;
  for (unsigned i = 1; i < LockCores; ++i)
    system.initiators[i]->run([&, i] {
      for (std::uint64_t n = 0; !stop; ++n) {
        lock.pass(i);
        system.initiators[i]->write(platform::base(0), bytes_of(n));
      }
    });
  system.initiators[0]->run([&] {
    for (unsigned n = 0; n < LockRounds; ++n) {
      sc_core::wait(sc_time(37 + n, SC_NS));
      lock.acquire(0);
      if (drains) lock.drain();
      bytes data(8);
      system.initiators[0]->read(platform::base(0), data);
      const memory& memory = *system.memories[0];
      const bool written = bytes(memory.content.begin(), memory.content.begin() + 8) != data;
      const std::uint64_t before = served;
      system.initiators[0]->write(platform::base(0), bytes_of(value_of(data) + 1));
      broken += written || served != before + 1;
      lock.release();
    }
    stop = true;
  });
  sc_core::sc_start();
  return broken;
}

}  // namespace

TEST(tlm_porting, lock_protects_data_if_stores_arrive_before_its_release) { EXPECT_EQ(broken_increments(true), 0U); }
TEST(tlm_porting, lock_alone_does_not_order_outstanding_stores) { EXPECT_GT(broken_increments(false), 0U); }
