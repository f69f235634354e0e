// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/injection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/workload/markov_chain.h"

namespace weft {

namespace {

cycle_t later(cycle_t cycle, std::uint64_t by) { return by < Never - cycle ? cycle + by : Never; }

/// Mean pause between on periods in cycles; finite even if the load is tiny or 0.
double mean_pause(const injection_parameters& p) {
  constexpr double Forever = 1e18;
  return p.load > 0 ? std::min(Forever, p.mean_burst * (p.peak - p.load) / p.load) : Forever;
}

void check_periods(const injection_parameters& p) {
  if (!(p.peak >= p.load)) {
    throw std::invalid_argument(fmt::format(
        "injection {}: peak ({}) must be at least load ({}), which is its mean over time; raise peak or lower load",
        name_of(p.kind), p.peak, p.load));
  }
  if (p.kind == injection_kind::SelfSimilar && !(p.hurst > 0.5 && p.hurst < 1)) {
    throw std::invalid_argument(
        fmt::format("injection self_similar: hurst must be between 0.5 and 1, not {}", p.hurst));
  }
  constexpr double BelowRounding = 1 - 1e-9;
  const double least = least_mean_period(p);
  if (p.mean_burst >= least * BelowRounding && std::isfinite(p.mean_burst)) return;
  const std::string why =
      p.kind == injection_kind::SelfSimilar
          ? fmt::format("{:.4g} cycles with hurst {:g}, because the shortest burst has one cycle", least, p.hurst)
          : "1 cycle";
  throw std::invalid_argument(
      fmt::format("injection {}: mean_burst must be at least {}, not {}", name_of(p.kind), why, p.mean_burst));
}

const injection_parameters& checked(const injection_parameters& p, double mean_length) {
  if (!(p.load >= 0 && std::isfinite(p.load))) {
    throw std::invalid_argument(fmt::format("injection: load must be a number ≥ 0, not {}", p.load));
  }
  if (has_periods(p.kind)) check_periods(p);
  const double factor = p.kind == injection_kind::Mmpp ? markov_chain(p).highest_factor() : 1;
  const double highest = has_periods(p.kind) ? p.peak : p.load * factor;
  constexpr double Rounding = 1e-9;
  if (highest <= mean_length * (factor > 1 ? 1 + Rounding : 1)) return p;
  const std::string which = has_periods(p.kind) ? "peak" : "load";
  const std::string where = p.kind == injection_kind::Mmpp
                                ? fmt::format(" in one of its states, which a mean load of {:g} needs,", p.load)
                                : "";
  const std::string most =
      p.kind == injection_kind::Mmpp ? fmt::format("{:.6g}", mean_length / factor) : fmt::format("{}", mean_length);
  throw std::invalid_argument(fmt::format(
      "injection: a {} of {}{} with packets of {} flits on average needs {} packets per cycle, but a node creates at "
      "most one; lower {} to at most {} or send longer packets",
      which, highest, where, mean_length, highest / mean_length, where.empty() ? "it" : "the mean load", most));
}

/// Limits of a random number below which it selects 0, 1, …, with the probabilities \p chances, whose sum is 1.
std::vector<std::uint64_t> limits_of(const std::vector<double>& chances) {
  std::vector<std::uint64_t> limits;
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    sum += chances[i];
    limits.push_back(sum < 1 ? chance_limit(sum) : std::numeric_limits<std::uint64_t>::max());
    if (chances[i] > 0) last = i;
  }
  // Rounding may leave the sum below 1; the last possible choice then has the rest.
  std::fill(limits.begin() + static_cast<std::ptrdiff_t>(last), limits.end(),
            std::numeric_limits<std::uint64_t>::max());
  return limits;
}

std::uint8_t chosen(const std::vector<std::uint64_t>& limits, random_stream& random) {
  const std::uint64_t number = random.next();
  std::size_t i = 0;
  while (i + 1 < limits.size() && number >= limits[i]) ++i;
  return static_cast<std::uint8_t>(i);
}

}  // namespace

const char* name_of(injection_kind kind) {
  switch (kind) {
    case injection_kind::Bernoulli:
      return "bernoulli";
    case injection_kind::OnOff:
      return "on_off";
    case injection_kind::RequestReply:
      return "request_reply";
    case injection_kind::SelfSimilar:
      return "self_similar";
    case injection_kind::Mmpp:
      break;
  }
  return "mmpp";
}

