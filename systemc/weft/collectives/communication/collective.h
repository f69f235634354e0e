// SPDX-License-Identifier: Apache-2.0
/// A collective communication as data: its messages, their contents, and the messages for which each message waits.
/// Generators make collectives (collective_algorithms.h), collective_traffic runs them on a network, and count_hops()
/// counts their hops.
/// A node begins with its own data. It may send a message as soon as all messages have arrived for which this message
/// waits. The payload of a message consists of one datum, the XOR of several data, their concatenation, or their sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/core/types.h"

namespace weft {

using datum_id = std::uint32_t;
using message_id = std::uint32_t;
using step_id = std::uint16_t;
inline constexpr message_id NoMessage = std::numeric_limits<message_id>::max();

/// How the payload of a message follows from its operands.
enum class payload_form : std::uint8_t {
  Datum,  ///< the only operand
  Xor,    ///< XOR of all operands; shorter operands are padded with zeros
  Join,   ///< concatenation of all operands
  Sum,    ///< sum of all operands by 32-bit words, modulo 2^32; all operands have the same length
};

/// A datum: data that a node has at the start and that other nodes need.
struct collective_datum {
  node_id owner = 0;
  std::uint32_t flits = 1;  ///< length in flits, ≥ 1
};

/// A message. Its operands and dependencies are ranges in the lists of the collective.
struct collective_message {
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t first_operand = 0;     ///< start of its range in collective::operands; it ends where the next begins
  std::uint32_t first_dependency = 0;  ///< start of its range in collective::dependencies
  step_id step = 0;                    ///< index into collective::steps
  payload_form form = payload_form::Datum;
};

/// What a node must have at the end: each of the data individually, or their sum.
struct collective_goal {
  node_id node = 0;
  bool sum = false;
  std::vector<datum_id> data;
};

struct collective {
  std::string name;                ///< name of the algorithm in user syntax
  std::uint32_t nodes = 0;         ///< number of nodes of the network
  std::vector<std::string> steps;  ///< names of the steps in order, such as "B" and "D"; at most 65,535
  std::vector<collective_datum> data;
  /// The messages. As far as dependencies allow, a source sends its messages in this order. A message waits only for
  /// messages of the same step or of earlier steps.
  std::vector<collective_message> messages;
  std::vector<datum_id> operands;
  std::vector<message_id> dependencies;  ///< for all messages, the messages that must arrive at the source first
  std::vector<collective_goal> goals;    ///< at most one goal for each node

  /// Returns the operands of message \p m as the range [begin, end) in `operands`.
  const datum_id* operands_begin(message_id m) const { return operands.data() + messages[m].first_operand; }
  const datum_id* operands_end(message_id m) const {
    return operands.data() + (m + 1 < messages.size() ? messages[m + 1].first_operand : operands.size());
  }
  /// Returns the messages for which message \p m waits, as the range [begin, end) in `dependencies`.
  const message_id* dependencies_begin(message_id m) const {
    return dependencies.data() + messages[m].first_dependency;
  }
  const message_id* dependencies_end(message_id m) const {
    return dependencies.data() + (m + 1 < messages.size() ? messages[m + 1].first_dependency : dependencies.size());
  }

  /// Adds a message. \return the number of the message
  message_id add(node_id source, node_id destination, step_id step, payload_form form, const std::vector<datum_id>& of,
                 const std::vector<message_id>& after) {
    collective_message m;
    m.source = source;
    m.destination = destination;
    m.first_operand = static_cast<std::uint32_t>(operands.size());
    m.first_dependency = static_cast<std::uint32_t>(dependencies.size());
    m.step = step;
    m.form = form;
    operands.insert(operands.end(), of.begin(), of.end());
    dependencies.insert(dependencies.end(), after.begin(), after.end());
    messages.push_back(m);
    return static_cast<message_id>(messages.size() - 1);
  }

  /// Returns the length of the payload of message \p m in flits.
  std::uint32_t flits(message_id m) const {
    std::uint32_t longest = 0, all = 0;
    for (const datum_id* d = operands_begin(m); d != operands_end(m); ++d) {
      longest = longest > data[*d].flits ? longest : data[*d].flits;
      all += data[*d].flits;
    }
    return messages[m].form == payload_form::Join ? all : longest;
  }
};

}  // namespace weft
