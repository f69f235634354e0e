// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/choices.h"

#include <algorithm>

#include "weft/core/shuffle.h"

namespace weft::schedule {
choices::choices(const problem& p, const search_control& control)
    : m_problem(p),
      m_random(control.seed, 0, stream_purpose::Schedule),
      m_demands(demands_of(p.requested)),
      m_of_receiver(p.network.nodes()),
      m_of_origin(p.network.nodes()) {
  std::map<std::pair<node_id, node_id>, item_id> item_of;
  for (item_id i = 0; i < m_demands.size(); ++i) {
    const demand& d = m_demands[i];
    item_of[{d.what.origin, d.receiver}] = i;
    m_of_receiver[d.receiver].push_back(i);
    if (p.requested.what == operation::Scatter) m_of_origin[d.what.origin].push_back(i);
  }
  m_ways.resize(m_demands.size());
  for (item_id i = 0; i < m_demands.size(); ++i) {
    control.go_on();
    const demand& d = m_demands[i];
    if (p.requested.what == operation::Broadcast) {
      add_handed_on(i, item_of);
      continue;
    }
    const range paths = paths_between(d.what.origin, d.receiver, MostPaths);
    for (std::uint32_t n = 0; n < paths.count; ++n) m_ways[i].push_back({paths.first + n, NoItem});
  }
}

void choices::add_handed_on(item_id i, const std::map<std::pair<node_id, node_id>, item_id>& item_of) {
  const demand& d = m_demands[i];
  const auto distances = distances_to(m_problem.network, d.receiver);
  std::vector<node_id> holders{d.what.origin};
  for (const node_id n : m_problem.requested.receivers) {
    if (n != d.receiver && n != d.what.origin) holders.push_back(n);
  }
  shuffle(holders.begin(), holders.end(), m_random);
  std::stable_sort(holders.begin(), holders.end(), [&](node_id a, node_id b) { return distances[a] < distances[b]; });
  const std::size_t of_pair = std::clamp<std::size_t>(MostWays / holders.size(), 2, MostPaths);
  for (const node_id from : holders) {
    if (m_ways[i].size() >= MostWays && from != d.what.origin) continue;
    const item_id before = from == d.what.origin ? NoItem : item_of.at({d.what.origin, from});
    const range paths = paths_between(from, d.receiver, of_pair);
    for (std::uint32_t n = 0; n < paths.count; ++n) m_ways[i].push_back({paths.first + n, before});
  }
}

choices::range choices::paths_between(node_id from, node_id to, std::size_t most) {
  const auto [at, is_new] = m_of_pair.try_emplace({from, to});
  if (is_new) {
    std::vector<channel_path> drawn = draw(from, to, most);
    at->second = {static_cast<std::uint32_t>(m_paths.size()), static_cast<std::uint32_t>(drawn.size())};
    for (channel_path& path : drawn) m_paths.push_back(std::move(path));
  }
  return at->second;
}

std::vector<channel_path> choices::draw(node_id from, node_id to, std::size_t most) {
  const bool any = m_problem.paths == path_rule::Any;
  std::vector<channel_path> all = find_paths(m_problem.network, from, to, any ? Detour : 0, Enumerated);
  if (all.size() <= most) return all;
  const auto longer =
      std::find_if(all.begin(), all.end(), [&](const channel_path& path) { return path.size() > all.front().size(); });
  shuffle(all.begin(), longer, m_random);
  shuffle(longer, all.end(), m_random);
  // At most half of them are shortest paths if there are others.
  const auto shortest = static_cast<std::size_t>(longer - all.begin());
  const std::size_t others = all.size() - shortest, half = (most + 1) / 2;
  const std::size_t kept = std::min(shortest, std::max(half, most - std::min(most, others)));
  std::rotate(all.begin() + static_cast<std::ptrdiff_t>(kept), longer, all.end());
  all.resize(most);
  return all;
}

step_schedule choices::schedule(const std::vector<position>& where, std::size_t steps) const {
  step_schedule s;
  s.steps.resize(steps);
  for (item_id i = 0; i < items(); ++i) {
    const channel_path& taken = path(m_ways[i][where[i].way]);
    const node_id from = network().channels()[taken.front()].from;
    s.steps[where[i].step].push_back({from, m_demands[i].receiver, {m_demands[i].what}, taken});
  }
  return s;
}

}  // namespace weft::schedule
