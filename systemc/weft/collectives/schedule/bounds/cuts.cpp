// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/cuts.h"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/bounds/vertex_distances.h"
#include "weft/core/quantity.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

/// Limit of the effort: the number of channels visited in all flows and distances.
constexpr std::uint64_t MostCutWork = 4'000'000;
constexpr std::size_t MostImproved = 4;

node_set complement(node_set set) {
  set.flip();
  return set;
}

class cut_search {
 public:
  cut_search(const step_network& network, const traffic& t)
      : m_network(network), m_traffic(t), m_flow(network), m_channels(network.channels().size()) {}

  const cut& best() const { return m_best; }

  void all_sets() {
    const std::size_t nodes = m_network.nodes();
    node_set inside(nodes);
    for (std::uint32_t bits = 1; bits + 1 < std::uint32_t{1} << nodes; ++bits) {
      for (node_id n = 0; n < nodes; ++n) inside[n] = (bits >> n & 1) != 0;
      measure(inside);
    }
  }

  void single_nodes() {
    for (node_id n = 0; n < m_network.nodes() && !exhausted(); ++n) {
      node_set one(m_network.nodes(), false);
      one[n] = true;
      both_ways(one);
    }
  }

  /// \param halving whether to examine only intervals of a half, a quarter, … of the nodes
  void intervals(bool halving) {
    const std::size_t nodes = m_network.nodes();
    for (std::size_t length = nodes / 2; length > 1 && !exhausted(); length = halving ? length / 2 : length - 1) {
      const std::size_t stride = halving ? length : 1;
      for (std::size_t first = 0; first + length <= nodes && !exhausted(); first += stride) {
        node_set inside(nodes, false);
        std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(first), length, true);
        both_ways(inside);
      }
    }
  }

  void near_routers() {
    const std::size_t nodes = m_network.nodes();
    if (static_cast<std::uint64_t>(nodes) * m_channels > MostCutWork) return;
    const vertex_distances distance(m_network);
    for (const step_channel& c : m_network.channels()) {
      if (c.kind != channel_kind::Link || exhausted()) continue;
      node_set nearer(nodes);
      for (node_id n = 0; n < nodes; ++n) nearer[n] = distance(c.from, n) < distance(c.to, n);
      both_ways(nearer);
    }
    for (router_id r = 0; r < m_network.routers(); ++r) {
      node_set ball(nodes, false);
      std::uint32_t largest = 0;
      for (node_id n = 0; n < nodes; ++n) {
        const std::uint32_t d = distance(m_network.router(r), n);
        if (d != Unreached) largest = std::max(largest, d);
      }
      for (std::uint32_t radius = 1; radius < largest && !exhausted(); ++radius) {
        for (node_id n = 0; n < nodes; ++n) ball[n] = distance(m_network.router(r), n) <= radius;
        both_ways(ball);
      }
    }
  }

  void both_ways(const node_set& inside) {
    if (!m_tried.insert(inside).second) return;
    measure(inside);
    measure(complement(inside));
  }

  /// Moves single nodes across the best cuts as long as the cuts become narrower.
  void improve() {
    const std::vector<cut> starts = m_bests;
    for (std::size_t i = starts.size(); i-- > 0 && i + MostImproved >= starts.size();) {
      node_set inside = starts[i].inside;
      for (bool better = true; better && !exhausted();) {
        better = false;
        for (node_id n = 0; n < inside.size() && !exhausted(); ++n) {
          inside[n] = !inside[n];
          if (m_tried.insert(inside).second && measure(inside))
            better = true;
          else
            inside[n] = !inside[n];
        }
      }
    }
  }

 private:
  bool exhausted() const { return m_work > MostCutWork; }

  /// Computes the cut. Returns whether it needs more steps than all earlier cuts, compared as fractions.
  bool measure(const node_set& inside) {
    const std::uint64_t leaving = m_traffic.leaving(inside);
    if (leaving == 0) return false;
    // The cut is better only if it has fewer channels than this.
    const std::uint64_t enough =
        m_best.leaving == 0 ? Unlimited : divided_up(leaving * m_best.channels, m_best.leaving);
    m_work += m_channels;
    const std::uint64_t channels = m_flow.most(inside, complement(inside), enough);
    if (channels >= enough) return false;
    if (channels == 0) {
      throw std::invalid_argument(
          fmt::format("no path leads out of nodes {}, which must send {} to other nodes; expected a network that "
                      "connects them",
                      ranges_of(inside), number_of(leaving, "message")));
    }
    m_best = {inside, leaving, channels};
    m_bests.push_back(m_best);
    return true;
  }

  static constexpr std::uint64_t Unlimited = std::numeric_limits<std::uint64_t>::max();

  const step_network& m_network;
  const traffic& m_traffic;
  transfer_flow m_flow;
  std::uint64_t m_channels;
  std::uint64_t m_work = 0;
  std::set<node_set> m_tried;
  cut m_best;
  std::vector<cut> m_bests;  ///< the best cuts, each better than the previous one
};

}  // namespace

cut narrowest_cut(const step_network& network, const traffic& t, const std::vector<node_set>& also) {
  for (const node_set& set : also) {
    if (set.size() != network.nodes()) {
      throw std::invalid_argument(fmt::format("cut: {} nodes, expected {}", set.size(), network.nodes()));
    }
  }
  cut_search search(network, t);
  for (const node_set& set : also) search.both_ways(set);
  if (network.nodes() <= AllCutsUpTo) {
    search.all_sets();
    return search.best();
  }
  search.intervals(true);
  search.near_routers();
  search.single_nodes();
  search.intervals(false);
  search.improve();
  return search.best();
}

}  // namespace weft::schedule
