// SPDX-License-Identifier: Apache-2.0
/// What constructions with combined messages share: rounds of transfers whose paths and payloads are found for them.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "weft/schedule/method.h"

namespace weft::schedule {

/// Pairs of sender and receiver of a round, each once.
using node_pairs = std::vector<std::pair<node_id, node_id>>;

/// A round in steps without conflicts: for each pair its step and its path.
struct routed_round {
  std::size_t steps = 0;
  std::vector<std::size_t> step_of;
  std::vector<channel_path> path_of;
};

/// Finds paths for rounds, in as few steps as it can. More than one step is the congestion of the round, ε of FATTREE.
class round_router {
 public:
  explicit round_router(const problem& p, search_control control = {}) : m_p(p), m_control(std::move(control)) {}

  /// Remembers what it has found. \throws std::invalid_argument where no path joins a pair; time_is_over
  const routed_round& route(const node_pairs& pairs);
  /// What route() takes at least: channels that all paths of a pair have in common serve it in any case.
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

/// Nodes, and what each of them holds, step by step. Of a message that one node is to have there is one copy: a node
/// that sends it no longer holds it.
class relay {
 public:
  /// Which of the messages that \p from holds and \p to does not go to it.
  using choice = std::function<bool(const message& what, node_id from, node_id to)>;

  /// At the start every sender of the problem holds what it is to send.
  relay(const problem& p, round_router& router);

  /// Each pair's first sends the second what \p goes says; pairs without a message stay silent.
  void round(const node_pairs& pairs, const choice& goes);
  /// All that the other lacks.
  void round(const node_pairs& pairs);

  /// As in \p like: the same pairs on the same paths in one step; a transfer's payload is what \p of says, if that is
  /// something.
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
