// SPDX-License-Identifier: Apache-2.0
/// The code of docs/02_user/porting.md, at work.
#include "tlm/peers.h"
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "weft/tlm/exclusive_monitor.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using testing::IsEmpty;
using weft::tlm2::timing;

namespace {

constexpr unsigned Cores = 4, Rounds = 25;

std::uint64_t value_of(const bytes& data) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{data[i]} << 8 * i;
  return value;
}

bytes bytes_of(std::uint64_t value) {
  bytes data(8);
  for (std::size_t i = 0; i < 8; ++i) data[i] = static_cast<unsigned char>(value >> 8 * i);
  return data;
}

// --- An access that is synchronised or not, as the network wants it

/// A core that keeps a local time of its own.
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

/// Fetches instructions: through the network until it is given a pointer, and again once that is taken back.
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
      delay += m_direct.get_read_latency() * static_cast<double>(bytes);  // the empty network is in it
      read.set_response_status(tlm::TLM_OK_RESPONSE);
    } else {
      socket->b_transport(read, delay);
      if (read.is_dmi_allowed()) ask_for_pointer(read);
    }
    keeper.set(delay);
    if (keeper.need_sync()) keeper.sync();
  }

 private:
  void ask_for_pointer(tlm::tlm_generic_payload& read) {
    m_direct.init();  // grants nothing yet, as the standard demands
    if (!socket->get_direct_mem_ptr(read, m_direct)) m_direct.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
  }
  void forget(sc_dt::uint64 first, sc_dt::uint64 last) {
    if (first <= m_direct.get_end_address() && last >= m_direct.get_start_address())
      m_direct.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_NONE);
  }

  tlm::tlm_dmi m_direct;
};

// --- A lock over the whole network

/// Of a platform whose cores make atomic operations of a read and a write while all others stand still.
class bus_lock {
 public:
  explicit bus_lock(const weft::tlm2::noc_base& network) : m_network(network) {}

  /// Before any access of \p core.
  void pass(unsigned core) {
    while (m_held && m_owner != core) sc_core::wait(m_free);
  }
  void take(unsigned core) {
    pass(core);
    m_held = true;
    m_owner = core;
  }
  /// Until what others sent before has arrived.
  void drain() const {
    while (m_network.in_flight() > 0) sc_core::wait(m_network.parameters().clock_period);
  }
  void give_back() {
    m_held = false;
    m_free.notify();
  }

 private:
  const weft::tlm2::noc_base& m_network;
  bool m_held = false;
  unsigned m_owner = 0;
  sc_core::sc_event m_free;
};

// --- Load-reserved and store-conditional

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
    owned_transaction& load = cpu.pool.take(tlm::TLM_READ_COMMAND, address, bytes(8));
    bool ignored = false;
    exclusive(cpu, owner, load, ignored);
    owned_transaction& store = cpu.pool.take(tlm::TLM_WRITE_COMMAND, address, bytes_of(value_of(load.data) + 1));
    exclusive(cpu, owner, store, done);
    load.release();
    store.release();
  }
}

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
        owned_transaction& t = cpu.port.pool.take(tlm::TLM_WRITE_COMMAND, platform::base(0), bytes(8));
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

TEST(tlm_porting, instructions_are_fetched_by_a_pointer_until_it_is_taken_back) {
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
      owned_transaction& t = system.initiators[0]->pool.take(tlm::TLM_READ_COMMAND, platform::base(0) + at, bytes(8));
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
    code.socket->invalidate_direct_mem_ptr(platform::MemorySize, ~std::uint64_t{0});  // not of this region
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

/// Copies, and says so on a wire.
struct copier {
  initiator& port;
  sc_core::sc_signal<bool> interrupt{"interrupt"};

  void copy_and_interrupt(std::uint64_t to, const bytes& data) {
    port.write(to, data);  // returns when the target has answered
    interrupt.write(true);
  }
};

}  // namespace

TEST(tlm_porting, data_are_there_before_the_interrupt) {
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

/// Cores 1 to 3 write a word blindly, core 0 increments it, by a read and a write under the lock; another core's write
/// between the two would be lost. Counts increments between whose read and write the word was written by others.
unsigned broken_increments(bool drains) {
  platform system(mesh(4, 2), Cores, 1);
  bus_lock lock(system.network);
  std::uint64_t& served = system.memories[0]->served;
  unsigned broken = 0;
  bool stop = false;
  for (unsigned i = 1; i < Cores; ++i)
    system.initiators[i]->run([&, i] {
      for (std::uint64_t n = 0; !stop; ++n) {
        lock.pass(i);
        system.initiators[i]->write(platform::base(0), bytes_of(n));
      }
    });
  system.initiators[0]->run([&] {
    for (unsigned n = 0; n < Rounds; ++n) {
      sc_core::wait(sc_time(37 + n, SC_NS));
      lock.take(0);
      if (drains) lock.drain();
      bytes data(8);
      system.initiators[0]->read(platform::base(0), data);
      const memory& memory = *system.memories[0];
      const bool written = bytes(memory.content.begin(), memory.content.begin() + 8) != data;
      const std::uint64_t before = served;
      system.initiators[0]->write(platform::base(0), bytes_of(value_of(data) + 1));
      broken += written || served != before + 1;
      lock.give_back();
    }
    stop = true;
  });
  sc_core::sc_start();
  return broken;
}

}  // namespace

