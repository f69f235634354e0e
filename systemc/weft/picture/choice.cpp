// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/choice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"
#include "weft/picture/series.h"
#include "weft/study/design.h"
#include "weft/study/store.h"

namespace weft::experiment {

namespace {

/// All points, including those of collectives and replays in JSON, which are in no table.
std::vector<result_point> points_in(const stored_results& stored) {
  std::vector<result_point> points;
  for (const stored_table& table : stored.tables) points.insert(points.end(), table.points.begin(), table.points.end());
  for (const auto* results : {&stored.collectives, &stored.replays})
    for (const stored_result& result : *results)
      points.push_back(read_from(result, [&result] { return point_of(result.content); }));
  return points;
}

std::optional<std::string> value_in(const result_point& point, const std::string& name) {
  for (const auto* values : {&point.keys, &point.metrics})
    if (const auto found = values->find(name); found != values->end()) return found->second;
  return std::nullopt;
}

/// The values of \p name in \p points, without duplicates, sorted.
std::vector<std::string> values_in(const std::vector<result_point>& points, const std::string& name) {
  std::vector<std::string> values;
  for (const result_point& point : points)
    if (const auto value = value_in(point, name); value && !value->empty()) values.push_back(*value);
  std::sort(values.begin(), values.end(), value_before);
  values.erase(std::unique(values.begin(), values.end(), same_value), values.end());
  return values;
}

std::string list_of(const std::vector<std::string>& values, const char* between) {
  constexpr std::size_t MostValues = 12;
  if (values.size() <= MostValues) return fmt::format("{}", fmt::join(values, between));
  return fmt::format("{}{}… {} in all", fmt::join(values.begin(), values.begin() + MostValues, between), between,
                     values.size());
}

/// A selection: a key or column, and the allowed values.
using choice = std::pair<std::string, std::vector<std::string>>;

/// Checks that the points have the key or column and all values of \p requested. \throws configuration_error
void check_choice(const choice& requested, const stored_results& stored, const std::vector<result_point>& points) {
  const auto& [name, values] = requested;
  const std::vector<std::string> there = values_in(points, name);
  if (there.empty()) {
    std::map<std::string, int> names;
    for (const result_point& point : points)
      for (const auto* held : {&point.keys, &point.metrics})
        for (const auto& [key, value] : *held) ++names[key];
    std::vector<std::string> known;
    for (const auto& [key, count] : names) known.push_back(key);
    std::string hint = did_you_mean(name, known);
    if (const std::string all = choices_in(stored); hint.empty() && !all.empty()) hint = "; they differ in " + all;
    throw configuration_error({{"--where " + name, "the results have no such key or column" + hint}});
  }
  for (const std::string& value : values)
    if (std::none_of(there.begin(), there.end(), [&](const std::string& one) { return same_value(one, value); }))
      throw configuration_error({{fmt::format("--where {}={}", name, value),
                                  fmt::format("no result has this value, expected one of {}", list_of(there, ", "))}});
}

bool is_chosen(const result_point& point, const std::vector<choice>& choices) {
  return std::all_of(choices.begin(), choices.end(), [&point](const choice& requested) {
    const auto value = value_in(point, requested.first);
    return value && std::any_of(requested.second.begin(), requested.second.end(),
                                [&](const std::string& one) { return same_value(one, *value); });
  });
}

/// Keeps the elements of \p list for whose index \p keep returns true.
template <class Element, class Keep>
void keep_some(std::vector<Element>& list, const Keep& keep) {
  std::vector<Element> kept;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (keep(i)) kept.push_back(std::move(list[i]));
  list = std::move(kept);
}

/// Adds the complete results of the points of \p table, which must be a store, to \p found, and the points of runs to
/// \p runs.
void add_store(const stored_table& table, stored_results& found, stored_table& runs) {
  const std::vector<std::string> labels = point_labels({table});
  use_store(table.file, [&](point_store& store) {
    for (std::size_t i = 0; i < table.points.size(); ++i) {
      const std::optional<point_result> result = store.find(table.points[i].id);
      std::optional<json> content = result_in(result ? result->json : "");
      if (!content)
        throw damaged_store(fmt::format("the store {} is damaged: point {} has no valid result", table.file.string(),
                                        table.points[i].id));
      const std::size_t before = found.runs.size();
      add_result({table.file.string(), *std::move(content), labels[i]}, found);
      if (found.runs.size() > before) runs.points.push_back(table.points[i]);
    }
  });
}

}  // namespace

void choose_results(stored_results& stored, const std::vector<sweep_axis>& choices) {
  if (choices.empty()) return;
  std::vector<choice> requested;
  const std::vector<result_point> points = points_in(stored);
  for (const sweep_axis& axis : choices) {
    requested.emplace_back(axis.key, values_of(axis));
    check_choice(requested.back(), stored, points);
  }
  if (!stored.runs.empty())
    keep_some(stored.runs, [&](std::size_t i) { return is_chosen(stored.tables.back().points[i], requested); });
  for (stored_table& table : stored.tables)
    keep_some(table.points, [&](std::size_t i) { return is_chosen(table.points[i], requested); });
  keep_some(stored.tables, [&](std::size_t i) { return !stored.tables[i].points.empty(); });
  for (auto* results : {&stored.collectives, &stored.replays})
    keep_some(*results, [&](std::size_t i) { return is_chosen(point_of((*results)[i].content), requested); });
  if (stored.tables.empty() && stored.collectives.empty() && stored.replays.empty()) {
    std::vector<std::string> texts;
    for (const auto& [name, values] : requested)
      texts.push_back(fmt::format("--where {}={}", name, fmt::join(values, ",")));
    throw configuration_error(
        {{fmt::format("{}", fmt::join(texts, " ")), "no result matches all of these options; leave one out"}});
  }
}

void read_whole(stored_results& stored) {
  stored_table runs;
  if (!stored.runs.empty()) {
    runs = std::move(stored.tables.back());
    stored.tables.pop_back();
  }
  for (const stored_table& table : std::exchange(stored.tables, {})) add_store(table, stored, runs);
  if (!stored.runs.empty()) stored.tables.push_back(std::move(runs));
}

std::string choices_in(const stored_results& stored) {
  constexpr std::size_t MostKeys = 6;
  const std::vector<result_point> points = points_in(stored);
  std::map<std::string, int> keys;
  for (const result_point& point : points)
    for (const auto& [key, value] : point.keys)
      if (!within(key, "output")) ++keys[key];
  std::vector<std::string> choices;
  for (const auto& [key, count] : keys)
    if (const std::vector<std::string> values = values_in(points, key); values.size() > 1)
      choices.push_back(fmt::format("{}={}", key, list_of(values, ",")));
  if (choices.size() > MostKeys) choices.resize(MostKeys);
  return fmt::format("{}", fmt::join(choices, " and "));
}

}  // namespace weft::experiment
