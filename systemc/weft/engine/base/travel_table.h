// SPDX-License-Identifier: Apache-2.0
/// How long packets take that meet no other, where source and destination alone decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/types.h"

namespace weft::engine {

/// How a packet crosses an empty network.
struct travel {
  std::uint32_t cycles = 0;   ///< from its creation to the arrival of its head
  std::uint32_t routers = 0;  ///< that it passes
};

/// Travels by source, destination and class. Each has one place, from which it drives out another one.
class travel_table {
 public:
  /// That of packets as \p p, if it is known.
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
  static constexpr std::uint64_t Nobody = ~std::uint64_t{0};

  struct place {
    std::uint64_t key = Nobody;
    travel what;
  };

  /// Nodes have 20 bits.
  static std::uint64_t key_of(const packet& p) {
    return p.source | std::uint64_t{p.destination} << 20 | std::uint64_t{p.message_class} << 40;
  }
  /// Of few sources and many destinations, or the other way round, hardly two share a place.
  static std::size_t place_of(const packet& p) { return (p.destination + std::size_t{p.source} * 1021) % Places; }

  std::vector<place> m_places;  ///< empty before the first one
};

}  // namespace weft::engine
