// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/combining_relay.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/core/random.h"

namespace weft::schedule {
namespace {

/// Number of paths that are examined for each pair.
constexpr std::size_t MostPaths = 24;

/// Searches steps and paths for all pairs of a round. It resolves one conflict at a time (the min-conflicts heuristic
/// with a tabu list).
class conflict_search {
 public:
  using candidates = std::vector<const std::vector<channel_path>*>;  // by pair

  conflict_search(const step_network& network, const candidates& paths, std::size_t steps,
                  const search_control& control)
      : m_network(network),
        m_paths(paths),
        m_steps(steps),
        m_control(control),
        m_random(steps, paths.size(), stream_purpose::Schedule),
        m_load(network.channels().size() * steps, 0),
        m_at(paths.size()),
        m_tabu(paths.size(), 0) {}

  bool run() {
    for (std::size_t i = 0; i < m_at.size(); ++i) {
      m_control.go_on();
      m_at[i] = best_of(i);
      put(i, 1);
    }
    const std::size_t most = 60 * m_at.size() + 400;
    for (std::size_t turn = 1; turn < most; ++turn) {
      m_control.go_on();
      const std::vector<std::size_t> clashing = conflicted(turn);
      if (clashing.empty()) {
        if (conflicted(NoTabu).empty()) return true;
        continue;
      }
      const std::size_t i = clashing[m_random.below(static_cast<std::uint32_t>(clashing.size()))];
      put(i, -1);
      m_at[i] = best_of(i);
      put(i, 1);
      m_tabu[i] = turn + 1 + m_random.below(5);
    }
    return false;
  }

  std::size_t step_of(std::size_t i) const { return m_at[i].step; }
  const channel_path& path_of(std::size_t i) const { return (*m_paths[i])[m_at[i].path]; }

 private:
  static constexpr std::size_t NoTabu = std::numeric_limits<std::size_t>::max();

  struct place {
    std::size_t step = 0;
    std::size_t path = 0;
  };

  int& load(channel_id c, std::size_t step) { return m_load[c * m_steps + step]; }

  void put(std::size_t i, int count) {
    for (const channel_id c : path_of(i)) load(c, m_at[i].step) += count;
  }

  std::size_t conflicts(const channel_path& path, std::size_t step, int more) {
    std::size_t sum = 0;
    for (const channel_id c : path) {
      sum += load(c, step) + more > static_cast<int>(m_network.channels()[c].capacity) ? 1 : 0;
    }
    return sum;
  }

  place best_of(std::size_t i) {
    place best;
    std::size_t least = static_cast<std::size_t>(-1), equal = 0;
    for (std::size_t step = 0; step < m_steps; ++step) {
      for (std::size_t path = 0; path < m_paths[i]->size(); ++path) {
        const std::size_t sum = conflicts((*m_paths[i])[path], step, 1);
        if (sum < least) equal = 0;
        if (sum <= least && m_random.below(static_cast<std::uint32_t>(++equal)) == 0) best = {step, path};
        least = std::min(least, sum);
      }
    }
    return best;
  }

  /// Returns the pairs that conflict with others and may move at \p turn.
  std::vector<std::size_t> conflicted(std::size_t turn) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < m_at.size(); ++i) {
      if (m_tabu[i] <= turn && conflicts(path_of(i), m_at[i].step, 0) > 0) list.push_back(i);
    }
    return list;
  }

  const step_network& m_network;
  const candidates& m_paths;
  const std::size_t m_steps;
  const search_control& m_control;
  random_stream m_random;
  std::vector<int> m_load;  // by channel and step
  std::vector<place> m_at;
  std::vector<std::size_t> m_tabu;  // turn from which each pair may move again
};

}  // namespace

const std::vector<channel_path>& round_router::paths(node_id from, node_id to) {
  const auto [at, is_new] = m_paths.try_emplace({from, to});
  if (is_new) {
    at->second = find_paths(m_p.network, from, to, m_p.paths == path_rule::Any ? 2 : 0, MostPaths);
    if (at->second.empty()) throw std::invalid_argument(fmt::format("no path leads from n{} to n{}", from, to));
  }
  return at->second;
}

std::size_t round_router::least_steps(const node_pairs& pairs) {
  std::vector<std::size_t> load(m_p.network.channels().size(), 0);
  for (const auto& [from, to] : pairs) {
    m_control.go_on();
    std::map<channel_id, std::size_t> seen;
    const std::vector<channel_path>& all = paths(from, to);
    for (const channel_path& path : all) {
      for (const channel_id c : path) ++seen[c];
    }
    for (const auto& [c, count] : seen) load[c] += count == all.size() ? 1 : 0;
  }
  std::size_t least = 1;
  for (channel_id c = 0; c < load.size(); ++c) {
    const unsigned capacity = m_p.network.channels()[c].capacity;
    least = std::max(least, (load[c] + capacity - 1) / capacity);
  }
  return least;
}

bool round_router::route_in(std::size_t steps, const node_pairs& pairs, routed_round& found) {
  conflict_search::candidates candidates;
  for (const auto& [from, to] : pairs) candidates.push_back(&paths(from, to));
  conflict_search search(m_p.network, candidates, steps, m_control);
  if (!search.run()) return false;
  found.steps = steps;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.step_of.push_back(search.step_of(i));
    found.path_of.push_back(search.path_of(i));
  }
  return true;
}

const routed_round& round_router::route(const node_pairs& pairs) {
  const auto known = m_rounds.find(pairs);
  if (known != m_rounds.end()) return known->second;
  routed_round found;
  if (!pairs.empty()) {
    // The loop ends: with as many steps as pairs, the search starts with one pair in each step, without conflicts.
    for (std::size_t steps = least_steps(pairs); !route_in(steps, pairs, found); ++steps) {
    }
  }
  return m_rounds.emplace(pairs, std::move(found)).first->second;
}

relay::relay(const problem& p, round_router& router) : m_router(router), m_held(p.network.nodes()) {
  for (const demand& d : demands_of(p.requested)) m_held[d.what.origin].insert(d.what);
}

void relay::round(const node_pairs& pairs, const choice& goes) {
  const routed_round& routed = m_router.route(pairs);
  std::vector<step> steps(routed.steps);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    m_router.control().go_on();
    const auto [from, to] = pairs[i];
    transfer t{from, to, {}, routed.path_of[i]};
    for (const message& m : m_held[from]) {
      if (m_held[to].count(m) == 0 && goes(m, from, to)) t.payload.push_back(m);
    }
    if (!t.payload.empty()) steps[routed.step_of[i]].push_back(std::move(t));
  }
  for (step& s : steps) finish(std::move(s));
}

void relay::repeat(const step& like, const std::function<std::vector<message>(const transfer&)>& of) {
  step now;
  for (const transfer& t : like) {
    m_router.control().go_on();
    transfer mine{t.from, t.to, of(t), t.path};
    if (!mine.payload.empty()) now.push_back(std::move(mine));
  }
  finish(std::move(now));
}

void relay::finish(step&& s) {
  for (const transfer& t : s) hand_over(t);
  if (!s.empty()) m_schedule.steps.push_back(std::move(s));
}

void relay::hand_over(const transfer& t) {
  for (const message& m : t.payload) {
    m_held[t.to].insert(m);
    if (m.destination != message::Everyone) m_held[t.from].erase(m);
  }
}

void relay::round(const node_pairs& pairs) {
  round(pairs, [](const message&, node_id, node_id) { return true; });
}

}  // namespace weft::schedule
