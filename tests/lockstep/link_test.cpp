// SPDX-License-Identifier: Apache-2.0
/// Compares the link in SystemVerilog with the pin level in lockstep, with random flits and credits.
#include "weft/pin/link.h"

#include "Vlink_0_phits_5.h"
#include "Vlink_1.h"
#include "Vlink_3_phits_2.h"
#include "Vlink_4.h"
#include "lockstep/fixture.h"
#include "lockstep/router_bench.h"

namespace weft::lockstep {
namespace {

/// Links with and without repeaters, narrow and as wide as flits, with a reset in the middle.
template <class Model>
void link_shows_the_same(unsigned stages, unsigned phits, rng& random) {
  tb::router_shape s;
  silence_start_warning();
  sc_core::sc_clock clk("clk", sc_core::sc_time(1, sc_core::SC_NS), 0.5, sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_signal<bool> rst_n("rst_n"), busy("busy");
  sc_core::sc_signal<flit<64>> flit_in("flit_in"), flit_out("flit_out");
  sc_core::sc_signal<pin::credit> credit_in("credit_in"), credit_out("credit_out");
  pin::link<64> systemc("systemc", stages, phits);
  systemc.clk_i(clk);
  systemc.rst_ni(rst_n);
  systemc.flit_i(flit_in);
  systemc.flit_o(flit_out);
  if (stages != 0) {
    systemc.credit_i[0](credit_in);
    systemc.credit_o[0](credit_out);
  }
  systemc.busy_o(busy);
  tb::verilated<Model> rtl("rtl", static_cast<int>(random.between(1, 0x7fff'ffff)));
  const sc_core::sc_time period(1, sc_core::SC_NS);
  std::uint64_t flits = 0, credits = 0;
  for (unsigned part = 0; part < 3; ++part) {
    rst_n.write(false);
    rtl->rst_ni = 0;
    sc_core::sc_start(part == 0 ? 2.75 * period : 2 * period);
    rtl.settle();
    rtl.edge();  // a synchronous reset needs an edge
    rst_n.write(true);
    rtl->rst_ni = 1;
    unsigned next = 0;  // first cycle in which the link accepts another flit
    for (unsigned cycle = 0; cycle < 2000; ++cycle) {
      flit<64> f;
      f.valid = cycle >= next && random.chance(cycle < 1000 ? 0.1 : 0.8);
      if (f.valid) {
        next = cycle + phits;
        f.head = random.chance(0.5), f.tail = random.chance(0.5);
        f.vc = static_cast<std::uint8_t>(random.between(0, 3));
        f.payload[0] = random.bits();
        f.destination = random.between(0, 0xf'ffff);
        f.flits = random.between(0, 0xff'ffff);
        f.error = static_cast<codec_error>(random.between(0, 3));
        f.path_id = random.between(0, 1);
        draw_header(f, random);
      }
      pin::credit c;
      if (random.chance(0.4)) c = {1U << random.between(0, 3)};
      flit_in.write(f);
      credit_in.write(c);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      tb::put_flit(rtl->flit_i, s, 0, f, 0);
      tb::put_credit(rtl->credit_i, s, 0, c);
      rtl.settle();
      std::uint64_t user = 0;
      ASSERT_EQ(flit_out.read(), tb::get_flit<64>(rtl->flit_o, s, 0, user)) << "cycle " << cycle;
      ASSERT_EQ(stages == 0 ? c : credit_out.read(), tb::get_credit(rtl->credit_o, s, 0)) << "cycle " << cycle;
      ASSERT_EQ(busy.read(), rtl->busy_o != 0) << "cycle " << cycle;
      flits += flit_out.read().valid;
      credits += c.vcs != 0;
      rtl.edge();
      sc_core::sc_start(period);
    }
  }
  EXPECT_GT(flits, 2000U / phits);
  EXPECT_GT(credits, 2000U);
}

class lockstep_link : public lockstep_test {};
TEST_F(lockstep_link, matches_systemc_with_1_stage) { link_shows_the_same<Vlink_1>(1, 1, random); }
TEST_F(lockstep_link, matches_systemc_with_4_stages) { link_shows_the_same<Vlink_4>(4, 1, random); }
TEST_F(lockstep_link, matches_systemc_with_5_phits) { link_shows_the_same<Vlink_0_phits_5>(0, 5, random); }
TEST_F(lockstep_link, matches_systemc_with_3_stages_and_2_phits) { link_shows_the_same<Vlink_3_phits_2>(3, 2, random); }

}  // namespace
}  // namespace weft::lockstep
