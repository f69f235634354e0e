// SPDX-License-Identifier: Apache-2.0
/// How long messages wait for each other in the loose mode: an estimate by queueing theory, from what has passed in the
/// last cycles. Without SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weft/core/types.h"
#include "weft/tlm/message.h"
#include "weft/topology/topology.h"

namespace weft::tlm2 {

/// What passes one after the other: a channel, for so many cycles as a message has flits; a target.
///
/// A message waits for those that come another way, as in a queue with random arrivals and any service times (M/G/1,
/// Pollaczek and Khinchine): W = λ E[s²] / (2 (1 - ρ)), with ρ = λ E[s], but no longer than it takes to serve what the
/// others have under way. Messages that came through the same channel before have waited there. Those of the same
/// initiator count only as far as it has several under way (the arrival theorem of closed networks).
class shared_server {
 public:
  using place = std::uint32_t;
  static constexpr place Nowhere = ~place{0};

  /// Who passes.
  struct visit {
    cycle_t cycle = 0;
    node_id initiator = 0;        ///< of the transaction
    std::uint64_t under_way = 1;  ///< transactions that it has, with this one
    place before = Nowhere;       ///< the server before this one
  };

  /// Cycles that \p v waits.
  double wait(const visit& v, cycle_t window);
  /// It is served for \p service cycles.
  void add(const visit& v, cycle_t window, double service);

 private:
  struct sums {
    double visits = 0, services = 0, squares = 0;
  };
  /// Of those of one initiator that come one way.
  struct account {
    node_id initiator = 0;
    place before = Nowhere;
    std::uint64_t under_way = 1;
    sums present, last;  ///< of this window, and of the one before
  };
  void turn(cycle_t cycle, cycle_t window);

  std::vector<account> m_accounts;
  cycle_t m_window = 0;  ///< which: windows are counted from cycle 0
};

/// The servers of both planes of a network.
class contention {
 public:
  /// \p window: cycles, ≥ 1, in which traffic is counted. An estimate knows the window that runs and the one before.
  contention(const topology& graph, cycle_t window);

  /// When a message leaves, or a request arrives: of whom, and how many transactions that one has under way, with this.
  struct moment {
    cycle_t cycle = 0;
    node_id initiator = 0;
    std::uint64_t under_way = 1;
  };

  /// Cycles that a message of \p flits flits waits on its way from \p source; it counts for those that follow.
  double pass(message_kind kind, const moment& when, node_id source, node_id destination, std::uint32_t flits);

  /// Cycles that a request waits at the target of \p node, which serves it for \p service cycles.
  double serve(const moment& when, node_id node, double service);

 private:
  const std::vector<shared_server::place>& path(node_id source, node_id destination);

  const topology& m_graph;
  const cycle_t m_window;
  std::array<std::vector<shared_server>, 2>
      m_servers;  ///< of requests and responses: channels, into nodes, out of them
  std::vector<shared_server> m_targets;
  std::unordered_map<std::uint64_t, std::vector<shared_server::place>> m_paths;  ///< by source and destination
};

}  // namespace weft::tlm2
