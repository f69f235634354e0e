// SPDX-License-Identifier: Apache-2.0
/// A cache for the travel times of packets without contention. It is used if source, destination and class alone
/// determine the travel time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/types.h"

namespace weft::engine {

/// The duration and length of a packet's path through an empty network.
struct travel {
  std::uint32_t cycles = 0;   ///< from its creation to the arrival of its head
  std::uint32_t routers = 0;  ///< number of routers that it passes
};

/// Travel times by source, destination and class. The table is direct-mapped: each key has exactly one entry.
class travel_table {
 public:
  /// Returns the travel time of packets like \p p, or null if the table does not contain it.
  const travel* find(const packet& p) const {
    if (m_places.empty()) return nullptr;
    const place& there = m_places[place_of(p)];
    return there.key == key_of(p) ? &there.what : nullptr;
  }

  void enter(const packet& p, const travel& what) {
    m_places.resize(Places);
    m_places[place_of(p)] = {key_of(p), what};
  }

 private:
  static constexpr std::size_t Places = 4096;
  static constexpr std::uint64_t NoPacket = ~std::uint64_t{0};

  struct place {
    std::uint64_t key = NoPacket;
    travel what;
  };

  /// A key has 20 bits for the number of a node.
  static std::uint64_t key_of(const packet& p) {
    return p.source | std::uint64_t{p.destination} << 20 | std::uint64_t{p.message_class} << 40;
  }
  /// Collisions are rare if there are few sources and many destinations, or vice versa.
  static std::size_t place_of(const packet& p) { return (p.destination + std::size_t{p.source} * 1021) % Places; }

  std::vector<place> m_places;  ///< the entries; empty until the first insertion
};

}  // namespace weft::engine
