// SPDX-License-Identifier: Apache-2.0
/// Compressor and decompressor in series, with and without gated clocks: both restore the messages in the same cycles,
/// and an idle pair has no clock.
#include "levels/stage_bench.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "weft/core/selection.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/decompressor.h"

namespace weft::pin {
namespace {

/// Both stages as in a NIC: the wires hold the clocks.
template <unsigned K>
class loop {
 public:
  using flit_t = flit_of<K>;

  loop(bench& b, const std::string& name, bool gating)
      : root((name + "_root").c_str(), gating),
        sent((name + "_sent").c_str()),
        between((name + "_between").c_str()),
        received((name + "_received").c_str()),
        sent_ready((name + "_sent_ready").c_str()),
        between_ready((name + "_between_ready").c_str()),
        received_ready((name + "_received_ready").c_str()),
        send_busy((name + "_send_busy").c_str()),
        receive_busy((name + "_receive_busy").c_str()),
        sender((name + "_compressor").c_str(), compressor_parameters()),
        receiver((name + "_decompressor").c_str(), decompressor_parameters()) {
    b.clock(root);
    gated_clock& send_clock = root.make_gate();
    gated_clock& receive_clock = root.make_gate();
    bind(b, sender, send_clock, sent, sent_ready, between, between_ready, send_busy);
    bind(b, receiver, receive_clock, between, between_ready, received, received_ready, receive_busy);
    sender.mode_i(mode);
    sender.length_threshold_i(zero);
    sender.received_threshold_i(zero);
    sender.queue_threshold_i(zero);
    sender.cut_i(cut);
    mode.write(static_cast<std::uint8_t>(selection_mode::Always));
  }

  clock_gate root;
  wire<flit_t> sent, between, received;
  wire<bool> sent_ready, between_ready, received_ready, send_busy, receive_busy;
  sc_core::sc_signal<std::uint8_t> mode, cut;
  sc_core::sc_signal<std::uint32_t> zero;
  compressor<32 * K> sender;
  decompressor<32 * K> receiver;

 private:
  void bind(bench& b, packet_stage<32 * K>& stage, gated_clock& clock, wire<flit_t>& in, wire<bool>& in_ready,
            wire<flit_t>& out, wire<bool>& out_ready, wire<bool>& busy) {
    stage.clk_i(clock);
    stage.rst_ni(b.rst_n);
    stage.flit_i(in);
    stage.ready_o(in_ready);
    stage.flit_o(out);
    stage.ready_i(out_ready);
    stage.received_i(zero);
    stage.queue_i(zero);
    stage.busy_o(busy);
    for (wire<flit_t>* w : {&in, &out}) w->enables_clock(clock);
    busy.enables_clock(clock);
  }
};

template <typename Width>
class levels_pin_compression_loop : public testing::Test {
 public:
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_compression_loop, flit_widths);

TYPED_TEST(levels_pin_compression_loop, restores_messages_with_and_without_clock_gating) {
  constexpr unsigned K = TypeParam::value;
  bench b;
  loop<K> gated(b, "gated", true), ungated(b, "ungated", false);
  b.start();
  const codec_parameters codecs{fpc_table(), false, 0, true};  // without a cut, doubles are restored exactly
  std::deque<flit_of<K>> waiting, due;
  constexpr content Kinds[] = {content::Small, content::Random, content::Mixed, content::Zeros, content::Doubles};
  packet_id id = 0;
  unsigned received = 0, idle = 0;
  bool offered = false;
  for (unsigned cycle = 0; cycle < 12000; ++cycle) {
    const bool pause = cycle / 500 % 2 == 1;
    if (waiting.empty() && !pause && this->random.chance(0.3)) {
      const message_t message = make_message(this->random, Kinds[this->random.below(5)], this->random.below(16 * K));
      const auto type = static_cast<data_type>(this->random.below(4));
      const packet_of<K> packet = travelling<K>(id++, message, type, codec::Raw, codecs);
      waiting.insert(waiting.end(), packet.begin(), packet.end());
      due.insert(due.end(), packet.begin(), packet.end());
    }
    offered = !waiting.empty() && (offered || this->random.chance(0.9));
    const bool ready = this->random.chance(0.9);
    for (loop<K>* l : {&gated, &ungated}) {
      l->sent.write(offered ? waiting.front() : flit_of<K>());
      l->received_ready.write(ready);
    }
    b.settle();
    ASSERT_EQ(gated.sent_ready.read(), ungated.sent_ready.read()) << "cycle " << cycle;
    ASSERT_EQ(gated.between.read(), ungated.between.read()) << "cycle " << cycle;
    ASSERT_EQ(gated.between_ready.read(), ungated.between_ready.read()) << "cycle " << cycle;
    ASSERT_EQ(gated.received.read(), ungated.received.read()) << "cycle " << cycle;
    if (gated.received.read().valid && ready) {
      ASSERT_EQ(gated.received.read(), due.front()) << "cycle " << cycle;
      due.pop_front();
      ++received;
    }
    if (offered && gated.sent_ready.read()) {
      waiting.pop_front();
      offered = false;
    }
    idle += !gated.send_busy.read() && !gated.receive_busy.read();
    b.step();
  }
  EXPECT_TRUE(due.empty());
  EXPECT_GT(received, 2000U);
  EXPECT_GT(idle, 1000U);
  EXPECT_GT(gated.sender.packets_compressed(), 20U);
  EXPECT_GT(gated.sender.packets_lost(), 20U);
  EXPECT_EQ(gated.receiver.packets_decompressed(), gated.sender.packets_compressed());
  EXPECT_EQ(gated.receiver.packets_wrong(), 0U);
}

}  // namespace
}  // namespace weft::pin
