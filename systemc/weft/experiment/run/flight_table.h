// SPDX-License-Identifier: Apache-2.0
/// Packets that were created and have not been delivered, found by their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/router_waits.h"

namespace weft::experiment {

/// A packet from its creation to its delivery.
struct flight {
  packet what;
  cycle_t sent = Never;      ///< its head left the source queue
  cycle_t injected = Never;  ///< its head left the NIC for the router
  cycle_t ejected = Never;   ///< its last flit, so far, left the router
  cycle_t head_received = Never;
  router_waits waits;         ///< if they are recorded
  cycle_t left = 0;           ///< then: its last flit left the last router for the channel to the node
  std::uint32_t travels = 0;  ///< flits, as the header says that was injected
  weft::codec form = codec::Raw;
  std::uint8_t cut = 0;
  std::uint32_t flits_injected = 0;
  std::uint32_t flits_ejected = 0;
  std::uint32_t flits_received = 0;
};

/// A hash table with open addressing: every flit looks up its packet twice, and a node of memory per packet
/// would cost more than the measurement. Pointers are good until the next insert or erase.
class flight_table {
 public:
  flight_table() : m_slots(64, vacant()) {}

  std::size_t size() const { return m_size; }

  /// The packet's flight, or nullptr.
  flight* find(packet_id id) {
    const std::size_t at = slot_of(id);
    return free(at) ? nullptr : &m_slots[at];
  }

  /// \p p is not in the table and has flits.
  flight& insert(const packet& p) {
    if (2 * (m_size + 1) > m_slots.size()) grow();
    ++m_size;
    flight& slot = m_slots[slot_of(p.id)];
    slot = flight{};
    slot.what = p;
    return slot;
  }

  /// \p id is in the table.
  void erase(packet_id id) {
    std::size_t hole = slot_of(id);
    // Moves up what would not be found behind a hole.
    for (std::size_t at = next(hole); !free(at); at = next(at)) {
      const std::size_t wanted = home(m_slots[at].what.id);
      if (((at - wanted) & mask()) < ((at - hole) & mask())) continue;
      m_slots[hole] = m_slots[at];
      hole = at;
    }
    m_slots[hole] = vacant();
    --m_size;
  }

 private:
  static flight vacant() {
    flight f;
    f.what.flits = 0;
    return f;
  }

  std::size_t mask() const { return m_slots.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  bool free(std::size_t at) const { return m_slots[at].what.flits == 0; }
  std::size_t home(packet_id id) const { return (id * 0x9e3779b97f4a7c15 >> 32) & mask(); }

  /// Where \p id is, or where it would go.
  std::size_t slot_of(packet_id id) const {
    std::size_t at = home(id);
    while (!free(at) && m_slots[at].what.id != id) at = next(at);
    return at;
  }

  void grow() {
    std::vector<flight> old(2 * m_slots.size(), vacant());
    old.swap(m_slots);
    for (const flight& f : old)
      if (f.what.flits != 0) m_slots[slot_of(f.what.id)] = f;
  }

  std::vector<flight> m_slots;  ///< a power of two of them; free ones have packets without flits
  std::size_t m_size = 0;
};

}  // namespace weft::experiment
