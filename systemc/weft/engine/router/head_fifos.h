// SPDX-License-Identifier: Apache-2.0
/// The FIFOs of all input VCs of routers and of NICs. They store only the heads of packets; other flits are counted
/// (vc_flow_state).
///
/// A head is written to its next FIFO when it gets its output VC. It is read from this FIFO when it gets the next
/// output VC. A FIFO is a ring of slots. The FIFOs of routers are numbered by vc_id; those of NICs follow, NIC port by
/// NIC port. Slots with the same number are adjacent in memory, because at low loads only the first few slots of each
/// FIFO are in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/router/fabric_parameters.h"

namespace weft::engine {

/// A head that requests an output VC.
template <typename SlotIndex>
struct requesting_head {
  stored_flit flit;
  stored_flit* slot;    ///< slot to which it is written
  SlotIndex* restarts;  ///< read pointer of the FIFO that contains this slot, if the FIFO restarts; otherwise `unused`
  SlotIndex unused;
  std::uint16_t in;     ///< its input VC, as a VC of the region
  std::uint16_t offer;  ///< the offered output VC of the region, or RegionVcs + the index of the list in which the head
                        ///< parks
};

/// A copy of the pointers to the FIFOs' memory, for loops. This memory does not move.
template <typename SlotIndex>
struct fifo_view {
  using head = requesting_head<SlotIndex>;

  SlotIndex* read;            ///< by FIFO: slot of its first head, modulo the number of slots
  stored_flit* const* slots;  ///< by slot number: the slot of FIFO 0
  unsigned mask;              ///< mask that gives the number of a slot, because a FIFO is a ring

  /// Returns the first head of \p fifo without an output VC.
  const stored_flit& front(vc_id fifo) const { return slots[value(read[fifo]) & mask][fifo]; }
  /// Returns the head before front(), which is the last one that got an output VC.
  const stored_flit& last(vc_id fifo) const { return slots[(value(read[fifo]) - 1) & mask][fifo]; }
  /// Advances the read pointer of a FIFO whose first head gets an output VC.
  static void pop(SlotIndex& read) { read = static_cast<SlotIndex>(value(read) + 1); }

  /// Sets the slot of \p outgoing in \p fifo. It follows \p newest, the slot of the last head that was sent there. If
  /// \p drained is set, the FIFO is empty and no flit is in flight to it, so it restarts at its first slot. Otherwise
  /// its read pointer belongs to the receiver, which another thread may simulate. Prefetches the slot and the read
  /// pointer, which are usually not in the cache. \p outgoing must stay in its place until write().
  void find_slot(head& outgoing, vc_id fifo, bool drained, SlotIndex& newest) const {
    const unsigned keep = (unsigned{drained} - 1) & mask, number = (value(newest) + 1) & keep;
    newest = static_cast<SlotIndex>(number);
    outgoing.slot = &slots[number][fifo];
    outgoing.restarts = drained ? &read[fifo] : &outgoing.unused;
    __builtin_prefetch(outgoing.slot, 1);
    __builtin_prefetch(outgoing.restarts, 1);
  }
  /// Writes the head \p outgoing to its slot.
  static void write(const head& outgoing) {
    *outgoing.slot = outgoing.flit;
    *outgoing.restarts = SlotIndex{0};
  }
};

/// The memory of the FIFOs.
template <unsigned RouterVcs, int Shift>
class head_fifos {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
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
  /// Returns the number of FIFOs, rounded up to whole cache lines of heads.
  static std::size_t fifos(const fabric_parameters& fabric, numbers number) {
    constexpr std::size_t Line = 64 / sizeof(stored_flit);
    const std::size_t of_nics = fabric.nic_ports << number.shift();
    return (std::size_t{fabric.first_nic} << numbers::VcIndexBits) + (of_nics + Line - 1) / Line * Line;
  }

  large_array<slot_index> m_read;
  large_array<stored_flit> m_heads;  ///< the heads, by slot number and FIFO
  std::vector<stored_flit*> m_slots;
  view m_all{};
};

}  // namespace weft::engine
