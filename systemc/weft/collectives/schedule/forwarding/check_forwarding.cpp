// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {
namespace {

using violation_kind = forwarding_violation::kind;

/// Tracks the part of each chunk that each node has. For a sum, this is the set of summands included; otherwise it is
/// all or nothing.
class forwarding_checker {
 public:
  explicit forwarding_checker(const forwarding_problem& p) : m_problem(p), m_have(p.list.size()) {
    for (std::size_t c = 0; c < p.list.size(); ++c) {
      const forwarding_chunk& chunk = p.list[c];
      m_have[c].assign(p.graph.nodes, parts(chunk.summed ? chunk.holders.size() : 1, false));
      for (std::size_t i = 0; i < chunk.holders.size(); ++i) m_have[c][chunk.holders[i]][chunk.summed ? i : 0] = true;
    }
    for (const graph_link& link : p.graph.links) m_bandwidth[{link.from, link.to}] = link.bandwidth;
  }

  std::vector<forwarding_violation> run(const forwarding_algorithm& a) {
    for (m_step = 0; m_step < a.steps.size(); ++m_step) check_step(a.steps[m_step]);
    check_delivery();
    return std::move(m_violations);
  }

 private:
  using parts = std::vector<bool>;

  void add(violation_kind what, std::string text) {
    const std::string where = what == violation_kind::Missing ? "at the end" : fmt::format("step {}", m_step + 1);
    m_violations.push_back({what, what == violation_kind::Missing ? 0 : m_step, where + ": " + std::move(text)});
  }

  void check_step(const forwarding_step& step) {
    if (step.rounds == 0) add(violation_kind::Rounds, "the step has 0 rounds, expected at least 1");
    std::map<std::pair<node_id, node_id>, std::size_t> load;
    std::vector<std::pair<const chunk_send*, parts>> sent;  // sends use the state before the step
    for (const chunk_send& send : step.sends) {
      if (!well_formed(send)) continue;
      ++load[{send.from, send.to}];
      sent.emplace_back(&send, m_have[send.chunk][send.from]);
    }
    for (const auto& [send, value] : sent) receive(*send, value);
    check_load(step.rounds, load);
  }

  bool well_formed(const chunk_send& send) {
    if (send.chunk >= m_problem.list.size()) {
      add(violation_kind::Chunk,
          fmt::format("there is no chunk {}, expected 0 to {}", send.chunk, m_problem.list.size() - 1));
      return false;
    }
    if (m_bandwidth.count({send.from, send.to}) == 0) {
      add(violation_kind::Link,
          fmt::format("chunk {}: no link leads from node {} to node {}", send.chunk, send.from, send.to));
      return false;
    }
    const parts& value = m_have[send.chunk][send.from];
    if (std::none_of(value.begin(), value.end(), [](bool part) { return part; })) {
      add(violation_kind::NotHeld,
          fmt::format("node {} sends chunk {}, which it does not have yet", send.from, send.chunk));
      return false;
    }
    return true;
  }

  void receive(const chunk_send& send, const parts& value) {
    parts& here = m_have[send.chunk][send.to];
    if (!send.add) {
      if (std::find(value.begin(), value.end(), false) != value.end()) {
        add(violation_kind::Partial, fmt::format("node {} stores the incomplete part that node {} has of sum {}",
                                                 send.to, send.from, send.chunk));
      }
      here = value;
      return;
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i] && value[i]) {
        add(violation_kind::Twice, fmt::format("node {} adds the part of node {} to chunk {} a second time", send.to,
                                               m_problem.list[send.chunk].holders[i], send.chunk));
      }
      if (value[i]) here[i] = true;
    }
  }

  void check_load(unsigned rounds, const std::map<std::pair<node_id, node_id>, std::size_t>& load) {
    for (const auto& [ends, sends] : load) {
      const std::size_t most = std::size_t{m_bandwidth.at(ends)} * rounds;
      if (sends > most) {
        add(violation_kind::Bandwidth,
            fmt::format("{} sends on link {} -> {}, expected at most {}", sends, ends.first, ends.second, most));
      }
    }
    for (const shared_limit& limit : m_problem.graph.shared) {
      std::size_t sends = 0;
      for (const auto& [ends, number] : load) {
        const bool under = std::count(limit.from.begin(), limit.from.end(), ends.first) > 0 &&
                           std::count(limit.to.begin(), limit.to.end(), ends.second) > 0;
        if (under) sends += number;
      }
      const std::size_t most = std::size_t{limit.bandwidth} * rounds;
      if (sends > most)
        add(violation_kind::Bandwidth,
            fmt::format("{} sends under shared limit {}, expected at most {}", sends, limit.name, most));
    }
  }

  void check_delivery() {
    for (std::size_t c = 0; c < m_have.size(); ++c) {
      for (const node_id node : m_problem.list[c].receivers) {
        const parts& value = m_have[c][node];
        if (std::find(value.begin(), value.end(), false) == value.end()) continue;
        add(violation_kind::Missing,
            fmt::format("node {} lacks {}chunk {}", node, value.size() > 1 ? "parts of " : "", c));
      }
    }
  }

  const forwarding_problem& m_problem;
  std::vector<std::vector<parts>> m_have;  // by chunk, then node
  std::map<std::pair<node_id, node_id>, unsigned> m_bandwidth;
  std::size_t m_step = 0;
  std::vector<forwarding_violation> m_violations;
};

}  // namespace

std::vector<forwarding_violation> check_forwarding(const forwarding_problem& p, const forwarding_algorithm& a) {
  return forwarding_checker(p).run(a);
}

}  // namespace weft::schedule
