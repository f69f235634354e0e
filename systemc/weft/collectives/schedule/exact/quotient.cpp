// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/quotient.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/exact/first_success.h"
#include "weft/collectives/schedule/exact/placement_repair.h"
#include "weft/collectives/schedule/exact/step_range.h"
#include "weft/collectives/schedule/exact/symmetry.h"

namespace weft::schedule {
namespace {

constexpr std::uint32_t LongestDetour = 2;

class quotient_search {
 public:
  quotient_search(const problem& p, const search_control& control) : m_control(control) {
    constexpr std::size_t LargestGroup = 16, MostOfAnOrder = 2;
    m_groups = free_groups(p.network, p.requested, LargestGroup, MostOfAnOrder, control.seed, control);
    for (const symmetry_group& group : m_groups) m_placements.emplace_back(p, group, path_limit{0}, control);
    if (p.paths == path_rule::Minimal) return;
    for (const symmetry_group& group : m_groups)
      m_placements.emplace_back(p, group, path_limit{LongestDetour}, control);
  }

  search_result run() {
    constexpr std::size_t MostEffort = 1024, MoreEffort = 4;
    step_range range = first_range(m_placements.back(), m_control);
    search_result result;
    for (std::size_t effort = 1; effort <= MostEffort; effort *= MoreEffort) {
      for (const std::size_t steps : range.candidates(m_placements.front())) {
        if (m_control.over()) return result;
        if (m_control.on_progress) m_control.on_progress(fmt::format("quotient: {} steps, effort {}", steps, effort));
        std::optional<step_schedule> found = attempt(steps, effort);
        if (!found) continue;
        result.found = std::move(found);
        range.high = steps;
        break;
      }
      if (range.closed()) break;
    }
    return result;
  }

 private:
  /// Returns the schedule of the first placement for which the search finds one.
  std::optional<step_schedule> attempt(std::size_t steps, std::size_t effort) const {
    const auto place = [&](std::size_t i, const search_control& control) -> std::optional<step_schedule> {
      const auto found = find_placement(m_placements[i], steps, effort, m_control.seed + effort, control);
      if (!found) return std::nullopt;
      return m_placements[i].schedule(*found, steps);
    };
    return first_success(m_placements.size(), m_control, place);
  }

  const search_control& m_control;
  std::vector<symmetry_group> m_groups;
  std::vector<placement> m_placements;
};

}  // namespace

const method& quotient() {
  static const method it{
      "quotient", "tabu search and CaDiCaL on orbits of the network's symmetries, and finally on the whole problem",
      method::kind::Search,
      [](const problem& p) -> std::string {
        return p.combining ? "it places messages one by one and does not combine them" : "";
      },
      [](const problem& p, const search_control& control) { return quotient_search(p, control).run(); }};
  return it;
}

}  // namespace weft::schedule
