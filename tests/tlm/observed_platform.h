// SPDX-License-Identifier: Apache-2.0
/// Compares two networks that must be indistinguishable: platforms with random traffic, and everything observable of
/// them. WEFT_SEED repeats a run.
#pragma once

#include "tlm/peers.h"
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

inline std::uint64_t observed_seed() {
  const char* const given = std::getenv("WEFT_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device()();
}

inline std::string shown_counts(const weft::network_model& network, weft::node_id nodes) {
  std::string text;
  for (const weft::channel_count& c : network.channel_counts())
    text += std::to_string(c.router) + "." + std::to_string(c.port) + " " + std::to_string(c.flits) + "\n";
  for (weft::node_id n = 0; n < nodes; ++n)
    text += std::to_string(network.queued(n)) + " " + std::to_string(network.received_in_window(n)) + "\n";
  return text;
}

/// Mixed: initiators that pause, and all memories. Busy: no pauses and one memory, whose node keeps stalling flits.
enum class observed_traffic { Mixed, Busy };

inline std::string traffic_name(const testing::TestParamInfo<observed_traffic>& tested) {
  return tested.param == observed_traffic::Busy ? "busy" : "mixed";
}

/// A platform with blocking and non-blocking initiators, whose pauses are shorter or longer than a message takes.
/// Records the history of every transaction.
struct observed_platform {
  observed_platform(weft::tlm2::noc_parameters p, const std::string& name, std::uint64_t random_seed,
                    observed_traffic how_much)
      : traffic(how_much), system(std::move(p), 5, 3, name + std::to_string(random_seed)) {
    for (auto& m : system.memories) {
      m->style = static_cast<answer_style>(random_seed % 4);
      m->exact_times = true;
      m->accept_time = sc_core::sc_time(3, sc_core::SC_NS);
      m->latency = sc_core::sc_time(11, sc_core::SC_NS);
    }
    for (unsigned i = 0; i < 5; ++i) {
      initiator& cpu = *system.initiators[i];
      cpu.style = static_cast<answer_style>((random_seed + i) / 4 % 4);
      cpu.response_time = sc_core::sc_time(2, sc_core::SC_NS);
      cpu.run([this, i, random_seed] { work(i, random_seed * 8 + i); });
    }
    sc_core::sc_spawn([this] { sample(); });
  }

  void work(unsigned number, std::uint64_t random_seed) {
    std::mt19937_64 random(random_seed);
    initiator& cpu = *system.initiators[number];
    for (unsigned i = 0; i < 150; ++i) {
      const bool is_busy = traffic == observed_traffic::Busy;
      if (!is_busy)
        sc_core::wait(sc_core::sc_time(static_cast<double>(random() % (random() % 3 == 0 ? 10'000 : 450'000) * 2),
                                       sc_core::SC_PS));
      bytes data(1 + random() % (random() % 30 == 0 ? 2000 : 100));
      const bool write = random() % 2 == 0;
      const std::uint64_t address = platform::base(is_busy ? 0 : random() % 3) + random() % 1000;
      if (number % 2 == 0) {
        write ? cpu.write(address, data) : cpu.read(address, data);
        note(number, i);
      } else {
        cpu.start(cpu.pool.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data),
                  [this, number, i](owned_transaction&) { note(number, i); });
        note(number, 1000 + i);  // END_REQ
      }
    }
    cpu.finish();
  }

  void note(unsigned number, unsigned transaction) {
    times.push_back(std::to_string(number) + "/" + std::to_string(transaction) + " " +
                    sc_core::sc_time_stamp().to_string());
  }

  /// Samples at odd picoseconds; all observed state changes at even ones.
  void sample() {
    std::mt19937_64 random(5);
    sc_core::wait(sc_core::sc_time(1, sc_core::SC_PS));
    for (unsigned i = 0; i < States; ++i) {
      sc_core::wait(sc_core::sc_time(static_cast<double>(random() % 600'000 * 2), sc_core::SC_PS));
      std::string text = std::to_string(system.network.in_flight());
      for (weft::node_id n = 0; n < system.network.nodes(); ++n)
        text += " " + std::to_string(system.network.requests_waiting(n)) + "/" +
                std::to_string(system.network.responses_waiting(n));
      if (i % 4 == 0) {
        text += shown_counts(*system.network.request_network(), system.network.nodes());
        text += shown_counts(*system.network.response_network(), system.network.nodes());
      }
      states.push_back(text);
    }
  }

  /// Of all transactions, and END_REQ of the non-blocking ones.
  static constexpr std::size_t Times = 5 * 150 + 2 * 150;
  static constexpr std::size_t States = 200;
  bool has_finished() const { return times.size() == Times && states.size() == States; }

  const observed_traffic traffic;
  platform system;
  std::vector<std::string> times, states;
};

/// The same platform with either network.
struct observed_pair {
  observed_pair(const weft::tlm2::noc_parameters& first, const weft::tlm2::noc_parameters& second,
                std::uint64_t random_seed, observed_traffic traffic)
      : seed(random_seed), one(first, "one", random_seed, traffic), other(second, "other", random_seed, traffic) {}

  bool have_finished() const { return one.has_finished() && other.has_finished(); }

  /// Compares transaction by transaction and counter by counter.
  void expect_same() {
    SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
    ASSERT_TRUE(have_finished());
    std::sort(one.times.begin(), one.times.end());
    std::sort(other.times.begin(), other.times.end());
    for (std::size_t i = 0; i < one.times.size(); ++i) ASSERT_EQ(one.times[i], other.times[i]);
    for (std::size_t i = 0; i < one.states.size(); ++i) ASSERT_EQ(one.states[i], other.states[i]);
    for (unsigned m = 0; m < 3; ++m) EXPECT_EQ(one.system.memories[m]->addresses, other.system.memories[m]->addresses);
    EXPECT_THAT(one.system.violations(), testing::IsEmpty());
    EXPECT_THAT(other.system.violations(), testing::IsEmpty());
    EXPECT_EQ(shown_counts(*one.system.network.response_network(), one.system.network.nodes()),
              shown_counts(*other.system.network.response_network(), other.system.network.nodes()));
  }

  const std::uint64_t seed;
  observed_platform one, other;
};

/// Expects that the platforms with both networks behave the same for several consecutive seeds. Any four of
/// them cover every answer style of the memories.
inline void compare(const weft::tlm2::noc_parameters& first, const weft::tlm2::noc_parameters& second,
                    observed_traffic traffic) {
  constexpr std::uint64_t Seeds = 8;
  const std::uint64_t first_seed = observed_seed();
  std::deque<observed_pair> all;
  for (std::uint64_t i = 0; i < Seeds; ++i) all.emplace_back(first, second, first_seed + i, traffic);
  const sc_core::sc_time limit(100, sc_core::SC_MS);  // a network with a clock always has a next event
  const auto have_finished = [](const observed_pair& pair) { return pair.have_finished(); };
  while (!std::all_of(all.begin(), all.end(), have_finished) && sc_core::sc_time_stamp() < limit)
    sc_core::sc_start(sc_core::sc_time(9'999'777, sc_core::SC_PS));
  for (observed_pair& pair : all) pair.expect_same();
}
