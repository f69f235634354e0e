// SPDX-License-Identifier: Apache-2.0
/// Divides the XOR work of a collective between nodes and NICs (docs/03_reference/network_coding.md). The plan states
/// which messages the XOR stages of the NICs decode, which messages are forwarded unchanged, and how often each datum
/// is needed. It is computed before the first packet is sent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/core/parameters.h"

namespace weft {

/// Which unit makes and decodes XORs.
enum class xor_unit : std::uint8_t {
  Node,  ///< the nodes; the NICs only send and receive plain packets
  Nic,   ///< the NICs wherever possible
};

struct xor_plan {
  /// For each message that its source forwards unchanged: the message that brought the same XOR to the source.
  /// NoMessage for all other messages.
  std::vector<message_id> copy_of;
  std::vector<bool> relayed;  ///< whether the receiver forwards the message unchanged
  std::vector<bool> by_nic;   ///< whether the message is an XOR of two data that the NIC of the receiver decodes
  /// For each message, how often the decoder of the receiver uses its first operand and, if by_nic, its second operand.
  std::vector<std::array<std::uint8_t, 2>> uses;
};

/// Makes the plan. A NIC decodes an XOR if it has two operands, neither of which is the receiver's own, and if peeling
/// yields both operands from messages that arrive through the same NIC, either plain or as XORs that the NIC decodes.
/// Nodes decode all other XORs.
/// \throws std::invalid_argument, which names the message or node, for XORs that the stages do not support with
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
