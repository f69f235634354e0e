// SPDX-License-Identifier: Apache-2.0
/// The modules that carry flits without decisions: crossbar and link.
#include "levels/bench.h"
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/pin/link.h"
#include "weft/pin/router/crossbar.h"

namespace weft::pin {
namespace {

// ---------------------------------------------------------------------------------------------------------------
// Crossbar

/// Crossbars of one to six stages with the same input.
class crossbar_bench : public bench {
 public:
  struct instance {
    instance(unsigned ports, unsigned stages)
        : out(("out" + std::to_string(stages)).c_str(), ports),
          busy(("busy" + std::to_string(stages)).c_str()),
          dut(("dut" + std::to_string(stages)).c_str(), ports, stages) {}
    sc_core::sc_vector<sc_core::sc_signal<flit_t>> out;
    sc_core::sc_signal<bool> busy;
    crossbar<64> dut;
  };

  explicit crossbar_bench(unsigned ports) : in("in", ports) {
    for (unsigned stages = 1; stages <= crossbar<64>::MaxStages; ++stages) {
      m_instances.push_back(std::make_unique<instance>(ports, stages));
      instance& i = *m_instances.back();
      clock(i.dut);
      i.dut.flit_i.bind(in);
      i.dut.flit_o.bind(i.out);
      i.dut.busy_o(i.busy);
    }
    start();
  }
  instance& of(unsigned stages) { return *m_instances[stages - 1]; }

  /// Drives only \p f, for output \p port.
  void offer(unsigned port, const flit_t& f) {
    offer_none();
    in[port].write(f);
  }
  void offer_none() {
    for (auto& signal : in) signal.write(flit_t());
  }

  sc_core::sc_vector<sc_core::sc_signal<flit_t>> in;

 private:
  std::vector<std::unique_ptr<instance>> m_instances;
};

TEST(levels_pin_crossbar, delays_a_flit_by_its_stages) {
  crossbar_bench b(3);
  const flit_t f = single(5, 1);
  b.offer(2, f);
  b.step();
  b.offer_none();
  for (unsigned cycle = 1; cycle <= 8; ++cycle, b.step()) {
    for (unsigned stages = 1; stages <= 6; ++stages) {
      const flit_t& out = b.of(stages).out[2].read();
      EXPECT_EQ(out, cycle == stages ? f : flit_t()) << "stages " << stages << ", cycle " << cycle;
      EXPECT_EQ(b.of(stages).out[0].read(), flit_t());
      EXPECT_EQ(b.of(stages).busy.read(), cycle < stages) << "stages " << stages << ", cycle " << cycle;
    }
  }
  for (unsigned stages = 1; stages <= 6; ++stages) {
    EXPECT_EQ(b.of(stages).dut.sent(2), 1U);
    EXPECT_EQ(b.of(stages).dut.sent(0), 0U);
  }
}

TEST(levels_pin_crossbar, router_count_of_a_packet_grows_when_its_tail_leaves) {
  crossbar_bench b(3);
  packet_table packets;
  b.of(2).dut.attach(packets);
  const flit_tag tag = packets.add(5, 0);
  for (std::uint32_t i = 0; i < 3; ++i) {
    b.offer(1, make_flit(5, i, 3, 0));
    b.step();
  }
  b.offer_none();
  EXPECT_EQ(packets.of(tag).routers, 0U) << "the tail is still in the crossbar";
  b.step(2);
  EXPECT_EQ(packets.of(tag).routers, 1U);
}

TEST(levels_pin_crossbar, keeps_its_latency_under_random_traffic) {
  constexpr unsigned Ports = 5;
  random_numbers random;
  crossbar_bench b(Ports);
  std::deque<std::vector<flit_t>> past;  // past[n]: by port, n + 1 cycles ago
  unsigned sent = 0;
  for (unsigned cycle = 0; cycle < 4000; ++cycle) {
    const port_set outputs = random.chance(0.7) ? random.below(1U << Ports) : 0;
    std::vector<flit_t> row(Ports);
    for_each_member(outputs, [&](unsigned port) { row[port] = single(cycle * 8 + port, random.below(4)); });
    sent += static_cast<unsigned>(__builtin_popcount(outputs));
    for (unsigned port = 0; port < Ports; ++port) b.in[port].write(row[port]);
    b.step();
    past.push_front(row);
    if (past.size() > 6) past.pop_back();
    for (unsigned stages = 1; stages <= past.size(); ++stages) {
      for (unsigned port = 0; port < Ports; ++port)
        ASSERT_EQ(b.of(stages).out[port].read(), past[stages - 1][port]) << "stages " << stages << ", cycle " << cycle;
    }
  }
  EXPECT_GT(sent, 5000U);
}

TEST(levels_pin_crossbar, reset_drops_flits_in_its_stages) {
  crossbar_bench b(2);
  for (unsigned i = 0; i < 7; ++i) {
    b.offer(i % 2, single(i, 0));
    b.step();
  }
  b.offer_none();
  for (unsigned stages = 1; stages <= 6; ++stages)
    ASSERT_TRUE(b.of(stages).out[0].read().valid || b.of(stages).out[1].read().valid);
  b.assert_reset();
  const auto expect_empty = [&] {
    for (unsigned stages = 1; stages <= 6; ++stages) {
      EXPECT_EQ(b.of(stages).out[0].read(), flit_t()) << stages;
      EXPECT_EQ(b.of(stages).out[1].read(), flit_t()) << stages;
      EXPECT_FALSE(b.of(stages).busy.read()) << stages;
    }
  };
  expect_empty();
  b.release_reset();
  for (unsigned cycle = 0; cycle < 8; ++cycle, b.step()) expect_empty();
  b.offer(1, single(9, 0));
  b.step(6);
  EXPECT_EQ(b.of(6).out[1].read().tag.packet(), 9U);
}

// ---------------------------------------------------------------------------------------------------------------
// Link

const std::vector<unsigned> LinkStages{1, 2, 3, 7, link<64>::MaxStages};

class link_bench : public bench {
 public:
  struct instance {
    explicit instance(unsigned stages)
        : flit(("flit" + std::to_string(stages)).c_str()),
          returned(("returned" + std::to_string(stages)).c_str()),
          busy(("busy" + std::to_string(stages)).c_str()),
          dut(("dut" + std::to_string(stages)).c_str(), stages) {}
    sc_core::sc_signal<flit_t> flit;
    sc_core::sc_signal<credit> returned;
    sc_core::sc_signal<bool> busy;
    link<64> dut;
  };

