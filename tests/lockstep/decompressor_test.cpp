// SPDX-License-Identifier: Apache-2.0
/// Compares the SystemC and the RTL implementation of the decompressor. Raw, valid coded and corrupted packets arrive
/// in any order, with gaps and stalls. A reset in mid-operation separates the parts of a run. If a packet announces
/// very many words, only a reset ends it, so each short part at the end of a run has such a packet.
#include "weft/pin/nic/decompressor.h"

#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <vector>

#include "weft/cosim/verilated_decompressor.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t DecompressorCycles = 600'000;
constexpr unsigned ShortParts = 3 * (SizeBits - 9), ShortCycles = 300;

/// Packets for a decompressor.
template <unsigned PayloadBits>
class travelling_packets {
 public:
  travelling_packets(rng& random, const variant& v)
      : m_random(random), m_variant(v), m_messages(random, v.codec.table) {}

  std::vector<flit<PayloadBits>> next() {
    if (m_random.chance(0.02)) {
      m_raw = m_random.one_of({0.0, 0.2, 0.5, 1.0});
      m_spoiled = m_random.one_of({0.0, 0.2, 0.6});
    }
    const unsigned k = m_variant.words;
    const std::uint32_t words =
        m_random.between(1, m_random.one_of({2U, 4 * k, 4 * k, 20 * k, m_random.chance(0.1) ? 300 * k : 20 * k}));
    codec_parameters parameters = m_variant.codec;
    parameters.cut = m_random.chance(0.2) ? m_random.one_of({0U, 1U, 51U}) : m_random.between(0, MaxCut);
    const bool doubles = m_random.chance(0.5);
    codec how = doubles ? codec::LsbCut : parameters.classic ? codec::FpcClassic : codec::Fpc;
    if (length_bit == 0 && m_random.chance(m_raw)) how = codec::Raw;
    travelling_packet packet;
    if (how != codec::Raw && !parameters.classic && length_bit == 0 && m_random.chance(0.05 + m_spoiled / 2)) {
      packet = tight_end(m_random, parameters.table, k);
      packet.header.destination = m_random.between(0, 0xf'ffff);
      return flits_of<PayloadBits>(packet, ++m_id);
    }
    packet.payload =
        encode(doubles ? m_messages.doubles(words, parameters.cut) : m_messages.integers(words), how, k, parameters)
            .payload;
    packet.header.destination = m_random.between(0, 0xf'ffff);
    packet.header.source = m_random.between(0, 0xf'ffff);
    packet.header.message_class = static_cast<std::uint8_t>(m_random.between(0, MaxVcs - 1));
    packet.header.flits = static_cast<std::uint32_t>(packet.payload.size() / k);
    packet.header.words = words;
    packet.header.type = static_cast<data_type>(m_random.between(0, 3));
    packet.header.codec = how;
    packet.header.cut = static_cast<std::uint8_t>(how == codec::LsbCut ? parameters.cut : 0);
    if (how != codec::Raw && m_random.chance(m_spoiled)) spoil(packet, m_random, k);
    if (m_random.chance(0.01)) packet.header.flits = m_random.between(0, 0xff'ffff);  // irrelevant: the tail counts
    if (length_bit != 0) {
      packet.header.words = (1U << length_bit) + m_random.between(0, 4 * k);
      length_bit = 0;
    }
    return flits_of<PayloadBits>(packet, ++m_id);
  }

  /// If not 0: the next packet is coded and announces about 2^length_bit words.
  unsigned length_bit = 0;

 private:
  rng& m_random;
  const variant& m_variant;
  message_source m_messages;
  double m_raw = 0.2, m_spoiled = 0.2;
  packet_id m_id = 0;
};

class lockstep_decompressor : public variant_test {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
};

template <unsigned K>
void lockstep_decompressor::shows_the_same_in_every_cycle() {
  constexpr unsigned PayloadBits = 32 * K;
  const variant& v = GetParam();
  pin::decompressor<PayloadBits> systemc("systemc", {v.codec.table, v.codec.classic, v.codec.exact, v.most_words});
  const auto device = v.make_as<tb::decompressor_pins<PayloadBits>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
  auto& ready_in = bench.input(systemc.ready_i, rtl.ready_i);
  bench.input(systemc.received_i, rtl.received_i);
  bench.input(systemc.queue_i, rtl.queue_i);
  auto& ready = bench.output(systemc.ready_o, rtl.ready_o);
  auto& flit_out = bench.output(systemc.flit_o, rtl.flit_o);
  auto& busy = bench.output(systemc.busy_o, rtl.busy_o);

  travelling_packets<PayloadBits> packets(random, v);
  stream_source<PayloadBits> source(random, [&packets] { return packets.next(); });
  stream_sink<PayloadBits> sink(random);
  std::uint64_t bypassed = 0, coded = 0, idle = 0;
  std::uint32_t longest = 0;  // longest output packet, in words
  unsigned rest = 0;          // cycles in which no packet begins, so that the stage drains
  bench.on_cycle([&] {
    const auto& in = flit_in.read();
    const auto& out = flit_out.read();
    bypassed += in.valid && out.valid && ready.read() && ready_in.read() && in.tag == out.tag;
    coded += in.valid && in.head && ready.read() && in.codec != codec::Raw;
    idle += !busy.read();
    if (out.valid && out.head) longest = std::max(longest, out.words);
    if (random.chance(0.002)) {
      // A slow source, for which a group waits; or any.
      source.pause = random.chance(0.3) ? pauses{0.3, 6} : pauses::any(random, 40);
      sink.pause = pauses::any(random, 40);
      if (random.chance(0.5)) rest = random.between(1, 60);
    }
    rest -= rest > 0;
    flit_in.write(source.drive(in, ready.read(), rest == 0));
    ready_in.write(sink.drive(out, ready_in.read()));
  });

  const auto run = [&](std::uint64_t cycles) {
    ASSERT_EQ(bench.run(cycles), "") << seed_note();
    flit_in.write({});
    source.drop_packet();
    bench.reset();
  };
  constexpr unsigned Parts = 3;
  for (unsigned part = 0; part < Parts && !HasFatalFailure(); ++part) run(cycles(DecompressorCycles / Parts));
  for (unsigned part = 0; part < ShortParts && !HasFatalFailure(); ++part) {
    packets.length_bit = 9 + part % (SizeBits - 9);
    run(ShortCycles);
  }
  if (HasFatalFailure()) return;
  std::cout << sink.flits * K << " words out; " << source.packets << " packets, " << coded
            << " coded, errors: " << sink.errors[1] << " truncated, " << sink.errors[2] << " over-long, "
            << sink.errors[3] << " corrupt; stalls: " << source.stalls << " in, " << sink.stalls << " out" << std::endl;
  EXPECT_GT(sink.flits, cycles(DecompressorCycles) / 8);
  EXPECT_GT(coded, DecompressorCycles / 400);
  EXPECT_LE(longest, v.most_words);
  EXPECT_GT(longest, 256U);
  EXPECT_GT(bypassed, DecompressorCycles / 200);
  EXPECT_GT(idle, DecompressorCycles / 100);
  EXPECT_GT(source.stalls, DecompressorCycles / 100);
  EXPECT_GT(sink.stalls, DecompressorCycles / 100);
  for (unsigned error = 1; error < 4; ++error)
    EXPECT_GT(sink.errors[error], DecompressorCycles / 6000) << "error " << error;
}

TEST_P(lockstep_decompressor, outputs_match_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_decompressor, testing::ValuesIn(decompressors()));

}  // namespace
}  // namespace weft::lockstep
