// SPDX-License-Identifier: Apache-2.0
#include "weft/command/design_runs.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "weft/command/searched_loads.h"
#include "weft/core/diagnostic.h"
#include "weft/report/csv_rows.h"

namespace weft::experiment {

namespace {

setting set_to(const char* key, const std::string& value) {
  return {key, value, fmt::format("{} {}", key, value), PointLayer};
}

/// The column with the half width of the interval of \p column.
std::string half_width_of(const std::string& column) {
  constexpr const char* Mean = "_mean";
  const std::size_t at = column.rfind(Mean);
  const bool is_mean = at != std::string::npos && at + 5 == column.size();
  return (is_mean ? column.substr(0, at) : column) + "_half_width";
}

/// Whether the values of a run can be used: a latency requires that the network carries its load. A short run may be
/// too short to decide this.
bool is_usable(const study_row& row, bool has_latency, bool is_short) {
  const std::string& outcome = row.result.outcome;
  if (outcome == "complete")
    return is_short || !has_latency || carries_load(outcome, boolean_of(cell_text(row, "stationary")));
  if (outcome == "undecided") return is_short || !has_latency;
  return outcome == "saturated" && !has_latency;
}

/// Adds why the run cannot be used. Its distance is the share of the offered load that the network does not accept.
void add_fault(const study_row& row, design_result& to) {
  const point_result& r = row.result;
  const double offered = cell_number(row, "offered"), accepted = cell_number(row, "accepted");
  to.fault = r.outcome == "complete" ? "its latency is not stationary"
             : r.error.empty()       ? r.outcome
                                     : fmt::format("{}: {}", r.outcome, r.error);
  to.distance += 1 + (offered > 0 ? std::max(0., offered - accepted) / offered : 1);
}

}  // namespace

/// The settings of a run: those of the design, a seed, and shorter times. A run whose time is not given in cycles, such
/// as a collective, has no shorter form.
sweep_point design_runs::settings_of(const design_run& run) const {
  sweep_point settings = run.point;
  if (run.shorter == 1 && run.replicate == 0) return settings;
  const configuration c = m_in.load_unchecked(run.point);
  if (run.replicate > 0)
    settings.push_back(set_to("simulation.seed", std::to_string(c.simulation.seed + run.replicate)));
  if (run.shorter == 1) return settings;
  if (c.simulation.until) settings.push_back(set_to("simulation.until", "none"));
  if (c.simulation.warmup)
    settings.push_back(set_to("simulation.warmup", std::to_string(*c.simulation.warmup / run.shorter)));
  settings.push_back(
      set_to("simulation.measure", std::to_string(std::max<cycle_t>(1, c.simulation.measure / run.shorter))));
  return settings;
}

std::vector<design_result> design_runs::measure(const std::vector<design_run>& runs) {
  m_jobs.clear();
  m_owner.clear();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    m_jobs.push_back({&runs[i], settings_of(runs[i])});
    if (m_goals.needs(metric_source::Run)) {
      m_jobs[i].at_load = m_study.add(m_jobs[i].settings);
      m_owner[*m_jobs[i].at_load] = i;
    }
    if (!m_goals.needs(metric_source::Saturation)) continue;
    m_jobs[i].search.emplace(highest_load_to_try(m_in, runs[i].point, 1), m_width);
    begin_round(i);
  }
  m_study.run([this](std::size_t number) {
    if (const auto owner = m_owner.find(number); owner != m_owner.end()) end_round_if_complete(owner->second);
  });
  std::vector<design_result> results;
  for (const job& j : m_jobs) results.push_back(result_of(j));
  return results;
}

void design_runs::begin_round(std::size_t i) {
  job& j = m_jobs[i];
  j.round.clear();
  for (const load_question& q : j.search->next()) {
    if (q.again) continue;  // a search over designs does not repeat the bounds
    sweep_point settings = j.settings;
    settings.push_back(set_to(LoadKey, fmt::format("{:.10g}", q.load)));
    const std::size_t number = m_study.add(settings);
    j.numbers[q.load] = number;
    m_owner[number] = i;
    j.round.push_back(q);
  }
}

void design_runs::end_round_if_complete(std::size_t i) {
  job& j = m_jobs[i];
  const auto has_answer = [&](const load_question& q) { return !row(j.numbers.at(q.load)).result.outcome.empty(); };
  if (j.round.empty() || !std::all_of(j.round.begin(), j.round.end(), has_answer)) return;
  std::vector<load_answer> answers;
  for (const load_question& q : j.round) {
    const study_row& r = row(j.numbers.at(q.load));
    const bool is_short = j.run->shorter > 1;
    const bool carried = is_short ? r.result.outcome == "complete" || r.result.outcome == "undecided"
                                  : carries_load(r.result.outcome, boolean_of(cell_text(r, "stationary")));
    answers.push_back({q.load, carried, cell_number(r, "latency_mean"), false, false});
  }
  j.search->take(answers);
  begin_round(i);
}

void design_runs::add_run(const job& j, design_result& to) const {
  const study_row& r = row(*j.at_load);
  if (!is_usable(r, m_goals.has_latency(), j.run->shorter > 1)) add_fault(r, to);
  const std::map<std::string, std::string> columns = columns_of(r.result);
  const auto number_in = [&columns](const std::string& name) {
    const auto at = columns.find(name);
    return at == columns.end() ? std::nullopt : parse_number<double>(at->second);
  };
  for (const std::string& metric : m_goals.metrics())
    if (source_of(metric) == metric_source::Run)
      if (const std::optional<double> value = number_in(metric))
        to.measured[metric] = {*value, number_in(half_width_of(metric))};
}

/// The saturation load is between both bounds of the search, apart from the uncertainty of the run at the upper bound.
void design_runs::add_saturation(const job& j, design_result& to) const {
  const double low = j.search->low();
  const std::optional<double> high = j.search->high();
  std::optional<double> half_width = 0;
  if (high) {
    const study_row& above = row(j.numbers.at(*high));
    const run_uncertainty known = run_uncertainty_of(above);
    half_width = load_uncertainty(known, known.growing > 0 ? known.growing : static_cast<double>(known.nodes));
    if (half_width) *half_width += *high - low;
    if (above.result.json.empty()) add_fault(above, to);
  }
  to.measured["saturation"] = {low, half_width};
}

design_result design_runs::result_of(const job& j) const {
  design_result result;
  result.cost = static_cast<double>(j.numbers.size() + (j.at_load ? 1 : 0)) / j.run->shorter;
  if (j.at_load) add_run(j, result);
  if (j.search) add_saturation(j, result);
  return result;
}

}  // namespace weft::experiment
