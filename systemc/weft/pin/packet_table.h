// SPDX-License-Identifier: Apache-2.0
/// The table of the packets in a network. It stores the data of a packet that its flits do not carry; a flit carries
/// only a number of 24 bits (flit_tag), which identifies the packet in the table. Simulation only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/types.h"
#include "weft/pin/check.h"

namespace weft::pin {

/// The number of a packet is the low bits of its identity, so that waveforms show the identity. If the entry for this
/// number is in use and the table is large, the packet gets one of the next numbers. The table finds a packet by its
/// number without a search.
class packet_table {
 public:
  struct row {
    packet_id id = 0;
    cycle_t created = 0;
    std::uint32_t routers = 0;         ///< number of routers that its tail has passed
    std::uint8_t cut = ConfiguredCut;  ///< packet::cut
  };

  /// Adds a packet that enters the network.
  /// \return the tag of its head
  flit_tag add(packet_id id, cycle_t created, std::uint8_t cut = ConfiguredCut) {
    WEFT_ASSERT(m_size < flit_tag::Numbers,
                flit_tag::Numbers << " packets are in the network, and it supports no more; lower the offered load");
    auto number = static_cast<std::uint32_t>(id % NumbersAndNone);
    if (number == flit_tag::Numbers) number = 0;
    // If less than a quarter of the table is in use, the next number is tried; otherwise the table grows until the
    // entry is free.
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

  /// Returns the data of the packet that has \p tag. The packet must be in the network.
  const row& of(flit_tag tag) const {
    WEFT_ASSERT(tag.is_set(),
                "flit without a tag; your own stages and NICs must pass on the tags of the flits that they accept");
    return m_places[tag.packet() & (m_places.size() - 1)].what;
  }

  /// Counts a router that the tail of a packet leaves. A tag that is unset is ignored.
  void pass(flit_tag tail) {
    if (tail.is_set()) ++at(tail.packet()).what.routers;
  }

  /// Removes a packet when all of its flits have left. Its number is then free again.
  void remove(flit_tag tag) {
    at(tag.packet()).used = false;
    --m_size;
  }

  /// Number of packets in the network.
  std::size_t size() const { return m_size; }

 private:
  static constexpr packet_id NumbersAndNone = packet_id{flit_tag::Numbers} + 1;

  /// An entry of the table. A packet is stored at its number modulo the number of entries.
  struct place {
    bool used = false;
    std::uint32_t number = 0;
    row what;
  };

  const char* name() const { return "packet_table"; }

  place& at(std::uint32_t number) { return m_places[number & (m_places.size() - 1)]; }

  /// Doubles the number of entries. Packets in different entries stay in different entries.
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
