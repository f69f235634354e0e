// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/goals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"
#include "weft/report/other_statistics.h"
#include "weft/report/run_statistics.h"
#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

namespace {

constexpr std::array<const char*, 5> OfNetwork = {"area", "clock", "static_power", "ideal_throughput",
                                                  "zero_load_latency"};
constexpr std::array<const char*, 5> UnitsOfNetwork = {"mm²", "GHz", "mW", "flits/node/cycle", "cycles"};
constexpr const char* SaturationName = "saturation";
constexpr const char* SaturationUnit = "flits/node/cycle";
/// Columns of results that are not quantities.
constexpr std::array<const char*, 6> NoQuantities = {"name", "outcome", "stationary", "seed", "error", "program"};

bool begins_with(const std::string& text, std::string_view start) { return text.compare(0, start.size(), start) == 0; }

/// Calls use(column, unit) for the columns of all kinds of results.
template <class Use>
void for_each_column(Use use) {
  const auto add = [&use](const statistic_declaration& s) {
    for (const csv_column& column : s.columns) use(column.name, s.unit);
  };
  for (const statistic_declaration& s : run_statistics().statistics()) add(s);
  for (const statistic_declaration& s : collective_declarations().statistics) add(s);
  for (const statistic_declaration& s : replay_declarations().statistics) add(s);
}

/// The columns that are quantities.
std::vector<std::string> quantities() {
  std::vector<std::string> names;
  for_each_column([&names](const std::string& column, const std::string&) {
    if (std::find(NoQuantities.begin(), NoQuantities.end(), column) == NoQuantities.end()) names.push_back(column);
  });
  return names;
}

bool needs_technology(const std::string& metric) {
  return metric == "area" || metric == "clock" || metric == "static_power" || begins_with(metric, "energy") ||
         metric == "power" || metric == "reached_clock";
}

/// Why a design of \p c has no \p metric; empty if it may have one.
std::string fault_of(const configuration& c, const std::string& metric) {
  std::vector<std::string> names = quantities();
  const bool of_group = begins_with(metric, "traffic_") || begins_with(metric, "class_");
  names.emplace_back(SaturationName);
  names.insert(names.end(), OfNetwork.begin(), OfNetwork.end());
  if (!of_group && std::find(names.begin(), names.end(), metric) == names.end()) {
    const std::string mean = metric + "_mean";
    const bool has_mean = std::find(names.begin(), names.end(), mean) != names.end();
    const std::string hint = did_you_mean(has_mean ? mean : metric, names);
    return "there is no such statistic" +
           (hint.empty() ? fmt::format("; expected {}, {} or a numeric column of `weft schema --statistics`",
                                       fmt::join(OfNetwork, ", "), SaturationName)
                         : hint);
  }
  if (needs_technology(metric) && !c.output.energy.enabled())
    return "needs a technology; set output.energy, as in output.energy: asap7";
  const bool flows = !c.collective.algorithm && c.workload.trace.empty();
  if (metric == SaturationName && !(flows && has_load(c.workload)))
    return "needs traffic whose load can be varied; name another statistic, such as cycles or makespan";
  if ((metric == "zero_load_latency" || metric == "ideal_throughput") && !(flows && has_pattern(c)))
    return "needs traffic with a pattern; name another statistic";
  return "";
}

void check_metric(const configuration& c, const std::string& key, const std::string& metric) {
  if (const std::string fault = fault_of(c, metric); !fault.empty())
    throw configuration_error({{c.where(key), fmt::format("{}: {}: {}", key, in_quotes(metric), fault)}});
}

constraint constraint_in(const configuration& c, const std::string& text) {
  constexpr const char* Key = "explore.constraints";
  const std::size_t at = text.find_first_of("<>");
  const auto trimmed = [](const std::string& part) {
    const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : part.substr(first, last - first + 1);
  };
  const std::string metric = trimmed(text.substr(0, std::min(at, text.size())));
  const bool has_form = at != std::string::npos && at + 1 < text.size() && text[at + 1] == '=' && !metric.empty();
  const std::optional<double> limit =
      has_form ? parse_number<double>(trimmed(text.substr(at + 2))) : std::optional<double>();
  if (!limit || !std::isfinite(*limit))
    throw configuration_error(
        {{c.where(Key),
          fmt::format("{}: expected STATISTIC <= NUMBER or STATISTIC >= NUMBER, as in area <= 0.5, got {}", Key,
                      in_quotes(text))}});
  check_metric(c, Key, metric);
  return {metric, text[at] == '>', *limit};
}

double distance(double value, double limit) { return std::abs(value - limit) / (limit == 0 ? 1 : std::abs(limit)); }

/// The excess of a value beyond the limit of \p c; 0 if it keeps the limit.
double excess(const constraint& c, double value) {
  const bool kept = c.at_least ? value >= c.limit : value <= c.limit;
  return kept ? 0 : distance(value, c.limit);
}

/// The value within \p known that is best for \p c.
double best_for(const constraint& c, const metric_bounds& known) {
  const auto at = known.find(c.metric);
  const bounds b = at == known.end() ? bounds{} : at->second;
  return c.at_least ? b.most : b.least;
}

/// The violation of \p c by \p value. \p qualifier, such as "at least ", precedes the value. Both numbers have
/// enough digits to differ.
std::string violation_text(const constraint& c, double value, const char* qualifier = "") {
  constexpr int MostDigits = 17;
  std::string shown, limit;
  for (int digits = 4; digits <= MostDigits && shown == limit; ++digits) {
    shown = fmt::format("{:.{}g}", value, digits);
    limit = fmt::format("{:.{}g}", c.limit, digits);
  }
  return fmt::format("{} {}{} {} {}", c.metric, qualifier, shown, c.at_least ? '<' : '>', limit);
}

}  // namespace

