// SPDX-License-Identifier: Apache-2.0
/// Compares the SystemC and the RTL implementation of the XOR encoder, with gaps and stalls on both sides, and a reset
/// between the parts of a run.
#include "weft/pin/nic/xor_encoder.h"

#include "lockstep/xor_bench.h"
#include <deque>
#include <map>
#include <vector>

#include "weft/cosim/verilated_xor.h"

namespace weft::lockstep {
namespace {

class lockstep_xor_encoder : public lockstep_xor {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
};

template <unsigned K>
void lockstep_xor_encoder::shows_the_same_in_every_cycle() {
  constexpr unsigned PayloadBits = 32 * K;
  using flit_t = flit<PayloadBits>;
  const variant& v = GetParam();
  xor_parameters parameters;
  parameters.depth = v.depth;
  parameters.overhead = v.overhead;
  pin::xor_encoder<PayloadBits> systemc("systemc", parameters);
  const auto device = v.make_as<tb::xor_pins<PayloadBits>>("rtl", register_seed());
  auto& rtl = *device;
  xor_wires wires(systemc, rtl);
  auto& bench = wires.bench;
  auto &flit_in = wires.flit_in, &flit_out = wires.flit_out;
  auto &ready_in = wires.ready_in, &ready = wires.ready;

  std::deque<flit_t> expected;
  const known_datum* held = nullptr;
  known_datum of_held;
  // After the parts come short ones, which a reset cuts off within a packet of any length.
  constexpr unsigned Parts = 6, ResetParts = 100, ResetCycles = 200;
  bool ends_in_reset = false;
  std::map<xor_role, std::uint64_t> packets_of;
  std::uint64_t followed = 0;
  packet_id id = 0;
  const auto next = [&] {
    const auto roles = {xor_role::Plain,   xor_role::Plain,   xor_role::Coded, xor_role::Hold, xor_role::Combine,
                        xor_role::Combine, xor_role::Combine, xor_role::Chain, xor_role::Chain};
    const xor_role role = held == nullptr ? random.one_of({xor_role::Plain, xor_role::Hold}) : random.one_of(roles);
    const bool is_held = role == xor_role::Hold || role == xor_role::Chain;
    known_datum d = ends_in_reset && !is_held && random.chance(0.3)
                        ? long_datum(random, m_names.next(), K, ResetCycles)
                        : any_datum(random, m_names.next(), K, is_held ? v.depth : any_length(random, v.depth));
    d.datum.uses = static_cast<std::uint8_t>(random.between(0, 15));
    travelling_packet packet = packet_of(d, K, random);
    packet.header.role = role;
    packet.header.relay = random.chance(0.3);
    xor_datum second;
    if (role == xor_role::Coded) second = any_datum(random, m_names.next(), K, v.depth).datum;
    if ((role == xor_role::Plain || role == xor_role::Coded) && random.chance(0.2)) {  // passed on, whatever its header
      packet.header.codec = codec::Fpc;
      packet.header.cut = static_cast<std::uint8_t>(random.between(0, 51));
      packet.header.flits = random.between(0, 0xff'ffff);
      packet.header.words = d.datum.words = random.between(0, 0xff'ffff);
      packet.header.first = datum_bits(d.datum);
      second.words = random.between(0, 0xff'ffff);
      second.uses = static_cast<std::uint8_t>(random.between(0, 15));
    }
    packet.header.second = datum_bits(second);
    ++packets_of[role];
    auto flits = flits_of<PayloadBits>(packet, ++id);
    if (role == xor_role::Combine || role == xor_role::Chain) {
      followed += of_held.payload.size() > d.payload.size();
      for (flit_t& f : flits_of<PayloadBits>(joined(of_held, packet, K), id)) expected.push_back(without_tag(f));
    } else if (role != xor_role::Hold) {
      for (flit_t& f : flits) expected.push_back(without_tag(f));
    }
    if (is_held) {
      of_held = d;
      held = &of_held;
    }
    return flits;
  };
  stream_source<PayloadBits> source(random, next);
  stream_sink<PayloadBits> sink(random);
  std::uint64_t wrong = 0;
  bench.on_cycle([&] {
    const flit_t out = flit_out.read();
    if (out.valid && ready_in.read()) {
      wrong += expected.empty() || !(without_tag(out) == expected.front());
      if (!expected.empty()) expected.pop_front();
    }
    if (random.chance(0.005)) {
      source.pause = pauses::any(random, 40);
      sink.pause = pauses::any(random, 40);
    }
    flit_in.write(source.drive(flit_in.read(), ready.read(), true));
    ready_in.write(sink.drive(out, ready_in.read()));
  });

  for (unsigned part = 0; part < Parts + ResetParts; ++part) {
    ends_in_reset = part >= Parts;
    ASSERT_EQ(bench.run(ends_in_reset ? ResetCycles : cycles(StageCycles / Parts)), "") << seed_note();
    ASSERT_EQ(wrong, 0U) << "flits that are not the XOR of the received packets; " << seed_note();
    flit_in.write({});
    source.drop_packet();
    expected.clear();
    held = nullptr;
    bench.reset();
  }
  std::cout << sink.flits << " flits out; " << packets_of[xor_role::Combine] << " combined, "
            << packets_of[xor_role::Chain] << " chained, " << followed
            << " with flits of the held one behind; stalls: " << source.stalls << " in, " << sink.stalls << " out"
            << std::endl;
  EXPECT_GT(sink.flits, cycles(StageCycles) / 8);
  for (const xor_role role : {xor_role::Plain, xor_role::Coded, xor_role::Hold, xor_role::Combine, xor_role::Chain})
    EXPECT_GT(packets_of[role], StageCycles / 100 / v.depth) << "role " << static_cast<unsigned>(role);
  EXPECT_GT(followed, StageCycles / 100 / v.depth);
  EXPECT_GT(source.stalls, StageCycles / 100);
  EXPECT_GT(sink.stalls, StageCycles / 100);
}

TEST_P(lockstep_xor_encoder, outputs_match_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_xor_encoder, testing::ValuesIn(xor_encoders()));

}  // namespace
}  // namespace weft::lockstep
