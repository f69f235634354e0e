// SPDX-License-Identifier: Apache-2.0
/// A packet as the workload sees it, and where packets come from: the interface that a workload implements and networks
/// of every level read.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "weft/core/flit.h"
#include "weft/core/types.h"

namespace weft {

/// One message on its way. Its payload is not held here: packet_source::payload() gives it, bit for bit, at any time.
struct packet {
  packet_id id = 0;
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;  ///< length, head and tail included; 1 = a flit that is both
  cycle_t created = 0;      ///< cycle in which it enters the source queue
  data_type type = data_type::Other;
  std::uint8_t message_class = 0;    ///< of VCs that it travels on
  xor_code code{};                   ///< data in it by name, and what XOR stages are to do with it
  std::uint8_t cut = ConfiguredCut;  ///< bits that LSB-cut takes off its doubles, 0…MaxCut
  bool urgent = false;     ///< goes before all in the source queue that are not; in the network like any other
  std::uint32_t more = 0;  ///< so many like it are created right behind it: packet_source::following()
};

/// Words of the message in \p p, with \p words_per_flit in each flit: of the longest datum that it names, or, where it
/// names none, all that its flits have room for.
inline std::uint32_t words_of(const packet& p, std::uint32_t words_per_flit) {
  if (p.code == xor_code()) return p.flits * words_per_flit;
  return p.code.first.words < p.code.second.words ? p.code.second.words : p.code.first.words;
}

/// Where packets come from. A node's packets do not depend on the order of the calls. If they depend on what has
/// arrived, the source calls network_model::ask_again().
class packet_source {
 public:
  virtual ~packet_source() = default;

  /// Cycle in which the next packet of \p node is created; Never when there is none. Does not decrease.
  virtual cycle_t next_creation(node_id node) const = 0;

  /// The packet that next_creation() announced; moves on to the one after it.
  /// Several packets of a node may be created in one cycle.
  virtual packet take(node_id node) = 0;

  /// The one behind \p p, which has `more` and has not been delivered; `more` is one less. A network asks for it when
  /// its turn comes, so that those of a long message take no room while they wait. A pure function of its arguments.
  virtual packet following(const packet& /*p*/) const { throw std::logic_error("a source that gives packets alone"); }

  /// Payload bits of flit \p sequence (0 = head) of \p p into \p words[0…count-1], low word first; a flit of
  /// fewer than 64 bits uses the low bits of one word. A pure function of its arguments.
  virtual void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const = 0;
};

}  // namespace weft
