// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: compares the compressor at pin level with the verilated RTL, and both with travelling_form() of
/// weft/core.
///
/// Input, after the part that stage_fuzzer.h documents: the configuration: mode (byte 0, 2 bits), cut (6 bits), the
/// three thresholds (a byte each). Then packets. Byte 0: type (2 bits), codec of the packet (2 bits, 0 … 3; used only
/// if bit 6 is set, so that most packets are raw), bit 7: the next byte is the number of words in the header. N and Q
/// while the packet is offered (a byte each). Then the message: its number of words (one byte), its words.
#include <cstdint>
#include <vector>

#include <systemc>

#include WEFT_FUZZ_MODEL_HEADER
#include "tb/fuzz/stage_fuzzer.h"

#include "weft/core/selection.h"
#include "weft/cosim/verilated_compressor.h"
#include "weft/pin/nic/compressor.h"

namespace {

using namespace weft;
using fuzz::Words;

using systemc_t = pin::compressor<32 * Words>;
using rtl_t = tb::verilated_compressor<32 * Words, WEFT_FUZZ_MODEL>;
using fuzzer_t = fuzz::stage_fuzzer<Words, systemc_t, rtl_t>;

constexpr unsigned Depth = WEFT_FUZZ_DEPTH, Packets = WEFT_FUZZ_PACKETS;
constexpr unsigned MostWords = (Depth + 4) * Words;  // per message: more than can be compressed
constexpr unsigned MostPackets = 24;                 // per input

struct bench {
  systemc_t systemc;
  rtl_t rtl;
  fuzzer_t fuzzer;
  sc_core::sc_signal<std::uint8_t>& mode;
  sc_core::sc_signal<std::uint32_t>&length_threshold, &received_threshold, &queue_threshold;
  sc_core::sc_signal<std::uint8_t>& cut;

  explicit bench(const codec_parameters& parameters)
      : systemc("systemc", {Depth, Packets, parameters.table, parameters.classic, parameters.exact}),
        rtl("rtl", 1),
        fuzzer(systemc, rtl),
        mode(fuzzer.bench.input(systemc.mode_i, rtl.mode_i)),
        length_threshold(fuzzer.bench.input(systemc.length_threshold_i, rtl.length_threshold_i)),
        received_threshold(fuzzer.bench.input(systemc.received_threshold_i, rtl.received_threshold_i)),
        queue_threshold(fuzzer.bench.input(systemc.queue_threshold_i, rtl.queue_threshold_i)),
        cut(fuzzer.bench.input(systemc.cut_i, rtl.cut_i)) {}
};
bench* stages = nullptr;

int one_input(const std::uint8_t* data, std::size_t size) {
  fuzz::byte_source in(data, size);
  const std::uint32_t pauses = in.word(), stalls = in.word();
  const unsigned configuration = in.byte();
  selection_parameters selection;
  selection.mode = static_cast<selection_mode>((configuration & 3) % 3);
  selection.length_threshold = in.byte();
  selection.received_threshold = in.byte();
  selection.queue_threshold = in.byte();
  codec_parameters parameters = fuzz::stage_parameters();
  parameters.cut = (configuration >> 2) % (MaxCut + 1);

  std::vector<fuzzer_t::stimulus> packets;
  std::vector<fuzz::result> expected;
  while (!in.empty() && packets.size() < MostPackets) {
    const unsigned kind = in.byte();
    fuzzer_t::stimulus s;
    header head;
    head.type = static_cast<data_type>(kind & 3);
    if (kind & 0x40) head.codec = static_cast<codec>(kind >> 2 & 3);
    head.source = kind;
    const unsigned claimed = kind & 0x80 ? in.byte() : 0;
    s.received = in.byte();
    s.queue = in.byte();
    const std::vector<std::uint32_t> message = fuzz::read_message(in, std::min(MostWords, 255U));
    s.packet.payload = encode(message, codec::Raw, Words, parameters).payload;
    head.words = kind & 0x80 ? claimed : static_cast<std::uint32_t>(message.size());
    head.flits = static_cast<std::uint32_t>(s.packet.payload.size() / Words);
    s.packet.header = head;

    const codec chosen = choose_codec({head.type, head.flits, head.words, head.codec, s.received, s.queue}, selection,
                                      parameters.classic, Words, Depth);
    fuzz::result leaves{s.packet, codec_error::None};
    if (chosen != codec::Raw) {
      // The header may state fewer words than the payload has, in the same number of flits.
      std::vector<std::uint32_t> claimed_message = s.packet.payload;
      claimed_message.resize(head.words);
      travelling_packet coded = travelling_form(claimed_message, head.type, chosen, Words, parameters);
      if (coded.header.codec != codec::Raw) {
        coded.header.source = head.source;
        leaves.packet = std::move(coded);
      }
    }
    packets.push_back(std::move(s));
    expected.push_back(std::move(leaves));
  }

  stages->mode.write(static_cast<std::uint8_t>(selection.mode));
  stages->length_threshold.write(selection.length_threshold);
  stages->received_threshold.write(selection.received_threshold);
  stages->queue_threshold.write(selection.queue_threshold);
  stages->cut.write(static_cast<std::uint8_t>(parameters.cut));
  stages->fuzzer.play(packets, expected, pauses, stalls);
  return 0;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  bench made(fuzz::stage_parameters());
  stages = &made;
  return LLVMFuzzerRunDriver(&argc, &argv, one_input);
}
