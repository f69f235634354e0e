// SPDX-License-Identifier: Apache-2.0
/// The data of packets in a network that their flits do not carry; a flit carries a number of 24 bits (flit_tag).
/// Simulation only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/types.h"
#include "weft/pin/check.h"

namespace weft::pin {

/// The number of a packet is the low bits of its identity, which a waveform then shows, or one of the next numbers if
/// another packet occupies its place in a large table. The table finds each packet by its number without a search.
class packet_table {
 public:
  struct row {
    packet_id id = 0;
    cycle_t created = 0;
    std::uint32_t routers = 0;         ///< number of routers that its tail has passed
    std::uint8_t cut = ConfiguredCut;  ///< packet::cut
  };

  /// Adds a packet that enters the network. \return the tag of its head
  flit_tag add(packet_id id, cycle_t created, std::uint8_t cut = ConfiguredCut) {
    WEFT_ASSERT(m_size < flit_tag::Numbers, flit_tag::Numbers << " packets are in the network, which is the maximum");
    auto number = static_cast<std::uint32_t>(id % NumbersAndNone);
    if (number == flit_tag::Numbers) number = 0;
    // A table that is less than a quarter full skips to the next number; a fuller one grows until the place is free.
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

  /// The data of the packet with \p tag, which must be in the network.
  const row& of(flit_tag tag) const {
    WEFT_ASSERT(tag.is_set(),
                "flit without a tag; your own stages and NICs must pass on the tags of the flits that they accept");
    return m_places[tag.packet() & (m_places.size() - 1)].what;
  }

  /// The tail of a packet leaves a router; a tag that is unset is ignored.
  void pass(flit_tag tail) {
    if (tail.is_set()) ++at(tail.packet()).what.routers;
  }

  /// Removes a packet whose flits have all left; its number is free again.
  void remove(flit_tag tag) {
    at(tag.packet()).used = false;
    --m_size;
  }

  /// Number of packets in the network.
  std::size_t size() const { return m_size; }

 private:
  static constexpr packet_id NumbersAndNone = packet_id{flit_tag::Numbers} + 1;

  /// A packet, stored at its number modulo the number of places.
  struct place {
    bool used = false;
    std::uint32_t number = 0;
    row what;
  };

  const char* name() const { return "packet_table"; }

  place& at(std::uint32_t number) { return m_places[number & (m_places.size() - 1)]; }

  /// Doubles the number of places; packets at different places stay at different places.
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
