// SPDX-License-Identifier: Apache-2.0
/// Checks a collective without a network, by playing it message by message.
#pragma once

#include <string>
#include <vector>

#include "weft/workload/collective/collective.h"

namespace weft {

/// A datum that a node should have at the end and lacks. For a sum, any part of it that is missing.
struct collective_lack {
  node_id node = 0;
  datum_id datum = 0;
  /// Messages with an XOR of this datum that the node received and could not open.
  std::vector<message_id> named_in;
};

struct collective_findings {
  std::vector<std::string> faults;     ///< of the description: what a node sends without having it, and the like
  std::vector<collective_lack> lacks;  ///< by node, then datum

  bool none() const { return faults.empty() && lacks.empty(); }
};

/// A line for each fault and for each datum that a node lacks; empty where there is none.
std::string to_text(const collective_findings& findings, const collective& c);

/// Faults are: numbers out of range, forms that do not fit their operands, messages that wait for one that goes
/// elsewhere, is of a later step, or waits for them; and a node that may send before it has what it sends. It has its
/// own data and what the messages brought that this message waits for.
///
/// Plays all messages in the order of their dependencies and decodes by peeling: an XOR of which all operands but one
/// are known gives the last one. Messages that are \p lost, and those that wait for them, never arrive.
collective_findings check_collective(const collective& c, const std::vector<message_id>& lost = {});

}  // namespace weft
