// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/round_budget.h"

namespace weft::schedule {

std::size_t forwarding_algorithm::rounds() const {
  std::size_t sum = 0;
  for (const forwarding_step& step : steps) sum += step.rounds;
  return sum;
}

forwarding_algorithm in_unit_steps(const forwarding_problem& p, const forwarding_algorithm& a) {
  const link_index index(p.graph);
  forwarding_algorithm result;
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    std::vector<round_budget> budgets(a.steps[s].rounds, round_budget(p.graph));
    const std::size_t first = result.steps.size();
    result.steps.resize(first + budgets.size());
    for (const chunk_send& send : a.steps[s].sends) {
      const auto link = index.find(send.from, send.to);
      std::size_t round = 0;
      while (round < budgets.size() && link && !budgets[round].take(*link)) ++round;
      if (!link || round == budgets.size()) {
        throw std::invalid_argument(
            fmt::format("step {}: the sends do not fit into {} steps of one round; a send {} -> {} is left over", s + 1,
                        budgets.size(), send.from, send.to));
      }
      result.steps[first + round].sends.push_back(send);
    }
  }
  return result;
}

forwarding_algorithm without_idle(const forwarding_problem& p, const forwarding_algorithm& a) {
  // Goes backwards from the end. A send is needed if it is the first to bring the chunk to a receiver, or to a node
  // that sends the chunk later.
  const std::size_t nodes = p.graph.nodes;
  std::vector<bool> needed(p.list.size() * nodes, false), held(p.list.size() * nodes, false);
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    for (const node_id node : p.list[c].receivers) needed[c * nodes + node] = true;
    for (const node_id node : p.list[c].holders) held[c * nodes + node] = true;
  }
  forwarding_algorithm first = a;
  for (forwarding_step& step : first.steps) {
    const auto late = [&](const chunk_send& send) {
      if (p.list[send.chunk].summed) return false;
      const std::size_t at = send.chunk * nodes + send.to;
      const bool again = held[at];
      held[at] = true;
      return again;
    };
    step.sends.erase(std::remove_if(step.sends.begin(), step.sends.end(), late), step.sends.end());
  }
  for (auto step = first.steps.rbegin(); step != first.steps.rend(); ++step) {
    const auto idle = [&](const chunk_send& send) {
      return !p.list[send.chunk].summed && !needed[send.chunk * nodes + send.to];
    };
    step->sends.erase(std::remove_if(step->sends.begin(), step->sends.end(), idle), step->sends.end());
    for (const chunk_send& send : step->sends) needed[send.chunk * nodes + send.from] = true;
  }
  return first;
}

forwarding_algorithm inverted(const forwarding_algorithm& a) {
  forwarding_algorithm result;
  for (auto step = a.steps.rbegin(); step != a.steps.rend(); ++step) {
    result.steps.push_back({step->rounds, {}});
    for (const chunk_send& send : step->sends)
      result.steps.back().sends.push_back({send.chunk, send.to, send.from, true});
  }
  return result;
}

}  // namespace weft::schedule
