// SPDX-License-Identifier: Apache-2.0
/// Parts shared by constructions with combined messages: rounds of transfers, for which paths and payloads are
/// computed.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Pairs of sender and receiver of a round, without duplicates.
using node_pairs = std::vector<std::pair<node_id, node_id>>;

/// A round, split into steps without conflicts: the step and the path of each pair.
struct routed_round {
  std::size_t steps = 0;
  std::vector<std::size_t> step_of;
  std::vector<channel_path> path_of;
};

/// Finds paths for rounds, in as few steps as it can. The number of steps is the congestion of the round, ε of FATTREE.
class round_router {
 public:
  explicit round_router(const problem& p, search_control control = {}) : m_p(p), m_control(std::move(control)) {}

  /// Routes a round; results are cached. \throws std::invalid_argument if no path connects a pair; time_is_over
  const routed_round& route(const node_pairs& pairs);
  /// Lower bound of the steps of route(): channels that all paths of a pair have in common must serve it.
  std::size_t least_steps(const node_pairs& pairs);

  const search_control& control() const { return m_control; }

 private:
  const std::vector<channel_path>& paths(node_id from, node_id to);
  bool route_in(std::size_t steps, const node_pairs& pairs, routed_round& found);

  const problem& m_p;
  const search_control m_control;
  std::map<std::pair<node_id, node_id>, std::vector<channel_path>> m_paths;
  std::map<node_pairs, routed_round> m_rounds;
};

/// The messages that each node holds, step by step. A message for a single node exists in one copy: a node that sends
/// it no longer holds it.
class relay {
 public:
  /// Whether a message that \p from holds and \p to does not hold is sent.
  using choice = std::function<bool(const message& what, node_id from, node_id to)>;

  /// At the start, every sender of the problem holds the messages that it has to send.
  relay(const problem& p, round_router& router);

  /// The first node of each pair sends the messages that \p goes selects to the second; pairs without a message have no
  /// transfer.
  void round(const node_pairs& pairs, const choice& goes);
  /// The same with all messages that the second node lacks.
  void round(const node_pairs& pairs);

  /// Repeats the step \p like: the same pairs on the same paths in one step. \p of returns the payload of a transfer;
  /// transfers with an empty payload are omitted.
  void repeat(const step& like, const std::function<std::vector<message>(const transfer&)>& of);

  const std::set<message>& held(node_id node) const { return m_held[node]; }
  const step_schedule& schedule() const { return m_schedule; }

 private:
  void finish(step&& s);
  void hand_over(const transfer& t);

  round_router& m_router;
  std::vector<std::set<message>> m_held;  // by node
  step_schedule m_schedule;
};

}  // namespace weft::schedule
