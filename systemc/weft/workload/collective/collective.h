// SPDX-License-Identifier: Apache-2.0
/// A collective communication as data: which messages there are, what is in them, and what each waits for. Generators
/// make it (collective_algorithms.h), collective_traffic runs it on a network, count_hops() counts it.
///
/// A node begins with its own data. It may send a message as soon as the messages that this one waits for have arrived
/// at it. What it sends is made of data: one datum, the XOR of several, several one behind the other, or their sum.
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

/// How the payload of a message is made of its operands.
enum class payload_form : std::uint8_t {
  Datum,  ///< the one operand
  Xor,    ///< all of them XOR each other, the shorter filled up with zeros; as long as the longest
  Join,   ///< one behind the other; as long as all together
  Sum,    ///< added word by word, modulo 2^32; all are of one length
};

/// Something that a node has at first and others want.
struct collective_datum {
  node_id owner = 0;
  std::uint32_t flits = 1;  ///< length, ≥ 1
};

/// One message; operands and dependencies stand in the lists of the collective.
struct collective_message {
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t first_operand = 0;     ///< in collective::operands…
  std::uint32_t first_dependency = 0;  ///< …and in collective::dependencies; they end where those of the next one begin
  step_id step = 0;                    ///< index into collective::steps
  payload_form form = payload_form::Datum;
};

/// What a node must have at the end: each of these data on its own, or all of them summed.
struct collective_goal {
  node_id node = 0;
  bool sum = false;
  std::vector<datum_id> data;
};

struct collective {
  std::string name;                ///< of the algorithm, as a user writes it
  std::uint32_t nodes = 0;         ///< of the network
  std::vector<std::string> steps;  ///< names, in order: "B", "D", …; at most 65,535
  std::vector<collective_datum> data;
  /// Those of a source are sent in this order, as far as they may be sent. Messages of a step wait for messages of the
  /// same step or earlier ones only.
  std::vector<collective_message> messages;
  std::vector<datum_id> operands;
  std::vector<message_id> dependencies;  ///< messages that must have arrived at the source before
  std::vector<collective_goal> goals;    ///< at most one for each node

  /// The operands of message \p m: [begin, end) in `operands`.
  const datum_id* operands_begin(message_id m) const { return operands.data() + messages[m].first_operand; }
  const datum_id* operands_end(message_id m) const {
    return operands.data() + (m + 1 < messages.size() ? messages[m + 1].first_operand : operands.size());
  }
  /// The messages that message \p m waits for: [begin, end) in `dependencies`.
  const message_id* dependencies_begin(message_id m) const {
    return dependencies.data() + messages[m].first_dependency;
  }
  const message_id* dependencies_end(message_id m) const {
    return dependencies.data() + (m + 1 < messages.size() ? messages[m + 1].first_dependency : dependencies.size());
  }

  /// Adds a message. \return its number
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

  /// Length of the payload of message \p m in flits.
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
