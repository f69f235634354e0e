// SPDX-License-Identifier: Apache-2.0
/// Compares the SystemC and the RTL implementation of the compressor. The packets have all lengths and types, and are
/// raw, coded or inconsistent; gaps and stalls are short and long; all modes, thresholds and cuts occur. Each phase of
/// a run has its own configuration; in some phases it changes in every cycle. A reset in mid-operation separates the
/// parts of a run.
#include "weft/pin/nic/compressor.h"

#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <vector>

#include "weft/cosim/verilated_compressor.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t CompressorCycles = 300'000;

/// Packets for a compressor.
template <unsigned PayloadBits>
class raw_packets {
 public:
  raw_packets(rng& random, const variant& v) : m_random(random), m_variant(v), m_messages(random, v.codec.table) {}

  std::vector<flit<PayloadBits>> next() {
    const std::uint32_t flits = m_rest > 0 ? m_rest : length(), k = m_variant.words;
    const auto type = static_cast<data_type>(m_rest > 0 ? 1 : m_random.chance(0.1) ? 0 : m_random.between(1, 3));
    const std::uint32_t words = m_random.chance(0.05) && flits == 1 ? 0 : k * flits - m_random.between(0, k - 1);
    travelling_packet packet;
    packet.payload = m_messages.words_of(type, words, cut);
    if (m_rest > 0) {
      for (std::uint32_t& word : packet.payload) word |= 0x8000'0000;
      m_rest = 0;
    } else if (type != data_type::Other && words > 0 && m_variant.depth <= 64 && m_random.chance(0.1)) {
      // Coding makes the next packet longer. It fills the packed memory if this one is in there without its first flit.
      codec_parameters parameters = m_variant.codec;
      parameters.cut = cut;
      const codec how = type != data_type::Int ? codec::LsbCut : parameters.classic ? codec::FpcClassic : codec::Fpc;
      const std::size_t coded = encode(packet.payload, how, k, parameters).payload.size() / k;
      if (coded < flits && flits <= m_variant.depth) {
        m_rest = m_variant.depth + 1 - static_cast<std::uint32_t>(coded);
        hold = 4 * m_variant.depth;
      }
    }
    packet.payload.resize(std::size_t{k} * flits);
    packet.header = {m_random.between(0, 0xf'ffff), m_random.between(0, 0xf'ffff), flits, words, type, codec::Raw, 0};
    packet.header.message_class = static_cast<std::uint8_t>(m_random.between(0, MaxVcs - 1));
    if (m_random.chance(0.04)) {  // inconsistent
      packet.header.words = m_random.chance(0.5) ? m_random.between(0, 2 * words) : any_size(m_random);
    }
    if (m_random.chance(0.04)) {  // coded: passed on unchanged, whatever its contents
      packet.header.words = any_size(m_random);
      packet.header.codec = static_cast<codec>(m_random.between(1, 3));
      packet.header.cut = static_cast<std::uint8_t>(m_random.between(0, 63));
    }
    return flits_of<PayloadBits>(packet, ++m_id);
  }

  unsigned cut = 28;
  /// Cycles without output, to fill a memory.
  unsigned hold = 0;

 private:
  std::uint32_t length() {
    const unsigned depth = m_variant.depth;
    switch (m_random.between(0, 19)) {
      case 0:
        return m_random.between(depth - 1, depth + 2);  // about the longest that can be coded
      case 1:
      case 2:
        return m_random.between(1, depth + depth / 8);
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
        return m_random.between(1, 3);
      default:
        return m_random.between(1, std::min(24U, depth));
    }
  }

  rng& m_random;
  const variant& m_variant;
  message_source m_messages;
  std::uint32_t m_rest = 0;  // if not 0: flits of the next packet, which coding makes longer
  packet_id m_id = 0;
};

class lockstep_compressor : public variant_test {
 protected:
  template <unsigned K>
  void shows_the_same_in_every_cycle();
};

