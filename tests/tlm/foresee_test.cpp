// SPDX-License-Identifier: Apache-2.0
/// Messages that are alone are foreseen: nothing that can be seen of a network changes. WEFT_SEED repeats a run.
#include "tlm/peers.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/grid.h"

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using testing::IsEmpty;

namespace {

std::uint64_t foresee_seed() {
  const char* const given = std::getenv("WEFT_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device()();
}

std::string shown_counts(const weft::network_model& network, weft::node_id nodes) {
  std::string text;
  for (const weft::channel_count& c : network.channel_counts())
    text += std::to_string(c.router) + "." + std::to_string(c.port) + " " + std::to_string(c.flits) + "\n";
  for (weft::node_id n = 0; n < nodes; ++n)
    text += std::to_string(network.queued(n)) + " " + std::to_string(network.received_in_window(n)) + "\n";
  return text;
}

/// A platform with blocking and non-blocking initiators that pause for now shorter and now longer than a message takes,
/// and what becomes of every transaction.
struct observed_platform {
  observed_platform(weft::tlm2::noc_parameters p, bool foresee, std::uint64_t random_seed)
      : system(with(std::move(p), foresee), 5, 3, foresee ? "foreseen" : "simulated") {
    for (auto& m : system.memories) {
      m->style = static_cast<answer_style>(random_seed % 4);
      m->exact_times = true;
      m->accept_time = sc_time(3, SC_NS);
      m->latency = sc_time(11, SC_NS);
    }
    for (unsigned i = 0; i < 5; ++i) {
      initiator& cpu = *system.initiators[i];
      cpu.style = static_cast<answer_style>((random_seed + i) / 4 % 4);
      cpu.response_time = sc_time(2, SC_NS);
      cpu.run([this, i, random_seed] { work(i, random_seed * 8 + i); });
    }
    sc_core::sc_spawn([this] { look(); });
  }

  static weft::tlm2::noc_parameters with(weft::tlm2::noc_parameters p, bool foresee) {
    p.foresee = foresee;
    return p;
  }

  void work(unsigned number, std::uint64_t random_seed) {
    std::mt19937_64 random(random_seed);
    initiator& cpu = *system.initiators[number];
    for (unsigned i = 0; i < 150; ++i) {
      sc_core::wait(sc_time(static_cast<double>(random() % (random() % 3 == 0 ? 20'000 : 900'000)), SC_PS));
      bytes data(1 + random() % (random() % 30 == 0 ? 2000 : 100));
      const bool write = random() % 2 == 0;
      const std::uint64_t address = platform::base(random() % 3) + random() % 1000;
      if (number % 2 == 0) {
        write ? cpu.write(address, data) : cpu.read(address, data);
        note(number, i);
      } else {
        cpu.start(cpu.pool.take(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data),
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

  /// Now and then, between two edges of the clock.
  void look() {
    std::mt19937_64 random(5);
    for (unsigned i = 0; i < 200; ++i) {
      sc_core::wait(sc_time(static_cast<double>(random() % 600'000 * 2 + 1), SC_PS));
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

  platform system;
  std::vector<std::string> times, states;
};

void compare(weft::tlm2::noc_parameters p) {
  const std::uint64_t random_seed = foresee_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(random_seed));
  observed_platform foreseen(p, true, random_seed), simulated(p, false, random_seed);
  sc_core::sc_start();
  std::sort(foreseen.times.begin(), foreseen.times.end());
  std::sort(simulated.times.begin(), simulated.times.end());
  ASSERT_EQ(foreseen.times.size(), 5U * 150U + 2U * 150U);
  for (std::size_t i = 0; i < foreseen.times.size(); ++i) ASSERT_EQ(foreseen.times[i], simulated.times[i]);
  for (std::size_t i = 0; i < foreseen.states.size(); ++i) ASSERT_EQ(foreseen.states[i], simulated.states[i]);
  for (unsigned m = 0; m < 3; ++m)
    EXPECT_EQ(foreseen.system.memories[m]->addresses, simulated.system.memories[m]->addresses);
  EXPECT_THAT(foreseen.system.violations(), IsEmpty());
  EXPECT_EQ(shown_counts(*foreseen.system.network.response_network(), foreseen.system.network.nodes()),
            shown_counts(*simulated.system.network.response_network(), simulated.system.network.nodes()));
}

}  // namespace

TEST(tlm_foresee, a_mesh) { compare(mesh(4, 3)); }

TEST(tlm_foresee, queues_of_one_message) {
  weft::tlm2::noc_parameters p = mesh(3, 3, 2);
  p.queue_depth = p.receive_depth = 1;
  p.max_packet_flits = 8;
  compare(p);
}

TEST(tlm_foresee, another_clock_and_wide_flits) {
  weft::tlm2::noc_parameters p = mesh(5, 2);
  p.clock_period = sc_time(1700, SC_PS);
  p.payload_bits = 256;
  p.router.pipeline = 3;
  compare(p);
}

/// A trace has the queues of every cycle: there nothing is foreseen.
TEST(tlm_foresee, traces_are_the_same) {
  platform system(mesh(2, 2), 1, 1);
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file("foresee_trace");
  sc_trace(file, system.network, "network");
  std::vector<std::uint64_t> waiting;
  system.initiators[0]->run([&] { system.initiators[0]->write(platform::base(0), bytes(8)); });
  sc_core::sc_spawn([&] {
    sc_core::wait(1500, SC_PS);
    waiting.push_back(system.network.requests_waiting(0));
  });
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(file);
  std::remove("foresee_trace.vcd");
  EXPECT_THAT(waiting, testing::ElementsAre(1U));
}
