// SPDX-License-Identifier: Apache-2.0
/// A compressor followed by a decompressor: the loop of SystemC modules compared with the loop of RTL, and both with
/// the golden functions of core. The shorter form travels between the two, and the output is the message as LSB-cut
/// leaves it. Random packets, and recorded payloads of MPI programs.
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "weft/cosim/verilated_compressor.h"
#include "weft/cosim/verilated_decompressor.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/decompressor.h"
#include "weft/workload/message_file.h"

namespace weft::lockstep {
namespace {

/// Connects two stages of any implementation.
template <unsigned PayloadBits, class Compressor, class Decompressor>
class codec_loop : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<flit_t> flit_i{"flit_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  sc_core::sc_out<flit_t> travelling_o{"travelling_o"};            ///< from one stage to the other…
  sc_core::sc_out<bool> travelling_ready_o{"travelling_ready_o"};  ///< …and back
  sc_core::sc_out<flit_t> flit_o{"flit_o"};
  pin::in_port<bool> ready_i{"ready_i"};
  pin::in_port<std::uint8_t> mode_i{"mode_i"};
  pin::in_port<std::uint8_t> cut_i{"cut_i"};
  pin::in_port<std::uint32_t> number_i{"number_i"};  ///< for inputs that have no effect here
  sc_core::sc_out<bool> compressor_busy_o{"compressor_busy_o"};
  sc_core::sc_out<bool> decompressor_busy_o{"decompressor_busy_o"};

  codec_loop(sc_core::sc_module_name name, Compressor& compressor, Decompressor& decompressor) : sc_module(name) {
    const auto connect = [this](auto& stage, auto& in, auto& ready_out, auto& out, auto& ready_in, auto& busy) {
      stage.clk_i(clk_i);
      stage.rst_ni(rst_ni);
      stage.flit_i(in);
      stage.ready_o(ready_out);
      stage.flit_o(out);
      stage.ready_i(ready_in);
      stage.received_i(number_i);
      stage.queue_i(number_i);
      stage.busy_o(busy);
    };
    connect(compressor, flit_i, ready_o, travelling_o, travelling_ready_o, compressor_busy_o);
    connect(decompressor, travelling_o, travelling_ready_o, flit_o, ready_i, decompressor_busy_o);
    compressor.mode_i(mode_i);
    compressor.cut_i(cut_i);
    compressor.length_threshold_i(number_i);
    compressor.received_threshold_i(number_i);
    compressor.queue_threshold_i(number_i);
  }
};

/// The variants that both stages have.
std::vector<variant> loop_variants() {
  std::vector<variant> both;
  for (const variant& c : compressors())
    for (const variant& d : decompressors())
      if (c.name == d.name) both.push_back(c);
  return both;
}

/// The contents of a packet; without words it marks the end.
struct message {
  data_type type = data_type::Other;
  std::vector<std::uint32_t> words;
};

class lockstep_loop : public variant_test {
 protected:
  /// Sends the packets that \p next returns, until it returns an empty message or for \p most_cycles cycles. If
  /// \p restless, the truncation changes in every other cycle.
  template <unsigned K, typename Next>
  void run(Next next, unsigned cut, bool restless, pauses gaps, pauses stalls, std::uint64_t most_cycles);

