// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/trees.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/topology/analysis/max_flow.h"

namespace weft::schedule {
namespace {

std::vector<std::int64_t> chunks_at(const forwarding_problem& p) {
  std::vector<std::int64_t> number(p.graph.nodes, 0);
  for (const forwarding_chunk& chunk : p.list) ++number[chunk.holders.front()];
  return number;
}

/// A batch: trees from one root that are identical so far.
struct batch {
  node_id root;
  std::int64_t number;
  chunk_route tree;
  std::vector<std::size_t> reached_by;  // by node: the position of its link in the tree; Start for the root
  std::vector<bool> reached;
  std::vector<std::size_t> depth;
  std::vector<bool> useless;  // by link: it cannot be added any more
  std::size_t size = 1;
};

/// Grows one batch after the other, link by link, such that all other trees can still be completed.
class tree_packer {
 public:
  tree_packer(const forwarding_problem& p, std::size_t rounds, const search_control& control)
      : m_problem(p), m_control(control), m_waiting(chunks_at(p)) {
    for (const graph_link& link : p.graph.links) {
      m_left.push_back(std::int64_t{link.bandwidth} * static_cast<std::int64_t>(rounds));
    }
  }

  std::vector<chunk_route> run() {
    std::vector<std::vector<chunk_route>> trees(m_problem.graph.nodes);
    for (node_id root = 0; root < m_problem.graph.nodes; ++root) {
      if (m_waiting[root] == 0) continue;
      m_open = {first_batch(root, m_waiting[root])};
      m_waiting[root] = 0;
      while (!m_open.empty()) {
        batch now = std::move(m_open.back());
        m_open.pop_back();
        while (now.size < m_problem.graph.nodes) grow(now);
        trees[root].insert(trees[root].end(), static_cast<std::size_t>(now.number), now.tree);
      }
    }
    std::vector<chunk_route> of_chunks;
    for (const forwarding_chunk& chunk : m_problem.list) {
      of_chunks.push_back(std::move(trees[chunk.holders.front()].back()));
      trees[chunk.holders.front()].pop_back();
    }
    return of_chunks;
  }

 private:
  batch first_batch(node_id root, std::int64_t number) const {
    const std::size_t nodes = m_problem.graph.nodes;
    batch b{root,
            number,
            {},
            std::vector<std::size_t>(nodes, route_link::Start),
            std::vector<bool>(nodes, false),
            std::vector<std::size_t>(nodes, 0),
            std::vector<bool>(m_left.size(), false)};
    b.reached[root] = true;
    return b;
  }

  void grow(batch& b) {
    std::vector<link_id> links;
    for (link_id l = 0; l < m_left.size(); ++l) {
      const graph_link& link = m_problem.graph.links[l];
      if (m_left[l] > 0 && !b.useless[l] && b.reached[link.from] && !b.reached[link.to]) links.push_back(l);
    }
    std::stable_sort(links.begin(), links.end(), [&](link_id a, link_id c) {
      return b.depth[m_problem.graph.links[a].from] < b.depth[m_problem.graph.links[c].from];
    });
    for (const link_id l : links) {
      m_control.go_on();
      const std::int64_t most = trees_over(b, l);
      if (most == 0) {
        b.useless[l] = true;
        continue;
      }
      add(b, l, most);
      return;
    }
    throw std::invalid_argument("packed trees: the bandwidth of the links is too low; allow more rounds");
  }

