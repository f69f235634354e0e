// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/transfer_flow.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/collectives/schedule/depth_first_flow.h"

namespace weft::schedule {
namespace {

constexpr std::uint32_t NotReached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::string ranges_of(const node_set& set) {
  std::string text;
  for (std::size_t first = 0; first < set.size(); ++first) {
    if (!set[first]) continue;
    std::size_t last = first;
    while (last + 1 < set.size() && set[last + 1]) ++last;
    text += fmt::format(first == last ? "{}{}" : "{}{}-{}", text.empty() ? "" : ", ", first, last);
    first = last;
  }
  return text;
}

transfer_flow::transfer_flow(const step_network& network) : m_first_end(static_cast<vertex>(network.vertices())) {
  m_out.resize(network.vertices() + network.nodes());
  for (const step_channel& c : network.channels()) {
    connect(c.from, network.is_node(c.to) ? m_first_end + c.to : c.to, c.capacity);
  }
  m_left.resize(m_arcs.size());
  m_level.resize(m_out.size());
  m_next.resize(m_out.size());
}

void transfer_flow::connect(vertex from, vertex to, unsigned capacity) {
  const auto forth = static_cast<std::uint32_t>(m_arcs.size()), back = forth + 1;
  m_arcs.push_back({to, back, capacity});
  m_arcs.push_back({from, forth, 0});
  m_out[from].push_back(forth);
  m_out[to].push_back(back);
}

std::uint64_t transfer_flow::most(const node_set& from, const node_set& to, std::uint64_t enough) {
  for (std::size_t a = 0; a < m_arcs.size(); ++a) m_left[a] = m_arcs[a].capacity;
  std::uint64_t sum = 0;
  while (sum < enough && rank(from, to)) {
    std::fill(m_next.begin(), m_next.end(), std::size_t{0});
    for (node_id n = 0; n < from.size() && sum < enough; ++n) {
      if (from[n]) sum += send(n, to, enough - sum);
    }
  }
  return sum;
}

bool transfer_flow::rank(const node_set& from, const node_set& to) {
  std::fill(m_level.begin(), m_level.end(), NotReached);
  m_queue.clear();
  for (node_id n = 0; n < from.size(); ++n) {
    if (!from[n]) continue;
    m_level[n] = 0;
    m_queue.push_back(n);
  }
  bool reached = false;
  for (std::size_t i = 0; i < m_queue.size(); ++i) {
    const vertex at = m_queue[i];
    if (ends(at, to)) continue;
    for (const std::uint32_t a : m_out[at]) {
      if (m_left[a] == 0 || m_level[m_arcs[a].to] != NotReached) continue;
      m_level[m_arcs[a].to] = m_level[at] + 1;
      m_queue.push_back(m_arcs[a].to);
      reached = reached || ends(m_arcs[a].to, to);
    }
  }
  return reached;
}

/// The arcs that lead to the next level.
struct transfer_flow::rising_arcs {
  transfer_flow& flow;
  const node_set& to;
  std::uint32_t arc = 0;  ///< found by follows()

  bool ends(std::size_t v) const { return flow.ends(static_cast<vertex>(v), to); }
  bool follows(std::size_t v) {
    for (std::size_t& i = flow.m_next[v]; i < flow.m_out[v].size(); ++i) {
      arc = flow.m_out[v][i];
      if (room() != 0 && flow.m_level[head()] == flow.m_level[v] + 1) return true;
    }
    return false;
  }
  std::size_t head() const { return flow.m_arcs[arc].to; }
  std::uint64_t room() const { return flow.m_left[arc]; }
  void carry(std::size_t v, std::uint64_t more) {
    const std::uint32_t current = flow.m_out[v][flow.m_next[v]];
    flow.m_left[current] -= static_cast<unsigned>(more);
    flow.m_left[flow.m_arcs[current].reverse] += static_cast<unsigned>(more);
  }
  void skip(std::size_t v) { ++flow.m_next[v]; }
};

std::uint64_t transfer_flow::send(vertex at, const node_set& to, std::uint64_t most) {
  return send_depth_first<std::uint64_t>(rising_arcs{*this, to}, at, most);
}

}  // namespace weft::schedule
