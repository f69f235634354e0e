// SPDX-License-Identifier: Apache-2.0
/// A collective communication in steps, as data: what is asked, and which transfers each step makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/schedule/step_network.h"

namespace weft::schedule {

enum class operation : std::uint8_t {
  Broadcast,  ///< every receiver gets the one message of every sender
  Scatter,    ///< every receiver gets a message of its own from every sender
};

/// M senders, N receivers. One sender and all receivers: OAB, OAS; all and all: AAB, AAS; else MNB, MNS. Nobody sends
/// to itself.
struct collective {
  operation what = operation::Broadcast;
  std::vector<node_id> senders;    ///< ascending, each once
  std::vector<node_id> receivers;  ///< ascending, each once
};

/// One message of unit length.
struct message {
  static constexpr node_id Everyone = std::numeric_limits<node_id>::max();
  node_id origin = 0;
  node_id destination = Everyone;  ///< of a broadcast: Everyone
  friend bool operator==(const message& a, const message& b) {
    return a.origin == b.origin && a.destination == b.destination;
  }
  friend bool operator<(const message& a, const message& b) {
    return a.origin != b.origin ? a.origin < b.origin : a.destination < b.destination;
  }
};

/// Messages that go from one node to another within a step.
struct transfer {
  node_id from = 0;
  node_id to = 0;
  std::vector<message> payload;  ///< one; any number ≥ 1 where messages are combined
  channel_path path;
};

using step = std::vector<transfer>;

/// R steps, one after the other.
struct step_schedule {
  std::vector<step> steps;

  /// R, start-ups.
  std::size_t start_ups() const { return steps.size(); }
  /// TCO, total channel occupancy: the sum over steps of the messages of the longest transfer.
  std::size_t occupancy() const;
};

/// Messages of the longest transfer; 0 without any.
std::size_t size_of(const step& s);

/// A message and the node that is to have it at the end.
struct demand {
  message what;
  node_id receiver = 0;
};

/// All that \p asked requires, by origin, then by receiver.
std::vector<demand> demands_of(const collective& asked);

/// Senders and receivers, ascending, each once. \p asked: checked()
std::vector<node_id> participants_of(const collective& asked);

/// Broadcast or scatter from one node to all others, or from all to all.
collective one_to_all(operation what, node_id root, std::size_t nodes);
collective all_to_all(operation what, std::size_t nodes);

/// "OAB", "MNS", …, as the papers call it.
std::string name_of(const collective& asked, std::size_t nodes);

/// Sorts and checks senders and receivers.
/// \throws std::invalid_argument for a node that the network has not, one named twice, and where there is nothing to do
collective checked(collective asked, const step_network& network);

}  // namespace weft::schedule
