// SPDX-License-Identifier: Apache-2.0
/// Checks a collective without a network, by executing it message by message.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"

namespace weft {

/// A datum that a node lacks at the end although it should have it. If the goal is a sum, there is one entry for each
/// missing summand.
struct collective_lack {
  node_id node = 0;
  datum_id datum = 0;
  /// XOR messages that contain this datum and that the node received but could not decode.
  std::vector<message_id> named_in;
};

struct collective_findings {
  std::vector<std::string> violations;  ///< errors, such as a node that sends data which it does not have
  std::vector<collective_lack> lacks;   ///< missing data, sorted by node and datum

  bool none() const { return violations.empty() && lacks.empty(); }
};

/// Returns a line of text for each violation and for each missing datum; empty if there are none.
std::string to_text(const collective_findings& findings, const collective& c);

/// Checks a collective. The following are violations:
/// - A number is out of range.
/// - The form of a message does not fit its operands.
/// - A message waits for a message that goes to another node, that belongs to a later step, or that waits for it.
/// - A node may send data before it has them. A node has its own data and the data of all messages for which the sent
/// message waits.
/// The check executes all messages in the order of their dependencies and decodes by peeling: an XOR with a single
/// unknown operand yields this operand. Messages in \p lost never arrive, and neither do messages that wait for them.
collective_findings check_collective(const collective& c, const std::vector<message_id>& lost = {});

}  // namespace weft
