// SPDX-License-Identifier: Apache-2.0
/// A collective communication in steps, as data: the request, and the transfers of each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

enum class operation : std::uint8_t {
  Broadcast,  ///< every receiver gets the one message of every sender
  Scatter,    ///< every receiver gets a message of its own from every sender
};

/// M senders, N receivers. One sender and all receivers: OAB, OAS; all and all: AAB, AAS; otherwise MNB, MNS. No node
/// sends to itself.
struct collective {
  operation what = operation::Broadcast;
  std::vector<node_id> senders;    ///< ascending, without duplicates
  std::vector<node_id> receivers;  ///< ascending, without duplicates
};

/// One message of unit length.
struct message {
  static constexpr node_id Everyone = std::numeric_limits<node_id>::max();
  node_id origin = 0;
  node_id destination = Everyone;  ///< broadcast: Everyone
  friend bool operator==(const message& a, const message& b) {
    return a.origin == b.origin && a.destination == b.destination;
  }
  friend bool operator<(const message& a, const message& b) {
    return a.origin != b.origin ? a.origin < b.origin : a.destination < b.destination;
  }
};

/// Messages that travel from one node to another within a step.
struct transfer {
  node_id from = 0;
  node_id to = 0;
  std::vector<message> payload;  ///< one message, or any number ≥ 1 if messages are combined
  channel_path path;
};

using step = std::vector<transfer>;

/// R consecutive steps.
struct step_schedule {
  std::vector<step> steps;

  /// R, start-ups.
  std::size_t start_ups() const { return steps.size(); }
  /// TCO, total channel occupancy: the sum over all steps of the number of messages of the longest transfer.
  std::size_t occupancy() const;
};

/// Number of messages of the longest transfer; 0 without transfers.
std::size_t size_of(const step& s);

/// A message and a node that must have it at the end.
struct demand {
  message what;
  node_id receiver = 0;
};

/// All deliveries that \p requested requires, by origin, then by receiver.
std::vector<demand> demands_of(const collective& requested);

/// Senders and receivers, ascending, without duplicates. \p requested must come from checked()
std::vector<node_id> participants_of(const collective& requested);

/// Broadcast or scatter from one node to all others, or from all to all.
collective one_to_all(operation what, node_id root, std::size_t nodes);
collective all_to_all(operation what, std::size_t nodes);

/// "OAB", "MNS", …, as in the papers.
std::string name_of(const collective& requested, std::size_t nodes);

/// Sorts and checks senders and receivers.
/// \throws std::invalid_argument for a node that is not in the network, a duplicate, and a request without any delivery
collective checked(collective requested, const step_network& network);

}  // namespace weft::schedule
