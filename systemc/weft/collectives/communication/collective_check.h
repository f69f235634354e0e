// SPDX-License-Identifier: Apache-2.0
/// Checks a collective without a network, by executing it message by message.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"

namespace weft {

/// A datum that a node should have at the end but lacks. For a sum, each missing part.
struct collective_lack {
  node_id node = 0;
  datum_id datum = 0;
  /// XOR messages with this datum that the node received but could not decode.
  std::vector<message_id> named_in;
};

struct collective_findings {
  std::vector<std::string> violations;  ///< errors in the collective, such as a node that sends data it does not have
  std::vector<collective_lack> lacks;   ///< by node, then datum

  bool none() const { return violations.empty() && lacks.empty(); }
};

/// A line for each violation and for each missing datum; empty if there are none.
std::string to_text(const collective_findings& findings, const collective& c);

/// Checks a collective. Violations are: numbers out of range, forms that do not fit their operands, messages that wait
/// for a message that goes elsewhere, belongs to a later step, or waits for them, and nodes that may send data before
/// they have them. A node has its own data and those of the messages that the sent message waits for.
/// Executes all messages in the order of their dependencies and decodes by peeling: an XOR with a single unknown
/// operand yields that operand. Messages in \p lost, and those that wait for them, never arrive.
collective_findings check_collective(const collective& c, const std::vector<message_id>& lost = {});

}  // namespace weft