double correlation_time(const injection_parameters& p) {
  if (p.kind == injection_kind::Mmpp) return markov_chain(p).correlation_time();
  if (!has_periods(p.kind) || p.load == 0 || p.load >= p.peak) return 0;
  return p.kind == injection_kind::SelfSimilar ? std::numeric_limits<double>::infinity()
                                               : p.mean_burst * (1 - p.load / p.peak);
}

injection_process::injection_process(const injection_parameters& parameters, double mean_length)
    : m_silent(checked(parameters, mean_length).load / mean_length == 0),
      m_on_off(!m_silent && has_periods(parameters.kind) && parameters.peak > parameters.load),
      m_start_on(m_on_off ? parameters.load / parameters.peak : 1),
      m_pause_chance(std::min(1.0, mean_pause(parameters) / least_mean_period(parameters))),
      m_gap(m_silent ? 1 : std::min(1.0, (m_on_off ? parameters.peak : parameters.load) / mean_length)),
      m_periods(m_on_off ? make_periods(parameters, parameters.mean_burst,
                                        std::max(least_mean_period(parameters), mean_pause(parameters)))
                         : nullptr) {
  if (!m_silent && parameters.kind == injection_kind::Mmpp) make_phases(parameters, mean_length);
}

/// At very low loads the chain would pass through a large number of states between two packets, which then hardly
/// depend on each other. The process is therefore Bernoulli if there are more than a million visits for each packet.
void injection_process::make_phases(const injection_parameters& parameters, double mean_length) {
  constexpr double LeastPerVisit = 1e-6;
  const markov_chain chain(parameters);
  const double chance = parameters.load / mean_length;
  if (chance * chain.mean_visit() < LeastPerVisit) return;
  std::vector<double> shares;
  for (std::size_t i = 0; i < chain.states(); ++i) {
    shares.push_back(chain.share(i));
    std::vector<double> next;
    for (std::size_t j = 0; j < chain.states(); ++j) next.push_back(chain.transition(i, j));
    const double here = std::min(1.0, chance * chain.factor(i));
    m_phases.push_back({here > 0 ? std::optional(geometric_distribution(here)) : std::nullopt,
                        geometric_distribution(1 / chain.duration(i)), limits_of(next)});
  }
  m_first = limits_of(shares);
}

injection_state injection_process::start(const random_stream& random) const {
  injection_state state{random};
  if (m_silent) return state;
  cycle_t from = 0;
  if (!m_phases.empty()) {
    state.phase = chosen(m_first, state.random);
    state.on_until = later(from, 1 + m_phases[state.phase].stay(state.random));
  } else if (m_on_off && state.random.chance(m_start_on)) {
    state.on_until = m_periods->rest_of_on(state.random);
  } else if (m_on_off) {
    from = m_periods->rest_of_off(state.random);
    state.on_until = later(from, m_periods->on(state.random));
  }
  find(state, from);
  return state;
}

void injection_process::find_beyond(injection_state& state, cycle_t from, std::uint64_t gap) const {
  while (gap >= state.on_until - from) {
    if (state.on_until == Never) {
      state.next = Never;
      return;
    }
    gap -= state.on_until - from;
    from = state.on_until;
    if (state.random.chance(m_pause_chance)) from = later(from, m_periods->off(state.random));
    state.on_until = later(from, m_periods->on(state.random));
  }
  state.next = from + gap;
}

/// A gap that ends after the visit to a state is drawn again in the next state. This is correct because the gaps of a
/// state are geometric: they have no memory.
void injection_process::find_in_phases(injection_state& state, cycle_t from) const {
  for (;;) {
    const phase& now = m_phases[state.phase];
    const std::uint64_t gap = now.gap ? (*now.gap)(state.random) : Never;
    if (gap < state.on_until - from) {
      state.next = from + gap;
      return;
    }
    if (state.on_until == Never) {
      state.next = Never;
      return;
    }
    from = state.on_until;
    state.phase = chosen(now.next, state.random);
    state.on_until = later(from, 1 + m_phases[state.phase].stay(state.random));
  }
}

}  // namespace weft