metric_source source_of(const std::string& metric) {
  if (metric == SaturationName) return metric_source::Saturation;
  return std::find(OfNetwork.begin(), OfNetwork.end(), metric) != OfNetwork.end() ? metric_source::Network
                                                                                  : metric_source::Run;
}

std::string unit_of(const std::string& metric) {
  if (metric == SaturationName) return SaturationUnit;
  if (const auto at = std::find(OfNetwork.begin(), OfNetwork.end(), metric); at != OfNetwork.end())
    return UnitsOfNetwork[static_cast<std::size_t>(at - OfNetwork.begin())];
  std::string found;
  for_each_column([&](const std::string& column, const std::string& unit) {
    if (found.empty() && column == metric) found = unit;
  });
  return found;
}

std::vector<std::string> search_goals::metrics() const {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const objective& o : objectives) add(o.metric);
  for (const constraint& c : constraints) add(c.metric);
  return names;
}

bool search_goals::needs(metric_source source) const {
  const std::vector<std::string> all = metrics();
  return std::any_of(all.begin(), all.end(), [source](const std::string& name) { return source_of(name) == source; });
}

bool search_goals::has_latency() const {
  const std::vector<std::string> all = metrics();
  return std::any_of(all.begin(), all.end(), [](const std::string& name) {
    return source_of(name) == metric_source::Run && name.find("latency") != std::string::npos;
  });
}

costs search_goals::costs_of(const figures& known) const {
  costs all;
  for (const objective& o : objectives) all.push_back((o.larger ? -1 : 1) * known.at(o.metric).value);
  return all;
}

costs search_goals::least_costs(const metric_bounds& known) const {
  costs all;
  for (const objective& o : objectives) {
    const auto at = known.find(o.metric);
    const bounds b = at == known.end() ? bounds{} : at->second;
    all.push_back(o.larger ? -b.most : b.least);
  }
  return all;
}

double search_goals::violation(const figures& known) const {
  double sum = 0;
  for (const constraint& c : constraints)
    if (const auto at = known.find(c.metric); at != known.end()) sum += excess(c, at->second.value);
  return sum;
}

double search_goals::least_violation(const metric_bounds& known) const {
  double sum = 0;
  for (const constraint& c : constraints) sum += excess(c, best_for(c, known));
  return sum;
}

std::string search_goals::violated(const figures& known) const {
  for (const constraint& c : constraints)
    if (const auto at = known.find(c.metric); at != known.end() && excess(c, at->second.value) > 0)
      return violation_text(c, at->second.value);
  return "";
}

std::string search_goals::violated(const metric_bounds& known) const {
  for (const constraint& c : constraints)
    if (const double best = best_for(c, known); excess(c, best) > 0) {
      const bounds& b = known.at(c.metric);
      return violation_text(c, best, b.least == b.most ? "" : c.at_least ? "at most " : "at least ");
    }
  return "";
}

search_goals goals_of(const configuration& c) {
  search_goals goals;
  std::set<std::string> seen;
  const auto add = [&](const char* key, const std::vector<std::string>& names, bool larger) {
    for (const std::string& name : names) {
      check_metric(c, key, name);
      if (!seen.insert(name).second)
        throw configuration_error(
            {{c.where(key), fmt::format("{}: {} is already an objective; name it once", key, in_quotes(name))}});
      goals.objectives.push_back({name, larger});
    }
  };
  add("explore.minimize", c.explore.minimize, false);
  add("explore.maximize", c.explore.maximize, true);
  if (goals.objectives.empty())
    throw configuration_error(
        {{c.where("explore"),
          "there is no objective; list statistics in explore.minimize or explore.maximize, as in minimize: "
          "[latency_mean, area]"}});
  for (const std::string& text : c.explore.constraints) goals.constraints.push_back(constraint_in(c, text));
  return goals;
}

bool dominates(const costs& a, const costs& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better |= a[i] < b[i];
  }
  return better;
}

std::size_t dominators(const costs& one, const std::vector<costs>& others) {
  return static_cast<std::size_t>(
      std::count_if(others.begin(), others.end(), [&one](const costs& other) { return dominates(other, one); }));
}

}  // namespace weft::experiment
