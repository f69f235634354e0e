// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/placement.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

/// Returns the number of channels from \p node to each vertex on paths that pass through no other node.
std::vector<std::uint32_t> distances_from(const step_network& network, node_id node) {
  std::vector<std::uint32_t> distance(network.vertices(), Unreached);
  std::vector<vertex_id> queue{node};
  distance[node] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const vertex_id at = queue[i];
    if (network.is_node(at) && at != node) continue;
    for (const channel_id c : network.out(at)) {
      const vertex_id next = network.channels()[c].to;
      if (distance[next] != Unreached) continue;
      distance[next] = distance[at] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

/// Whether a walk that uses the item's usable channels, except \p without, leads to the receiver.
bool leads_there(const step_network& network, const placement_item& item, channel_id without, bool any_origin) {
  std::vector<bool> seen(network.vertices(), false);
  std::vector<vertex_id> queue{item.to};
  seen[item.to] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const channel_id c : network.in(queue[i])) {
      if (c == without || !std::binary_search(item.usable.begin(), item.usable.end(), c)) continue;
      const vertex_id before = network.channels()[c].from;
      if (before == item.origin || (any_origin && network.is_node(before))) return true;
      if (seen[before]) continue;
      seen[before] = true;
      queue.push_back(before);
    }
  }
  return false;
}

}  // namespace

placement::placement(const problem& p, const symmetry_group& group, path_limit limit, const search_control& control)
    : m_problem(p), m_group(group), m_limit(limit) {
  for (node_id n = 0; n < network().nodes(); ++n) m_from.push_back(distances_from(network(), n));
  find_rows();
  find_items(control);
}

void placement::find_rows() {
  const std::size_t channels = network().channels().size();
  constexpr row_id None = std::numeric_limits<row_id>::max();
  m_row_of.assign(channels, None);
  for (channel_id c = 0; c < channels; ++c) {
    if (m_row_of[c] != None) continue;
    unsigned members = 0;
    for (const automorphism& a : m_group) {
      row_id& row = m_row_of[a.channel[c]];
      if (row != None) continue;
      row = static_cast<row_id>(m_capacity.size());
      ++members;
    }
    m_capacity.push_back(network().channels()[c].capacity);
    m_weight.push_back(static_cast<unsigned>(m_group.size()) / members);
  }
}

void placement::find_items(const search_control& control) {
  std::set<node_id> origins;
  for (const demand& d : demands_of(m_problem.requested)) {
    control.go_on();
    add_item(d.what.origin, d.receiver, true);
    origins.insert(d.what.origin);
  }
  if (!relays()) return;
  for (const node_id origin : origins) {
    for (node_id to = 0; to < network().nodes(); ++to) {
      control.go_on();
      if (to != origin) add_item(origin, to, false);
    }
  }
}

void placement::add_item(node_id origin, node_id to, bool required) {
  if (m_item_of.count({origin, to}) > 0) return;
  std::set<std::pair<node_id, node_id>> images;
  for (const automorphism& a : m_group) images.insert({a.vertex[origin], a.vertex[to]});
  if (images.size() < m_group.size()) return;  // only if not required; the node then forwards nothing
  for (const auto& image : images) m_item_of[image] = m_items.size();

  placement_item item{origin, to, required};
  const std::vector<std::uint32_t> distance_to = distances_to(network(), to);
  for (channel_id c = 0; c < network().channels().size(); ++c) {
    if (usable(item, c, distance_to)) item.usable.push_back(c);
  }
  for (const channel_id c : item.usable) item.forced.push_back(!leads_there(network(), item, c, relays()));
  m_items.push_back(std::move(item));
}

bool placement::usable(const placement_item& item, channel_id id, const std::vector<std::uint32_t>& to) const {
  const step_channel& c = network().channels()[id];
  if (network().is_node(c.to) && c.to != item.to) return false;
  if (to[c.to] == Unreached) return false;
  for (node_id n = 0; n < network().nodes(); ++n) {
    if (n == item.to || (n != item.origin && !relays())) continue;
    if (network().is_node(c.from) && c.from != n) continue;
    const std::uint64_t there = m_from[n][c.from], direct = m_from[n][item.to];
    if (there == Unreached || direct == Unreached) continue;
    if (there + 1 + to[c.to] <= direct + m_limit.detour) return true;
  }
  return false;
}

