// SPDX-License-Identifier: Apache-2.0
/// A collective communication in steps, as data. It consists of the request and of the transfers of each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

enum class operation : std::uint8_t {
  Broadcast,  ///< every sender has one message, which every receiver gets
  Scatter,    ///< every sender has a separate message for each receiver
};

/// The request: which nodes send and which receive. The papers name requests by M senders and N receivers: OAB and OAS
/// if one node sends to all, AAB and AAS if all send to all, and MNB and MNS otherwise (B: broadcast, S: scatter). No
/// node sends to itself.
struct collective {
  operation what = operation::Broadcast;
  std::vector<node_id> senders;    ///< ascending, without duplicates
  std::vector<node_id> receivers;  ///< ascending, without duplicates
};

/// One message of unit length.
struct message {
  static constexpr node_id Everyone = std::numeric_limits<node_id>::max();
  node_id origin = 0;
  node_id destination = Everyone;  ///< Everyone for a broadcast, otherwise the receiver
  friend bool operator==(const message& a, const message& b) {
    return a.origin == b.origin && a.destination == b.destination;
  }
  friend bool operator<(const message& a, const message& b) {
    return a.origin != b.origin ? a.origin < b.origin : a.destination < b.destination;
  }
};

/// One or more messages that travel from one node to another within a step.
struct transfer {
  node_id from = 0;
  node_id to = 0;
  std::vector<message> payload;  ///< one message; at least one if messages are combined
  channel_path path;
};

using step = std::vector<transfer>;

/// A schedule: its steps, which are carried out one after the other.
struct step_schedule {
  std::vector<step> steps;

  /// Number of steps, called start-ups or R in the papers.
  std::size_t start_ups() const { return steps.size(); }
  /// Total channel occupancy, TCO in the papers: the sum over all steps of the number of messages of the longest
  /// transfer.
  std::size_t occupancy() const;
};

/// Returns the number of messages of the longest transfer in \p s, or 0 if there is no transfer.
std::size_t size_of(const step& s);

/// A required delivery: a message, and a node that must have it at the end.
struct demand {
  message what;
  node_id receiver = 0;
};

/// Returns all deliveries that \p requested requires, sorted by origin and then by receiver.
std::vector<demand> demands_of(const collective& requested);

/// Returns all nodes that send or receive, in ascending order and without duplicates. \p requested must come from
/// checked().
std::vector<node_id> participants_of(const collective& requested);

/// Returns the request for a broadcast or scatter from \p root to all nodes, or from all nodes to all nodes.
collective one_to_all(operation what, node_id root, std::size_t nodes);
collective all_to_all(operation what, std::size_t nodes);

/// Returns the name of the request in the papers, such as "OAB" or "MNS".
std::string name_of(const collective& requested, std::size_t nodes);

/// Returns \p requested with sorted senders and receivers.
/// \throws std::invalid_argument for a node that is not in the network, for a duplicate, and for a request without any
/// delivery
collective checked(collective requested, const step_network& network);

}  // namespace weft::schedule
