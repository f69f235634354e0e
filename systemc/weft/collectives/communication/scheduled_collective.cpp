// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/scheduled_collective.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/communication/collective_builder.h"

namespace weft {
namespace {

/// Adds the messages of a schedule in the order in which nodes send them.
class schedule_player {
 public:
  schedule_player(const schedule::collective& requested, std::uint32_t nodes, std::uint32_t flits, bool barriers)
      : m_builder("schedule", nodes), m_barriers(barriers), m_brought(nodes), m_awaited(nodes) {
    std::map<node_id, collective_goal> goals;
    for (const schedule::demand& d : schedule::demands_of(requested)) {
      const auto [at, added] = m_data.emplace(d.what, 0);
      if (added) at->second = m_builder.add_datum(d.what.origin, flits);
      collective_goal& goal = goals[d.receiver];
      goal.node = d.receiver;
      goal.data.push_back(at->second);
    }
    std::vector<collective_goal> list;
    for (auto& [node, goal] : goals) list.push_back(std::move(goal));
    m_builder.set_goals(std::move(list));
  }

  void add(const schedule::ordered_transfer& one) {
    while (m_steps.size() <= one.step) m_steps.push_back(m_builder.step(fmt::format("{}", m_steps.size() + 1)));
    const schedule::transfer& t = *one.what;
    std::vector<datum_id> operands;
    std::set<message_id> after;
    for (const schedule::message& m : t.payload) {
      operands.push_back(m_data.at(m));
      if (m.origin != t.from) after.insert(bringer(t.from, m, one.step));
    }
    std::set<message_id>& awaited = m_awaited[t.from];
    if (!m_barriers) {
      awaited.insert(after.begin(), after.end());
      after = awaited;
      m_dependencies += after.size();
      if (m_dependencies > MaxDependencies) {
        throw std::invalid_argument(
            fmt::format("schedule: without barriers, the messages have more than {} dependencies; use barriers or a "
                        "smaller schedule",
                        MaxDependencies));
      }
    }
    const payload_form form = operands.size() == 1 ? payload_form::Datum : payload_form::Join;
    const message_id added =
        m_builder.add(t.from, t.to, m_steps[one.step], form, operands, {after.begin(), after.end()});
    for (const schedule::message& m : t.payload) m_brought[t.to].emplace(m, arrival{added, one.step});
  }

  collective take() { return m_builder.take(); }

 private:
  static constexpr std::size_t MaxDependencies = std::size_t{1} << 26;

  struct arrival {
    message_id by;
    std::size_t step;
  };

  message_id bringer(node_id node, const schedule::message& m, std::size_t step) const {
    const auto found = m_brought[node].find(m);
    if (found == m_brought[node].end() || found->second.step >= step) {
      throw std::invalid_argument(
          fmt::format("schedule: in step {} node {} sends the message of node {}, which it does not have", step + 1,
                      node, m.origin));
    }
    return found->second.by;
  }

  collective_builder m_builder;
  const bool m_barriers;
  std::map<schedule::message, datum_id> m_data;
  std::vector<step_id> m_steps;
  std::vector<std::map<schedule::message, arrival>> m_brought;  // for each node and message, the first arrival
  std::vector<std::set<message_id>> m_awaited;                  // for each node, the messages that it waits for so far
  std::size_t m_dependencies = 0;
};

}  // namespace

collective make_scheduled_collective(const schedule::collective& requested,
                                     const std::vector<schedule::ordered_transfer>& transfers, std::uint32_t nodes,
                                     std::uint32_t flits, bool barriers) {
  if (flits == 0) throw std::invalid_argument("schedule: messages of 0 flits, expected at least 1");
  if (!transfers.empty() && transfers.back().step >= std::numeric_limits<step_id>::max()) {
    throw std::invalid_argument(fmt::format("schedule: {} steps, expected at most {}", transfers.back().step + 1,
                                            std::numeric_limits<step_id>::max()));
  }
  schedule_player player(requested, nodes, flits, barriers);
  for (const schedule::ordered_transfer& one : transfers) player.add(one);
  return player.take();
}

}  // namespace weft