  link_bench() {
    for (const unsigned stages : LinkStages) {
      instances.push_back(std::make_unique<instance>(stages));
      instance& i = *instances.back();
      clock(i.dut);
      i.dut.flit_i(flit_in);
      i.dut.flit_o(i.flit);
      i.dut.credit_i[0](credit_in);
      i.dut.credit_o[0](i.returned);
      i.dut.busy_o(i.busy);
    }
    start();
  }

  sc_core::sc_signal<flit_t> flit_in{"flit_in"};
  sc_core::sc_signal<credit> credit_in{"credit_in"};
  std::vector<std::unique_ptr<instance>> instances;
};

TEST(levels_pin_link, delays_flits_and_credits_by_its_latency) {
  link_bench b;
  const flit_t f = single(5, 1);
  b.flit_in.write(f);
  b.step();
  b.flit_in.write(flit_t());
  b.credit_in.write({1U << 3});  // one cycle after the flit
  for (unsigned cycle = 1; cycle <= 70; ++cycle) {
    for (std::size_t i = 0; i < LinkStages.size(); ++i) {
      const unsigned stages = LinkStages[i];
      EXPECT_EQ(b.instances[i]->flit.read(), cycle == stages ? f : flit_t()) << "stages " << stages << ", " << cycle;
      EXPECT_EQ(b.instances[i]->returned.read(), cycle == stages + 1 ? (credit{1U << 3}) : credit())
          << "stages " << stages << ", " << cycle;
      // Busy while a flit or credit is inside.
      const bool flit_inside = cycle < stages;
      const bool credit_inside = cycle >= 2 && cycle < stages + 1;
      EXPECT_EQ(b.instances[i]->busy.read(), flit_inside || credit_inside) << "stages " << stages << ", " << cycle;
    }
    b.step();
    b.credit_in.write(credit());
  }
}

TEST(levels_pin_link, is_a_delay_line_under_random_traffic) {
  random_numbers random;
  link_bench b;
  std::deque<std::pair<flit_t, credit>> past;
  unsigned flits = 0;
  for (unsigned cycle = 0; cycle < 3000; ++cycle) {
    const bool idle = cycle / 100 % 3 == 2;  // gaps that let it drain
    const flit_t f = !idle && random.chance(0.5) ? single(cycle, random.below(4)) : flit_t();
    const credit c{!idle && random.chance(0.5) ? 1U << random.below(4) : 0};
    flits += f.valid;
    b.flit_in.write(f);
    b.credit_in.write(c);
    b.step();
    past.push_front({f, c});
    if (past.size() > link<64>::MaxStages) past.pop_back();
    for (std::size_t i = 0; i < LinkStages.size(); ++i) {
      if (past.size() < LinkStages[i]) continue;
      ASSERT_EQ(b.instances[i]->flit.read(), past[LinkStages[i] - 1].first) << "cycle " << cycle;
      ASSERT_EQ(b.instances[i]->returned.read(), past[LinkStages[i] - 1].second) << "cycle " << cycle;
      bool inside = false;
      for (unsigned n = 0; n + 1 < LinkStages[i]; ++n) inside |= past[n].first.valid || past[n].second.vcs != 0;
      ASSERT_EQ(b.instances[i]->busy.read(), inside) << "stages " << LinkStages[i] << ", cycle " << cycle;
    }
  }
  EXPECT_GT(flits, 700U);
}

/// A narrow link that gets flits as fast as it accepts them.
struct narrow_link {
  narrow_link(const std::string& name, unsigned stages_of_it, unsigned phits_of_it, bench& b)
      : stages(stages_of_it),
        phits(phits_of_it),
        in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        back((name + "_back").c_str(), stages != 0 ? 1 : 0),
        returned((name + "_returned").c_str(), stages != 0 ? 1 : 0),
        busy((name + "_busy").c_str()),
        dut(name.c_str(), stages, phits) {
    b.clock(dut);
    dut.flit_i(in);
    dut.flit_o(out);
    dut.busy_o(busy);
    dut.credit_i.bind(back);
    dut.credit_o.bind(returned);
  }