  /// Returns the number of trees of \p b that may use link \p l such that all open and waiting trees can still be
  /// completed. This is the minimum, over all sets of nodes that the link enters and that \p b has reached, of the
  /// bandwidth into the set minus the number of trees that still need it.
  std::int64_t trees_over(const batch& b, link_id l) const {
    const graph_link& link = m_problem.graph.links[l];
    max_flow flow(m_problem.graph.nodes);
    for (link_id other = 0; other < m_left.size(); ++other) {
      if (m_left[other] > 0)
        flow.add_arc(m_problem.graph.links[other].from, m_problem.graph.links[other].to, m_left[other]);
    }
    std::int64_t others = 0;
    for (node_id root = 0; root < m_waiting.size(); ++root) {
      if (m_waiting[root] == 0) continue;
      others += m_waiting[root];
      if (root != link.from) flow.add_arc(link.from, root, m_waiting[root]);
    }
    for (const batch& open : m_open) {
      others += open.number;
      const std::size_t group = flow.add_vertex();
      flow.add_arc(link.from, group, open.number);
      for (node_id node = 0; node < open.reached.size(); ++node) {
        if (open.reached[node]) flow.add_arc(group, node, max_flow::Endless);
      }
    }
    const std::int64_t most = std::min(m_left[l], b.number);
    return std::max<std::int64_t>(0, std::min(most, flow.run(link.from, link.to, others + most) - others));
  }

  void add(batch& b, link_id l, std::int64_t number) {
    if (number < b.number) {
      batch rest = b;
      rest.number -= number;
      b.number = number;
      m_open.push_back(std::move(rest));
    }
    const graph_link& link = m_problem.graph.links[l];
    m_left[l] -= number;
    b.reached_by[link.to] = b.tree.size();
    b.tree.push_back({l, b.reached_by[link.from]});
    b.reached[link.to] = true;
    b.depth[link.to] = b.depth[link.from] + 1;
    ++b.size;
  }

  const forwarding_problem& m_problem;
  const search_control& m_control;
  std::vector<std::int64_t> m_waiting;  // by root: trees that have not begun
  std::vector<std::int64_t> m_left;     // by link: residual bandwidth
  std::vector<batch> m_open;            // split off from the root being processed
};

}  // namespace

std::string trees_unfit(const forwarding_problem& p) {
  if (!p.graph.shared.empty()) return "links share limits";
  for (const forwarding_chunk& chunk : p.list) {
    if (chunk.summed || chunk.holders.size() != 1) return "a chunk does not have exactly one holder";
    std::size_t others = 0;
    for (const node_id to : chunk.receivers) others += to == chunk.holders.front() ? 0 : 1;
    if (others + 1 != p.graph.nodes) return "not all chunks go to all nodes";
  }
  return {};
}

round_ratio tree_throughput(const forwarding_problem& p, const search_control& control) {
  if (const std::string why = trees_unfit(p); !why.empty()) throw std::invalid_argument("trees: " + why);
  const std::vector<std::int64_t> chunks = chunks_at(p);
  const auto all = static_cast<std::int64_t>(p.list.size());
  const std::size_t source = p.graph.nodes;
  round_ratio best{0, 1};
  for (node_id to = 0; to < p.graph.nodes; ++to) {
    while (true) {
      control.go_on();
      max_flow flow(p.graph.nodes + 1);
      for (const graph_link& link : p.graph.links) flow.add_arc(link.from, link.to, link.bandwidth * best.rounds);
      for (node_id node = 0; node < p.graph.nodes; ++node) flow.add_arc(source, node, chunks[node] * best.per);
      if (flow.run(source, to) == all * best.per) break;
      round_ratio cut{0, 0};
      for (node_id node = 0; node < p.graph.nodes; ++node) cut.rounds += flow.before_cut(node) ? chunks[node] : 0;
      for (const graph_link& link : p.graph.links) {
        if (flow.before_cut(link.from) && !flow.before_cut(link.to)) cut.per += link.bandwidth;
      }
      const std::int64_t common = std::gcd(cut.rounds, cut.per);
      best = {cut.rounds / common, cut.per / common};
    }
  }
  return best;
}

std::vector<chunk_route> packed_trees(const forwarding_problem& p, std::size_t rounds, const search_control& control) {
  const std::size_t least = tree_throughput(p, control).rounded_up();
  if (least > rounds)
    throw std::invalid_argument(fmt::format("packed trees: {} rounds, expected at least {}", rounds, least));
  return tree_packer(p, rounds, control).run();
}

}  // namespace weft::schedule
