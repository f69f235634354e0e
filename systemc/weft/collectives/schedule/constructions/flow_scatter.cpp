// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/flow_scatter.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/residual_capacity.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/max_flow.h"

namespace weft::schedule {
namespace {

struct arc {
  vertex_id from = 0, to = 0;
  std::int64_t most = 0;  ///< capacity
  std::int64_t flow = 0;
};

/// The messages of one root as a flow from the root to the other nodes. If the root receives, the channels are
/// reversed. A flow for all steps together, with R times the capacity of each channel, is a sum of R flows of one step
/// each. The reason is that the matrix of a network is totally unimodular and its polytopes have the integer
/// decomposition property (Baum and Trotter, 1978).
class root_flow {
 public:
  explicit root_flow(const problem& p)
      : m_p(p),
        m_out(p.requested.senders.size() == 1),
        m_root(m_out ? p.requested.senders.front() : p.requested.receivers.front()),
        m_end(static_cast<vertex_id>(p.network.vertices())) {
    for (const node_id n : m_out ? p.requested.receivers : p.requested.senders) {
      if (n != m_root) m_others.push_back(n);
    }
  }

  step_schedule run() {
    std::vector<arc> all = open_arcs();
    const std::int64_t steps = find_steps(all);
    step_schedule found;
    for (std::int64_t left = steps; left > 0; --left) found.steps.push_back(peel(all, left));
    return found;
  }

 private:
  vertex_id tail(const step_channel& c) const { return m_out ? c.from : c.to; }
  vertex_id head(const step_channel& c) const { return m_out ? c.to : c.from; }

  std::vector<std::uint32_t> distances() const {
    if (!m_out) return distances_to(m_p.network, m_root);
    std::vector<std::uint32_t> distance(m_p.network.vertices(), Unreached);
    std::vector<vertex_id> queue{m_root};
    distance[m_root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (m_p.network.is_node(queue[i]) && queue[i] != m_root) continue;
      for (const channel_id c : m_p.network.out(queue[i])) {
        const vertex_id next = m_p.network.channels()[c].to;
        if (distance[next] != Unreached) continue;
        distance[next] = distance[queue[i]] + 1;
        queue.push_back(next);
      }
    }
    return distance;
  }

  /// Returns the arcs of the channels, in their order, followed by one arc for each message.
  std::vector<arc> open_arcs() const {
    const auto distance = distances();
    std::vector<arc> found;
    for (const step_channel& c : m_p.network.channels()) {
      const vertex_id from = tail(c), to = head(c);
      const bool starts = !m_p.network.is_node(from) || from == m_root;
      const bool shortest = distance[from] != Unreached && distance[to] == distance[from] + 1;
      const bool open = starts && to != m_root && (m_p.paths == path_rule::Any || shortest);
      found.push_back({from, to, open ? std::int64_t{c.capacity} : 0});
    }
    for (const node_id n : m_others) found.push_back({n, m_end, 1});
    return found;
  }

  /// Sets \p all to a flow of all messages and to the capacity of the minimum number of steps; returns that number.
  std::int64_t find_steps(std::vector<arc>& all) const {
    max_flow flow(m_p.network.vertices() + 1);
    for (const arc& a : all) flow.add_arc(a.from, a.to, a.most);
    const std::size_t channels = m_p.network.channels().size();
    const auto messages = static_cast<std::int64_t>(m_others.size());
    std::int64_t steps = 1;
    for (std::int64_t sent = 0; (sent += flow.run(m_root, m_end, messages - sent)) < messages; ++steps) {
      for (std::size_t c = 0; c < channels; ++c) flow.raise_capacity(c, all[c].most);
    }
    for (std::size_t a = 0; a < all.size(); ++a) all[a].flow = flow.flow(a);
    for (std::size_t c = 0; c < channels; ++c) all[c].most *= steps;
    return steps;
  }

  /// Removes one step from \p all so that the rest fits into \p left - 1 steps.
  step peel(std::vector<arc>& all, std::int64_t left) const {
    max_flow part(m_p.network.vertices() + 1);
    for (std::size_t a = 0; a < all.size(); ++a) {
      const bool of_channel = a < m_p.network.channels().size();
      const std::int64_t a_step = of_channel ? all[a].most / left : 1;
      part.add_arc(all[a].from, all[a].to, std::min(all[a].flow, a_step));
      all[a].most = of_channel ? a_step * (left - 1) : std::min<std::int64_t>(left - 1, 1);
    }
    part.add_arc(m_end, m_root, static_cast<std::int64_t>(m_others.size()));
    for (std::size_t a = 0; a < all.size(); ++a) part.require(a, std::max<std::int64_t>(0, all[a].flow - all[a].most));
    std::vector<arc> removed = all;
    for (std::size_t a = 0; a < all.size(); ++a) {
      removed[a].flow = part.flow(a);
      all[a].flow -= removed[a].flow;
    }
    return transfers(removed);
  }

  step transfers(std::vector<arc>& arcs) const {
    std::vector<std::vector<std::uint32_t>> out(m_p.network.vertices());
    const std::size_t channels = m_p.network.channels().size();
    for (std::uint32_t a = 0; a < channels; ++a) out[arcs[a].from].push_back(a);
    step found;
    for (std::size_t i = 0; i < m_others.size(); ++i) {
      if (arcs[channels + i].flow > 0) found.push_back(follow(arcs, out));
    }
    return found;
  }

  /// A path from the root to a node that receives, without cycles of the flow.
  transfer follow(std::vector<arc>& arcs, const std::vector<std::vector<std::uint32_t>>& out) const {
    channel_path path;
    vertex_id at = m_root;
    while (at == m_root || !m_p.network.is_node(at)) {
      const auto next = std::find_if(out[at].begin(), out[at].end(), [&](std::uint32_t a) { return arcs[a].flow > 0; });
      --arcs[*next].flow;
      path.push_back(*next);
      at = arcs[*next].to;
      const auto before = std::find_if(path.begin(), path.end(), [&](channel_id c) { return arcs[c].from == at; });
      path.erase(before, path.end());
    }
    const auto other = static_cast<node_id>(at);
    if (!m_out) std::reverse(path.begin(), path.end());
    const node_id from = m_out ? m_root : other, to = m_out ? other : m_root;
    const bool scatter = m_p.requested.what == operation::Scatter;
    return {from, to, {{from, scatter ? to : message::Everyone}}, std::move(path)};
  }

  const problem& m_p;
  const bool m_out;
  const node_id m_root;
  const vertex_id m_end;  ///< a sink behind all nodes that send or receive
  std::vector<node_id> m_others;
};

std::string why_not_flow_scatter(const problem& p) {
  const bool one =
      p.requested.receivers.size() == 1 || (p.requested.senders.size() == 1 && p.requested.what == operation::Scatter);
  if (!one) return "it is for a scatter from one node, or for messages of several to one";
  return unreachable(p);
}

search_result run_flow_scatter(const problem& p, const search_control&) { return {root_flow(p).run(), 0, {}}; }

}  // namespace

const method& flow_scatter() {
  static const method m{"flow_scatter",
                        "one-to-all scatter and its reverse, in the fewest steps: an integral flow taken apart step by "
                        "step (Baum and Trotter 1978)",
                        method::kind::Construction, why_not_flow_scatter, run_flow_scatter};
  return m;
}

}  // namespace weft::schedule
