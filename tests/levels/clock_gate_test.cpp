// SPDX-License-Identifier: Apache-2.0
/// Clock gates: which edges a gate passes.
#include "levels/bench.h"
#include <vector>

#include "weft/pin/wire.h"

namespace weft::pin {
namespace {

using testing::ElementsAre;

/// A register that counts its clock edges. The clock root calls clocked() if it has the module, else it notifies an
/// event.
class probe : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<unsigned> d_i{"d_i"};
  sc_core::sc_out<unsigned> q_o{"q_o"};
  unsigned edges = 0;

  explicit probe(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(probe);
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  void clocked() {
    ++edges;
    q_o.write(d_i.read());
  }
};

class clock_gate_bench : public bench {
 public:
  explicit clock_gate_bench(bool gating = true) : root("root", gating) { clock(root); }
  clock_gate root;
};

/// A probe behind its own gate.
struct gated_probe {
  gated_probe(const char* name, clock_gate& root, bool known) : clk(root.make_gate()), dut(name) {
    dut.clk_i(clk);
    if (known) clk.drives(dut);
  }
  gated_clock& clk;
  probe dut;
};

TEST(levels_pin_clock_gate, a_gate_is_open_while_it_is_held) {
  clock_gate_bench b;
  gated_probe p("p", b.root, true);
  sc_core::sc_signal<unsigned> d("d"), q("q");
  p.dut.d_i(d);
  p.dut.q_o(q);
  b.start();
  EXPECT_EQ(p.dut.edges, 0U);
  p.clk.hold();
  p.clk.hold();
  b.step(3);
  EXPECT_EQ(p.dut.edges, 3U);
  p.clk.release();
  b.step(2);
  EXPECT_EQ(p.dut.edges, 5U);
  p.clk.release();
  b.step(4);
  EXPECT_EQ(p.dut.edges, 5U);
}

TEST(levels_pin_clock_gate, without_gating_every_gate_is_open) {
  clock_gate_bench b(false);
  gated_probe p("p", b.root, true), other("other", b.root, false);
  sc_core::sc_signal<unsigned> d("d"), q("q"), r("r");
  p.dut.d_i(d);
  p.dut.q_o(q);
  other.dut.d_i(d);
  other.dut.q_o(r);
  b.start();
  b.step(9);
  EXPECT_EQ(p.dut.edges, 10U) << "an edge in reset would be the 11th";
  EXPECT_EQ(other.dut.edges, 10U);
}

TEST(levels_pin_clock_gate, counts_cycles_from_the_first_edge_after_reset) {
  clock_gate_bench b;
  b.start();
  EXPECT_EQ(b.root.beginning(), 0U);
  EXPECT_EQ(b.root.beginning(), 0U);
  b.step(5);
  EXPECT_EQ(b.root.beginning(), 5U);
}

TEST(levels_pin_clock_gate, gated_and_ungated_modules_sample_at_the_same_edge) {
  // A shift register of ungated, gated (called), gated (notified) and ungated stages. No stage may sample what its
  // predecessor writes at the same edge, whatever the order in which the kernel runs them.
  clock_gate_bench b;
  probe first("first"), last("last");
  gated_probe called("called", b.root, true), notified("notified", b.root, false);
  sc_core::sc_vector<sc_core::sc_signal<unsigned, sc_core::SC_UNCHECKED_WRITERS>> s("s", 6);
  gated_probe called_again("called_again", b.root, true);
  first.clk_i(b.clk);
  last.clk_i(b.clk);
  probe* const stages[] = {&first, &called.dut, &notified.dut, &called_again.dut, &last};
  for (unsigned i = 0; i < 5; ++i) {
    stages[i]->d_i(s[i]);
    stages[i]->q_o(s[i + 1]);
  }
  called.clk.hold();
  notified.clk.hold();
  called_again.clk.hold();
  b.start();
  for (unsigned cycle = 1; cycle < 30; ++cycle) {
    s[0].write(cycle);
    b.step();
    for (unsigned i = 1; i <= 5; ++i) {
      ASSERT_EQ(s[i].read(), cycle >= i ? cycle - i + 1 : 0U) << "stage " << i << ", cycle " << cycle;
    }
  }
}

TEST(levels_pin_clock_gate, strobe_keeps_gates_of_its_wire_open) {
  clock_gate_bench b;
  gated_probe p("p", b.root, true);
  sc_core::sc_signal<unsigned> d("d"), q("q");
  p.dut.d_i(d);
  p.dut.q_o(q);
  wire<flit_t> w("w");
  w.enables_clock(p.clk);
  b.start();
  b.step(3);
  EXPECT_EQ(p.dut.edges, 0U);
  w.write(single(1, 0));
  b.step();
  EXPECT_EQ(p.dut.edges, 1U) << "the edge that ends the cycle in which the strobe is set";
  w.write(single(2, 0));
  b.step(3);
  EXPECT_EQ(p.dut.edges, 4U) << "another flit holds the gate as well";
  w.write(flit_t());
  b.step(3);
  EXPECT_EQ(p.dut.edges, 4U);
}

TEST(levels_pin_clock_gate, gate_opens_for_selected_strobes_only) {
  clock_gate_bench b;
  gated_probe any("any", b.root, true), tails("tails", b.root, true);
  sc_core::sc_signal<unsigned> d("d"), q("q"), r("r");
  any.dut.d_i(d);
  any.dut.q_o(q);
  tails.dut.d_i(d);
  tails.dut.q_o(r);
  wire<switch_grants> w("w");
  w.enables_clock(any.clk, switch_grants::AnyInput);
  w.enables_clock(tails.clk, switch_grants::AnyTail);
  b.start();
  w.write(grant_of(0, 0, 1, 0, false));
  b.step(2);
  w.write(grant_of(0, 0, 1, 0, true));
  b.step(3);
  w.write(grant_of(0, 0, 1, 0, false));
  b.step();
  w.write(switch_grants());
  b.step(4);
  EXPECT_EQ(any.dut.edges, 6U);
  EXPECT_EQ(tails.dut.edges, 3U);
}

void alarms(bool known) {
  clock_gate_bench b;
  gated_probe p("p", b.root, known), open("open", b.root, known);
  sc_core::sc_signal<unsigned> d("d"), q("q"), r("r");
  p.dut.d_i(d);
  p.dut.q_o(q);
  open.dut.d_i(d);
  open.dut.q_o(r);
  open.clk.hold();
  for (const cycle_t cycle : {9, 4, 4, 20}) {  // any order; 4 twice
    b.root.schedule_edge(p.clk, cycle);
    b.root.schedule_edge(open.clk, cycle);
  }
  b.start();
  std::vector<cycle_t> edges_at;
  unsigned before = 0;
  for (; b.now() < 30; b.step()) {
    for (; before < p.dut.edges; ++before) edges_at.push_back(b.now());
    EXPECT_EQ(open.dut.edges, b.now() + 1) << "an open gate has one edge a cycle";
  }
  EXPECT_THAT(edges_at, ElementsAre(4, 9, 20));
}

TEST(levels_pin_clock_gate, alarm_gives_one_edge_in_its_cycle) { alarms(true); }
TEST(levels_pin_clock_gate, alarm_gives_one_edge_to_a_notified_module) { alarms(false); }

TEST(levels_pin_clock_gate, gives_no_edge_in_reset) {
  clock_gate_bench b;
  gated_probe p("p", b.root, true);
  sc_core::sc_signal<unsigned> d("d"), q("q");
  p.dut.d_i(d);
  p.dut.q_o(q);
  p.clk.hold();
  b.start();
  EXPECT_EQ(p.dut.edges, 1U);
  b.assert_reset();
  sc_core::sc_start(4, sc_core::SC_NS);
  EXPECT_EQ(p.dut.edges, 1U);
  b.release_reset();
  EXPECT_EQ(p.dut.edges, 2U);
}

}  // namespace
}  // namespace weft::pin
