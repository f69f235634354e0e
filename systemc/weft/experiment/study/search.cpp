// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/study/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::experiment {

namespace {

constexpr std::size_t Round = 3;

/// Loads are decimal numbers of few digits: so they are read again as what they were.
double rounded(double load) { return std::round(load * 1e6) / 1e6; }

}  // namespace

std::vector<double> saturation_search::next() const {
  if (m_settles) return {};
  if (m_first) return {rounded(m_most / 3), rounded(2 * m_most / 3), m_most};
  const double width = m_high - m_low;
  // A little more than the width asked for may be a rounding error.
  if (width <= m_width * (1 + 1e-9)) return {};
  if (width <= 2 * m_width * (1 + 1e-9)) return {rounded(m_low + width / 2)};
  std::vector<double> loads;
  for (std::size_t i = 1; i <= Round; ++i)
    loads.push_back(rounded(m_low + width * static_cast<double>(i) / static_cast<double>(Round + 1)));
  return loads;
}

void saturation_search::take(const std::vector<load_answer>& round) {
  const bool first = m_first;
  m_first = false;
  bool any = !first;  // before the first round m_high is only where the search ends
  for (const load_answer& a : round) {
    if (a.settled) continue;
    m_high = any ? std::min(m_high, a.load) : a.load;
    any = true;
  }
  m_settles = !any;
  for (const load_answer& a : round)
    if (a.settled && a.load < (m_settles ? a.load + 1 : m_high)) m_low = std::max(m_low, a.load);
}

/// Of the piece of the curve that ends at settled load number \p piece.
double curve_search::length(std::size_t piece) const {
  const load_answer &from = m_settled[piece - 1], &to = m_settled[piece];
  const double last = m_settled.back().load;
  const double loads = (to.load - from.load) / last;
  const double doublings = std::log2(std::max(to.latency, 1.) / std::max(from.latency, 1.));
  // Pieces narrower than the width are never cut: their ends differ by chance more than by load.
  return to.load - from.load < m_width ? 0 : std::hypot(loads, doublings);
}

std::vector<double> curve_search::next() const {
  if (std::vector<double> loads = m_saturation.next(); !loads.empty()) return loads;
  if (m_settled.empty()) return {};
  std::vector<std::pair<double, double>> pieces;  // length and middle
  const auto add = [&](double worth, double middle) {
    if (worth > 0 && std::count(m_asked.begin(), m_asked.end(), middle) == 0) pieces.emplace_back(worth, middle);
  };
  // From the lightest load to zero there is no curve, but a point near zero belongs to it.
  const double first = m_settled.front().load, last = m_settled.back().load;
  if (first > 0.1 * last) add(std::numeric_limits<double>::infinity(), rounded(std::min(first / 2, 0.1 * last)));
  if (pieces.empty() && m_settled.size() >= m_points) return {};
  for (std::size_t i = 1; i < m_settled.size(); ++i)
    add(length(i), rounded((m_settled[i - 1].load + m_settled[i].load) / 2));
  std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::size_t missing = m_points > m_settled.size() ? m_points - m_settled.size() : 0;
  std::vector<double> loads;
  for (std::size_t i = 0; i < std::min({pieces.size(), Round, std::max<std::size_t>(1, missing)}); ++i)
    loads.push_back(pieces[i].second);
  std::sort(loads.begin(), loads.end());
  return loads;
}

void curve_search::take(const std::vector<load_answer>& round) {
  if (!m_saturation.next().empty()) m_saturation.take(round);
  for (const load_answer& a : round) {
    m_asked.push_back(a.load);
    if (a.settled && (!m_saturation.high() || a.load < *m_saturation.high())) m_settled.push_back(a);
  }
  std::sort(m_settled.begin(), m_settled.end(),
            [](const load_answer& a, const load_answer& b) { return a.load < b.load; });
  // A later answer may have put the saturation load below one that settled.
  while (m_saturation.high() && !m_settled.empty() && m_settled.back().load >= *m_saturation.high())
    m_settled.pop_back();
}

}  // namespace weft::experiment
