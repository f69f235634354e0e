// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/markov_chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace weft {

namespace {

using matrix = std::vector<std::vector<double>>;

constexpr double SumTolerance = 1e-6;  ///< by which the sum of a row of probabilities may differ from 1

template <class... Arguments>
[[noreturn]] void reject(const char* text, const Arguments&... arguments) {
  throw std::invalid_argument("injection mmpp: " + fmt::format(fmt::runtime(text), arguments...));
}

void check_states(const injection_parameters& p) {
  if (p.rates.size() < 2 || p.rates.size() > MaxModulationStates)
    reject("needs 2 to {} states, but rates has {}; give each state a rate", MaxModulationStates, p.rates.size());
  if (p.durations.size() != p.rates.size())
    reject("rates has {} states and durations has {}; give each state a rate and a mean duration", p.rates.size(),
           p.durations.size());
  for (const double rate : p.rates)
    if (!(rate >= 0 && std::isfinite(rate))) reject("rates must be numbers ≥ 0, not {}", rate);
  if (*std::max_element(p.rates.begin(), p.rates.end()) == 0)
    reject("all rates are 0; give at least one state a rate above 0");
  for (const double duration : p.durations)
    if (!(duration >= 1 && std::isfinite(duration))) reject("durations must be at least 1 cycle, not {}", duration);
}

/// Each state is followed by any other one with the same probability.
matrix uniform_transitions(std::size_t states) {
  matrix all(states, std::vector<double>(states, 1 / static_cast<double>(states - 1)));
  for (std::size_t i = 0; i < states; ++i) all[i][i] = 0;
  return all;
}

/// The states that can be reached from \p from, in any number of steps.
std::vector<bool> reachable(const matrix& transitions, std::size_t from) {
  std::vector<bool> reached(transitions.size());
  std::vector<std::size_t> open{from};
  reached[from] = true;
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    for (std::size_t j = 0; j < transitions.size(); ++j) {
      if (transitions[i][j] == 0 || reached[j]) continue;
      reached[j] = true;
      open.push_back(j);
    }
  }
  return reached;
}

/// \p rows with each row scaled to the sum 1.
matrix checked_transitions(matrix rows, std::size_t states) {
  if (rows.size() != states)
    reject("transitions has {} rows for {} states; give one row per state", rows.size(), states);
  for (std::size_t i = 0; i < states; ++i) {
    std::vector<double>& row = rows[i];
    if (row.size() != states)
      reject("row {} of transitions has {} probabilities for {} states; give one per state", i, row.size(), states);
    for (const double chance : row)
      if (!(chance >= 0 && chance <= 1)) reject("transitions must be probabilities from 0 to 1, not {}", chance);
    if (row[i] != 0)
      reject("row {} of transitions has {} for its own state; a visit lasts as durations specify, so write 0", i,
             row[i]);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (std::abs(sum - 1) > SumTolerance) reject("row {} of transitions has the sum {:g}; expected 1", i, sum);
    for (double& chance : row) chance /= sum;
  }
  for (std::size_t i = 0; i < states; ++i) {
    const std::vector<bool> reached = reachable(rows, i);
    const auto missing = std::find(reached.begin(), reached.end(), false);
    if (missing != reached.end())
      reject("state {} never follows state {}; add transitions such that each state can be reached from all others",
             missing - reached.begin(), i);
  }
  return rows;
}

/// The solution x of \p a x = \p b by elimination with the largest pivot of each column.
std::vector<double> solution_of(matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
  return b;
}

}  // namespace

markov_chain::markov_chain(const injection_parameters& p) {
  check_states(p);
  m_durations = p.durations;
  m_transitions = p.transitions.empty() ? uniform_transitions(states()) : checked_transitions(p.transitions, states());
  find_shares();
  double mean = 0;
  for (std::size_t i = 0; i < states(); ++i) mean += m_shares[i] * p.rates[i];
  for (const double rate : p.rates) m_factors.push_back(rate / mean);
}

/// The shares are those of the visits, weighted with the durations. Those of the visits follow by the algorithm of
/// Grassmann, Taksar and Heyman (1985), which subtracts nothing and therefore loses no precision.
void markov_chain::find_shares() {
  const std::size_t n = states();
  matrix p = m_transitions;
  for (std::size_t k = n - 1; k > 0; --k) {
    const double leaving = std::accumulate(p[k].begin(), p[k].begin() + static_cast<std::ptrdiff_t>(k), 0.0);
    for (std::size_t i = 0; i < k; ++i) {
      p[i][k] /= leaving;
      for (std::size_t j = 0; j < k; ++j) p[i][j] += p[i][k] * p[k][j];
    }
  }
  std::vector<double> visits(n, 1);
  double all_visits = 1;
  for (std::size_t k = 1; k < n; ++k) {
    visits[k] = 0;
    for (std::size_t i = 0; i < k; ++i) visits[k] += visits[i] * p[i][k];
    all_visits += visits[k];
  }
  double time = 0;
  for (std::size_t i = 0; i < n; ++i) time += visits[i] * m_durations[i];
  for (std::size_t i = 0; i < n; ++i) m_shares.push_back(visits[i] * m_durations[i] / time);
  m_mean_visit = time / all_visits;
}

double markov_chain::highest_factor() const { return *std::max_element(m_factors.begin(), m_factors.end()); }

/// Let f be the deviations of the factors from 1, and h the sum of P^k f over all k ≥ 0, where P has the probabilities
/// of one cycle. Then (I - P) h = f, so h_i = d_i f_i + Σ p_ij h_j, and the autocovariances have the sum Σ π_i f_i h_i.
/// A constant may be added to h, because the mean of f is 0; the last element of h is therefore set to 0.
double markov_chain::correlation_time() const {
  const std::size_t n = states() - 1;
  matrix a(n, std::vector<double>(n));
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = (i == j ? 1.0 : 0.0) - m_transitions[i][j];
    b[i] = m_durations[i] * (m_factors[i] - 1);
  }
  const std::vector<double> h = solution_of(std::move(a), std::move(b));
  double variance = 0, sum = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    const double deviation = m_factors[i] - 1;
    variance += m_shares[i] * deviation * deviation;
    if (i < n) sum += m_shares[i] * deviation * h[i];
  }
  constexpr double NoVariance = 1e-18;
  return variance > NoVariance ? std::max(0.0, sum / variance) : 0;
}

}  // namespace weft
