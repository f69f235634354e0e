// SPDX-License-Identifier: Apache-2.0
/// The loose mode compared with the cycle mode.
#include "tlm/peers.h"
#include <cmath>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "weft/tlm/data_type_extension.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using weft::tlm2::timing;

namespace {

/// Latencies in ns.
struct sample {
  double cycle = 0, loose = 0, contended = 0;
};

struct variant {
  const char* name;
  timing mode;
  bool contention;
  double sample::*duration;
};
constexpr variant Variants[] = {{"cycle", timing::Cycle, false, &sample::cycle},
                                {"loose", timing::Loose, false, &sample::loose},
                                {"contended", timing::Loose, true, &sample::contended}};

/// Latencies of the same transactions in all modes: \p initiators threads, \p pause ns on average between
/// transactions; memories take \p service ns for each.
std::vector<sample> measure(unsigned initiators, unsigned targets, double pause, unsigned transactions,
                            double service = 0) {
  std::vector<std::vector<sample>> all(initiators, std::vector<sample>(transactions));
  static std::vector<std::unique_ptr<platform>> systems;
  for (const variant& how : Variants) {
    weft::tlm2::noc_parameters p = mesh(4, 3);
    p.mode = how.mode;
    p.contention = how.contention;
    systems.push_back(std::make_unique<platform>(p, 8, 4, how.name));
    platform& system = *systems.back();
    for (auto& m : system.memories) {
      m->style = answer_style::Completed;
      m->latency = sc_time(service, SC_NS);
      m->exact_times = true;
    }
    for (unsigned i = 0; i < initiators; ++i) {
      system.initiators[i]->run([&system, &all, &how, i, targets, pause, transactions] {
        std::mt19937_64 random(i + 1);
        for (unsigned n = 0; n < transactions; ++n) {
          const double u = static_cast<double>(random() >> 11) * 0x1p-53;
          sc_core::wait(sc_time(std::floor(-pause * std::log(1 - u)) + 1, SC_NS));
          bytes data(std::size_t{8} << random() % 6);
          const std::uint64_t address = platform::base(random() % targets);
          const sc_time start = sc_core::sc_time_stamp();
          sc_time delay;
          initiator& cpu = *system.initiators[i];
          if (random() % 2 == 0)
            cpu.write(address, data, delay);
          else
            cpu.read(address, data, delay);
          sc_core::wait(delay);
          all[i][n].*how.duration = (sc_core::sc_time_stamp() - start) / sc_time(1, SC_NS);
        }
      });
    }
  }
  sc_core::sc_start();
  std::vector<sample> samples;
  for (const auto& of_one : all) samples.insert(samples.end(), of_one.begin(), of_one.end());
  return samples;
}

/// Errors of the loose mode relative to the cycle mode.
struct error_metrics {
  double mean_cycle = 0;
  double mean_error = 0, worst = 0;  ///< without contention
  double contended_error = 0, contended_worst = 0;
};

error_metrics errors_of(const std::vector<sample>& samples, const char* what) {
  error_metrics e;
  sample sum;
  for (const sample& s : samples) {
    for (const variant& how : Variants) sum.*how.duration += s.*how.duration;
    e.worst = std::max(e.worst, std::abs(s.loose - s.cycle) / s.cycle);
    e.contended_worst = std::max(e.contended_worst, std::abs(s.contended - s.cycle) / s.cycle);
  }
  const auto count = static_cast<double>(samples.size());
  e.mean_cycle = sum.cycle / count;
  e.mean_error = sum.loose / sum.cycle - 1;
  e.contended_error = sum.contended / sum.cycle - 1;
  std::printf(
      "%s: mean latency %.1f cycles, the loose mode estimates %.1f (%+.1f %%), worst %.0f %%; with contention %.1f "
      "(%+.1f %%), worst %.0f %%\n",
      what, e.mean_cycle, sum.loose / count, 100 * e.mean_error, 100 * e.worst, sum.contended / count,
      100 * e.contended_error, 100 * e.contended_worst);
  return e;
}

}  // namespace

/// For isolated transactions at clock edges, the estimate is exact.
TEST(tlm_loose, latency_is_exact_for_one_transaction_at_a_time) {
  const error_metrics e = errors_of(measure(1, 4, 20, 500), "one initiator");
  EXPECT_EQ(e.worst, 0.0);
  EXPECT_EQ(e.contended_worst, 0.0) << "an isolated transaction does not wait";
  EXPECT_GT(e.mean_cycle, 20);
}

// The page docs/03_reference/tlm.md states these bounds.
TEST(tlm_loose, latency_error_is_bounded_at_low_load) {
  const error_metrics e = errors_of(measure(8, 4, 400, 500), "eight initiators, a pause of 400 cycles");
  EXPECT_LT(std::abs(e.mean_error), 0.05);
  EXPECT_LT(std::abs(e.contended_error), 0.01);
}

TEST(tlm_loose, latency_error_is_bounded_at_high_load) {
  const error_metrics e = errors_of(measure(8, 4, 1, 500), "eight initiators, no pause");
  EXPECT_LT(e.mean_error, 0) << "the loose mode does not model waiting";
  EXPECT_GT(e.mean_error, -0.2);
  EXPECT_LT(std::abs(e.contended_error), 0.05);
}

TEST(tlm_loose, latency_error_is_bounded_with_one_target_for_all) {
  const error_metrics e = errors_of(measure(8, 1, 1, 500), "eight initiators, no pause, one target");
  EXPECT_LT(e.mean_error, -0.2) << "the loose mode without contention is not intended for this case";
  EXPECT_LT(std::abs(e.contended_error), 0.2);
}

