// SPDX-License-Identifier: Apache-2.0
/// Threads that wait in an access are reset, killed or interrupted. The network is then as if the access had finished
/// or never begun, nothing stays in flight, and later accesses are correct.
#include "tlm/resettable.h"
#include <deque>
#include <memory>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using weft::tlm2::timing;

namespace {

enum class ending { Kill, Reset, Exception };
struct interruption {};

weft::tlm2::noc_parameters small_network(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  p.map = {{0x1000000, 1 << 18, 3}};
  return p;
}

sc_time ns(double n) { return sc_time(n, SC_NS); }

std::uint64_t flits_sent(const weft::network_model& network) {
  const auto counts = network.channel_counts();
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const weft::channel_count& c) { return sum + c.flits; });
}

/// Its thread writes and reads, is ended once at a given time, and then starts again.
template <typename Memory>
struct interrupted_platform {
  static constexpr unsigned Accesses = 5;

  interrupted_platform(const weft::tlm2::noc_parameters& p, const std::string& name, ending how, const sc_time& when)
      : network((name + "_network").c_str(), p), cpu((name + "_cpu").c_str()), memory((name + "_memory").c_str()) {
    cpu.socket.bind(network.from_initiator[0]);
    network.to_target[3].bind(memory.socket);
    thread = sc_core::sc_spawn([this] { work(); });
    sc_core::sc_spawn([this, how, when] {
      sc_core::wait(when);
      was_waiting = network.in_flight() > 0;
      if (how == ending::Reset) return thread.reset();
      if (how == ending::Exception) return thread.throw_it(interruption());
      thread.kill();
      thread = sc_core::sc_spawn([this] { work(); });
    });
  }

  void work() {
    for (bool is_over = false; !is_over;) {
      ++starts;
      right = 0;
      try {
        access_all();
        is_over = true;
      } catch (const interruption&) {
      }
    }
  }

  void access_all() {
    for (unsigned i = 0; i < Accesses; ++i) {
      const bytes data(40, static_cast<unsigned char>(16 * starts + i));
      const std::uint64_t address = 0x1000000 + 64 * (i % 2);
      if (cpu.write(address, data) != tlm::TLM_OK_RESPONSE) continue;
      right += cpu.read(address, 40) == data;
    }
  }

  void check() const {
    EXPECT_EQ(right, Accesses);
    EXPECT_EQ(starts, 2U);
    EXPECT_EQ(network.in_flight(), 0U);
    EXPECT_EQ(memory.content[0], 16 * starts + Accesses - 1);
    EXPECT_EQ(memory.content[64], 16 * starts + Accesses - 2);
  }

  weft::noc network;
  resettable_initiator cpu;
  Memory memory;
  sc_core::sc_process_handle thread;
  unsigned starts = 0, right = 0;
  bool was_waiting = false;
};

/// Interrupts at every half nanosecond from the first access on.
template <typename Memory>
void interrupt_at_all_times(const weft::tlm2::noc_parameters& p) {
  std::deque<interrupted_platform<Memory>> all;
  for (unsigned at = 0; at < 110; ++at)
    all.emplace_back(p, "at" + std::to_string(at), static_cast<ending>(at % 3), ns(0.5 * (1 + at)));
  sc_core::sc_start();
  unsigned waited = 0;
  for (const auto& one : all) {
    SCOPED_TRACE(one.network.name());
    one.check();
    waited += one.was_waiting;
  }
  EXPECT_GT(waited, 20U);
}

