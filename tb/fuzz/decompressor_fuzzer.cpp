// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: compares the decompressor at pin level with the verilated RTL, and both with decode() of weft/core.
///
/// Input, after the part that stage_fuzzer.h documents: packets. Byte 0: codec (2 bits), cut (6 bits). Byte 1, bits 0
/// and 1: 0: the following words are the payload; 1: they are a message to encode; 2 and 3: the same, and the next two
/// bytes select how the payload is damaged: flits added or dropped, one bit inverted. Bit 2: the next byte is the
/// number of words in the header. Then a message: its number of words (one byte), its words.
#include <cstdint>
#include <vector>

#include <systemc>

#include WEFT_FUZZ_MODEL_HEADER
#include "tb/fuzz/stage_fuzzer.h"

#include "weft/cosim/verilated_decompressor.h"
#include "weft/pin/nic/decompressor.h"

namespace {

using namespace weft;
using fuzz::Words;

using systemc_t = pin::decompressor<32 * Words>;
using rtl_t = tb::verilated_decompressor<32 * Words, WEFT_FUZZ_MODEL>;
using fuzzer_t = fuzz::stage_fuzzer<Words, systemc_t, rtl_t>;
fuzzer_t* fuzzer = nullptr;

constexpr unsigned MostWords = 40;   // per message
constexpr unsigned MostPackets = 8;  // per input

travelling_packet read_packet(fuzz::byte_source& in) {
  travelling_packet packet;
  const unsigned form = in.byte(), kind = in.byte();
  header& head = packet.header;
  head.codec = static_cast<codec>(form & 3);
  head.cut = static_cast<std::uint8_t>(form >> 2);
  head.type = static_cast<data_type>(kind >> 3 & 3);
  head.source = kind;
  head.destination = form;
  const bool encoded = (kind & 3) != 0 && head.codec != codec::Raw, spoiled = encoded && (kind & 2) != 0;
  const unsigned spoil_flits = spoiled ? in.byte() : 0, spoil_bit = spoiled ? in.byte() : 0;
  const unsigned claimed = kind & 4 ? in.byte() : 0;

  const std::vector<std::uint32_t> message = fuzz::read_message(in, MostWords);
  head.words = static_cast<std::uint32_t>(message.size());
  codec_parameters parameters = fuzz::stage_parameters();
  parameters.cut = head.cut;
  if (encoded && !message.empty() && head.cut <= MaxCut)
    packet.payload = encode(message, head.codec, Words, parameters).payload;
  else
    packet.payload = encode(message, codec::Raw, Words, parameters).payload;
  if (kind & 4) head.words = claimed;

  std::size_t flits = packet.payload.size() / Words;
  if (spoiled) {
    flits = spoil_flits & 8 ? flits + (spoil_flits & 7) : flits - std::min<std::size_t>(flits - 1, spoil_flits & 7);
    packet.payload.resize(flits * Words);
    if (spoil_flits & 16) packet.payload[spoil_bit % packet.payload.size()] ^= 1U << (spoil_flits >> 5) * 4;
  }
  head.flits = static_cast<std::uint32_t>(flits);
  return packet;
}

/// Expected output of the decompressor.
fuzz::result delivered(const travelling_packet& packet) {
  if (packet.header.codec == codec::Raw) return {packet, codec_error::None};
  decoded_message message = decode(packet.header, packet.payload, Words, fuzz::stage_parameters());
  fuzz::result out;
  out.error = message.error;
  out.packet.payload = encode(message.words, codec::Raw, Words, {}).payload;
  out.packet.header = packet.header;
  out.packet.header.codec = codec::Raw;
  out.packet.header.cut = 0;
  out.packet.header.flits = static_cast<std::uint32_t>(out.packet.payload.size() / Words);
  return out;
}

int one_input(const std::uint8_t* data, std::size_t size) {
  fuzz::byte_source in(data, size);
  const std::uint32_t pauses = in.word(), stalls = in.word();
  std::vector<fuzzer_t::stimulus> packets;
  std::vector<fuzz::result> expected;
  while (!in.empty() && packets.size() < MostPackets) {
    packets.push_back({read_packet(in)});
    expected.push_back(delivered(packets.back().packet));
  }
  fuzzer->play(packets, expected, pauses, stalls);
  return 0;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  const codec_parameters parameters = fuzz::stage_parameters();
  systemc_t systemc("systemc", {parameters.table, parameters.classic, parameters.exact});
  rtl_t rtl("rtl", 1);
  fuzzer_t bench(systemc, rtl);
  fuzzer = &bench;
  return LLVMFuzzerRunDriver(&argc, &argv, one_input);
}