TEST(tlm_loose, latency_error_is_bounded_with_slow_targets) {
  const error_metrics e =
      errors_of(measure(8, 4, 100, 500, 20), "eight initiators, a pause of 100 cycles, targets of 20 cycles");
  EXPECT_LT(std::abs(e.mean_error), 0.1);
  EXPECT_LT(std::abs(e.contended_error), 0.02);
}

namespace {

/// Initiators with one or several threads read from one memory.
struct reading_threads {
  reading_threads(const variant& how, unsigned threads, const std::string& name) : count(threads) {
    weft::tlm2::noc_parameters p = mesh(4, 3);
    p.mode = how.mode;
    p.contention = how.contention;
    system = std::make_unique<platform>(p, 1, 1, name);
    system->memories[0]->style = answer_style::Completed;
    for (unsigned i = 0; i < threads; ++i) system->initiators[0]->run([this, i] { read(i); });
  }

  void read(unsigned seed) {
    std::mt19937_64 random(seed);
    for (unsigned n = 0; n < Reads; ++n) {
      sc_core::wait(sc_time(1 + static_cast<double>(random() % 20), SC_NS));
      const sc_time start = sc_core::sc_time_stamp();
      sc_time delay;
      bytes data(128);
      system->initiators[0]->read(platform::base(0), data, delay);
      sc_core::wait(delay);
      sum += (sc_core::sc_time_stamp() - start) / sc_time(1, SC_NS);
    }
  }
  double mean() const { return sum / (count * Reads); }

  static constexpr unsigned Reads = 300;
  unsigned count;
  double sum = 0;
  std::unique_ptr<platform> system;
};

}  // namespace

/// Threads of one initiator wait for each other, although each calls as if it were alone.
TEST(tlm_loose, threads_of_one_initiator_contend) {
  reading_threads cycle(Variants[0], 4, "cycle"), contended(Variants[2], 4, "contended"),
      alone(Variants[1], 1, "alone");
  sc_core::sc_start();
  std::printf("four threads: %.1f cycles, with contention %.1f, alone %.1f\n", cycle.mean(), contended.mean(),
              alone.mean());
  EXPECT_GT(cycle.mean(), 1.1 * alone.mean());
  EXPECT_LT(std::abs(contended.mean() / cycle.mean() - 1), 0.2);
}

/// Transactions of an initiator that runs far ahead do not delay the others.
TEST(tlm_loose, initiator_far_ahead_does_not_delay_others) {
  weft::tlm2::noc_parameters p = mesh(4, 3);
  p.mode = timing::Loose;
  p.contention = true;
  platform system(p, 2, 1);
  system.initiators[1]->run([&] {
    bytes data(8);
    sc_time delay(1, sc_core::SC_MS);
    system.initiators[1]->read(platform::base(0), data, delay);
  });
  const sc_time alone =
      system.network.request_estimate(0, 2, false, 8) + system.network.response_estimate(0, 2, false, 8);
  system.initiators[0]->run([&] {
    for (unsigned n = 0; n < 2000; ++n) {
      bytes data(8);
      sc_time delay;
      system.initiators[0]->read(platform::base(0), data, delay);
      sc_core::wait(delay);
      if (n < 100) continue;
      ASSERT_EQ(delay, alone) << n;
    }
  });
  sc_core::sc_start();
}

/// Control words of doubles are two words each, in the answer as well.
TEST(tlm_loose, doubles_take_as_long_as_in_the_cycle_mode) {
  static std::vector<std::unique_ptr<platform>> systems;
  std::vector<sc_time> duration;
  for (const variant& how : Variants) {
    weft::tlm2::noc_parameters p = mesh(4, 3);
    p.mode = how.mode;
    systems.push_back(std::make_unique<platform>(p, 1, 1, how.name));
    platform& system = *systems.back();
    system.memories[0]->style = answer_style::Completed;
    system.initiators[0]->run([&system, &duration] {
      owned_transaction& t = system.initiators[0]->pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0), bytes(512));
      t.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Double));
      const sc_time start = sc_core::sc_time_stamp();
      sc_time delay;
      system.initiators[0]->socket->b_transport(t, delay);
      duration.push_back(sc_core::sc_time_stamp() + delay - start);
      t.release();
    });
  }
  sc_core::sc_start();
  ASSERT_EQ(duration.size(), std::size(Variants));
  for (const sc_time& t : duration) EXPECT_EQ(t, duration[0]);
}

/// With a quantum, an initiator runs ahead of the simulation, and the delay is its lead.
TEST(tlm_loose, quantum_keeper_lets_an_initiator_run_ahead) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = timing::Loose;
  platform system(p, 1, 1);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1000, SC_NS));
  unsigned synchronisations = 0;
  sc_time end;
  system.initiators[0]->run([&] {
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (int i = 0; i < 200; ++i) {
      sc_time local = keeper.get_local_time();
      const sc_time before = local, now = sc_core::sc_time_stamp();
      ASSERT_EQ(system.initiators[0]->write(platform::base(0), bytes(8), local), tlm::TLM_OK_RESPONSE);
      ASSERT_EQ(sc_core::sc_time_stamp(), now) << "no time passes in the call";
      ASSERT_EQ(local - before,
                system.network.request_estimate(0, 1, true, 8) + system.network.response_estimate(0, 1, true, 8));
      keeper.set(local);
      if (!keeper.need_sync()) continue;
      keeper.sync();
      ++synchronisations;
    }
    end = sc_core::sc_time_stamp() + keeper.get_local_time();
  });
  sc_core::sc_start();
  const sc_time one = system.network.request_estimate(0, 1, true, 8) + system.network.response_estimate(0, 1, true, 8);
  EXPECT_EQ(end, 200 * one);
  EXPECT_GT(synchronisations, 0U);
  EXPECT_LT(synchronisations, 20U);
}
