// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/flow_scatter.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/residual_capacity.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

constexpr std::uint32_t NoArc = ~std::uint32_t{0};

struct arc {
  vertex_id from = 0, to = 0;
  long least = 0, most = 0;  ///< bounds of the flow
  long flow = 0;
};

/// An integral flow between bounds, augmented along shortest paths.
class arc_flow {
 public:
  arc_flow(std::size_t vertices, std::vector<arc> given) : arcs(std::move(given)), m_at(vertices) {
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
      m_at[arcs[a].from].push_back(a);
      m_at[arcs[a].to].push_back(a);
    }
  }

  /// Augments by one unit from \p from to \p to without going below the lower bound of any arc; returns whether there
  /// is a path.
  bool augment(vertex_id from, vertex_id to) {
    if (from == to) return true;
    std::vector<std::uint32_t> by(m_at.size(), NoArc);
    std::vector<vertex_id> queue{from};
    for (std::size_t i = 0; i < queue.size() && by[to] == NoArc; ++i) {
      for (const std::uint32_t a : m_at[queue[i]]) {
        const bool forwards = arcs[a].from == queue[i];
        if (forwards ? arcs[a].flow >= arcs[a].most : arcs[a].flow <= arcs[a].least) continue;
        const vertex_id next = forwards ? arcs[a].to : arcs[a].from;
        if (next == from || by[next] != NoArc) continue;
        by[next] = a;
        queue.push_back(next);
      }
    }
    if (by[to] == NoArc) return false;
    for (vertex_id at = to; at != from;) {
      arc& a = arcs[by[at]];
      a.flow += a.to == at ? 1 : -1;
      at = a.to == at ? a.from : a.to;
    }
    return true;
  }

  std::vector<arc> arcs;

 private:
  std::vector<std::vector<std::uint32_t>> m_at;  // arcs of each vertex, both directions
};

/// The messages of one root as a flow from it to the others; for a root that receives, on reversed channels. A flow for
/// all steps together, with R times the capacity of each channel, is a sum of R flows of one step each, because the
/// matrix of a network is totally unimodular and its polytopes have the integer decomposition property (Baum and
/// Trotter, 1978).
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
    arc_flow all(m_p.network.vertices() + 1, open_arcs());
    const long steps = find_steps(all);
    step_schedule found;
    for (long left = steps; left > 0; --left) found.steps.push_back(peel(all, left));
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

  /// The arcs of the channels, in their order, then one for each message.
  std::vector<arc> open_arcs() const {
    const auto distance = distances();
    std::vector<arc> found;
    for (const step_channel& c : m_p.network.channels()) {
      const vertex_id from = tail(c), to = head(c);
      const bool starts = !m_p.network.is_node(from) || from == m_root;
      const bool shortest = distance[from] != Unreached && distance[to] == distance[from] + 1;
      const bool open = starts && to != m_root && (m_p.paths == path_rule::Any || shortest);
      found.push_back({from, to, 0, open ? long{c.capacity} : 0, 0});
    }
    for (const node_id n : m_others) found.push_back({n, m_end, 0, 1, 0});
    return found;
  }

  /// Augments \p all to a flow of all messages; returns the minimum number of steps with enough capacity.
  long find_steps(arc_flow& all) const {
    const std::vector<arc> one = all.arcs;
    const auto channels = static_cast<std::ptrdiff_t>(m_p.network.channels().size());
    long steps = 1;
    for (std::size_t sent = 0; sent < m_others.size();) {
      if (all.augment(m_root, m_end)) {
        ++sent;
        continue;
      }
      ++steps;
      for (std::ptrdiff_t a = 0; a < channels; ++a) all.arcs[a].most += one[a].most;
    }
    return steps;
  }

  /// Removes one step from \p all so that the rest fits into \p left - 1 steps.
  step peel(arc_flow& all, long left) const {
    std::vector<arc> arcs = all.arcs;
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      arc& part = arcs[a];
      const bool of_channel = a < m_p.network.channels().size();
      const long a_step = of_channel ? part.most / left : 1;
      part = {part.from, part.to, 0, std::min(part.flow, a_step), 0};
      all.arcs[a].most = of_channel ? a_step * (left - 1) : 1;
    }
    arcs.push_back({m_end, m_root, 0, static_cast<long>(m_others.size()), 0});
    arc_flow part(m_p.network.vertices() + 1, std::move(arcs));
    for (std::size_t a = 0; a + 1 < part.arcs.size(); ++a) {
      arc& here = part.arcs[a];
      const long rest = a < m_p.network.channels().size() ? all.arcs[a].most : (left > 1 ? 1 : 0);
      const long needed = std::max(0L, all.arcs[a].flow - rest);
      for (here.least = std::min(here.flow, needed); here.flow < needed; here.least = here.flow) {
        if (!part.augment(here.to, here.from)) break;
        ++here.flow;
      }
    }
    for (std::size_t a = 0; a + 1 < part.arcs.size(); ++a) all.arcs[a].flow -= part.arcs[a].flow;
    return transfers(part.arcs);
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
