// SPDX-License-Identifier: Apache-2.0
/// Compares the SystemC and the RTL implementation of injector and ejector, the border of the network, with random
/// packets, gaps, stalls, slow credits, and a reset within packets.
#include "Vejector_1.h"
#include "Vejector_3.h"
#include "Vejector_4.h"
#include "Vejector_pass.h"
#include "Vinjector_1.h"
#include "Vinjector_3_path_ids.h"
#include "Vinjector_4.h"
#include "Vinjector_6_classes.h"
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/streams.h"
#include <array>
#include <utility>
#include <vector>

#include "weft/cosim/verilated_border.h"
#include "weft/pin/nic/ejector.h"
#include "weft/pin/nic/injector.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t BorderCycles = 60'000;
constexpr unsigned BorderParts = 6;  // separated by resets

/// Parameters of an injector or an ejector.
struct border_shape {
  unsigned vcs = 4, depth = 8, classes = 1;
  unsigned nodes = 0xf'ffff;  ///< destinations of packets
  unsigned words = 2;
  bool code = false;
  unsigned user_bits = 16, path_id_bits = 1;

  tb::flit_layout layout() const { return {words, code, user_bits, path_id_bits, tb::index_bits(vcs)}; }
};

class lockstep_border : public lockstep_test {
 protected:
  /// The flits of a packet with random contents.
  template <unsigned PayloadBits>
  std::vector<flit<PayloadBits>> any_packet(const border_shape& s) {
    std::vector<flit<PayloadBits>> flits(random.chance(0.4) ? 1 : random.between(1, 9));
    const auto id = random.between(0, (1U << s.user_bits) - 1);
    for (auto& f : flits) {
      f.valid = true;
      for (std::uint64_t& word : f.payload) word = random.bits();
      if (PayloadBits == 32) f.payload[0] &= 0xffff'ffff;
      f.tag = flit_tag(id);
    }
    header h;
    h.destination = random.between(0, s.nodes - 1);
    h.source = random.between(0, 0xf'ffff);
    h.flits = random.between(0, 0xff'ffff);
    h.words = random.between(0, 0xff'ffff);
    h.type = static_cast<data_type>(random.between(0, 3));
    h.codec = static_cast<codec>(random.between(0, 3));
    h.cut = static_cast<std::uint8_t>(random.between(0, 51));
    h.message_class = static_cast<std::uint8_t>(random.between(0, s.classes - 1));
    if (s.code) {
      xor_code code;
      code.role = static_cast<xor_role>(random.between(0, 4));
      code.first.name = random.between(0, 0xf'ffff);
      code.second.words = random.between(0, 0xff'ffff);
      put_code(h, code);
    }
    put_header(flits.front(), h);
    flits.front().head = true;
    flits.back().tail = true;
    flits.back().error = static_cast<codec_error>(random.between(0, 3));
    return flits;
  }

  template <unsigned PayloadBits, class Model>
  void inject(const border_shape& s) {
    using flit_t = flit<PayloadBits>;
    path_selector path_ids;
    if (s.nodes != border_shape().nodes)
      for (unsigned n = 0; n < s.nodes; ++n)
        path_ids.by_destination.push_back(random.bits() & ((std::uint64_t{1} << s.path_id_bits) - 1));
    router_parameters router;
    router.vcs = s.vcs;
    router.depth = s.depth;
    router.classes = s.classes;
    const auto made = pin::make_injector<PayloadBits>("systemc", router, path_ids);
    pin::injector<PayloadBits>& systemc = *made;
    tb::verilated_injector<PayloadBits, Model> rtl("rtl", register_seed(), s.layout(), path_ids.by_destination);
    lockstep_bench bench("bench", systemc, rtl);
    auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
    auto& credit_in = bench.input(systemc.credit_i, rtl.credit_i);
    auto& ready = bench.output(systemc.ready_o, rtl.ready_o);
    auto& flit_out = bench.output(systemc.flit_o, rtl.flit_o);

    stream_source<PayloadBits> source(random, [&] { return any_packet<PayloadBits>(s); });
    std::array<unsigned, MaxVcs> held{};  // at the router
    std::array<std::uint64_t, MaxVcs> heads{};
    std::uint64_t crowded = 0;
    double drain = 1;
    bench.on_cycle([&] {
      if (random.chance(0.005)) {
        source.pause = pauses::any(random, 20);
        drain = random.one_of({1.0, 0.5, 0.1});
      }
      const flit_t& out = flit_out.read();
      if (out.valid) {
        ++held[out.vc];
        heads[out.vc] += out.head;
        crowded += held[out.vc] == s.depth;
      }
      flit_in.write(source.drive(flit_in.read(), ready.read(), true));
      pin::credit back;
      const unsigned vc = random.between(0, s.vcs - 1);
      if (held[vc] != 0 && random.chance(drain)) {
        --held[vc];
        back = {1U << vc};
      }
      credit_in.write(back);
    });
    for (unsigned part = 0; part < BorderParts; ++part) {
      ASSERT_EQ(bench.run(cycles(BorderCycles / BorderParts)), "") << seed_note();
      flit_in.write({});
      credit_in.write({});
      source.drop_packet();
      held.fill(0);
      bench.reset();
    }
    EXPECT_GT(source.flits, BorderCycles / 20);
    EXPECT_GT(source.stalls, BorderCycles / 20);
    EXPECT_GT(crowded, BorderCycles / 200);
    for (unsigned vc = 0; vc < s.vcs; ++vc) EXPECT_GT(heads[vc], BorderCycles / 200 / s.vcs) << "VC " << vc;
  }

  template <unsigned PayloadBits, class Model>
  void eject(const border_shape& s) {
    using flit_t = flit<PayloadBits>;
    pin::ejector<PayloadBits> systemc("systemc", s.vcs, s.depth);
    tb::verilated_ejector<PayloadBits, Model> rtl("rtl", register_seed(), s.layout());
    lockstep_bench bench("bench", systemc, rtl);
    auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
    auto& ready_in = bench.input(systemc.ready_i, rtl.ready_i);
    auto& flit_out = bench.output(systemc.flit_o, rtl.flit_o);
    auto& credit_out = bench.output(systemc.credit_o, rtl.credit_o);
    bench.output(systemc.busy_o, rtl.busy_o);

    /// The packet that the router sends on a VC.
    struct sender {
      std::vector<flit_t> packet;
      std::size_t at = 0;
      unsigned credits = 0;
    };
    std::vector<sender> senders(s.vcs);
    const auto restart = [&] {
      for (sender& from : senders) from = {{}, 0, s.depth == 0 ? ~0U : s.depth};
    };
    restart();
    stream_sink<PayloadBits> sink(random);
    std::uint64_t sent = 0, direct = 0, crowded = 0;
    std::vector<std::uint64_t> packets(s.vcs);
    double load = 0.5;
    bench.on_cycle([&] {
      if (random.chance(0.005)) {
        if (s.depth != 0) sink.pause = pauses::any(random, 40);
        load = random.one_of({0.1, 0.5, 1.0});
      }
      const flit_t out = flit_out.read();
      if (out.valid && ready_in.read()) packets[out.vc] += out.tail;
      direct += out.valid && flit_in.read().valid;
      for_each_member(credit_out.read().vcs, [&](unsigned vc) { ++senders[vc].credits; });
      ready_in.write(sink.drive(out, ready_in.read()));

      flit_t in;
      const unsigned vc = random.between(0, s.vcs - 1);
      sender& from = senders[vc];
      if (from.credits != 0 && random.chance(load)) {
        if (from.at == from.packet.size()) {
          from.packet = any_packet<PayloadBits>(s);
          from.at = 0;
        }
        in = from.packet[from.at++];
        in.vc = static_cast<std::uint8_t>(vc);
        if (in.head) in.path_id = random.bits() & ((std::uint64_t{1} << s.path_id_bits) - 1);
        crowded += --from.credits == 0;
        ++sent;
      }
      flit_in.write(in);
    });
    for (unsigned part = 0; part < BorderParts; ++part) {
      ASSERT_EQ(bench.run(cycles(BorderCycles / BorderParts)), "") << seed_note();
      flit_in.write({});
      restart();
      bench.reset();
    }
    EXPECT_GT(sent, BorderCycles / 20);
    EXPECT_GT(direct, BorderCycles / 100);
    if (s.depth != 0) {
      EXPECT_GT(sink.stalls, BorderCycles / 20);
      EXPECT_GT(crowded, BorderCycles / 200);
    }
    for (unsigned vc = 0; vc < s.vcs; ++vc) EXPECT_GT(packets[vc], BorderCycles / 200 / s.vcs) << "VC " << vc;
  }
};

using lockstep_injector = lockstep_border;
using lockstep_ejector = lockstep_border;

TEST_F(lockstep_injector, matches_systemc_with_4_vcs) { inject<64, Vinjector_4>({}); }
TEST_F(lockstep_injector, matches_systemc_with_6_vcs_in_3_classes_and_network_coding) {
  border_shape s;
  s.vcs = 6, s.depth = 3, s.classes = 3, s.words = 4, s.code = true;
  inject<128, Vinjector_6_classes>(s);
}
TEST_F(lockstep_injector, matches_systemc_with_3_vcs_and_path_ids) {
  border_shape s;
  s.vcs = 3, s.depth = 5, s.nodes = 20, s.words = 1, s.path_id_bits = 12;
  inject<32, Vinjector_3_path_ids>(s);
}
TEST_F(lockstep_injector, matches_systemc_with_1_vc_of_1_flit_and_synchronous_reset) {
  border_shape s;
  s.vcs = 1, s.depth = 1, s.words = 8;
  inject<256, Vinjector_1>(s);
}

TEST_F(lockstep_ejector, matches_systemc_with_4_vcs) {
  border_shape s;
  s.user_bits = 0;
  eject<64, Vejector_4>(s);
}
TEST_F(lockstep_ejector, matches_systemc_with_3_vcs_of_5_flits_network_coding_and_path_ids) {
  border_shape s;
  s.vcs = 3, s.depth = 5, s.words = 4, s.code = true, s.path_id_bits = 12;
  eject<128, Vejector_3>(s);
}
TEST_F(lockstep_ejector, matches_systemc_with_1_vc_of_1_flit_and_synchronous_reset) {
  border_shape s;
  s.vcs = 1, s.depth = 1, s.words = 1;
  eject<32, Vejector_1>(s);
}
TEST_F(lockstep_ejector, matches_systemc_in_pass_through_mode) {
  border_shape s;
  s.depth = 0, s.words = 8;
  eject<256, Vejector_pass>(s);
}

}  // namespace
}  // namespace weft::lockstep