/// A non-blocking initiator stops sending END_RESP: its responses wait, and stall those of others, until it is reset.
/// Then nothing of it is left in the network, and its transactions are free.
void reset_one_without_threads(timing mode) {
  weft::tlm2::noc_parameters p = mesh(3, 1, 1);
  p.mode = mode;
  p.receive_depth = 1;
  platform system(p, 2, 1);
  memory& target = *system.memories[0];
  target.style = answer_style::Completed;
  initiator& cpu = *system.initiators[0];
  cpu.style = answer_style::Accepted;
  cpu.response_time = ns(1e9);  // effectively never
  unsigned answers = 0, of_other = 0;
  auto thread = sc_core::sc_spawn([&] {
    for (unsigned i = 0; i < 30; ++i)
      cpu.start(cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0), bytes(200)),
                [&](owned_transaction&) { ++answers; });
  });
  sc_core::sc_spawn([&] {
    sc_core::wait(ns(3000));
    EXPECT_GT(system.network.in_flight(), 5U);
    thread.kill();
    system.network.reset_initiator(0);
    EXPECT_LE(system.network.requests_waiting(0), p.queue_depth);  // requests that have left
    system.network.reset_initiator(0);                             // releases nothing more
    sc_core::wait(ns(3000));
    EXPECT_EQ(system.network.in_flight(), 0U);
    bytes data(200);
    for (unsigned i = 0; i < 10; ++i)
      of_other += system.initiators[1]->read(platform::base(0), data) == tlm::TLM_OK_RESPONSE;
    EXPECT_GE(target.served, 10U);
  });
  sc_core::sc_start(ns(20'000));
  EXPECT_EQ(of_other, 10U);
  EXPECT_EQ(answers, 0U);
}

}  // namespace

TEST(tlm_resets, threads_may_end_at_any_time_in_cycle_mode) {
  interrupt_at_all_times<simple_memory>(small_network(timing::Cycle));
}

TEST(tlm_resets, threads_may_end_at_any_time_in_loose_mode) {
  interrupt_at_all_times<simple_memory>(small_network(timing::Loose));
}

TEST(tlm_resets, threads_may_end_at_any_time_without_fast_path) {
  weft::tlm2::noc_parameters p = small_network(timing::Cycle);
  p.foresee = false;
  interrupt_at_all_times<simple_memory>(p);
}

TEST(tlm_resets, threads_may_end_at_any_time_with_blocking_targets) {
  weft::tlm2::noc_parameters p = small_network(timing::Cycle);
  p.blocking_targets = {3};
  interrupt_at_all_times<plain_memory>(p);
}

