// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/exact/quotient.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "weft/schedule/exact/placement_repair.h"
#include "weft/schedule/exact/step_range.h"
#include "weft/schedule/exact/symmetry.h"

namespace weft::schedule {
namespace {

constexpr std::uint32_t LongestDetour = 2;

class quotient_search {
 public:
  quotient_search(const problem& p, const search_control& control) : m_control(control) {
    constexpr std::size_t LargestGroup = 16, MostOfAnOrder = 2;
    m_groups = free_groups(p.network, p.asked, LargestGroup, MostOfAnOrder, control.seed);
    for (const symmetry_group& group : m_groups) m_placements.emplace_back(p, group, path_limit{0});
    if (p.paths == path_rule::Minimal) return;
    for (const symmetry_group& group : m_groups) m_placements.emplace_back(p, group, path_limit{LongestDetour});
  }

  search_result run() {
    constexpr std::size_t MostEffort = 1024, MoreEffort = 4;
    step_range range = first_range(m_placements.back(), m_control);
    search_result result;
    for (std::size_t effort = 1; effort <= MostEffort; effort *= MoreEffort) {
      for (const std::size_t steps : range.candidates(m_placements.front())) {
        if (m_control.over()) return result;
        if (m_control.tell) m_control.tell(fmt::format("quotient: {} steps, effort {}", steps, effort));
        result.found = attempt(steps, effort, std::move(result.found));
        if (!m_hit) continue;
        range.high = steps;
        break;
      }
      if (range.closed()) break;
    }
    return result;
  }

 private:
  /// The schedule of the first placement in which there is one, as many at a time as threads; else \p known.
  std::optional<step_schedule> attempt(std::size_t steps, std::size_t effort, std::optional<step_schedule> known) {
    m_hit = false;
    const std::size_t jobs = std::max(1U, m_control.jobs);
    for (std::size_t first = 0; first < m_placements.size() && !m_control.over(); first += jobs) {
      const std::size_t last = std::min(first + jobs, m_placements.size());
      std::vector<std::optional<std::vector<placed>>> found(last - first);
      std::atomic<std::size_t> earliest{last};
      const auto look = [&](std::size_t i) {
        search_control control = m_control;
        control.stop = [&, i] { return earliest < i || m_control.over(); };
        found[i - first] = find_placement(m_placements[i], steps, effort, m_control.seed + effort, control);
        std::size_t before = earliest;
        while (found[i - first] && i < before && !earliest.compare_exchange_weak(before, i)) {
        }
      };
      std::vector<std::thread> threads;
      for (std::size_t i = first + 1; i < last; ++i) threads.emplace_back(look, i);
      look(first);
      for (std::thread& thread : threads) thread.join();
      if (earliest == last) continue;
      m_hit = true;
      return m_placements[earliest].schedule(*found[earliest - first], steps);
    }
    return known;
  }

  const search_control& m_control;
  std::vector<symmetry_group> m_groups;
  std::vector<placement> m_placements;
  bool m_hit = false;
};

}  // namespace

const method& quotient() {
  static const method it{
      "quotient", "tabu search and CaDiCaL on orbits of the network's symmetries, the whole problem last",
      method::kind::Search,
      [](const problem& p) -> std::string {
        return p.combining ? "it places messages one by one: it does not combine them" : "";
      },
      [](const problem& p, const search_control& control) { return quotient_search(p, control).run(); }};
  return it;
}

}  // namespace weft::schedule
