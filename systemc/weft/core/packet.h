// SPDX-License-Identifier: Apache-2.0
/// A packet as the workload describes it, and packet_source, the interface through which networks of every level get
/// packets from a workload.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "weft/core/flit.h"
#include "weft/core/types.h"

namespace weft {

/// One message. Its payload is not stored here: packet_source::payload() computes any part of it at any time.
struct packet {
  packet_id id = 0;
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;  ///< length, including head and tail; 1 = a flit that is both
  cycle_t created = 0;      ///< cycle in which it enters the source queue
  data_type type = data_type::Other;
  std::uint8_t message_class = 0;    ///< class of the VCs that it travels on
  xor_code code{};                   ///< the named data in it, and the role that it has in XOR stages
  std::uint8_t cut = ConfiguredCut;  ///< bits that LSB-cut removes from its doubles, 0…MaxCut
  bool urgent = false;     ///< overtakes packets in the source queue that are not urgent; no effect in the network
  std::uint32_t more = 0;  ///< number of packets of its class created right behind it: packet_source::following()
};

/// Number of 32-bit words of the message in \p p, if a flit has \p words_per_flit words. A packet that names data has
/// the words of the longest datum. Any other packet has as many words as its flits hold.
inline std::uint32_t words_of(const packet& p, std::uint32_t words_per_flit) {
  if (p.code == xor_code()) return p.flits * words_per_flit;
  return p.code.first.words < p.code.second.words ? p.code.second.words : p.code.first.words;
}

/// A source of packets. The packets of a node do not depend on the order of the calls. If they depend on deliveries, as
/// replies do, the source calls network_model::reschedule_source().
class packet_source {
 public:
  virtual ~packet_source() = default;

  /// Cycle in which the next packet of \p node is created; Never if there is none. Later calls return no earlier cycle.
  virtual cycle_t next_creation(node_id node) const = 0;

  /// Returns the packet that next_creation() announced and advances to the next one.
  /// Several packets of a node may be created in one cycle.
  virtual packet pop(node_id node) = 0;

  /// Returns the next packet of a sequence of like packets. \p p is its predecessor: a packet with `more` > 0 that has
  /// not been delivered. The result has one less in `more`. A network requests each packet when it is due, so the
  /// packets of a long message need no memory while they wait. A pure function of its arguments.
  virtual packet following(const packet& /*p*/) const {
    throw std::logic_error("packet source: this source has no packet sequences, so following() must not be called");
  }

  /// Writes the payload bits of flit \p sequence (0 = head) of \p p to \p words[0…count-1], low word first; a flit of
  /// fewer than 64 bits uses the low bits of one word. A pure function of its arguments.
  virtual void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const = 0;
};

}  // namespace weft