/// A thread with an asynchronous or synchronous reset signal waits in an access.
TEST(tlm_resets, reset_signals_may_end_an_access) {
  for (const timing mode : {timing::Cycle, timing::Loose}) {
    for (const bool is_asynchronous : {true, false}) {
      const std::string name = (mode == timing::Cycle ? "cycle" : "loose") + std::to_string(is_asynchronous);
      auto* const network = new weft::noc((name + "_network").c_str(), small_network(mode));
      auto* const cpu = new resettable_initiator((name + "_cpu").c_str());
      auto* const memory = new simple_memory((name + "_memory").c_str());
      auto* const reset = new sc_core::sc_signal<bool>((name + "_reset").c_str());
      cpu->socket.bind(network->from_initiator[0]);
      network->to_target[3].bind(memory->socket);
      sc_core::sc_spawn_options options;
      is_asynchronous ? options.async_reset_signal_is(*reset, true) : options.reset_signal_is(*reset, true);
      sc_core::sc_spawn(
          [cpu, reset] {
            while (reset->read()) sc_core::wait(reset->negedge_event());
            for (unsigned char i = 0;; ++i) {
              const bytes data(24, i);
              ASSERT_EQ(cpu->write(0x1000000, data), tlm::TLM_OK_RESPONSE);
              ASSERT_EQ(cpu->read(0x1000000, 24), data);
              if (i == 200) return;
            }
          },
          sc_core::sc_gen_unique_name("resettable"), &options);
      sc_core::sc_spawn([reset] {
        for (unsigned i = 0; i < 20; ++i) {
          sc_core::wait(ns(95.5 + 3 * i));
          reset->write(true);
          sc_core::wait(ns(12));
          reset->write(false);
        }
      });
    }
  }
  sc_core::sc_start(ns(100'000));
  for (const char* const name : {"cycle0", "cycle1", "loose0", "loose1"}) {
    SCOPED_TRACE(name);
    const auto find = [&](const char* part) { return sc_core::sc_find_object((std::string(name) + part).c_str()); };
    EXPECT_EQ(dynamic_cast<weft::noc&>(*find("_network")).in_flight(), 0U);
    EXPECT_EQ(dynamic_cast<simple_memory&>(*find("_memory")).content[0], 200U);
  }
}

/// An access whose annotated delay has not elapsed, or for which the NIC has no room, leaves no trace.
TEST(tlm_resets, access_that_has_not_left_is_withdrawn) {
  weft::tlm2::noc_parameters p = small_network(timing::Cycle);
  p.queue_depth = p.receive_depth = 1;
  p.max_packet_flits = 8;
  weft::noc network("network", p);
  resettable_initiator cpu("cpu");
  simple_memory memory("memory");
  memory.latency = ns(5000);
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(memory.socket);
  constexpr unsigned Threads = 40;
  std::vector<sc_core::sc_process_handle> threads;
  std::vector<tlm::tlm_response_status> statuses(Threads, tlm::TLM_INCOMPLETE_RESPONSE);
  for (unsigned i = 0; i < Threads; ++i)
    threads.push_back(sc_core::sc_spawn([&, i] {
      sc_core::wait(ns(i));
      statuses[i] = cpu.write(0x1000000 + 64 * i, bytes(48, 0x77), i == 0 ? ns(3) : sc_time());
    }));
  std::uint64_t waiting = 0;
  sc_core::sc_spawn([&] {
    sc_core::wait(ns(1.5));
    threads[0].kill();
    EXPECT_EQ(network.in_flight(), 1U);
    sc_core::wait(ns(2000));
    waiting = network.requests_waiting(0);
    ASSERT_GT(waiting, 10U);
    for (const unsigned i : {Threads - 1, Threads - 2, Threads - 5}) threads[i].kill();
    EXPECT_EQ(network.requests_waiting(0), waiting - 3);
    EXPECT_EQ(network.in_flight(), Threads - 4);
    threads[5].kill();  // its request has left and continues
    EXPECT_EQ(network.in_flight(), Threads - 4);
  });
  sc_core::sc_start();
  EXPECT_EQ(network.in_flight(), 0U);
  EXPECT_EQ(memory.served, Threads - 4);
  for (unsigned i = 0; i < Threads; ++i) {
    const bool is_withdrawn = i == 0 || i == Threads - 1 || i == Threads - 2 || i == Threads - 5;
    EXPECT_EQ(memory.content[64 * i], is_withdrawn ? 0 : 0x77) << i;
    EXPECT_EQ(statuses[i], is_withdrawn || i == 5 ? tlm::TLM_INCOMPLETE_RESPONSE : tlm::TLM_OK_RESPONSE) << i;
  }
}

TEST(tlm_resets, access_in_its_annotated_delay_sends_no_flit) {
  weft::noc network("network", small_network(timing::Cycle));
  resettable_initiator cpu("cpu");
  simple_memory memory("memory");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(memory.socket);
  auto thread = sc_core::sc_spawn([&] { cpu.write(0x1000000, bytes(8, 1), ns(100)); });
  sc_core::sc_spawn([&] {
    sc_core::wait(ns(50));
    EXPECT_EQ(network.in_flight(), 1U);
    thread.kill();
    EXPECT_EQ(network.in_flight(), 0U);
  });
  sc_core::sc_start();
  EXPECT_EQ(flits_sent(*network.request_network()), 0U);
  EXPECT_EQ(memory.served, 0U);
}

/// A burst above 64 KiB leaves in parts. If its thread ends between them, the network sends the rest from a copy.
TEST(tlm_resets, burst_is_finished_from_a_copy) {
  weft::tlm2::noc_parameters p = small_network(timing::Cycle);
  p.queue_depth = 1;
  weft::noc network("network", p);
  resettable_initiator cpu("cpu");
  simple_memory memory("memory");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(memory.socket);
  std::mt19937_64 random(3);
  const bytes data = random_bytes(random, 200'000);
  auto thread = sc_core::sc_spawn([&] { cpu.write(0x1000000, data); });
  sc_core::sc_spawn([&] {
    sc_core::wait(ns(5000));  // 64 KiB are more than 8,192 flits
    ASSERT_EQ(memory.served, 0U);
    thread.kill();
    EXPECT_EQ(network.in_flight(), 1U);
  });
  bytes back;
  sc_core::sc_spawn([&] {
    sc_core::wait(ns(6000));
    back = cpu.read(0x1000000, data.size());
  });
  sc_core::sc_start();
  EXPECT_EQ(network.in_flight(), 0U);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), memory.content.begin()));
  EXPECT_EQ(back, data);
}

