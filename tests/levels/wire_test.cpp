// SPDX-License-Identifier: Apache-2.0
/// Weft's wires, ports and processes behave as SystemC's signals, ports and methods.
#include "weft/pin/wire.h"

#include "levels/bench.h"

#include "weft/pin/ports.h"

namespace weft::pin {
namespace {

class wire_bench : public bench {
 public:
  wire_bench() { clock(root); }
  clock_gate root{"root", true};
};

/// Counts the changes of its input, in a method and by event().
struct watcher : sc_core::sc_module {
  sc_core::sc_in<unsigned> d_i{"d_i"};
  unsigned changes = 0, events = 0;

  explicit watcher(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(watcher);
    SC_METHOD(changed);
    sensitive << d_i;
    dont_initialize();
  }
  void changed() {
    ++changes;
    events += d_i.event();
  }
};

TEST(levels_pin_wire, with_a_clock_root_notifies_changes_like_an_sc_signal) {
  wire_bench b;
  wire<unsigned> w("w"), other("other");
  w.enables_clock(b.root.make_gate());
  other.enables_clock(b.root.make_gate());
  watcher dut("dut");
  dut.d_i(w);
  b.start();
  w.write(1);
  other.write(1);
  EXPECT_EQ(w.read(), 0U) << "before the update";
  b.settle();
  EXPECT_EQ(w.read(), 1U);
  EXPECT_EQ(other.read(), 1U);
  w.write(1);
  b.settle();
  w.write(2);
  w.write(3);
  b.settle();
  other.write(2);
  b.settle();
  EXPECT_EQ(w.read(), 3U);
  EXPECT_EQ(dut.changes, 2U);
  EXPECT_EQ(dut.events, 2U);
  EXPECT_FALSE(w.event());
}

TEST(levels_pin_wire, of_type_bool_notifies_rising_and_falling_edges) {
  wire_bench b;
  wire<bool> w("w");
  w.enables_clock(b.root.make_gate());
  unsigned rising = 0, falling = 0;
  sc_core::sc_spawn_options on_rise, on_fall;
  on_rise.spawn_method();
  on_rise.dont_initialize();
  on_rise.set_sensitivity(&w.posedge_event());
  on_fall.spawn_method();
  on_fall.dont_initialize();
  on_fall.set_sensitivity(&w.negedge_event());
  sc_core::sc_spawn([&] { rising += w.posedge(); }, "rise", &on_rise);
  sc_core::sc_spawn([&] { falling += w.negedge(); }, "fall", &on_fall);
  b.start();
  for (const bool value : {true, true, false, true, false}) {
    w.write(value);
    b.settle();
  }
  EXPECT_EQ(rising, 2U);
  EXPECT_EQ(falling, 2U);
}

/// A combinational adder.
struct adder : sc_core::sc_module {
  in_ports<unsigned> d_i;
  out_port<unsigned> sum_o{"sum_o"};
  untraced_register<unsigned> carry_q;
  untraced_change changed_q{"changed_q"};
  unsigned runs = 0;

  explicit adder(sc_core::sc_module_name name) : sc_module(name), d_i("d_i", 2) {
    SC_HAS_PROCESS(adder);
    SC_METHOD(combinational);
    sensitive << carry_q << changed_q;
    for (auto& port : d_i) sensitive << port;
  }
  void combinational() {
    ++runs;
    sum_o.write(d_i[0].read() + d_i[1].read() + carry_q.read());
  }
};

void adds(bool dependent) {
  wire_bench b;
  sc_core::sc_vector<wire<unsigned>> d("d", 2);
  wire<unsigned> sum("sum");
  adder dut("dut");
  dut.d_i.bind(d);
  dut.sum_o(sum);
  if (dependent) {
    dependent_process& self = b.root.make_dependent_process();
    self.runs(dut);
    dut.changed_q.triggers(self);
    for (auto& w : d) w.triggers(self);
  }
  b.start();
  const unsigned before = dut.runs;
  d[0].write(3);
  d[1].write(4);
  b.settle();
  EXPECT_EQ(sum.read(), 7U);
  EXPECT_EQ(dut.runs, before + 1) << "both changes are of one delta cycle";
  d[0].write(3);
  b.settle();
  EXPECT_EQ(dut.runs, before + 1) << "nothing has changed";
  dut.carry_q.write(1);
  dut.changed_q.toggle();
  b.settle();
  EXPECT_EQ(sum.read(), 8U);
  EXPECT_EQ(dut.runs, before + 2);
}

TEST(levels_pin_dependent_process, sensitive_process_runs_when_an_input_changes) { adds(false); }
TEST(levels_pin_dependent_process, runs_in_the_same_delta_cycles_as_a_sensitive_process) { adds(true); }

struct ports : sc_core::sc_module {
  in_ports<credit> read{"read", 3}, read_too{"read_too", 1};
  out_ports<credit> written{"written", 2};
  explicit ports(sc_core::sc_module_name name) : sc_module(name) {}
};

TEST(levels_pin_ports, report_the_indexes_of_ports_with_a_strobe) {
  bench b;
  wire<credit> first("first"), third("third");
  sc_core::sc_signal<credit> second("second");
  ports dut("dut");
  credit some;
  some.vcs = 1;
  dut.read[0](first);
  dut.read[1](second);
  dut.read[2](third);
  dut.read_too[0](third);
  dut.written[0](first);
  dut.written[1](second);
  b.start();
  EXPECT_EQ(dut.read.asserted(), 0U);
  dut.written[0].write(some);
  dut.written[1].write(some);
  EXPECT_EQ(dut.read.asserted(), 0U) << "before the update";
  b.settle();
  EXPECT_EQ(dut.read.asserted(), 3U);
  EXPECT_EQ(dut.read[1].read(), some);
  EXPECT_EQ(dut.written[0].read(), some);
  EXPECT_EQ(dut.written[1].read(), some);
  third.write(some);
  some.vcs = 2;
  dut.written[0].write(some);
  dut.written[1].write(credit());
  b.settle();
  EXPECT_EQ(dut.read.asserted(), 5U);
  EXPECT_EQ(dut.read_too.asserted(), 1U) << "a wire that two rows of ports read";
  first.write(credit());
  third.write(credit());
  b.settle();
  EXPECT_EQ(dut.read.asserted(), 0U);
  EXPECT_EQ(dut.read_too.asserted(), 0U);
}

}  // namespace
}  // namespace weft::pin
