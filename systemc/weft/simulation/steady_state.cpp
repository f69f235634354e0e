// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/steady_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/simulation/batch_series.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostGroups = 2 * queue_watch::MinSamples;
constexpr double LeastPackets = 2;

double mean_between(const std::vector<double>& values, std::size_t first, std::size_t end) {
  const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  return std::accumulate(at(first), at(end), 0.0) / static_cast<double>(end - first);
}

/// Means of the first and the last quarter.
struct quarters {
  explicit quarters(const std::vector<double>& values)
      : first(mean_between(values, 0, values.size() / 4)),
        last(mean_between(values, values.size() - values.size() / 4, values.size())) {}
  double first, last;
};

}  // namespace

std::size_t length_of_transient(const std::vector<double>& values) {
  constexpr std::size_t Together = 5;
  const std::size_t size = values.size() / Together;
  // Updates mean and sum of squares of the kept values from the end backwards, by Welford's algorithm.
  double mean = 0, squares = 0, least = 0;
  std::size_t cut = size;
  for (std::size_t kept = 1; kept <= size; ++kept) {
    const std::size_t first = size - kept;
    const double x = mean_between(values, first * Together, (first + 1) * Together);
    const double change = x - mean;
    mean += change / static_cast<double>(kept);
    squares += change * (x - mean);
    if (kept < Together) continue;  // the variance of few values is meaningless
    const double error = squares / (static_cast<double>(kept) * static_cast<double>(kept));
    if (cut == size || error <= least) {
      least = error;
      cut = first;
    }
  }
  return 2 * cut < size ? cut * Together : values.size();
}

cycle_t sufficient_window(double correlation_time) {
  constexpr double Times = 100;
  if (std::isinf(correlation_time)) return Never;
  return static_cast<cycle_t>(std::ceil(Times * correlation_time));
}

void queue_watch::sample(const std::vector<std::uint32_t>& flits, std::uint64_t under_way) {
  if (m_groups.empty() || m_samples == m_samples_per_group) {
    if (m_groups.size() == MostGroups) merge_groups();
    m_groups.emplace_back(m_nodes + 1);
    m_samples = 0;
  }
  ++m_samples;
  group& last = m_groups.back();
  const auto note = [this](summary& s, std::uint64_t length) {
    s.mean += (static_cast<float>(length) - s.mean) / static_cast<float>(m_samples);
    s.least = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.least, length));
  };
  for (std::size_t n = 0; n < m_nodes; ++n) note(last[n], flits[n]);
  note(last[m_nodes], under_way);
}

void queue_watch::merge_groups() {
  for (std::size_t i = 0; i < m_groups.size() / 2; ++i) {
    for (std::size_t n = 0; n <= m_nodes; ++n) {
      const summary a = m_groups[2 * i][n], b = m_groups[2 * i + 1][n];
      m_groups[i][n] = {(a.mean + b.mean) / 2, std::min(a.least, b.least)};
    }
  }
  m_groups.resize(m_groups.size() / 2);
  m_samples_per_group *= 2;
}

std::vector<double> queue_watch::means_of(std::size_t n) const {
  std::vector<double> means;
  for (const group& g : m_groups) means.push_back(static_cast<double>(g[n].mean));
  return means;
}

bool queue_watch::grows(std::size_t n, double least_growth, rise how) const {
  const std::vector<double> means = means_of(n);
  std::uint32_t least = ~std::uint32_t{0};
  for (std::size_t i = m_groups.size() / 2; i < m_groups.size(); ++i) least = std::min(least, m_groups[i][n].least);
  const quarters q(means);
  return static_cast<double>(least) > q.first && q.last - q.first >= least_growth &&
         (how == rise::Any || trend_of(means).significant);
}

bool queue_watch::is_far_above_mean(double packet, std::uint64_t now) const {
  if (m_groups.size() < MinSamples) return false;
  const std::vector<double> means = means_of(m_nodes);
  const double mean = mean_between(means, 0, means.size());
  return static_cast<double>(now) > 2 * mean + packet * static_cast<double>(m_nodes);
}

queue_watch::growth queue_watch::estimate_growth(double packet, rise how) const {
  growth found;
  if (m_groups.size() < MinSamples) return found;
  const quarters all(means_of(m_nodes));
  found.flits = all.last - all.first;
  found.network = grows(m_nodes, packet * static_cast<double>(m_nodes), how);
  for (std::size_t n = 0; n < m_nodes; ++n)
    if (grows(n, LeastPackets * packet, how)) found.nodes.push_back(static_cast<node_id>(n));
  return found;
}

}  // namespace weft::experiment
