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
/// Pollaczek and Khinchine): W = λ E[s²] / (2 (1 - ρ)), with ρ = λ E[s]. Messages that came through the same channel
/// before have waited there. Those of the same initiator count only as far as it has several under way (the arrival
/// theorem of closed networks).
class shared_server {
 public:
  using place = std::uint32_t;
  static constexpr place Nowhere = ~place{0};

  /// Who passes: the initiator of the transaction, and the server before this one.
  struct flow {
    node_id initiator = 0;
    place before = Nowhere;
  };

  /// Cycles that a message waits that comes in \p cycle. \p own: the part of its initiator's traffic that it can meet.
  double wait(cycle_t cycle, cycle_t window, const flow& f, double own);
  /// One is served for \p service cycles.
  void add(cycle_t cycle, cycle_t window, const flow& f, double service);

 private:
  struct sums {
    double services = 0, squares = 0;
  };
  struct account {
    flow of;
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

  /// Cycles that a message of \p flits flits waits, from \p source in \p cycle on; it counts for those that follow.
  /// \p under_way: transactions of \p initiator, with this one.
  double pass(message_kind kind, cycle_t cycle, node_id initiator, node_id source, node_id destination,
              std::uint32_t flits, std::uint64_t under_way);

  /// Cycles that a request waits at the target of \p node, which serves it for \p service cycles.
  double serve(cycle_t cycle, node_id initiator, node_id node, double service, std::uint64_t under_way);

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