/// A thread ends after its answer arrives but before it resumes. The answer does not resume the next access in its
/// place.
TEST(tlm_resets, response_to_a_killed_thread_wakes_no_other) {
  weft::noc network("network", small_network(timing::Cycle));
  resettable_initiator cpu("cpu");
  simple_memory memory("memory");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(memory.socket);
  memory.content[0] = 1;
  unsigned kills = 0;
  sc_core::sc_spawn([&] {
    cpu.read(0x1000000, 8);
    const sc_time taken = sc_core::sc_time_stamp();
    for (unsigned deltas = 0; deltas < 5; ++deltas) {
      const sc_time begin = ns(1000 * (1 + deltas));
      sc_core::wait(begin - sc_core::sc_time_stamp());
      auto killed = sc_core::sc_spawn([&] { cpu.read(0x1000000, 8); });
      sc_core::wait(taken);
      for (unsigned i = 0; i < deltas; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
      kills += network.in_flight() > 0;
      killed.kill();
      EXPECT_EQ(cpu.read(0x1000000, 8), bytes({1, 0, 0, 0, 0, 0, 0, 0})) << deltas;
      EXPECT_EQ(sc_core::sc_time_stamp(), begin + taken + taken) << deltas;
    }
  });
  sc_core::sc_start();
  EXPECT_GE(kills, 2U);
  EXPECT_EQ(network.in_flight(), 0U);
}

TEST(tlm_resets, initiator_without_threads_is_reset) { reset_one_without_threads(timing::Cycle); }

TEST(tlm_resets, initiator_without_threads_is_reset_in_loose_mode) { reset_one_without_threads(timing::Loose); }

/// The thread in which the network calls a target's b_transport() is reset or killed.
TEST(tlm_resets, thread_of_the_network_may_end) {
  weft::tlm2::noc_parameters p = small_network(timing::Cycle);
  p.blocking_targets = {3};
  weft::noc network("network", p);
  resettable_initiator cpu("cpu");
  plain_memory memory("memory");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[3].bind(memory.socket);
  sc_core::sc_process_handle caller;
  memory.hook = [&](tlm::tlm_generic_payload&) { caller = sc_core::sc_get_current_process_handle(); };
  std::vector<tlm::tlm_response_status> statuses;
  sc_core::sc_spawn([&] {
    for (unsigned i = 0; i < 6; ++i) statuses.push_back(cpu.write(0x1000000, bytes(8, 1)));
  });
  sc_core::sc_spawn([&] {
    for (unsigned i = 0; i < 4; ++i) {
      while (memory.served == i) sc_core::wait(ns(1));
      i % 2 == 0 ? caller.reset() : caller.kill();
    }
  });
  sc_core::sc_start();
  using namespace tlm;
  EXPECT_THAT(statuses,
              testing::ElementsAre(TLM_GENERIC_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE,
                                   TLM_GENERIC_ERROR_RESPONSE, TLM_OK_RESPONSE, TLM_OK_RESPONSE));
  EXPECT_EQ(network.in_flight(), 0U);
}
