// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "weft/topology/analysis/bisection.h"
#include "weft/topology/analysis/cut_graph.h"

namespace weft {
namespace {

// ---- All partitions ----

/// Nodes that are attached to the same routers, if these are several.
struct like_nodes {
  std::vector<router_id> routers;  ///< of every port
  std::vector<std::size_t> vertices;
  std::ptrdiff_t extra = 0;  ///< channels cut, in both directions, if a node is low, minus those if it is high
};

/// Places the nodes that are attached to several routers, given the side of each router.
class shared_nodes {
 public:
  explicit shared_nodes(const cut_graph& cuts) {
    std::map<std::vector<router_id>, std::vector<std::size_t>> like;
    std::vector<std::vector<router_id>> routers(cuts.vertices() - cuts.routers());
    for (const cut_graph::edge& c : cuts.channels()) {
      if (c.from >= cuts.routers()) routers[c.from - cuts.routers()].push_back(static_cast<router_id>(c.to));
    }
    for (std::size_t n = 0; n < routers.size(); ++n) like[routers[n]].push_back(cuts.routers() + n);
    for (auto& [joined, vertices] : like) m_kinds.push_back({joined, vertices});
    m_count = routers.size();
  }

  std::size_t count() const { return m_count; }

  /// Number of cut channels, in both directions, if the \p low_nodes cheapest of these nodes are on the low side.
  std::size_t cut(std::uint32_t low, std::size_t low_nodes) {
    std::size_t all_high = 0;
    for (like_nodes& kind : m_kinds) {
      std::size_t ports_low = 0;
      for (const router_id r : kind.routers) ports_low += low >> r & 1;
      all_high += ports_low * kind.vertices.size();
      kind.extra = static_cast<std::ptrdiff_t>(kind.routers.size()) - 2 * static_cast<std::ptrdiff_t>(ports_low);
    }
    std::stable_sort(m_kinds.begin(), m_kinds.end(), [](const auto& a, const auto& b) { return a.extra < b.extra; });
    auto sum = static_cast<std::ptrdiff_t>(all_high);
    for (const like_nodes& kind : m_kinds) {
      const std::size_t here = std::min(low_nodes, kind.vertices.size());
      sum += static_cast<std::ptrdiff_t>(here) * kind.extra;
      low_nodes -= here;
    }
    return static_cast<std::size_t>(sum);
  }

  /// Stores this placement in \p sides.
  void place(std::uint32_t low, std::size_t low_nodes, std::vector<bool>& sides) {
    cut(low, low_nodes);
    for (const like_nodes& kind : m_kinds) {
      for (const std::size_t v : kind.vertices) {
        if (low_nodes == 0) return;
        sides[v] = true;
        --low_nodes;
      }
    }
  }

 private:
  std::vector<like_nodes> m_kinds;
  std::size_t m_count = 0;
};

}  // namespace

bisection search_bisection(const topology& t) {
  const cut_graph cuts(t);
  if (!has_halves(cuts)) return no_halves();
  const std::size_t routers = t.routers.size();
  const std::vector<std::size_t>& nodes = cuts.nodes();
  shared_nodes shared(cuts);
  std::vector<std::vector<std::size_t>> to(routers), from(routers);
  for (const cut_graph::edge& c : cuts.channels()) {
    if (c.from >= routers || c.to >= routers) continue;
    to[c.from].push_back(c.to);
    from[c.to].push_back(c.from);
  }
  // Enumerates all sets of routers without the last one; each differs from the previous by one router (Gray code).
  std::uint32_t low = 0, best_low = 0;
  std::size_t up = 0, down = 0, below = 0, best_shared = 0;
  quality best{std::numeric_limits<std::size_t>::max(), 0};
  const auto consider = [&](std::size_t shared_low) {
    const std::size_t in_low = below + shared_low;
    const std::size_t uneven = difference(in_low, t.nodes.size() - in_low);
    if (uneven > best.uneven || in_low == 0 || in_low == t.nodes.size()) return;
    const quality now{uneven, std::max(up, down) + (shared.count() > 0 ? shared.cut(low, shared_low) : 0)};
    if (!(now < best)) return;
    best = now;
    best_low = low;
    best_shared = shared_low;
  };
  const auto most_even = [&] {
    const std::size_t half = t.nodes.size() / 2, missing = half > below ? half - below : 0;
    consider(std::min(missing, shared.count()));
    if (t.nodes.size() % 2 == 1 && half >= below && missing < shared.count()) consider(missing + 1);
  };
  most_even();
  for (std::uint32_t i = 1; i < 1U << (routers - 1); ++i) {
    const auto r = static_cast<std::size_t>(__builtin_ctz(i));
    const auto count = [low](const std::vector<std::size_t>& others) {
      std::size_t inside = 0;
      for (const std::size_t other : others) inside += low >> other & 1;
      return inside;
    };
    const std::size_t to_low = count(to[r]), from_low = count(from[r]);
    const std::size_t to_high = to[r].size() - to_low, from_high = from[r].size() - from_low;
    if (low >> r & 1) {
      up = up + from_low - to_high;
      down = down + to_low - from_high;
      below -= nodes[r];
    } else {
      up = up + to_high - from_low;
      down = down + from_high - to_low;
      below += nodes[r];
    }
    low ^= 1U << r;
    most_even();
  }
  std::vector<bool> sides(cuts.vertices(), false);
  for (std::size_t r = 0; r < routers; ++r) sides[r] = (best_low >> r & 1) != 0;
  shared.place(best_low, best_shared, sides);
  bisection found{best.channels, true, "least of all partitions", {}, {}};
  cuts.describe(sides, found);
  return found;
}

}  // namespace weft
