// SPDX-License-Identifier: Apache-2.0
/// Helpers of the constructions with combined messages. A construction gives rounds of sender-receiver pairs, and the
/// helpers compute their paths and payloads.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The pairs of sender and receiver of a round, without duplicates.
using node_pairs = std::vector<std::pair<node_id, node_id>>;

/// A round that is split into steps without conflicts, with the step and the path of each pair.
struct routed_round {
  std::size_t steps = 0;
  std::vector<std::size_t> step_of;
  std::vector<channel_path> path_of;
};

/// Finds paths for the pairs of a round in as few steps as it can. The number of steps is the congestion of the round
/// (ε in the paper FATTREE).
class round_router {
 public:
  explicit round_router(const problem& p, search_control control = {}) : m_p(p), m_control(std::move(control)) {}

  /// Routes a round. Results are cached. \throws std::invalid_argument if no path connects a pair, and time_is_over
  const routed_round& route(const node_pairs& pairs);
  /// Returns a lower bound of the steps of route(). Every pair needs the channels that all its paths have in common.
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

/// Builds a schedule round by round and stores the messages that each node holds. A message for a single node exists
/// only once, so a node that sends it no longer holds it.
class relay {
 public:
  /// Whether \p from sends the message to \p to. The relay calls this for messages that \p from holds and \p to lacks.
  using choice = std::function<bool(const message& what, node_id from, node_id to)>;

  /// Starts with every sender of the problem holding the messages that it has to send.
  relay(const problem& p, round_router& router);

  /// Adds a round. The first node of each pair sends the messages that \p goes selects to the second node. A pair
  /// without a message causes no transfer.
  void round(const node_pairs& pairs, const choice& goes);
  /// Adds a round in which the first node of each pair sends all messages that the second node lacks.
  void round(const node_pairs& pairs);

  /// Adds a step with the same pairs and paths as \p like.
  /// \param of returns the payload of a transfer; a transfer with an empty payload is omitted
  void repeat(const step& like, const std::function<std::vector<message>(const transfer&)>& of);

  const std::set<message>& held(node_id node) const { return m_held[node]; }
  const step_schedule& schedule() const { return m_schedule; }

 private:
  void finish(step&& s);
  void hand_over(const transfer& t);

  round_router& m_router;
  std::vector<std::set<message>> m_held;  // messages of each node
  step_schedule m_schedule;
};

}  // namespace weft::schedule