  void drive(unsigned cycle) {
    past.push_front({cycle % phits == 0 ? single(cycle, 1) : flit_t(), credit{cycle % 3 == 1 ? 1U << 2 : 0}});
    in.write(past.front().first);
    if (stages != 0) back[0].write(past.front().second);
  }
  void check(unsigned cycle) const {
    const std::size_t latency = stages + phits - 1;
    if (past.size() < latency) return;
    ASSERT_EQ(out.read(), past[latency - 1].first) << dut.name() << ", cycle " << cycle;
    bool inside = false;
    for (std::size_t n = 0; n + 1 < latency; ++n) inside |= past[n].first.valid;
    for (unsigned n = 0; n + 1 < stages; ++n) inside |= past[n].second.vcs != 0;
    ASSERT_EQ(busy.read(), inside) << dut.name() << ", cycle " << cycle;
    if (stages == 0) return;
    ASSERT_EQ(returned[0].read(), past[stages - 1].second) << dut.name() << ", cycle " << cycle;
  }

  const unsigned stages, phits;
  std::deque<std::pair<flit_t, credit>> past;  // what entered, the latest first
  sc_core::sc_signal<flit_t> in, out;
  sc_core::sc_vector<sc_core::sc_signal<credit>> back, returned;  // one, only if there are stages
  sc_core::sc_signal<bool> busy;
  link<64> dut;
};

TEST(levels_pin_link, delays_flits_of_narrow_channels_by_their_further_parts) {
  bench b;
  std::vector<std::unique_ptr<narrow_link>> links;
  for (const auto& [stages, phits] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 2}, {0, 5}, {0, MaxPhits}, {1, 2}, {4, 3}, {link<64>::MaxStages, MaxPhits}})
    links.push_back(std::make_unique<narrow_link>("link_" + std::to_string(stages) + "_" + std::to_string(phits),
                                                  stages, phits, b));
  b.start();
  for (unsigned cycle = 0; cycle < 500; ++cycle) {
    for (const auto& each : links) each->drive(cycle);
    b.step();
    for (const auto& each : links) each->check(cycle);
  }
}

TEST(levels_pin_link, reset_drops_flits_and_credits_in_transit) {
  link_bench b;
  b.credit_in.write({1U << 1});
  b.flit_in.write(single(1, 0));
  b.step(3);
  b.flit_in.write(flit_t());
  b.credit_in.write(credit());
  b.assert_reset();
  const auto expect_empty = [&] {
    for (const auto& i : b.instances) {
      EXPECT_EQ(i->flit.read(), flit_t());
      EXPECT_EQ(i->returned.read(), credit());
      EXPECT_FALSE(i->busy.read());
    }
  };
  expect_empty();
  b.release_reset();
  for (unsigned cycle = 0; cycle < 70; ++cycle, b.step()) expect_empty();
}

}  // namespace
}  // namespace weft::pin
