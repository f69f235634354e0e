// SPDX-License-Identifier: Apache-2.0
/// The FIFOs of all input lanes, and of NICs. Only the heads of packets stand in them.
///
/// A head is written into the FIFO that it is bound for when it gets its VC, and read when it gets the next one; the
/// other flits are but counted (lane_flow). A FIFO is a ring of slots with a number by lane_id; those of NICs come
/// behind, NIC port by NIC port. Slots with the same number lie together: at low loads few are in use, the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/router/fabric_parameters.h"

namespace weft::engine {

/// A head that asks for an output VC.
template <typename SlotIndex>
struct asking_head {
  stored_flit flit;
  stored_flit* slot;    ///< where it goes
  SlotIndex* read;      ///< of the FIFO there
  unsigned keep;        ///< the bits of that which stay
  std::uint16_t in;     ///< its lane of the region
  std::uint16_t offer;  ///< what it is offered: a lane of the region, or as many lanes as a region has + where it parks
};

/// What loops over FIFOs have a copy of. What it points to does not move.
template <typename SlotIndex>
struct fifo_view {
  using head = asking_head<SlotIndex>;

  SlotIndex* read;            ///< by FIFO: the slot of its first head, modulo the slots
  stored_flit* const* slots;  ///< of each number, that of FIFO 0
  unsigned mask;              ///< of the numbers: a FIFO is a ring

  /// The first head that has no output VC.
  const stored_flit& front(lane_id fifo) const { return slots[value(read[fifo]) & mask][fifo]; }
  /// The one before it: the last one that got an output VC.
  const stored_flit& last(lane_id fifo) const { return slots[(value(read[fifo]) - 1) & mask][fifo]; }
  /// The head at the front of a FIFO gets an output VC.
  static void pop(SlotIndex& read) { read = static_cast<SlotIndex>(value(read) + 1); }

  /// Finds where \p to_go goes: into \p fifo, behind the head in the sender's slot \p newest. If the FIFO is \p
  /// settled, it is empty and nothing is on its way there: so it starts at its first slot again. Both lie far away,
  /// and are fetched.
  void find_slot(head& to_go, lane_id fifo, bool settled, SlotIndex& newest) const {
    const unsigned keep = (unsigned{settled} - 1) & mask, number = (value(newest) + 1) & keep;
    newest = static_cast<SlotIndex>(number);
    to_go.slot = &slots[number][fifo];
    to_go.read = &read[fifo];
    to_go.keep = keep;
    __builtin_prefetch(to_go.slot, 1);
    __builtin_prefetch(to_go.read, 1);
  }
  /// It goes there.
  static void write(const head& to_go) {
    *to_go.slot = to_go.flit;
    *to_go.read = static_cast<SlotIndex>(value(*to_go.read) & to_go.keep);
  }
};

/// Their memory.
template <unsigned Lanes, int Shift>
class head_fifos {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using slot_index = typename numbers::slot_index;
  using view = fifo_view<slot_index>;

  head_fifos(const fabric_parameters& fabric, numbers number)
      : m_read(fifos(fabric, number), slot_index{1}), m_heads(m_read.size() * fabric.slots) {
    for (std::size_t first = 0; first < m_heads.size(); first += m_read.size()) m_slots.push_back(&m_heads[first]);
    m_all = {m_read.data(), m_slots.data(), static_cast<unsigned>(m_slots.size()) - 1};
  }
  head_fifos(const head_fifos&) = delete;
  head_fifos& operator=(const head_fifos&) = delete;

  const view& all() const { return m_all; }

 private:
  /// All of them, in whole cache lines of heads.
  static std::size_t fifos(const fabric_parameters& fabric, numbers number) {
    constexpr std::size_t Line = 64 / sizeof(stored_flit);
    const std::size_t of_nics = fabric.nic_ports << number.shift();
    return (std::size_t{fabric.first_nic} << numbers::LaneBits) + (of_nics + Line - 1) / Line * Line;
  }

  large_array<slot_index> m_read;
  large_array<stored_flit> m_heads;  ///< by slot and FIFO
  std::vector<stored_flit*> m_slots;
  view m_all{};
};

}  // namespace weft::engine
