// SPDX-License-Identifier: Apache-2.0
/// Division of the XOR work of a collective between nodes and NICs: which messages the XOR stages of the NICs decode,
/// which are forwarded unchanged, and how often each datum is needed (docs/03_reference/network_coding.md). Computed
/// before the first packet is sent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/core/parameters.h"

namespace weft {

/// The unit that makes and decodes XORs.
enum class xor_unit : std::uint8_t {
  Node,  ///< the nodes; the NICs handle plain packets only
  Nic,   ///< the NICs wherever possible
};

struct xor_plan {
  /// For each message, the message that brought the same XOR to its source, which forwards it unchanged; NoMessage if
  /// there is none.
  std::vector<message_id> copy_of;
  std::vector<bool> relayed;  ///< the receiver forwards it unchanged
  std::vector<bool> by_nic;   ///< an XOR of two data that the NIC of the receiver decodes
  /// For each message, the number of uses of its first operand by the receiver's decoder and, if by_nic, of its second.
  std::vector<std::array<std::uint8_t, 2>> uses;
};

/// Makes the plan. A NIC decodes an XOR if it has two operands, neither of them the receiver's own, and if peeling
/// yields both from messages that arrive through the same NIC, either plain or as such XORs. Nodes decode all others.
/// \throws std::invalid_argument, naming the message or node, for XORs that the stages do not support with
/// xor_unit::Nic
xor_plan make_xor_plan(const collective& c, xor_unit unit, const xor_parameters& stages);

/// Whether message \p m is the XOR of several data.
inline bool is_coded(const collective& c, message_id m) {
  return c.messages[m].form == payload_form::Xor && c.operands_end(m) - c.operands_begin(m) > 1;
}

/// Whether message \p m is a single uncoded datum.
inline bool is_plain(const collective& c, message_id m) {
  return c.messages[m].form != payload_form::Sum && c.operands_end(m) - c.operands_begin(m) == 1;
}

}  // namespace weft
