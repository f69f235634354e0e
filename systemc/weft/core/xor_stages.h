// SPDX-License-Identifier: Apache-2.0
/// The decisions of XOR encoder and decoder: what each does with a packet, and the headers of the packets that leave.
/// docs/03_reference/network_coding.md specifies them.
#pragma once

#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/flit.h"

namespace weft {

/// Number of flits of a datum of \p words words (< 2^24) if a flit has \p words_per_flit ≥ 1 words.
constexpr std::uint32_t flits_of_words(std::uint32_t words, unsigned words_per_flit) {
  return words == 0 ? 1 : divide<24>(words - 1, words_per_flit) + 1;
}

/// The path of a packet's flits in an encoder.
enum class encoder_path : std::uint8_t {
  Pass,  ///< combinationally to the output
  Hold,  ///< to the memory of the held packet only
  Join,  ///< through the XOR with the held packet
};

/// The path of a packet with \p role.
constexpr encoder_path path_for(xor_role role) {
  return role == xor_role::Hold                                 ? encoder_path::Hold
         : role == xor_role::Combine || role == xor_role::Chain ? encoder_path::Join
                                                                : encoder_path::Pass;
}

/// Whether the encoder holds a packet with \p role after it has arrived.
constexpr bool is_held(xor_role role) { return role == xor_role::Hold || role == xor_role::Chain; }

/// The header of the packet that an encoder sends: \p held XOR \p last, where \p last arrived after \p held. Both are
/// raw.
constexpr header joined_header(const header& held, const header& last) {
  header h = last;
  h.flits = held.flits > last.flits ? held.flits : last.flits;
  h.words = held.words > last.words ? held.words : last.words;
  h.type = xor_type(held.type, last.type);
  h.role = xor_role::Coded;
  h.overflow = false;
  h.first = held.first;
  h.second = last.first;
  return h;
}

/// The XOR of the flits \p a and \p b, word by word. For a coded flit and one of its terms, this is the other term.
template <unsigned Count>
constexpr word_row<Count> joined_words(const word_row<Count>& a, const word_row<Count>& b) {
  word_row<Count> both;
  for (unsigned i = 0; i < Count; ++i) both.word[i] = a.word[i] ^ b.word[i];
  return both;
}

/// The header of the plain packet with \p datum that a decoder produces from the packet with header \p coded.
constexpr header decoded_header(const header& coded, const xor_datum& datum, unsigned words_per_flit) {
  header h = coded;
  h.flits = flits_of_words(datum.words, words_per_flit);
  h.words = datum.words;
  h.type = datum.type;
  h.role = xor_role::Plain;
  h.relay = false;
  h.overflow = false;
  h.first = datum_bits(datum);
  h.second = 0;
  return h;
}

/// What a decoder does with a packet.
enum class xor_action : std::uint8_t {
  Pass,       ///< the packet goes to the node unchanged
  Redundant,  ///< the same, and each of its data loses one use
  Keep,       ///< the packet goes to the node unchanged; a copy is kept
  Decode,     ///< its other datum goes to the node
  Store,      ///< the packet waits; nothing goes to the node
};

/// The entry in which a decoder stores a datum or a copy of a packet.
enum class xor_room : std::uint8_t {
  None,
  Free,     ///< in the lowest free entry
  OfKnown,  ///< the entry of the datum that decoded it, which has no use left
};

/// What a decoder finds when it looks up the data of a packet.
struct xor_findings {
  bool first_known = false;
  bool second_known = false;
  unsigned uses = 0;  ///< remaining uses of the first known datum of the two
  bool free = false;  ///< there is a free entry
};

struct xor_choice {
  xor_action action = xor_action::Pass;
  xor_room room = xor_room::None;
  bool overflow = false;  ///< something that should be kept or stored is not
};

/// The datum that a decoder obtains from the packet with header \p coded. It decodes the packet with the first datum if
/// that is known, otherwise with the second.
constexpr xor_datum other_datum(const header& coded, bool first_known) {
  return datum_of(first_known ? coded.second : coded.first);
}

/// Whether a decoded datum is kept for more packets.
constexpr bool has_more_uses(const xor_datum& decoded) { return decoded.uses > 1; }

/// What a decoder with entries of \p depth flits does with the packet with header \p head.
constexpr xor_choice choose_action(const header& head, const xor_findings& found, unsigned depth,
                                   unsigned words_per_flit) {
  const bool coded = head.role == xor_role::Coded;
  const bool known = found.first_known || found.second_known;
  const bool has_room = found.free && head.flits <= depth;
  const xor_datum own = datum_of(head.first);
  xor_choice choice;
  if (!coded && own.uses == 0) {
    choice.action = xor_action::Pass;
  } else if (coded && found.first_known && found.second_known) {
    choice.action = xor_action::Redundant;
  } else if (coded && !head.relay && known) {
    const xor_datum datum = other_datum(head, found.first_known);
    choice.action = xor_action::Decode;
    if (has_more_uses(datum)) {
      const bool fits = flits_of_words(datum.words, words_per_flit) <= depth;
      if (fits && found.uses == 1)
        choice.room = xor_room::OfKnown;
      else if (fits && found.free)
        choice.room = xor_room::Free;
      else
        choice.overflow = true;
    }
  } else if (has_room) {
    choice.action = coded && !head.relay ? xor_action::Store : xor_action::Keep;
    choice.room = xor_room::Free;
  } else {
    choice.overflow = true;
  }
  return choice;
}

}  // namespace weft
