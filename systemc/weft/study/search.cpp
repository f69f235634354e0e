// SPDX-License-Identifier: Apache-2.0
#include "weft/study/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::experiment {

namespace {

constexpr std::size_t Round = 3;
constexpr double Rounding = 1e-9;  ///< relative tolerance of a width

/// Rounds a load to six decimal places, so that its text in a configuration represents it exactly.
double rounded(double load) { return std::round(load * 1e6) / 1e6; }

}  // namespace

const load_answer* saturation_search::bound() const {
  const auto found =
      std::find_if(m_answers.begin(), m_answers.end(), [](const auto& entry) { return !entry.second.settled; });
  return found == m_answers.end() ? nullptr : &found->second;
}

std::optional<double> saturation_search::high() const {
  const load_answer* const above = bound();
  return above == nullptr ? std::nullopt : std::optional(above->load);
}

double saturation_search::low() const {
  double low = 0;
  for (const auto& [load, answer] : m_answers) {
    if (!answer.settled) break;
    low = load;
  }
  return low;
}

/// Whether the bounds differ by at most the width, apart from rounding errors.
bool saturation_search::is_narrow() const { return *high() - low() <= m_width * (1 + Rounding); }

std::vector<load_question> saturation_search::unconfirmed() const {
  std::vector<load_question> loads;
  if (const double below = low(); below > 0 && !m_answers.at(below).again) loads.push_back({below, true});
  if (const load_answer* const above = bound(); above != nullptr && above->repeatable && !above->again)
    loads.push_back({above->load, true});
  return loads;
}

std::vector<load_question> saturation_search::next() const {
  if (m_answers.empty()) return {{rounded(m_most / 3)}, {rounded(2 * m_most / 3)}, {m_most}};
  if (!high() || is_narrow()) return unconfirmed();
  const double width = *high() - low();
  if (width <= 2 * m_width * (1 + Rounding)) return {{rounded(low() + width / 2)}};
  std::vector<load_question> loads;
  for (std::size_t i = 1; i <= Round; ++i)
    loads.push_back({rounded(low() + width * static_cast<double>(i) / static_cast<double>(Round + 1))});
  return loads;
}

std::size_t saturation_search::most_loads(double most, double width) {
  std::size_t loads = Round;
  for (double between = most / static_cast<double>(Round); between > width * (1 + Rounding);) {
    const std::size_t more = between <= 2 * width * (1 + Rounding) ? 1 : Round;
    loads += more;
    between /= static_cast<double>(more + 1);
  }
  return loads;
}

void saturation_search::take(const std::vector<load_answer>& round) {
  for (const load_answer& a : round) m_answers[a.load] = a;
}

std::vector<load_answer> curve_search::settled() const {
  std::vector<load_answer> list;
  for (const auto& [load, answer] : m_answers)
    if (answer.settled && (!m_saturation.high() || load < *m_saturation.high())) list.push_back(answer);
  return list;
}

double curve_search::length(const load_answer& from, const load_answer& to, double last) const {
  const double loads = (to.load - from.load) / last;
  const double doublings = std::log2(std::max(to.latency, 1.) / std::max(from.latency, 1.));
  // Segments narrower than the width are never split: there, random variation affects the latency more than the load
  // does.
  return to.load - from.load < m_width ? 0 : std::hypot(loads, doublings);
}

std::vector<load_question> curve_search::next() const {
  if (std::vector<load_question> loads = m_saturation.next(); !loads.empty()) return loads;
  const std::vector<load_answer> curve = settled();
  if (curve.empty()) return {};
  std::vector<std::pair<double, double>> pieces;  // length of a segment, load in its middle
  const auto add = [&](double worth, double middle) {
    if (worth > 0 && m_answers.count(middle) == 0) pieces.emplace_back(worth, middle);
  };
  // If the lightest settled load is far from 0, the curve gets another load near 0.
  const double first = curve.front().load, last = curve.back().load;
  if (first > 0.1 * last) add(std::numeric_limits<double>::infinity(), rounded(std::min(first / 2, 0.1 * last)));
  if (pieces.empty() && curve.size() >= m_points) return {};
  for (std::size_t i = 1; i < curve.size(); ++i)
    add(length(curve[i - 1], curve[i], last), rounded((curve[i - 1].load + curve[i].load) / 2));
  std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::size_t missing = m_points > curve.size() ? m_points - curve.size() : 0;
  std::vector<load_question> loads;
  for (std::size_t i = 0; i < std::min({pieces.size(), Round, std::max<std::size_t>(1, missing)}); ++i)
    loads.push_back({pieces[i].second});
  std::sort(loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
  return loads;
}

void curve_search::take(const std::vector<load_answer>& round) {
  if (!m_saturation.next().empty()) m_saturation.take(round);
  for (const load_answer& a : round)
    if (!a.again)
      m_answers[a.load] = a;  // from the first window only, so that all points of a curve have equal windows
}

}  // namespace weft::experiment