  std::uint64_t words = 0, compressed = 0, sent_flits = 0, travelled_flits = 0;
};

template <unsigned K, typename Next>
void lockstep_loop::run(Next next, unsigned cut_bits, bool restless, pauses gaps, pauses stalls,
                        std::uint64_t most_cycles) {
  constexpr unsigned PayloadBits = 32 * K;
  using flit_t = flit<PayloadBits>;
  const variant& v = GetParam();
  codec_parameters parameters = v.codec;

  pin::compressor<PayloadBits> compressor("compressor",
                                          {v.depth, v.packets, v.codec.table, v.codec.classic, v.codec.exact});
  pin::decompressor<PayloadBits> decompressor("decompressor", {v.codec.table, v.codec.classic, v.codec.exact});
  codec_loop<PayloadBits, pin::compressor<PayloadBits>, pin::decompressor<PayloadBits>> systemc("systemc", compressor,
                                                                                                decompressor);
  const auto rtl_compressor = v.make_as<tb::compressor_pins<PayloadBits>>("rtl_compressor", register_seed());
  std::unique_ptr<tb::decompressor_pins<PayloadBits>> rtl_decompressor;
  for (const variant& d : decompressors())
    if (d.name == v.name)
      rtl_decompressor = d.make_as<tb::decompressor_pins<PayloadBits>>("rtl_decompressor", register_seed());
  ASSERT_NE(rtl_decompressor, nullptr);
  codec_loop<PayloadBits, tb::compressor_pins<PayloadBits>, tb::decompressor_pins<PayloadBits>> rtl(
      "rtl", *rtl_compressor, *rtl_decompressor);

  lockstep_bench bench("bench", systemc, rtl);
  auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
  auto& ready_in = bench.input(systemc.ready_i, rtl.ready_i);
  auto& mode = bench.input(systemc.mode_i, rtl.mode_i);
  auto& cut = bench.input(systemc.cut_i, rtl.cut_i);
  bench.input(systemc.number_i, rtl.number_i);
  auto& ready = bench.output(systemc.ready_o, rtl.ready_o);
  auto& travelling = bench.output(systemc.travelling_o, rtl.travelling_o);
  auto& travelling_ready = bench.output(systemc.travelling_ready_o, rtl.travelling_ready_o);
  auto& flit_out = bench.output(systemc.flit_o, rtl.flit_o);
  bench.output(systemc.compressor_busy_o, rtl.compressor_busy_o);
  bench.output(systemc.decompressor_busy_o, rtl.decompressor_busy_o);

  // Flits that are expected to travel and to arrive.
  std::deque<flit_t> to_travel, to_arrive;
  bool exhausted = false;
  packet_id id = 0;
  message sent;  // the packet being offered, or the last one
  const auto raw_flits = [&](const std::vector<std::uint32_t>& m) {
    return flits_of<PayloadBits>(travelling_form(m, sent.type, codec::Raw, K, parameters), id);
  };
  const auto next_packet = [&]() -> std::vector<flit_t> {
    sent = next();
    if (sent.words.empty()) {
      exhausted = true;
      return {};
    }
    ++id;
    return raw_flits(sent.words);
  };
  // The compressor accepts the head of the packet, with the truncation of this cycle.
  const auto begin_packet = [&] {
    parameters.cut = cut.read();
    const selection_inputs in{sent.type,
                              static_cast<std::uint32_t>((sent.words.size() + K - 1) / K),
                              static_cast<std::uint32_t>(sent.words.size()),
                              codec::Raw,
                              0,
                              0};
    const codec how = choose_codec(in, selection_parameters{selection_mode::Always}, parameters.classic, K, v.depth);
    const travelling_packet packet = travelling_form(sent.words, sent.type, how, K, parameters);
    const auto travels = flits_of<PayloadBits>(packet, id);
    to_travel.insert(to_travel.end(), travels.begin(), travels.end());
    compressed += packet.header.codec != codec::Raw;
    // The output: the message, truncated if LSB-cut applied.
    const decoded_message decoded = decode(packet.header, packet.payload, K, parameters);
    EXPECT_EQ(decoded.error, codec_error::None);
    const auto arrives = raw_flits(decoded.words);
    to_arrive.insert(to_arrive.end(), arrives.begin(), arrives.end());
    words += sent.words.size();
  };

  stream_source<PayloadBits> source(random, next_packet);
  stream_sink<PayloadBits> sink(random);
  source.pause = gaps;
  sink.pause = stalls;
  std::string unexpected;
  const auto expect = [&](std::deque<flit_t>& expected, const flit_t& f, const char* where) {
    if (!unexpected.empty()) return;
    if (expected.empty()) {
      unexpected = std::string("unexpected flit ") + where;
      return;
    }
    if (const auto found = first_difference(expected.front(), f))
      unexpected = std::string(where) + found->part + ": expected " + found->left + ", got " + found->right + " in " +
                   text_of(f);
    expected.pop_front();
  };
  bench.on_cycle([&] {
    mode.write(static_cast<std::uint8_t>(selection_mode::Always));
    if (flit_in.read().valid && flit_in.read().head && ready.read()) begin_packet();
    cut.write(static_cast<std::uint8_t>(restless && random.chance(0.5) ? random.between(0, MaxCut) : cut_bits));
    if (travelling.read().valid && travelling_ready.read()) {
      expect(to_travel, travelling.read(), "on the way");
      ++travelled_flits;
    }
    if (flit_out.read().valid && ready_in.read()) expect(to_arrive, flit_out.read(), "on arrival");
    flit_in.write(source.drive(flit_in.read(), ready.read(), !exhausted));
    ready_in.write(sink.drive(flit_out.read(), ready_in.read()));
  });

  // In slices, to detect the end.
  constexpr std::uint64_t Slice = 5000;
  for (std::uint64_t done = 0; done < most_cycles && !(exhausted && to_arrive.empty()); done += Slice) {
    ASSERT_EQ(bench.run(Slice), "") << seed_note();
    ASSERT_EQ(unexpected, "") << "in cycle " << bench.cycle() << ", " << seed_note();
  }
  EXPECT_TRUE(!exhausted || (to_travel.empty() && to_arrive.empty())) << "something did not arrive; " << seed_note();
  sent_flits = source.flits;
  std::cout << words << " words in " << source.packets << " packets, " << compressed << " compressed, " << sent_flits
            << " flits became " << travelled_flits << std::endl;
}

TEST_P(lockstep_loop, compressor_and_decompressor_restore_every_message) {
  constexpr std::uint64_t Cycles = 150'000;
  const variant& v = GetParam();
  with_words(v.words, [this, &v](auto k) {
    message_source messages(random, v.codec.table);
    const unsigned cut = random.between(0, MaxCut);
    const auto next = [&] {
      message m;
      m.type = static_cast<data_type>(random.between(0, 3));
      const unsigned flits = random.chance(0.03) ? v.depth + 1 : random.one_of({2U, 24U, std::min(v.depth, 100U)});
      m.words = messages.words_of(m.type, random.between(1, v.words * flits), cut);
      return m;
    };
    run<k>(next, cut, true, {0.02, 20}, {0.05, 5}, cycles(Cycles));
  });
  EXPECT_GT(words, Cycles / 4);
  EXPECT_GT(compressed, Cycles / 2000);
  EXPECT_LT(travelled_flits, sent_flits);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_loop, testing::ValuesIn(loop_variants()));

/// All messages of a recording, in packets as long as the memory of the compressor.
class lockstep_recording : public lockstep_loop {
 protected:
  void pass(const char* file, unsigned cut) {
    const variant& v = GetParam();
    const auto path = std::filesystem::path(WEFT_SHARED_DATA) / "payload" / file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "WEFT_SHARED_DATA has no payload/" << file;
    std::vector<message> messages;
    std::size_t total = 0;
    for (const recorded_message& m : read_messages(path).messages) {
      messages.push_back({m.type, m.words()});
      total += messages.back().words.size();
    }
    std::size_t which = 0, at = 0;
    const auto next = [&] {
      message packet;
      while (which < messages.size() && at == messages[which].words.size()) ++which, at = 0;
      if (which == messages.size()) return packet;
      const message& m = messages[which];
      const std::size_t end = std::min<std::size_t>(m.words.size(), at + std::size_t{v.words} * v.depth);
      packet.type = m.type;
      packet.words.assign(m.words.begin() + static_cast<std::ptrdiff_t>(at),
                          m.words.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
      return packet;
    };
    with_words(v.words, [&](auto k) { run<k>(next, cut, false, {}, {0.02, 3}, 20 * total + 10'000); });
    EXPECT_EQ(words, total);
    EXPECT_GT(compressed, 0U);
    EXPECT_LT(travelled_flits, sent_flits);
  }
};
TEST_P(lockstep_recording, restores_data_of_integer_sort) { pass("is.S.2.bin.gz", 0); }
TEST_P(lockstep_recording, restores_data_of_ant_colony) { pass("aco.lin105.2.bin.gz", 0); }
TEST_P(lockstep_recording, restores_data_of_conjugate_gradient) { pass("cg.S.2.bin.gz", 24); }
TEST_P(lockstep_recording, restores_data_of_molecular_dynamics) { pass("lammps.melt.2.bin.gz", 28); }
INSTANTIATE_TEST_SUITE_P(all, lockstep_recording, testing::ValuesIn(loop_variants()));

}  // namespace
}  // namespace weft::lockstep
