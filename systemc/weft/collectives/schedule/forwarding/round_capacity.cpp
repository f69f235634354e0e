// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/round_capacity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/exact/linear_program.h"

namespace weft::schedule {
namespace {

constexpr double WeightScale = 1 << 20;  ///< scale of integer weights

/// Returns the links in \p links that a limit affects; empty if these links cannot exceed the limit.
std::vector<link_id> bound_links(const std::vector<bandwidth_limit>& limits, std::size_t limit,
                                 const std::vector<link_id>& links) {
  std::vector<link_id> under;
  std::size_t sum = 0;
  for (const link_id l : limits[limit].links) {
    if (!std::binary_search(links.begin(), links.end(), l)) continue;
    under.push_back(l);
    sum += limits[l].bandwidth;
  }
  return sum > limits[limit].bandwidth ? under : std::vector<link_id>();
}

/// Returns the minimum of Σ bandwidth · weight over all weights such that the limits on each link have total weight 1.
round_capacity least_cover(const std::vector<bandwidth_limit>& limits, const std::vector<link_id>& links,
                           const std::map<std::size_t, std::vector<link_id>>& shared, const search_control& control) {
  linear_rows rows;
  std::map<link_id, int> row_of;
  std::vector<std::pair<std::size_t, std::vector<link_id>>> all;  // limit, and its links among these
  for (const link_id l : links) {
    row_of[l] = rows.add_row(1.0, COIN_DBL_MAX);
    all.push_back({l, {l}});
  }
  all.insert(all.end(), shared.begin(), shared.end());
  for (const auto& [limit, under] : all) {
    const int column = rows.add_column(limits[limit].bandwidth);
    for (const link_id l : under) rows.add_entry(row_of[l], column, 1.0);
  }
  ClpSimplex clp;
  const bool solved = rows.solve(clp, control);
  std::map<link_id, std::int64_t> lacks;
  for (const link_id l : links) lacks[l] = static_cast<std::int64_t>(WeightScale);
  round_capacity result{0, static_cast<std::int64_t>(WeightScale)};
  for (std::size_t i = links.size(); solved && i < all.size(); ++i) {
    const auto weight =
        static_cast<std::int64_t>(std::llround(std::max(0.0, clp.primalColumnSolution()[i]) * WeightScale));
    result.chunks += weight * limits[all[i].first].bandwidth;
    for (const link_id l : all[i].second) lacks[l] -= weight;
  }
  for (const auto& [l, lack] : lacks) result.chunks += std::max<std::int64_t>(lack, 0) * limits[l].bandwidth;
  return result;
}

}  // namespace

std::string to_string(const round_capacity& capacity) {
  if (capacity.chunks % capacity.per == 0) return std::to_string(capacity.chunks / capacity.per);
  return fmt::format("{:.4g}", static_cast<double>(capacity.chunks) / static_cast<double>(capacity.per));
}

round_capacity capacity_of(const std::vector<bandwidth_limit>& limits, std::vector<link_id> links,
                           const search_control& control) {
  std::sort(links.begin(), links.end());
  std::map<std::size_t, std::vector<link_id>> shared;
  std::set<link_id> seen;
  bool are_apart = true;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (limits[i].links.size() == 1 && limits[i].links.front() == i) continue;  // the limit of a link itself
    std::vector<link_id> under = bound_links(limits, i, links);
    for (const link_id l : under) are_apart = seen.insert(l).second && are_apart;
    if (!under.empty()) shared[i] = std::move(under);
  }
  if (!are_apart) return least_cover(limits, links, shared, control);
  round_capacity sum;
  for (const link_id l : links) sum.chunks += seen.count(l) > 0 ? 0 : limits[l].bandwidth;
  for (const auto& [limit, under] : shared) sum.chunks += limits[limit].bandwidth;
  return sum;
}

}  // namespace weft::schedule
