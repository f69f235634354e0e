// SPDX-License-Identifier: Apache-2.0
/// Estimates how long messages wait for each other in the loose mode. The estimate uses queueing theory and the traffic
/// of the last cycles. This file does not depend on SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weft/core/types.h"
#include "weft/tlm/message.h"
#include "weft/topology/topology.h"

namespace weft::tlm2 {

/// A resource that serves one visitor at a time: a channel, which serves a message for as many cycles as the message
/// has flits, or a target, which serves a request.
///
/// A message waits for messages that come from other servers. The wait is that of a queue with random arrivals and
/// general service times (M/G/1, Pollaczek and Khinchine): W = λ E[s²] / (2 (1 - ρ)), with ρ = λ E[s]. It is limited to
/// the time needed to serve the outstanding transactions of the other visitors. A message does not wait for messages
/// that came through the same channel before it, because it has already waited for them there. Messages of the same
/// initiator count only if that initiator has several outstanding transactions (the arrival theorem of closed
/// networks).
class shared_server {
 public:
  using place = std::uint32_t;
  static constexpr place Nowhere = ~place{0};

  /// A visit of a message to a server.
  struct visit {
    cycle_t cycle = 0;
    node_id initiator = 0;          ///< initiator of the transaction
    std::uint64_t outstanding = 1;  ///< its outstanding transactions, including this one
    place before = Nowhere;         ///< the server before this one
  };

  /// Estimated number of cycles that the visit \p v waits.
  double wait(const visit& v, cycle_t window);
  /// Records that the server serves the visit \p v for \p service cycles.
  void add(const visit& v, cycle_t window, double service);

 private:
  struct sums {
    double visits = 0, services = 0, squares = 0;
  };
  /// The visits of one initiator that come from the same server.
  struct account {
    node_id initiator = 0;
    place before = Nowhere;
    std::uint64_t outstanding = 1;
    sums present, last;  ///< of the current window and of the previous one
  };
  void advance_window(cycle_t cycle, cycle_t window);

  std::vector<account> m_accounts;
  cycle_t m_window = 0;  ///< its number, counted from cycle 0
};

/// The servers of both networks, for requests and for responses.
class contention {
 public:
  /// \p window ≥ 1: cycles over which traffic is counted. An estimate uses the current window and the previous one.
  contention(const topology& graph, cycle_t window);

  /// The time at which a message leaves or a request arrives, with its initiator and the number of that initiator's
  /// outstanding transactions, including this one.
  struct moment {
    cycle_t cycle = 0;
    node_id initiator = 0;
    std::uint64_t outstanding = 1;
  };

  /// Estimated number of cycles that a message of \p flits flits waits on its path from \p source to \p destination.
  /// The message counts in later estimates.
  double pass(message_kind kind, const moment& when, node_id source, node_id destination, std::uint32_t flits);

  /// Estimated number of cycles that a request waits at the target of \p node, which serves it for \p service cycles.
  double serve(const moment& when, node_id node, double service);

 private:
  const std::vector<shared_server::place>& path(node_id source, node_id destination);

  const topology& m_graph;
  const cycle_t m_window;
  std::array<std::vector<shared_server>, 2>
      m_servers;  ///< of requests and responses: channels, then channels into nodes, then channels out of nodes
  std::vector<shared_server> m_targets;
  std::unordered_map<std::uint64_t, std::vector<shared_server::place>> m_paths;  ///< by source and destination
};

}  // namespace weft::tlm2
