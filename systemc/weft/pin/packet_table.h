// SPDX-License-Identifier: Apache-2.0
/// What is known of the packets in a network beside their flits, which carry a number of 24 bits: flit_tag.
/// Simulation only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/types.h"
#include "weft/pin/check.h"

namespace weft::pin {

/// The number of a packet is the low bits of its identity, which a waveform then shows, or one of the next where
/// another packet has its place in a table that is large enough. Each packet is found by its number without a search.
class packet_table {
 public:
  struct row {
    packet_id id = 0;
    cycle_t created = 0;
    std::uint32_t routers = 0;         ///< that its tail has passed
    std::uint8_t cut = ConfiguredCut;  ///< packet::cut
  };

  /// A packet comes in. \return the tag of its head
  flit_tag add(packet_id id, cycle_t created, std::uint8_t cut = ConfiguredCut) {
    WEFT_ASSERT(m_size < flit_tag::Numbers, flit_tag::Numbers << " packets within a network, and one more");
    auto number = static_cast<std::uint32_t>(id % NumbersAndNone);
    if (number == flit_tag::Numbers) number = 0;
    // A table that is a quarter full grows until the number has a place of its own.
    while (at(number).used) {
      if (m_size < m_places.size() / 4 || at(number).number == number)
        number = number + 1 == flit_tag::Numbers ? 0 : number + 1;
      else
        grow();
    }
    at(number) = {true, number, {id, created, 0, cut}};
    ++m_size;
    return flit_tag(number);
  }

  /// What is known of the packet with \p tag, which is that of a packet within.
  const row& of(flit_tag tag) const {
    WEFT_ASSERT(tag.is_set(),
                "a flit without a tag, whose packet is therefore unknown: stages and NICs of your own pass "
                "on the tags of the flits that they take");
    return m_places[tag.packet() & (m_places.size() - 1)].what;
  }

  /// The tail of a packet leaves a router; of one without a tag nothing is known.
  void pass(flit_tag tail) {
    if (tail.is_set()) ++at(tail.packet()).what.routers;
  }

  /// A packet has left, and none of its flits is anywhere: its number is free.
  void remove(flit_tag tag) {
    at(tag.packet()).used = false;
    --m_size;
  }

  /// Packets within.
  std::size_t size() const { return m_size; }

 private:
  static constexpr packet_id NumbersAndNone = packet_id{flit_tag::Numbers} + 1;

  /// A packet at its number modulo the places.
  struct place {
    bool used = false;
    std::uint32_t number = 0;
    row what;
  };

  const char* name() const { return "packet_table"; }

  place& at(std::uint32_t number) { return m_places[number & (m_places.size() - 1)]; }

  /// Twice the places: two packets that had one each have one each still.
  void grow() {
    std::vector<place> old(2 * m_places.size());
    old.swap(m_places);
    for (const place& p : old)
      if (p.used) at(p.number) = p;
  }

  std::vector<place> m_places = std::vector<place>(64);
  std::size_t m_size = 0;
};

}  // namespace weft::pin
