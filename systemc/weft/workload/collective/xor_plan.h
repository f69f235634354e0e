// SPDX-License-Identifier: Apache-2.0
/// How the XORs of a collective are shared between nodes and NICs: which messages the XOR stages of the NICs take
/// apart, which are sent on as they came, and how often each datum is needed (docs/03_reference/network_coding.md).
/// Known before a packet is sent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/workload/collective/collective.h"

namespace weft {

/// What does the XORs.
enum class xor_unit : std::uint8_t {
  Node,  ///< the nodes join and take apart; the NICs see plain packets
  Nic,   ///< the NICs do, wherever they can
};

struct xor_plan {
  /// Of each message: the one that its source got the same XOR by, and sends on as it came; NoMessage where there is
  /// none.
  std::vector<message_id> copy_of;
  std::vector<bool> relayed;  ///< the receiver sends it on as it came
  std::vector<bool> by_nic;   ///< an XOR of two data that the NIC of the receiver takes apart
  /// Of each message: uses of its first operand by the receiver's decoder and, if by_nic, of its second.
  std::vector<std::array<std::uint8_t, 2>> uses;
};

/// A NIC takes an XOR apart if it is one of two data, neither of them the receiver's own, and if peeling by those that
/// come through the same NIC, each on its own or in such an XOR, gives both. All others are left to the nodes.
/// \throws std::invalid_argument with xor_unit::Nic for what XOR stages cannot do, naming the message or node
xor_plan make_xor_plan(const collective& c, xor_unit unit, const xor_parameters& stages);

/// Whether message \p m is the XOR of several data.
inline bool is_coded(const collective& c, message_id m) {
  return c.messages[m].form == payload_form::Xor && c.operands_end(m) - c.operands_begin(m) > 1;
}

/// Whether message \p m is one datum as it is.
inline bool is_plain(const collective& c, message_id m) {
  return c.messages[m].form != payload_form::Sum && c.operands_end(m) - c.operands_begin(m) == 1;
}

}  // namespace weft
