// SPDX-License-Identifier: Apache-2.0
/// A buffered ejector for one channel from a router to a NIC. It behaves as pin::ejector does with depth > 0.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "weft/core/members.h"
#include "weft/core/round_robin.h"
#include "weft/core/types.h"
#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

/// A buffer with one FIFO per VC. Packets are passed on one after the other; VCs are served in round-robin order. The
/// output register holds a flit until the receiver accepts it.
class ejector {
 public:
  explicit ejector(unsigned vcs) : m_vcs(vcs), m_fifos(vcs) {}

  void store(unsigned vc, stored_flit flit) {
    m_fifos[vc].push_back(flit);
    m_occupied |= vc_set{1} << vc;
  }

  /// To be called at the start of a cycle in which the output register is free. Moves the next flit into the register,
  /// which frees a slot of VC vc(). Returns whether there was a flit. \p accepted: VCs that may begin a packet
  bool next(vc_set accepted) {
    m_valid = false;
    const vc_set candidates = m_occupied & (m_within_packet ? vc_set{1} << m_vc : accepted);
    if (candidates == 0) return false;
    m_vc = round_robin(candidates, m_search);
    m_out = m_fifos[m_vc].front();
    m_fifos[m_vc].pop_front();
    if (m_fifos[m_vc].empty()) m_occupied &= ~(vc_set{1} << m_vc);
    m_within_packet = !m_out.tail();
    m_search = next_index(m_vc, m_vcs);
    return m_valid = true;
  }

  /// Updates the state for a packet that arrived on VC \p vc and left, but was not simulated.
  void note_passed(unsigned vc) {
    m_vc = vc;
    m_search = next_index(vc, m_vcs);
  }

  /// Clears the output register, because the receiver has accepted the flit.
  void clear() { m_valid = false; }
  bool valid() const { return m_valid; }
  stored_flit out() const { return m_out; }
  unsigned vc() const { return m_vc; }
  bool idle() const { return !m_valid && m_occupied == 0; }
  /// The VCs that hold a packet that cannot begin, because \p accepted does not contain them.
  vc_set rejected(vc_set accepted) const { return m_occupied & ~accepted & ~(m_within_packet ? vc_set{1} << m_vc : 0); }
  stored_flit front(unsigned vc) const { return m_fifos[vc].front(); }

 private:
  unsigned m_vcs;
  std::vector<std::deque<stored_flit>> m_fifos;
  vc_set m_occupied = 0;         ///< VCs that store a flit
  bool m_within_packet = false;  ///< the output is inside a packet, between head and tail
  unsigned m_vc = 0;             ///< VC of the packet on the output
  unsigned m_search = 0;         ///< VC at which the search for the next packet begins
  bool m_valid = false;
  stored_flit m_out;
};

}  // namespace weft::engine
