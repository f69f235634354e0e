// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/forwarding/max_flow.h"

#include <algorithm>

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

std::int64_t max_flow::push(std::size_t at, std::size_t to, std::int64_t most) {
  if (at == to) return most;
  std::int64_t sum = 0;
  for (std::size_t& i = m_next[at]; i < m_out[at].size(); ++i) {
    flow_arc& a = m_arcs[m_out[at][i]];
    if (a.left == 0 || m_level[a.to] != m_level[at] + 1) continue;
    const std::int64_t more = push(a.to, to, std::min(most - sum, a.left));
    a.left -= more;
    m_arcs[m_out[at][i] ^ 1U].left += more;
    sum += more;
    if (sum == most) return sum;
  }
  return sum;
}

std::int64_t max_flow::run(std::size_t from, std::size_t to, std::int64_t enough) {
  std::int64_t sum = 0;
  while (sum < enough && level(from, to)) {
    m_next.assign(m_out.size(), 0);
    sum += push(from, to, enough - sum);
  }
  return sum;
}

}  // namespace weft::schedule
