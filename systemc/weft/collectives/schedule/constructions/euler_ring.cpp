// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/euler_ring.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/tree_walk.h"

namespace weft::schedule {
namespace {

/// A ring: disjoint paths from each member to the next one, and from the last to the first.
struct cycle {
  std::vector<node_id> members;
  std::vector<channel_path> paths;  ///< path from each member to the next one
};

/// Returns the ring along the walk around a tree. The walk uses every link once in each direction, so the paths between
/// consecutive members are disjoint. If a path is longer than the path rule allows, another path is searched in the
/// residual capacity.
std::optional<cycle> cycle_of(const problem& p, path_search& paths, const spanning_tree& tree) {
  cycle found{tree.walk(), {}};
  const std::size_t count = found.members.size();
  residual_capacity capacity(p.network);
  found.paths.resize(count);
  const auto next = [&](std::size_t i) { return found.members[(i + 1) % count]; };
  for (std::size_t i = 0; i < count; ++i) {
    channel_path path = tree.path(found.members[i], next(i));
    if (!paths.allows(found.members[i], next(i), path)) continue;
    capacity.reserve(path);
    found.paths[i] = std::move(path);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!found.paths[i].empty()) continue;
    found.paths[i] = paths.find(capacity, found.members[i], next(i));
    if (found.paths[i].empty()) return std::nullopt;
    capacity.reserve(found.paths[i]);
  }
  return found;
}

std::optional<cycle> find_cycle(const problem& p, std::uint64_t seed) {
  path_search paths(p.network, p.paths);
  const std::size_t most = std::clamp<std::size_t>(16384 / p.network.nodes(), 16, 256);
  for (const spanning_tree& tree : trees_to_try(p.network, members_of(p), seed, most)) {
    if (auto found = cycle_of(p, paths, tree)) return found;
  }
  return std::nullopt;
}

/// Returns a ring that moves from router to router as long as there is an unvisited one. This suits ring networks, for
/// which the return path in a tree is longer.
std::optional<cycle> straight_cycle(const problem& p) {
  const std::vector<bool> members = members_of(p);
  std::vector<bool> seen(p.network.vertices(), false);
  cycle found;
  residual_capacity capacity(p.network);
  vertex_id at = p.network.router(0);
  for (; !seen[at];) {
    seen[at] = true;
    vertex_id next = at;
    for (const channel_id c : p.network.out(at)) {
      const vertex_id to = p.network.channels()[c].to;
      if (p.network.is_node(to)) {
        if (members[to]) found.members.push_back(static_cast<node_id>(to));
      } else if (!seen[to]) {
        next = to;
      }
    }
    at = next;
  }
  const std::vector<node_id>& all = found.members;
  path_search paths(p.network, p.paths);
  for (std::size_t i = 0; i < all.size(); ++i) {
    found.paths.push_back(paths.find(capacity, all[i], all[(i + 1) % all.size()]));
    if (found.paths.back().empty()) return std::nullopt;
    capacity.reserve(found.paths.back());
  }
  if (static_cast<std::ptrdiff_t>(all.size()) != std::count(members.begin(), members.end(), true)) return std::nullopt;
  return found;
}

std::optional<cycle> any_cycle(const problem& p, std::uint64_t seed) {
  if (auto found = find_cycle(p, seed)) return found;
  return straight_cycle(p);
}

std::vector<bool> as_set(const std::vector<node_id>& list, std::size_t nodes) {
  std::vector<bool> set(nodes, false);
  for (const node_id n : list) set[n] = true;
  return set;
}

/// Returns the schedule. In step t, each member forwards the message of the member t positions behind it, as long as a
/// member ahead needs the message.
step_schedule rotate(const problem& p, const cycle& ring) {
  const std::size_t count = ring.members.size();
  const auto sends = as_set(p.requested.senders, p.network.nodes()),
             receives = as_set(p.requested.receivers, p.network.nodes());
  // For each member, the number of members ahead that its message must reach.
  std::vector<std::size_t> reach(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t ahead = 1; ahead < count && sends[ring.members[i]]; ++ahead) {
      if (receives[ring.members[(i + ahead) % count]]) reach[i] = ahead;
    }
  }
  step_schedule found;
  for (std::size_t t = 0; t < *std::max_element(reach.begin(), reach.end()); ++t) {
    step made;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t origin = (i + count - t) % count;
      if (reach[origin] <= t) continue;
      made.push_back(
          {ring.members[i], ring.members[(i + 1) % count], {{ring.members[origin], message::Everyone}}, ring.paths[i]});
    }
    found.steps.push_back(std::move(made));
  }
  return found;
}

search_result run_euler_ring(const problem& p, const search_control& control) {
  const auto ring = any_cycle(p, control.seed);
  if (!ring) return {};
  return {rotate(p, *ring), 0, {}};
}

std::string why_not_euler_ring(const problem& p) {
  if (p.requested.what != operation::Broadcast || p.requested.senders.size() == 1) {
    return "it is for a broadcast from several nodes";
  }
  if (any_cycle(p, 1)) return {};
  return p.paths == path_rule::Minimal ? "no ring through all nodes with shortest paths was found; allow any path"
                                       : "it needs links in both directions, or a ring";
}

}  // namespace

const method& euler_ring() {
  static const method m{
      "euler_ring",
      "broadcast from all in P-1 steps: rotation on the walk around a spanning tree, which takes each "
      "link once each way",
      method::kind::Construction, why_not_euler_ring, run_euler_ring};
  return m;
}

}  // namespace weft::schedule
