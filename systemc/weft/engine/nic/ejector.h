// SPDX-License-Identifier: Apache-2.0
/// A buffered ejector of one channel from the router, as pin::ejector with depth > 0.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "weft/core/allocation.h"
#include "weft/core/types.h"
#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

/// One FIFO per VC. Packets are passed on whole, VCs in round-robin order. The output register holds a flit until the
/// receiver accepts it.
class ejector {
 public:
  explicit ejector(unsigned vcs) : m_vcs(vcs), m_fifos(vcs) {}

  void store(unsigned vc, stored_flit flit) {
    m_fifos[vc].push_back(flit);
    m_occupied |= vc_set{1} << vc;
  }

  /// At the start of a cycle in which the output register is free, moves the next flit there. Returns whether there is
  /// one; a slot of VC vc() is then free again.
  bool next() {
    m_valid = false;
    const vc_set candidates = m_within_packet ? m_occupied & vc_set{1} << m_vc : m_occupied;
    if (candidates == 0) return false;
    m_vc = round_robin(candidates, m_search);
    m_out = m_fifos[m_vc].front();
    m_fifos[m_vc].pop_front();
    if (m_fifos[m_vc].empty()) m_occupied &= ~(vc_set{1} << m_vc);
    m_within_packet = !m_out.tail();
    m_search = next_index(m_vc, m_vcs);
    return m_valid = true;
  }

  /// Records a packet that arrived on VC \p vc and left without being simulated.
  void note_passed(unsigned vc) {
    m_vc = vc;
    m_search = next_index(vc, m_vcs);
  }

  /// The receiver has accepted the flit.
  void clear() { m_valid = false; }
  bool valid() const { return m_valid; }
  stored_flit out() const { return m_out; }
  unsigned vc() const { return m_vc; }
  bool idle() const { return !m_valid && m_occupied == 0; }

 private:
  unsigned m_vcs;
  std::vector<std::deque<stored_flit>> m_fifos;
  vc_set m_occupied = 0;         ///< VCs with a flit
  bool m_within_packet = false;  ///< the output is between head and tail
  unsigned m_vc = 0;             ///< VC of the packet on the output
  unsigned m_search = 0;         ///< start of the search for the next packet
  bool m_valid = false;
  stored_flit m_out;
};

}  // namespace weft::engine
