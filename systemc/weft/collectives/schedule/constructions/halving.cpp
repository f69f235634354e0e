// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/halving.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/tree_walk.h"

namespace weft::schedule {
namespace {

/// Works from the last step backwards. In each step, nodes are paired, and one node of each pair informs the other.
/// Half of the nodes remain for the earlier steps. The pairs are formed from the leaves of a spanning tree upwards. At
/// most one unpaired node passes through each link, so the paths are disjoint.
class pairing {
 public:
  pairing(const problem& p, path_search& paths, node_id source) : m_p(p), m_paths(paths), m_source(source) {}

  /// Pairs nodes of \p informed along \p tree.
  step pair(const spanning_tree& tree, const std::vector<bool>& informed) {
    m_capacity.emplace(m_p.network);
    std::vector<std::vector<node_id>> waiting(m_p.network.vertices());
    step made;
    for (auto v = tree.vertices().rbegin(); v != tree.vertices().rend(); ++v) {
      std::vector<node_id>& here = waiting[*v];
      if (m_p.network.is_node(*v) && informed[*v]) here.push_back(static_cast<node_id>(*v));
      pair_here(tree, here, made);
      if (here.empty() || tree.parent(*v) == *v) continue;
      waiting[tree.parent(*v)].push_back(here.back());
    }
    return made;
  }

 private:
  void pair_here(const spanning_tree& tree, std::vector<node_id>& here, step& made) {
    while (here.size() > 1) {
      // With shortest paths only, the first two may not be compatible.
      bool paired = false;
      for (std::size_t i = 0; i + 1 < here.size() && !paired; ++i) {
        for (std::size_t j = i + 1; j < here.size() && !paired; ++j) {
          if (!send(tree, here[i], here[j], made)) continue;
          here.erase(here.begin() + static_cast<std::ptrdiff_t>(j));
          here.erase(here.begin() + static_cast<std::ptrdiff_t>(i));
          paired = true;
        }
      }
      if (!paired) return;
    }
  }

  bool send(const spanning_tree& tree, node_id a, node_id b, step& made) {
    if (b == m_source) std::swap(a, b);
    for (int turn = 0; turn < (a == m_source ? 1 : 2); ++turn, std::swap(a, b)) {
      channel_path path = tree.path(a, b);
      if (!m_capacity->fits(path) || !m_paths.allows(a, b, path)) path = m_paths.find(*m_capacity, a, b);
      if (path.empty()) continue;
      m_capacity->reserve(path);
      made.push_back({a, b, {{m_source, message::Everyone}}, std::move(path)});
      return true;
    }
    return false;
  }

  const problem& m_p;
  path_search& m_paths;
  const node_id m_source;
  std::optional<residual_capacity> m_capacity;
};

std::size_t trees_of(const problem& p) { return std::clamp<std::size_t>(4096 / p.network.nodes(), 8, 64); }

search_result run_halving(const problem& p, const search_control& control) {
  path_search paths(p.network, p.paths);
  pairing pairs(p, paths, p.requested.senders.front());
  std::vector<bool> informed = members_of(p);
  auto left = static_cast<std::size_t>(std::count(informed.begin(), informed.end(), true));
  step_schedule backwards;
  const auto trees = trees_to_try(p.network, informed, control.seed, trees_of(p));
  while (left > 1) {
    step best;
    for (const spanning_tree& tree : trees) {
      step made = pairs.pair(tree, informed);
      if (made.size() > best.size()) best = std::move(made);
      if (best.size() == left / 2) break;
    }
    if (best.empty()) return {};
    for (const transfer& t : best) informed[t.to] = false;
    left -= best.size();
    backwards.steps.push_back(std::move(best));
  }
  std::reverse(backwards.steps.begin(), backwards.steps.end());
  return {std::move(backwards), 0, {}};
}

std::string why_not_halving(const problem& p) {
  if (p.requested.what != operation::Broadcast || p.requested.senders.size() != 1)
    return "it is for a broadcast from one node";
  if (trees_to_try(p.network, members_of(p), 1, 1).empty())
    return "it needs links in both directions between all nodes";
  return {};
}

}  // namespace

const method& halving() {
  static const method m{
      "halving",
      "broadcast from one node: pairs of informed and new nodes on a spanning tree, from the last step "
      "back",
      method::kind::Construction, why_not_halving, run_halving};
  return m;
}

}  // namespace weft::schedule
