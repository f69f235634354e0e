// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/traffic_matrix.h"

#include <limits>

namespace weft {

traffic_matrix::traffic_matrix(std::uint32_t nodes, const std::vector<pair_rate>& pairs) : m_first(nodes + 1) {
  m_destinations.reserve(pairs.size());
  m_rates.reserve(pairs.size());
  m_columns.resize(pairs.size());
  m_row_sums.resize(nodes);
  for (const pair_rate& pair : pairs) {
    ++m_first[pair.source + 1];
    m_destinations.push_back(pair.destination);
    m_rates.push_back(pair.rate);
    m_row_sums[pair.source] += pair.rate;
  }
  double differences = 0;  // from the first row, so that the mean of equal rows is exact
  for (node_id source = 0; source < nodes; ++source) {
    m_first[source + 1] += m_first[source];
    fill_row(m_first[source], m_first[source + 1], m_row_sums[source]);
    differences += m_row_sums[source] - m_row_sums.front();
  }
  m_mean_row_sum = m_row_sums.front() + differences / nodes;
}

void traffic_matrix::fill_row(std::size_t first, std::size_t end, double sum) {
  constexpr std::uint64_t Always = std::numeric_limits<std::uint64_t>::max();
  const std::size_t count = end - first;
  std::vector<double> left(count);  // remaining share of each destination, in units of a column
  std::vector<std::size_t> small, large;
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = m_rates[first + i] * static_cast<double>(count) / sum;
    (left[i] < 1 ? small : large).push_back(i);
    m_columns[first + i] = {Always, m_destinations[first + i], m_destinations[first + i]};
  }
  // Columns that rounding leaves over keep their own destination.
  while (!small.empty() && !large.empty()) {
    const std::size_t from = small.back(), to = large.back();
    small.pop_back();
    m_columns[first + from].limit = chance_limit(left[from]);
    m_columns[first + from].other = m_destinations[first + to];
    left[to] = left[to] - (1 - left[from]);
    if (left[to] < 1) {
      large.pop_back();
      small.push_back(to);
    }
  }
}

}  // namespace weft