template <unsigned K>
void lockstep_compressor::shows_the_same_in_every_cycle() {
  constexpr unsigned PayloadBits = 32 * K;
  const variant& v = GetParam();
  pin::compressor<PayloadBits> systemc("systemc", {v.depth, v.packets, v.codec.table, v.codec.classic, v.codec.exact});
  const auto device = v.make_as<tb::compressor_pins<PayloadBits>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
  auto& ready_in = bench.input(systemc.ready_i, rtl.ready_i);
  auto& received = bench.input(systemc.received_i, rtl.received_i);
  auto& queue = bench.input(systemc.queue_i, rtl.queue_i);
  auto& mode = bench.input(systemc.mode_i, rtl.mode_i);
  auto& length_threshold = bench.input(systemc.length_threshold_i, rtl.length_threshold_i);
  auto& received_threshold = bench.input(systemc.received_threshold_i, rtl.received_threshold_i);
  auto& queue_threshold = bench.input(systemc.queue_threshold_i, rtl.queue_threshold_i);
  auto& cut = bench.input(systemc.cut_i, rtl.cut_i);
  auto& ready = bench.output(systemc.ready_o, rtl.ready_o);
  auto& flit_out = bench.output(systemc.flit_o, rtl.flit_o);
  auto& busy = bench.output(systemc.busy_o, rtl.busy_o);

  raw_packets<PayloadBits> packets(random, v);
  stream_source<PayloadBits> source(random, [&packets] { return packets.next(); });
  stream_sink<PayloadBits> sink(random);
  std::uint64_t phases = 0, bypassed = 0, compressed = 0, lost = 0;
  unsigned packets_left = 0;

  bool restless = false;
  const auto configure = [&] {
    packets.cut = random.chance(0.2) ? random.one_of({0U, 1U, 51U}) : random.between(0, MaxCut);
    cut.write(static_cast<std::uint8_t>(packets.cut));
    const auto modes = {selection_mode::None, selection_mode::Always, selection_mode::Always, selection_mode::Selective,
                        selection_mode::Selective};
    mode.write(static_cast<std::uint8_t>(*(modes.begin() + random.between(0, 4))));
    length_threshold.write(
        random.one_of({0U, 2U, random.between(0, v.depth), any_size(random), any_size(random), 0xffff'ffffU}));
    const auto any = [this] { return static_cast<std::uint32_t>(random.bits()); };
    received_threshold.write(random.one_of({0U, random.between(0, 20), 0xffff'ffffU, any()}));
    queue_threshold.write(random.one_of({0U, random.between(0, 20), 0xffff'ffffU, any()}));
  };
  const auto begin_phase = [&] {
    ++phases;
    packets_left = random.between(1, 60);
    restless = random.chance(0.5);
    configure();
    source.pause = pauses::any(random, 40);
    sink.pause = pauses::any(random, 3 * v.depth);
  };
  bench.on_cycle([&] {
    const auto& in = flit_in.read();
    const auto& out = flit_out.read();
    bypassed += in.valid && out.valid && ready.read() && ready_in.read() && in.tag == out.tag;
    if (in.valid && ready.read() && in.head && packets_left > 0) --packets_left;
    if (packets_left == 0 && source.between_packets() && !busy.read() && (!in.valid || (ready.read() && in.tail)) &&
        !(out.valid && !ready_in.read()))
      begin_phase();
    else if (restless && random.chance(0.2))
      configure();
    flit_in.write(source.drive(in, ready.read(), packets_left > 0));
    const bool sink_ready = sink.drive(out, ready_in.read());
    ready_in.write(sink_ready && packets.hold == 0);
    packets.hold -= packets.hold > 0;
    // A small value, or the threshold with one bit inverted.
    const auto about = [this](std::uint32_t threshold) {
      return random.chance(0.5) ? random.between(0, 20) : threshold ^ 1U << random.between(0, 31);
    };
    if (random.chance(0.1)) received.write(about(received_threshold.read()));
    if (random.chance(0.1)) queue.write(about(queue_threshold.read()));
  });

  constexpr unsigned Parts = 3;
  for (unsigned part = 0; part < Parts; ++part) {
    ASSERT_EQ(bench.run(cycles(CompressorCycles / Parts)), "") << seed_note();
    compressed += systemc.packets_compressed();
    lost += systemc.packets_lost();
    flit_in.write({});
    source.drop_packet();
    packets_left = 0;
    bench.reset();
  }
  std::cout << source.flits * K << " words in " << source.packets << " packets, " << compressed << " compressed, "
            << lost << " tried in vain; stalls: " << source.stalls << " in, " << sink.stalls << " out; " << phases
            << " phases" << std::endl;
  EXPECT_GT(source.flits, cycles(CompressorCycles) / 8);
  EXPECT_GT(source.packets, CompressorCycles / 8 / v.depth);
  EXPECT_GT(compressed, CompressorCycles / 64 / v.depth);
  EXPECT_GT(lost, CompressorCycles / 640 / v.depth);
  EXPECT_GT(bypassed, CompressorCycles / 200);
  EXPECT_GT(source.stalls, CompressorCycles / 100);
  EXPECT_GT(sink.stalls, CompressorCycles / 100);
  EXPECT_GT(phases, 5U);
}

TEST_P(lockstep_compressor, outputs_match_in_every_cycle) {
  with_words(GetParam().words, [this](auto k) { shows_the_same_in_every_cycle<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_compressor, testing::ValuesIn(compressors()));

}  // namespace
}  // namespace weft::lockstep