TEST(tlm_porting, a_lock_holds_once_stores_under_way_have_arrived) { EXPECT_EQ(broken_increments(true), 0U); }
TEST(tlm_porting, a_lock_alone_is_passed_by_stores_under_way) { EXPECT_GT(broken_increments(false), 0U); }

namespace {

/// Cores that increment one word, through a monitor; \p answers: how the memory behind it answers.
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

TEST_P(tlm_exclusive_counter, no_increment_is_lost) {
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

TEST(tlm_exclusive, plain_reads_and_writes_lose_increments) {
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

/// One core reserves; what another does decides whether its write happens.
TEST(tlm_exclusive, what_ends_a_reservation) {
  contended_counter system(answer_style::Completed);
  initiator& cpu = *system.cores[0];
  initiator& other = *system.cores[1];
  const auto reserve = [&](std::uint32_t owner, std::uint64_t address, std::size_t size) {
    owned_transaction& t = cpu.pool.take(tlm::TLM_READ_COMMAND, address, bytes(size));
    bool ignored = false;
    EXPECT_EQ(exclusive(cpu, owner, t, ignored), tlm::TLM_OK_RESPONSE);
    t.release();
  };
  const auto store = [&](std::uint32_t owner, std::uint64_t address, std::size_t size) {
    owned_transaction& t = cpu.pool.take(tlm::TLM_WRITE_COMMAND, address, bytes(size, 1));
    bool succeeded = false;
    EXPECT_EQ(exclusive(cpu, owner, t, succeeded), tlm::TLM_OK_RESPONSE);
    t.release();
    return succeeded;
  };
  cpu.run([&] {
    EXPECT_FALSE(store(0, 8, 8)) << "nothing was reserved";
    EXPECT_EQ(system.counter.content[8], 0) << "and nothing written";
    reserve(0, 8, 8);
    EXPECT_TRUE(store(0, 8, 8));
    EXPECT_FALSE(store(0, 8, 8)) << "a reservation is for one write";
    reserve(0, 8, 8);
    EXPECT_FALSE(store(1, 8, 8)) << "it is another's";
    EXPECT_TRUE(store(0, 8, 8)) << "a write that did not happen ends no reservation";
    reserve(0, 8, 8);
    reserve(1, 8, 8);
    EXPECT_TRUE(store(1, 8, 8));
    EXPECT_FALSE(store(0, 8, 8)) << "another was first";
    reserve(0, 8, 4);
    EXPECT_FALSE(store(0, 8, 8)) << "half of it only";
    reserve(0, 8, 8);
    EXPECT_TRUE(store(0, 12, 4)) << "a part of it";
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
      EXPECT_EQ(store(0, 8, 8), true) << address << " lies beside it";
    }
    reserve(0, 8, 8);
    owned_transaction& t = other.pool.take(tlm::TLM_WRITE_COMMAND, 8, bytes(8));
    t.set_streaming_width(0);  // debug has none
    other.socket->transport_dbg(t);
    t.release();
    EXPECT_FALSE(store(0, 15, 1)) << "a debugger wrote";
    reserve(0, 8, 8);
    owned_transaction& nothing = cpu.pool.take(tlm::TLM_IGNORE_COMMAND, 8, bytes(8));
    bool ignored = false;
    EXPECT_EQ(exclusive(cpu, 0, nothing, ignored), tlm::TLM_OK_RESPONSE);
    nothing.release();
    EXPECT_TRUE(store(0, 8, 8)) << "a command to be ignored is no access";
    owned_transaction& large = cpu.pool.take(tlm::TLM_READ_COMMAND, 0, bytes(65537));
    large.set_streaming_width(8);
    EXPECT_EQ(exclusive(cpu, 0, large, ignored), tlm::TLM_BURST_ERROR_RESPONSE) << "it would travel in parts";
    large.release();
  });
  sc_core::sc_report_handler::set_actions("/weft/noc/refused", sc_core::SC_DO_NOTHING);
  sc_core::sc_start();
}

/// A write that is under way in the target while another core reserves: what that core has read is old by then.
TEST(tlm_exclusive, a_write_that_takes_its_time_ends_what_was_reserved_meanwhile) {
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
    owned_transaction& load = cpu.pool.take(tlm::TLM_READ_COMMAND, 0, bytes(1));
    exclusive(cpu, 0, load, ignored);
    EXPECT_EQ(load.data, bytes(1, 0));
    sc_core::wait(100, SC_NS);
    owned_transaction& store = cpu.pool.take(tlm::TLM_WRITE_COMMAND, 0, bytes(1, 1));
    exclusive(cpu, 0, store, succeeded);
  });
  sc_core::sc_start();
  EXPECT_FALSE(succeeded);
  EXPECT_EQ(memory.content, 100);
}
