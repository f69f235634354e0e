// SPDX-License-Identifier: Apache-2.0
#include "weft/command/explore_results.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/report/format.h"
#include "weft/report/text_columns.h"
#include "weft/study/table.h"

namespace weft::experiment {

namespace {

/// \p value with four significant digits, or as many as its interval justifies.
std::string figure_text(const figure& f) {
  if (!f.half_width) return fmt::format("{:.4g}", f.value);
  if (*f.half_width == 0) return fmt::format("{:.4g}", f.value);
  const double decimals = std::clamp(1 - std::floor(std::log10(*f.half_width)), 0., 6.);
  return plus_minus(f.value, f.half_width, static_cast<int>(decimals));
}

std::string short_settings(const sweep_point& point) {
  std::vector<std::string> keys, parts;
  for (const setting& s : point) keys.push_back(s.key);
  const std::vector<std::string> titles = column_titles(keys);
  for (std::size_t i = 0; i < point.size(); ++i) parts.push_back(fmt::format("{}={}", titles[i], point[i].value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

csv_table::cells cells_of(const explored_space& e, std::size_t number, const std::vector<std::size_t>& front) {
  const explored_design& d = e.search.designs()[number];
  const bool on_front = std::find(front.begin(), front.end(), number) != front.end();
  csv_table::cells cells;
  cells.emplace_back("design", std::to_string(number));
  for (const setting& s : d.point) cells.emplace_back(s.key, s.value);
  cells.emplace_back("stage", name_of(d.stage));
  cells.emplace_back("front", on_front ? "true" : "false");
  cells.emplace_back("confidence",
                     on_front ? name_of(confidence_of(e.search.designs(), number, e.goals)) : std::string());
  for (const std::string& metric : e.goals.metrics()) {
    const auto known = d.known.find(metric);
    const bool has_interval = known != d.known.end() && known->second.half_width;
    cells.emplace_back(metric, known == d.known.end() ? "" : fmt::format("{}", known->second.value));
    cells.emplace_back(metric + "_half_width", has_interval ? fmt::format("{}", *known->second.half_width) : "");
  }
  cells.emplace_back("name", e.base.output.name);
  cells.emplace_back("outcome", d.competes() ? "complete" : name_of(d.stage));
  cells.emplace_back("error", d.fault);
  return cells;
}

json settings_json(const sweep_point& point) {
  json settings = json::object();
  for (const setting& s : point) settings[s.key] = s.value;
  return settings;
}

json figures_json(const explored_space& e, const explored_design& d) {
  json all = json::object();
  for (const std::string& metric : e.goals.metrics()) {
    const auto known = d.known.find(metric);
    if (known == d.known.end()) continue;
    const std::optional<double>& half_width = known->second.half_width;
    all[metric] = {{"value", known->second.value}, {"half_width", half_width ? json(*half_width) : json()}};
  }
  return all;
}

/// The values of the objectives, in their order.
json objectives_json(const explored_space& e, const explored_design& d) {
  json values = json::array();
  for (const objective& o : e.goals.objectives) values.push_back(d.known.at(o.metric).value);
  return values;
}

/// The costs of the designs on the front.
std::vector<costs> costs_on(const explored_space& e) {
  std::vector<costs> all;
  for (const std::size_t i : e.search.front()) all.push_back(e.search.designs()[i].cost);
  return all;
}

json goals_json(const search_goals& goals) {
  json objectives = json::array(), constraints = json::array();
  for (const objective& o : goals.objectives)
    objectives.push_back(
        {{"statistic", o.metric}, {"unit", unit_of(o.metric)}, {"better", o.larger ? "larger" : "smaller"}});
  for (const constraint& c : goals.constraints)
    constraints.push_back(fmt::format("{} {} {}", c.metric, c.at_least ? ">=" : "<=", c.limit));
  return {{"objectives", std::move(objectives)}, {"constraints", std::move(constraints)}};
}

/// The number of designs at each stage.
std::array<std::size_t, 5> counts_of(const explored_space& e) {
  std::array<std::size_t, 5> counts{};
  for (const explored_design& d : e.search.designs()) ++counts[static_cast<std::size_t>(d.stage)];
  return counts;
}

/// How \p a compares with its design, as in "area 0.9 instead of 1.2 (25 % less)".
std::string advantage_text(const advantage& a) {
  if (a.of_member == a.of_design) return fmt::format("{} {:.4g} as well", a.metric, a.of_member);
  const double change = 100 * std::abs(a.of_member - a.of_design) / std::max(std::abs(a.of_design), 1e-12);
  return fmt::format("{} {:.4g} instead of {:.4g} ({:.1f} % {})", a.metric, a.of_member, a.of_design, change,
                     a.of_member < a.of_design ? "less" : "more");
}

/// A line that states how many designs on the front have fewer runs than requested; empty if there is none.
std::string repetition_text(const explored_space& e, const std::vector<std::size_t>& front) {
  const auto is_single = [&e](std::size_t i) { return e.search.designs()[i].runs < e.limits.replicates; };
  const auto single = std::count_if(front.begin(), front.end(), is_single);
  return single == 0 ? ""
                     : fmt::format(
                           "  The budget was used up before {} of the {} designs on the front were repeated "
                           "with other seeds; raise explore.budget.\n",
                           single, front.size());
}

bool is_on(const explored_space& e, const explored_design& design) {
  const auto same = [&](std::size_t i) {
    return settings_text(e.search.designs()[i].point) == settings_text(design.point);
  };
  const std::vector<std::size_t> front = e.search.front();
  return std::any_of(front.begin(), front.end(), same);
}

}  // namespace

std::string explore_csv(const explored_space& e) {
  csv_table table;
  const std::vector<std::size_t> front = e.search.front();
  for (std::size_t i = 0; i < e.search.designs().size(); ++i) table.add(cells_of(e, i, front));
  return table.text();
}

json explore_json(const explored_space& e, const json& why) {
  json front = json::array();
  for (const std::size_t i : e.search.front()) {
    const explored_design& d = e.search.designs()[i];
    front.push_back({{"design", i},
                     {"settings", settings_json(d.point)},
                     {"statistics", figures_json(e, d)},
                     {"runs", d.runs},
                     {"confidence", name_of(confidence_of(e.search.designs(), i, e.goals))}});
  }
  json others = json::array();
  const std::vector<costs> best = costs_on(e);
  for (const explored_design& d : e.search.designs())
    if (d.competes() && dominators(d.cost, best) > 0) others.push_back(objectives_json(e, d));
  const std::array<std::size_t, 5> counts = counts_of(e);
  json stages = json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) stages[name_of(static_cast<design_stage>(i))] = counts[i];
  json root = goals_json(e.goals);
  root.update({{"weft", version()},
               {"name", e.base.output.name},
               {"interrupted", e.is_interrupted},
               {"space", e.space.size()},
               {"method", e.limits.method == explore_method::Random ? "random" : "nsga2"},
               {"seed", e.limits.seed},
               {"budget", e.limits.budget},
               {"spent", e.search.spent()},
               {"designs", std::move(stages)},
               {"front", std::move(front)},
               {"others", std::move(others)},
               {"configuration", to_json(e.base)}});
  if (!why.is_null()) root["why"] = why;
  return root;
}

std::string explore_table(const explored_space& e) {
  const std::vector<explored_design>& designs = e.search.designs();
  const std::vector<std::size_t> front = e.search.front();
  const std::array<std::size_t, 5> counts = counts_of(e);
  text_columns table(0);
  std::vector<std::string> keys;
  if (!front.empty())
    for (const setting& s : designs[front.front()].point) keys.push_back(s.key);
  std::vector<std::string> head = column_titles(keys);
  for (const std::string& metric : e.goals.metrics()) head.push_back(metric);
  head.emplace_back("confidence");
  if (!front.empty()) table.row(head);
  for (const std::size_t i : front) {
    std::vector<std::string> row;
    for (const setting& s : designs[i].point) row.push_back(printable(s.value));
    for (const std::string& metric : e.goals.metrics()) row.push_back(figure_text(designs[i].known.at(metric)));
    row.emplace_back(name_of(confidence_of(designs, i, e.goals)));
    table.row(std::move(row));
  }
  return fmt::format(
      "{}: {} of {:.0f} designs are on the front\n\n{}\n"
      "  The search proposed {} designs: {} infeasible, {} excluded without simulation, {} unmeasured, {} simulated "
      "only "
      "shortly, {} measured.\n"
      "  It spent {} of {:.0f} runs.\n{}",
      printable(e.base.output.name), front.size(), e.space.size(), table.text(), designs.size(), counts[0], counts[1],
      counts[2], counts[3], counts[4], std::round(e.search.spent() * 100) / 100, e.limits.budget,
      repetition_text(e, front));
}

std::string why_text(const explored_space& e, const explored_design& design) {
  std::string text = fmt::format("  Why not {}?\n", printable(short_settings(design.point)));
  if (!design.fault.empty()) return text + fmt::format("  It cannot be on the front: {}.\n", printable(design.fault));
  std::vector<std::string> values;
  for (const std::string& metric : e.goals.metrics())
    values.push_back(fmt::format("{} {}", metric, figure_text(design.known.at(metric))));
  text += fmt::format("  Its values are {}.\n", fmt::join(values, ", "));
  const std::vector<std::size_t> front = e.search.front();
  const std::vector<dominance> found = dominators_of(design, e.search.designs(), front, e.goals);
  if (found.empty())
    return text + (is_on(e, design)
                       ? "  It is on the front.\n"
                       : "  No design on the front is better: it would be on the front, but the search has "
                         "not measured it.\n");
  text += fmt::format(
      "  {} better, for example\n    {}\n",
      found.size() == 1 ? "1 design on the front is" : fmt::format("{} designs on the front are", found.size()),
      printable(short_settings(e.search.designs()[found.front().member].point)));
  for (const advantage& a : found.front().in_objectives) text += fmt::format("    {}\n", advantage_text(a));
  return text;
}

json why_json(const explored_space& e, const explored_design& design) {
  json better = json::array();
  for (const dominance& d : dominators_of(design, e.search.designs(), e.search.front(), e.goals)) {
    json gains = json::object();
    for (const advantage& a : d.in_objectives) gains[a.metric] = {{"member", a.of_member}, {"design", a.of_design}};
    better.push_back({{"design", d.member}, {"objectives", std::move(gains)}});
  }
  return {{"settings", settings_json(design.point)},
          {"stage", name_of(design.stage)},
          {"statistics", figures_json(e, design)},
          {"fault", design.fault},
          {"on_front", is_on(e, design)},
          {"dominated_by", std::move(better)}};
}

}  // namespace weft::experiment
