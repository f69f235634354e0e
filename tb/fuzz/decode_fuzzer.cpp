// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: decode() of weft/core with arbitrary headers and payloads, and encode() with arbitrary messages.
///
/// Input: byte 0: K (2 bits), classic, exact, number of one of four tables (2 bits). Byte 1: codec (2 bits), cut (6
/// bits). Two bytes: words of the message. The rest is used as the payload, and also as a message. See
/// tb/fuzz/README.md for the rules that are checked.
#include "tb/fuzz/byte_source.h"
#include "tb/fuzz/finding.h"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/core/lsb_cut.h"

namespace {

using namespace weft;
using fuzz::require;

using words_t = std::vector<std::uint32_t>;

constexpr fpc_table Tables[] = {
    {{18, 17, 16, 15, 14, 13}}, {{32, 28, 25, 23, 22, 21}}, {{6, 5, 4, 3, 2, 1}}, {{29, 28, 27, 26, 25, 18}}};

codec_error error_of(header head, const words_t& payload, unsigned k, const codec_parameters& parameters) {
  head.flits = static_cast<std::uint32_t>(payload.size() / k);
  return decode(head, payload, k, parameters).error;
}

/// Checks the string that encode() makes of \p message, and damaged variants of the string.
void check_canonical(const words_t& message, const header& head, unsigned k, codec_parameters parameters) {
  if (head.codec == codec::LsbCut) parameters.cut = head.cut;
  const coded_message coded = encode(message, head.codec, k, parameters);
  require(coded.payload.size() == (coded.bits + 32 * k - 1) / (32 * k) * k,
          "the number of flits matches the length of the string");

  coded_length length(head.codec, parameters);
  for (const std::uint32_t word : message) length.add(word);
  require(length.bits() == coded.bits, "the computed length is that of the string");

  const decoded_message again = decode(head, coded.payload, k, parameters);
  require(again.error == codec_error::None, "an encoded message is decoded");
  if (head.codec != codec::LsbCut) {
    require(again.words == message, "FPC loses nothing");
  } else {
    // Encoding again loses nothing more.
    const coded_message twice = encode(again.words, head.codec, k, parameters);
    const decoded_message thrice = decode(head, twice.payload, k, parameters);
    require(thrice.error == codec_error::None && thrice.words == again.words, "LSB-cut is idempotent");
    for (std::size_t i = 0; i < message.size(); ++i) {
      const bool alone = i + 1 == message.size() && i % 2 == 0;
      const std::size_t lower = i - i % 2;
      const std::uint64_t value = alone ? 0 : message[lower] | std::uint64_t{message[lower + 1]} << 32;
      if (alone || head.cut == 0 || (parameters.exact && is_special(value)))
        require(again.words[i] == message[i], "zeros, denormals, infinities and NaNs arrive unchanged");
      const unsigned cut_here =
          i % 2 == 0 ? std::min<unsigned>(head.cut, 32) : head.cut - std::min<unsigned>(head.cut, 32);
      const std::uint32_t kept = cut_here == 32 ? 0 : ~std::uint32_t{0} << cut_here;
      require(alone || (again.words[i] & kept) == (message[i] & kept), "LSB-cut changes only bits below the cut");
    }
  }

  words_t spoiled = coded.payload;
  if (spoiled.size() > k) {
    spoiled.resize(spoiled.size() - k);
    require(error_of(head, spoiled, k, parameters) == codec_error::Truncated,
            "a string without its last flit is truncated");
  }
  spoiled = coded.payload;
  spoiled.resize(spoiled.size() + k);
  require(error_of(head, spoiled, k, parameters) == codec_error::OverLong,
          "a string with an additional flit is over-long");
  if (coded.bits % (32 * k) != 0) {
    spoiled = coded.payload;
    spoiled.back() |= 0x8000'0000;
    require(error_of(head, spoiled, k, parameters) == codec_error::Corrupt,
            "a string with a bit set in its padding is corrupt");
  }
  header wrong = head;
  wrong.codec = head.codec == codec::LsbCut ? codec::LsbCut : parameters.classic ? codec::Fpc : codec::FpcClassic;
  if (wrong.codec == codec::LsbCut) wrong.cut = MaxCut + 1;
  require(error_of(wrong, coded.payload, k, parameters) == codec_error::Corrupt, "an unknown codec is corrupt");
}

void check_travelling_form(const words_t& message, codec how, unsigned k, const codec_parameters& parameters) {
  const travelling_packet packet = travelling_form(message, data_type::Int, how, k, parameters);
  const std::size_t raw = std::max<std::size_t>(1, (message.size() + k - 1) / k);
  require(packet.header.flits == packet.payload.size() / k && packet.header.words == message.size(),
          "a header contains the lengths of its packet");
  require(packet.header.codec == codec::Raw ? packet.header.flits == raw : packet.header.flits < raw,
          "a packet is sent in the shorter form");
  const decoded_message back = decode(packet.header, packet.payload, k, parameters);
  require(back.error == codec_error::None && (packet.header.codec == codec::LsbCut || back.words == message),
          "a packet arrives");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::byte_source in(data, size);
  const unsigned options = in.byte();
  const unsigned k = 1U << (options & 3);
  codec_parameters parameters;
  parameters.classic = options & 4;
  parameters.exact = options & 8;
  parameters.table = Tables[options >> 4 & 3];

  header head;
  const unsigned form = in.byte();
  head.codec = static_cast<codec>(form & 3);
  head.cut = static_cast<std::uint8_t>(form >> 2);
  head.words = static_cast<std::uint32_t>(in.number(2));

  words_t payload = in.words(~std::size_t{0});
  const words_t message = payload;
  payload.resize((std::max<std::size_t>(payload.size(), 1) + k - 1) / k * k);
  head.flits = static_cast<std::uint32_t>(payload.size() / k);

  // Arbitrary bits: the result is valid, and a string that decodes is one that an encoder could have sent.
  const decoded_message decoded = decode(head, payload, k, parameters);
  require(decoded.words.size() == head.words, "a message has as many words as the header specifies");
  if (head.codec != codec::Raw && decoded.error == codec_error::None) {
    codec_parameters same = parameters;
    if (head.codec == codec::LsbCut) same.cut = head.cut;
    const coded_message shortest = encode(decoded.words, head.codec, k, same);
    require(shortest.payload.size() <= payload.size(), "the encoder's string is the shortest one");
    const decoded_message again = decode(head, shortest.payload, k, parameters);
    require(again.error == codec_error::None && again.words == decoded.words,
            "encoding and decoding a decoded message changes nothing");
    check_canonical(decoded.words, head, k, parameters);
  }

  if (head.cut > MaxCut) head.cut = MaxCut;
  parameters.cut = head.cut;
  const codec integers = parameters.classic ? codec::FpcClassic : codec::Fpc;
  for (const codec how : {integers, codec::LsbCut}) {
    check_travelling_form(message, how, k, parameters);
    if (message.empty()) continue;
    head.codec = how;
    head.words = static_cast<std::uint32_t>(message.size());
    check_canonical(message, head, k, parameters);
  }
  return 0;
}
