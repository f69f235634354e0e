// SPDX-License-Identifier: Apache-2.0
/// The Markov chain that modulates the load of a node: 2 to 8 states, each with a relative rate and a mean duration.
///
/// The chain stays in state i for 1, 2, … cycles, with a geometric distribution and the mean d_i, and then moves to
/// another state j with the probability p_ij. So it is a Markov chain in discrete time, and the packets of a node with
/// a probability in each state are a Markov-modulated Bernoulli process, the discrete form of the Markov-modulated
/// Poisson process (Fischer, Meier-Hellstern 1993).
#pragma once

#include <vector>

#include "weft/workload/parameters.h"

namespace weft {

inline constexpr std::size_t MaxModulationStates = 8;

class markov_chain {
 public:
  /// \throws std::invalid_argument unless \p parameters has 2 to MaxModulationStates rates ≥ 0, one above 0, as many
  /// durations ≥ 1 and, if it has transitions, a row for each state: probabilities with the sum 1, 0 for the state
  /// itself, such that every state can be reached from every other one
  explicit markov_chain(const injection_parameters& parameters);

  std::size_t states() const { return m_durations.size(); }
  double duration(std::size_t state) const { return m_durations[state]; }
  /// p_ij, the probability that state \p j follows state \p i.
  double transition(std::size_t i, std::size_t j) const { return m_transitions[i][j]; }
  /// The share of time that the chain spends in \p state.
  double share(std::size_t state) const { return m_shares[state]; }
  /// The rate of \p state, divided by the mean rate over time.
  double factor(std::size_t state) const { return m_factors[state]; }
  /// The largest factor.
  double highest_factor() const;
  /// The mean duration of a visit to a state, in cycles.
  double mean_visit() const { return m_mean_visit; }
  /// The sum of the autocorrelations of the rate over all lags from 0 on, in cycles; 0 if all rates are equal.
  double correlation_time() const;

 private:
  void find_shares();

  std::vector<double> m_durations, m_shares, m_factors;
  std::vector<std::vector<double>> m_transitions;
  double m_mean_visit = 1;
};

}  // namespace weft