std::optional<std::size_t> placement::item_of(node_id origin, node_id to) const {
  const auto found = m_item_of.find({origin, to});
  if (found == m_item_of.end()) return std::nullopt;
  return found->second;
}

unsigned placement::forced_load(const placement_item& item, row_id row) const {
  unsigned load = 0;
  for (std::size_t i = 0; i < item.usable.size(); ++i) {
    if (item.forced[i] && m_row_of[item.usable[i]] == row) load += m_weight[row];
  }
  return load;
}

bool placement::may_fit(std::size_t steps) const {
  std::vector<std::size_t> load(rows(), 0);
  for (const placement_item& item : m_items) {
    for (std::size_t i = 0; i < item.usable.size(); ++i) {
      const row_id row = m_row_of[item.usable[i]];
      if (item.required && item.forced[i]) load[row] += m_weight[row];
    }
  }
  for (row_id row = 0; row < rows(); ++row) {
    if (load[row] > steps * m_capacity[row]) return false;
  }
  return true;
}

step_schedule placement::schedule(const std::vector<placed>& all, std::size_t steps) const {
  step_schedule made;
  made.steps.resize(steps);
  for (const placed& one : all) {
    const placement_item& item = m_items[one.item];
    const vertex_id from = network().channels()[one.path.front()].from;
    for (const automorphism& a : m_group) {
      transfer t{a.vertex[from], a.vertex[item.to], {{a.vertex[item.origin], a.vertex[item.to]}}, {}};
      if (relays()) t.payload.front().destination = message::Everyone;
      for (const channel_id c : one.path) t.path.push_back(a.channel[c]);
      made.steps[one.step].push_back(std::move(t));
    }
  }
  for (step& s : made.steps) {
    std::sort(s.begin(), s.end(), [](const transfer& a, const transfer& b) {
      return std::tie(a.from, a.to, a.payload.front()) < std::tie(b.from, b.to, b.payload.front());
    });
  }
  return made;
}

namespace {

/// Returns a random path along usable channels, each of which leads nearer to the receiver.
channel_path random_shortest(const placement& p, const placement_item& item, const std::vector<std::uint32_t>& to,
                             random_stream& random) {
  channel_path path;
  for (vertex_id at = item.origin; at != item.to;) {
    std::vector<channel_id> nearer;
    for (const channel_id c : p.network().out(at)) {
      const vertex_id next = p.network().channels()[c].to;
      if (to[next] + 1 == to[at] && std::binary_search(item.usable.begin(), item.usable.end(), c)) nearer.push_back(c);
    }
    path.push_back(nearer[random.below(static_cast<std::uint32_t>(nearer.size()))]);
    at = p.network().channels()[path.back()].to;
  }
  return path;
}

bool images_overlap(const placement& p, const channel_path& path) {
  std::map<row_id, unsigned> load;
  for (const channel_id c : path) {
    if ((load[p.row_of(c)] += p.weight(c)) > p.capacity(p.row_of(c))) return true;
  }
  return false;
}

}  // namespace

std::vector<channel_path> candidate_paths(const placement& p, const placement_item& item, std::size_t most,
                                          random_stream& random) {
  constexpr std::size_t MaxPaths = 4096;
  std::vector<channel_path> fit;
  const auto keep = [&](channel_path path) {
    if (!images_overlap(p, path)) fit.push_back(std::move(path));
  };
  std::vector<channel_path> all = find_paths(p.network(), item.origin, item.to, p.detour(), MaxPaths);
  if (all.size() < MaxPaths) {
    for (channel_path& path : all) keep(std::move(path));
    for (std::size_t i = most; i < fit.size(); ++i) {  // reservoir sampling: all paths are equally likely
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(i + 1));
      if (at < most) std::swap(fit[at], fit[i]);
    }
    if (fit.size() > most) fit.resize(most);
    return fit;
  }
  const std::vector<std::uint32_t> to = distances_to(p.network(), item.to);
  for (std::size_t i = 0; i < most; ++i) keep(random_shortest(p, item, to, random));
  std::sort(fit.begin(), fit.end());
  fit.erase(std::unique(fit.begin(), fit.end()), fit.end());
  return fit;
}

}  // namespace weft::schedule
