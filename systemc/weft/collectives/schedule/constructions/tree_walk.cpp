// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/tree_walk.h"

#include <algorithm>

namespace weft::schedule {
namespace {

constexpr vertex_id NoParent = ~vertex_id{0};

std::optional<channel_id> reverse_of(const step_network& network, const step_channel& c) {
  for (const channel_id id : network.out(c.to)) {
    if (network.channels()[id].to == c.from) return id;
  }
  return std::nullopt;
}

}  // namespace

spanning_tree::spanning_tree(const step_network& network, vertex_id root, const std::vector<bool>& members,
                             random_order* order)
    : m_network(network),
      m_order{root},
      m_parent(network.vertices(), NoParent),
      m_up(network.vertices()),
      m_down(network.vertices()),
      m_depth(network.vertices(), 0) {
  m_parent[root] = root;
  for (std::size_t i = 0; i < m_order.size(); ++i) {
    const vertex_id at = m_order[i];
    if (network.is_node(at)) continue;
    std::vector<channel_id> out = network.out(at);
    if (order != nullptr) order->shuffle(out);
    for (const channel_id c : out) {
      const vertex_id next = network.channels()[c].to;
      if (m_parent[next] != NoParent || (network.is_node(next) && !members[next])) continue;
      const auto back = reverse_of(network, network.channels()[c]);
      if (!back) continue;
      m_parent[next] = at;
      m_depth[next] = m_depth[at] + 1;
      m_down[next] = c;
      m_up[next] = *back;
      m_order.push_back(next);
    }
  }
  for (node_id n = 0; n < network.nodes(); ++n) m_complete = m_complete && (!members[n] || m_parent[n] != NoParent);
}

std::vector<node_id> spanning_tree::walk() const {
  std::vector<std::vector<vertex_id>> children(m_network.vertices());
  for (std::size_t i = 1; i < m_order.size(); ++i) children[m_parent[m_order[i]]].push_back(m_order[i]);
  std::vector<node_id> found;
  std::vector<vertex_id> stack{m_order.front()};
  while (!stack.empty()) {
    const vertex_id at = stack.back();
    stack.pop_back();
    if (m_network.is_node(at)) found.push_back(static_cast<node_id>(at));
    // A router's own nodes come first.
    std::stable_partition(children[at].begin(), children[at].end(),
                          [&](vertex_id child) { return m_network.is_node(child); });
    stack.insert(stack.end(), children[at].rbegin(), children[at].rend());
  }
  return found;
}

channel_path spanning_tree::path(node_id from, node_id to) const {
  channel_path up, down;
  vertex_id a = from, b = to;
  while (a != b) {
    if (m_depth[a] >= m_depth[b]) {
      up.push_back(m_up[a]);
      a = m_parent[a];
    } else {
      down.push_back(m_down[b]);
      b = m_parent[b];
    }
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

std::vector<spanning_tree> trees_to_try(const step_network& network, const std::vector<bool>& members,
                                        std::uint64_t seed, std::size_t most) {
  std::vector<spanning_tree> trees;
  for (std::size_t i = 0; i < most; ++i) {
    random_order order(seed, i);
    // The last router of a fat tree is one of its roots; the first router of most other networks is at a corner.
    const std::size_t router = i == 0 ? network.routers() - 1 : (i == 1 ? 0 : order.below(network.routers()));
    trees.emplace_back(network, network.router(static_cast<router_id>(router)), members, i < 4 ? nullptr : &order);
    if (!trees.back().complete()) trees.pop_back();
  }
  return trees;
}

std::vector<bool> members_of(const problem& p) {
  std::vector<bool> members(p.network.nodes(), false);
  for (const node_id n : p.requested.senders) members[n] = true;
  for (const node_id n : p.requested.receivers) members[n] = true;
  return members;
}

}  // namespace weft::schedule
