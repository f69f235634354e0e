// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/injection.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace weft {

namespace {

cycle_t later(cycle_t cycle, std::uint64_t by) { return by < Never - cycle ? cycle + by : Never; }

/// Mean pause between on periods in cycles; finite even if the load is tiny or 0.
double mean_pause(const injection_parameters& p) {
  constexpr double Forever = 1e18;
  return p.load > 0 ? std::min(Forever, p.mean_burst * (p.peak - p.load) / p.load) : Forever;
}

const injection_parameters& checked(const injection_parameters& p, double mean_length) {
  const bool on_off = p.kind == injection_kind::OnOff;
  if (!(p.load >= 0 && std::isfinite(p.load))) {
    throw std::invalid_argument(fmt::format("injection: load must be a number ≥ 0, not {}", p.load));
  }
  if (on_off && !(p.peak >= p.load)) {
    throw std::invalid_argument(fmt::format(
        "injection on_off: peak ({}) must be at least load ({}), which is its mean over time; raise peak or lower load",
        p.peak, p.load));
  }
  if (on_off && !(p.mean_burst >= 1 && std::isfinite(p.mean_burst))) {
    throw std::invalid_argument(
        fmt::format("injection on_off: mean_burst must be at least 1 cycle, not {}", p.mean_burst));
  }
  const double highest = on_off ? p.peak : p.load;
  if (!(highest <= mean_length)) {
    throw std::invalid_argument(
        fmt::format("injection: a {} of {} with packets of {} flits on average needs {} packets per cycle, but a node "
                    "creates at most one; lower it to at most {} or send longer packets",
                    on_off ? "peak" : "load", highest, mean_length, highest / mean_length, mean_length));
  }
  return p;
}

}  // namespace

double correlation_time(const injection_parameters& p) {
  const bool on_off = p.kind == injection_kind::OnOff && p.peak > p.load;
  return on_off ? p.mean_burst * (1 - p.load / p.peak) : 0;
}

injection_process::injection_process(const injection_parameters& parameters, double mean_length)
    : m_silent(checked(parameters, mean_length).load / mean_length == 0),
      m_on_off(!m_silent && parameters.kind == injection_kind::OnOff && parameters.peak > parameters.load),
      m_start_on(m_on_off ? parameters.load / parameters.peak : 1),
      m_pause_chance(std::min(1.0, mean_pause(parameters))),
      m_gap(m_silent ? 1 : (m_on_off ? parameters.peak : parameters.load) / mean_length),
      m_periods(m_on_off ? std::make_unique<const periods>(
                               periods{geometric_distribution(1 / parameters.mean_burst),
                                       geometric_distribution(1 / std::max(1.0, mean_pause(parameters)))})
                         : nullptr) {}

injection_state injection_process::start(const random_stream& random) const {
  injection_state state{random};
  if (m_silent) return state;
  cycle_t from = 0;
  if (m_on_off) {
    if (!state.random.chance(m_start_on)) from = pause(state.random);
    state.on_until = later(from, 1 + m_periods->burst(state.random));
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
    if (state.random.chance(m_pause_chance)) from = later(from, pause(state.random));
    state.on_until = later(from, 1 + m_periods->burst(state.random));
  }
  state.next = from + gap;
}

}  // namespace weft
