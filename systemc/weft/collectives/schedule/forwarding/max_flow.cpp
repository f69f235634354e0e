// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/max_flow.h"

#include <algorithm>

#include "weft/collectives/schedule/depth_first_flow.h"

namespace weft::schedule {

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

bool max_flow::level(std::size_t from, std::size_t to) {
  m_level.assign(m_out.size(), -1);
  m_level[from] = 0;
  std::vector<std::size_t> queue{from};
  for (std::size_t i = 0; i < queue.size() && m_level[to] < 0; ++i) {
    for (const std::size_t id : m_out[queue[i]]) {
      const flow_arc& a = m_arcs[id];
      if (a.left == 0 || m_level[a.to] >= 0) continue;
      m_level[a.to] = m_level[queue[i]] + 1;
      queue.push_back(a.to);
    }
  }
  return m_level[to] >= 0;
}

/// The arcs that lead to the next level.
struct max_flow::rising_arcs {
  max_flow& flow;
  std::size_t to;
  std::size_t arc = 0;  ///< found by follows()

  bool ends(std::size_t v) const { return v == to; }
  bool follows(std::size_t v) {
    for (std::size_t& i = flow.m_next[v]; i < flow.m_out[v].size(); ++i) {
      arc = flow.m_out[v][i];
      if (room() != 0 && flow.m_level[head()] == flow.m_level[v] + 1) return true;
    }
    return false;
  }
  std::size_t head() const { return flow.m_arcs[arc].to; }
  std::int64_t room() const { return flow.m_arcs[arc].left; }
  void carry(std::size_t v, std::int64_t more) {
    const std::size_t current = flow.m_out[v][flow.m_next[v]];
    flow.m_arcs[current].left -= more;
    flow.m_arcs[current ^ 1U].left += more;
  }
  void skip(std::size_t v) { ++flow.m_next[v]; }
};

std::int64_t max_flow::run(std::size_t from, std::size_t to, std::int64_t enough) {
  std::int64_t sum = 0;
  while (sum < enough && level(from, to)) {
    m_next.assign(m_out.size(), 0);
    sum += send_depth_first<std::int64_t>(rising_arcs{*this, to}, from, enough - sum);
  }
  return sum;
}

}  // namespace weft::schedule
