// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/placement_tabu.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft::schedule {
namespace {

using load_type = std::int16_t;

/// The loads that a path adds to its rows.
using row_loads = std::vector<std::pair<row_id, load_type>>;

row_loads loads_of(const placement& p, const channel_path& path) {
  row_loads loads;
  for (const channel_id c : path) {
    const row_id row = p.row_of(c);
    const auto at = std::find_if(loads.begin(), loads.end(), [row](const auto& l) { return l.first == row; });
    const auto weight = static_cast<load_type>(p.weight(c));
    if (at == loads.end()) {
      loads.emplace_back(row, weight);
    } else {
      at->second = static_cast<load_type>(at->second + weight);
    }
  }
  return loads;
}

class tabu_state {
 public:
  tabu_state(const placement& p, std::size_t steps, std::size_t most_paths, std::uint64_t seed,
             const search_control& control)
      : m_placement(p),
        m_control(control),
        m_steps(steps),
        m_random(seed, 1, stream_purpose::Schedule),
        m_load(p.rows() * steps, 0),
        m_over_at(p.rows() * steps, None),
        m_in_step(steps),
        m_tabu(p.items().size() * steps, 0),
        m_cost(steps) {
    for (const placement_item& item : p.items()) {
      control.go_on();
      m_paths.push_back(candidate_paths(p, item, most_paths, m_random));
      m_loads.emplace_back();
      for (const channel_path& path : m_paths.back()) m_loads.back().push_back(loads_of(p, path));
      m_hopeless |= m_paths.back().empty();
    }
    m_where.resize(m_paths.size());
  }

  tabu_outcome run(std::size_t moves) {
    if (m_hopeless) return {};
    for (std::size_t item = 0; item < m_paths.size(); ++item) {
      m_control.go_on();
      insert(item, best_place(item, 0, true));
    }
    store_best();
    for (std::size_t move = 1; move <= moves && m_best_excess > 0; ++move) {
      constexpr std::size_t MovesBetweenPolls = 16;
      if (move % MovesBetweenPolls == 0 && m_control.over()) break;
      const std::size_t item = overloading_item();
      const std::size_t left = m_where[item].step;
      remove(item);
      const place to = best_place(item, move, false);
      insert(item, to);
      m_tabu[item * m_steps + left] = move + 5 + m_random.below(10) + m_over.size() / 2;
      if (m_excess < m_best_excess) store_best();
    }
    return outcome();
  }

 private:
  static constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();
  struct place {
    std::size_t path = 0, step = 0;
  };

  std::size_t at(row_id row, std::size_t step) const { return row * m_steps + step; }

  void change(row_id row, std::size_t step, int by) {
    load_type& load = m_load[at(row, step)];
    const int capacity = static_cast<int>(m_placement.capacity(row));
    m_excess -= static_cast<std::size_t>(std::max(0, load - capacity));
    load = static_cast<load_type>(load + by);
    m_excess += static_cast<std::size_t>(std::max(0, load - capacity));
    std::uint32_t& position = m_over_at[at(row, step)];
    if (load > capacity && position == None) {
      position = static_cast<std::uint32_t>(m_over.size());
      m_over.emplace_back(row, step);
    } else if (load <= capacity && position != None) {
      m_over[position] = m_over.back();
      m_over_at[at(m_over[position].first, m_over[position].second)] = position;
      m_over.pop_back();
      position = None;
    }
  }

  void insert(std::size_t item, place to) {
    m_where[item] = to;
    m_in_step[to.step].push_back(item);
    for (const auto& [row, load] : m_loads[item][to.path]) change(row, to.step, load);
  }

  void remove(std::size_t item) {
    const place from = m_where[item];
    auto& list = m_in_step[from.step];
    *std::find(list.begin(), list.end(), item) = list.back();
    list.pop_back();
    for (const auto& [row, load] : m_loads[item][from.path]) change(row, from.step, -load);
  }

  std::size_t overloading_item() {
    const auto [row, step] = m_over[m_random.below(static_cast<std::uint32_t>(m_over.size()))];
    std::size_t chosen = 0;
    std::uint32_t count = 0;
    for (const std::size_t item : m_in_step[step]) {
      for (const auto& [its_row, load] : m_loads[item][m_where[item].path]) {
        if (its_row == row && m_random.below(++count) == 0) chosen = item;
      }
    }
    return chosen;
  }

  /// Computes, for each step, by how much the excess would grow if the item were placed there on the path.
  void cost_of(const row_loads& loads) {
    std::fill(m_cost.begin(), m_cost.end(), load_type{0});
    for (const auto& [row, load] : loads) {
      const load_type* row_load = m_load.data() + at(row, 0);
      const auto capacity = static_cast<load_type>(m_placement.capacity(row));
      const load_type more = load, zero = 0;
      for (std::size_t s = 0; s < m_steps; ++s) {
        const auto over = static_cast<load_type>(row_load[s] - capacity);
        const auto then = static_cast<load_type>(over + more);
        m_cost[s] = static_cast<load_type>(m_cost[s] + (then > zero ? then : zero) - (over > zero ? over : zero));
      }
    }
  }

  place best_place(std::size_t item, std::size_t move, bool any) {
    place best;
    load_type least = std::numeric_limits<load_type>::max();
    std::uint32_t equal = 0;
    const std::size_t* tabu = m_tabu.data() + item * m_steps;
    for (std::size_t path = 0; path < m_loads[item].size(); ++path) {
      cost_of(m_loads[item][path]);
      for (std::size_t s = 0; s < m_steps; ++s) {
        const load_type cost = m_cost[s];
        if (cost > least) continue;
        const bool improves = m_excess + static_cast<std::size_t>(cost) < m_best_excess;
        if (!any && tabu[s] > move && !improves) continue;
        equal = cost < least ? 1 : equal + 1;
        least = cost;
        if (m_random.below(equal) == 0) best = {path, s};
      }
    }
    if (equal == 0) best = m_where[item];
    return best;
  }

  void store_best() {
    m_best = m_where;
    m_best_excess = m_excess;
  }

  tabu_outcome outcome() const {
    tabu_outcome result{{}, m_best_excess};
    for (std::size_t item = 0; item < m_best.size(); ++item) {
      result.all.push_back({item, m_best[item].step, m_paths[item][m_best[item].path]});
    }
    return result;
  }

  const placement& m_placement;
  const search_control& m_control;
  const std::size_t m_steps;
  random_stream m_random;
  std::vector<std::vector<channel_path>> m_paths;  // by item
  std::vector<std::vector<row_loads>> m_loads;     // by item and path
  bool m_hopeless = false;
  std::vector<load_type> m_load;  // by row, then step
  std::size_t m_excess = 0;
  std::vector<std::pair<row_id, std::size_t>> m_over;  // overloaded rows and their steps
  std::vector<std::uint32_t> m_over_at;                // indices in m_over
  std::vector<place> m_where, m_best;                  // by item
  std::size_t m_best_excess = std::numeric_limits<std::size_t>::max();
  std::vector<std::vector<std::size_t>> m_in_step;
  std::vector<std::size_t> m_tabu;  // by item and step: the move until which it is tabu
  std::vector<load_type> m_cost;    // by step
};

}  // namespace

tabu_outcome tabu_search(const placement& p, std::size_t steps, std::size_t most_paths, std::size_t moves,
                         std::uint64_t seed, const search_control& control) {
  return tabu_state(p, steps, most_paths, seed, control).run(moves);
}

}  // namespace weft::schedule
