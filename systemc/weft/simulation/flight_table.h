// SPDX-License-Identifier: Apache-2.0
/// Table of packets that have been created but not delivered, by packet id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/router_waits.h"

namespace weft::experiment {

/// A packet from its creation to its delivery.
struct flight {
  packet what;
  cycle_t sent = Never;      ///< cycle in which its head left the source queue
  cycle_t injected = Never;  ///< cycle in which its head left the NIC for the router
  cycle_t ejected = Never;   ///< cycle in which its latest flit left the router
  cycle_t head_received = Never;
  router_waits waits;         ///< if waits are recorded
  cycle_t left = 0;           ///< if waits are recorded: its latest flit left the last router in this cycle
  std::uint32_t travels = 0;  ///< number of flits in the network, from the injected header
  weft::codec form = codec::Raw;
  std::uint8_t cut = 0;
  std::uint32_t flits_injected = 0;
  std::uint32_t flits_ejected = 0;
  std::uint32_t flits_received = 0;
};

/// A hash table with open addressing. Every flit looks up its packet twice, and allocating a heap node for each packet
/// would take more time than the measurement. Most packets of a saturated network are in source queues; the table
/// stores them in a compact form of about 50 bytes. Returned pointers are valid until the next call of a member
/// function.
class flight_table {
 public:
  flight_table() : m_slots(64, Free) {}

  std::size_t size() const { return m_size; }

  /// The flight of packet \p id, or nullptr if it is not in the table. Call this only for packets that have left the
  /// source queue, because it allocates the full record.
  flight* find(packet_id id) {
    slot& found = m_slots[slot_of(id)];
    if (found == Free) return nullptr;
    if ((found & Waiting) != 0) found = begin_flight(found & ~Waiting);
    return &m_flights[found];
  }

  bool contains(packet_id id) const { return m_slots[slot_of(id)] != Free; }

  /// Adds \p p, which must not be in the table and must have flits.
  void insert(const packet& p) {
    if (2 * (m_size + 1) > m_slots.size()) grow();
    ++m_size;
    m_slots[slot_of(p.id)] = p.code == xor_code() ? Waiting | take_place(m_waiting, m_free_waiting, waiting_packet(p))
                                                  : take_place(m_flights, m_free_flights, flight_of(p));
  }

  /// Removes packet \p id, which must be in the table.
  void erase(packet_id id) {
    std::size_t hole = slot_of(id);
    slot gone = m_slots[hole];
    if ((gone & Waiting) != 0) gone = begin_flight(gone & ~Waiting);
    m_free_flights.push_back(gone);
    // Moves entries into the hole if a search could not find them behind it.
    for (std::size_t at = next(hole); m_slots[at] != Free; at = next(at)) {
      const std::size_t ideal = home(id_in(m_slots[at]));
      if (((at - ideal) & mask()) < ((at - hole) & mask())) continue;
      m_slots[hole] = m_slots[at];
      hole = at;
    }
    m_slots[hole] = Free;
    --m_size;
  }

 private:
  /// Index into m_flights or, if the bit Waiting is set, into m_waiting.
  using slot = std::uint32_t;
  static constexpr slot Waiting = slot{1} << 31, Free = ~slot{0};

  /// A packet in a source queue, in compact form. Only packets without an XOR code have this form.
  struct waiting_packet {
    explicit waiting_packet(const packet& p)
        : id(p.id),
          created(p.created),
          source(p.source),
          destination(p.destination),
          flits(p.flits),
          more(p.more),
          type(p.type),
          message_class(p.message_class),
          cut(p.cut),
          urgent(p.urgent) {}

    packet_id id;
    cycle_t created;
    node_id source, destination;
    std::uint32_t flits, more;
    data_type type;
    std::uint8_t message_class, cut;
    bool urgent;
  };
  static_assert(sizeof(waiting_packet) <= 40, "a waiting packet must be small, because millions of packets may wait");

  static flight flight_of(const packet& p) {
    flight f;
    f.what = p;
    return f;
  }

  /// Stores \p value in a free element of \p all, or appends it. \return its index
  template <class Places, class T>
  static slot take_place(Places& all, std::vector<slot>& free, T value) {
    if (free.empty()) {
      all.push_back(std::move(value));
      return static_cast<slot>(all.size() - 1);
    }
    const slot place = free.back();
    free.pop_back();
    all[place] = std::move(value);
    return place;
  }

  /// Converts the packet at index \p place of m_waiting to a flight. \return the index of the flight in m_flights
  slot begin_flight(slot place) {
    const waiting_packet& from = m_waiting[place];
    packet p;
    p.id = from.id;
    p.source = from.source;
    p.destination = from.destination;
    p.flits = from.flits;
    p.created = from.created;
    p.type = from.type;
    p.message_class = from.message_class;
    p.cut = from.cut;
    p.urgent = from.urgent;
    p.more = from.more;
    m_free_waiting.push_back(place);
    return take_place(m_flights, m_free_flights, flight_of(p));
  }

  packet_id id_in(slot s) const { return (s & Waiting) != 0 ? m_waiting[s & ~Waiting].id : m_flights[s].what.id; }

  std::size_t mask() const { return m_slots.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home(packet_id id) const { return (id * 0x9e3779b97f4a7c15 >> 32) & mask(); }

  /// The slot of \p id, or the slot where it would be inserted.
  std::size_t slot_of(packet_id id) const {
    std::size_t at = home(id);
    while (m_slots[at] != Free && id_in(m_slots[at]) != id) at = next(at);
    return at;
  }

  void grow() {
    std::vector<slot> old(2 * m_slots.size(), Free);
    old.swap(m_slots);
    for (const slot s : old)
      if (s != Free) m_slots[slot_of(id_in(s))] = s;
  }

  std::vector<slot> m_slots;  ///< the size is a power of two
  std::size_t m_size = 0;
  std::vector<flight> m_flights;                     ///< packets that have left the source queue
  std::deque<waiting_packet> m_waiting;              ///< the other packets; a deque needs no copy to grow
  std::vector<slot> m_free_flights, m_free_waiting;  ///< free places, used in LIFO order
};

}  // namespace weft::experiment
