// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/max_flow.h"

#include <algorithm>

namespace weft {

std::size_t max_flow::add_arc(std::size_t from, std::size_t to, std::int64_t capacity) {
  m_out[from].push_back(m_arcs.size());
  m_arcs.push_back({to, capacity, capacity});
  m_out[to].push_back(m_arcs.size());
  m_arcs.push_back({from, 0, 0});
  return m_arcs.size() / 2 - 1;
}

void max_flow::reset() {
  for (flow_arc& a : m_arcs) a.left = a.capacity;
}

void max_flow::raise_capacity(std::size_t arc, std::int64_t more) {
  m_arcs[2 * arc].capacity += more;
  m_arcs[2 * arc].left += more;
}

std::int64_t max_flow::run(std::size_t from, std::size_t to, std::int64_t enough) {
  std::int64_t sum = 0;
  while (sum < enough && level(from, to)) {
    m_next.assign(m_out.size(), 0);
    sum += send(from, to, enough - sum);
  }
  return sum;
}

void max_flow::require(std::size_t arc, std::int64_t least) {
  flow_arc &forth = m_arcs[2 * arc], &back = m_arcs[2 * arc + 1];
  const std::int64_t lacking = std::max<std::int64_t>(0, least - flow(arc));
  back.left = flow(arc) + lacking - least;
  forth.left -= run(forth.to, back.to, lacking);
}

bool max_flow::level(std::size_t from, std::size_t to) {
  m_level.assign(m_out.size(), -1);
  m_level[from] = 0;
  m_queue.assign(1, from);
  for (std::size_t i = 0; i < m_queue.size() && m_level[to] < 0; ++i) {
    for (const std::size_t id : m_out[m_queue[i]]) {
      const flow_arc& a = m_arcs[id];
      if (a.left == 0 || m_level[a.to] >= 0) continue;
      m_level[a.to] = m_level[m_queue[i]] + 1;
      m_queue.push_back(a.to);
    }
  }
  return m_level[to] >= 0;
}

/// Advances \p vertex to its next arc that leads to the next level and has residual capacity, if there is one.
bool max_flow::has_rising_arc(std::size_t vertex) {
  for (std::size_t& i = m_next[vertex]; i < m_out[vertex].size(); ++i) {
    const flow_arc& a = m_arcs[m_out[vertex][i]];
    if (a.left != 0 && m_level[a.to] == m_level[vertex] + 1) return true;
  }
  return false;
}

/// The depth-first part of the algorithm, without recursion because a path may have as many vertices as the network.
std::int64_t max_flow::send(std::size_t from, std::size_t to, std::int64_t most) {
  struct visit {
    std::size_t at;
    std::int64_t most, sent;
  };
  std::vector<visit> path{{from, most, 0}};
  while (true) {
    const visit here = path.back();
    if (here.at != to && here.sent != here.most && has_rising_arc(here.at)) {
      const flow_arc& a = m_arcs[m_out[here.at][m_next[here.at]]];
      path.push_back({a.to, std::min(here.most - here.sent, a.left), 0});
      continue;
    }
    const std::int64_t through = here.at == to ? here.most : here.sent;
    path.pop_back();
    if (path.empty()) return through;
    visit& before = path.back();
    const std::size_t arc = m_out[before.at][m_next[before.at]];
    m_arcs[arc].left -= through;
    m_arcs[arc ^ 1U].left += through;
    before.sent += through;
    if (before.sent != before.most) ++m_next[before.at];
  }
}

}  // namespace weft
