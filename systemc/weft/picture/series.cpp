// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/report/text_columns.h"
#include "weft/simulation/estimation.h"

namespace weft::experiment {

namespace {

using key_values = std::map<std::string, std::string>;

constexpr const char* Seed = "simulation.seed";

/// The keys that identify \p point: all but those of section `output` and those in \p left_out.
key_values identity(const result_point& point, const std::set<std::string>& left_out) {
  key_values kept;
  for (const auto& [name, value] : point.keys)
    if (left_out.count(name) == 0 && !within(name, "output")) kept[name] = value;
  return kept;
}

/// The keys whose values differ between the elements of \p list.
std::set<std::string> varying_keys(const std::vector<key_values>& list) {
  std::set<std::string> names, varying;
  for (const key_values& keys : list)
    for (const auto& [name, value] : keys) names.insert(name);
  for (const std::string& name : names) {
    std::set<std::string> values;
    for (const key_values& keys : list) values.insert(keys.count(name) > 0 ? keys.at(name) : "");
    if (values.size() > 1) varying.insert(name);
  }
  return varying;
}

/// The short name of a key for labels: "vcs" for network.router.vcs, "topology" for network.topology.kind.
std::string short_name(const std::string& key) {
  const std::string last = name_of(key);
  return last == "kind" || last == "algorithm" ? name_of(parent_of(key)) : last;
}

/// Those of \p keys that \p shown contains, with their values: "vcs = 4, depth = 8".
std::string text_of(const key_values& keys, const std::set<std::string>& shown) {
  std::map<std::string, int> used;
  for (const std::string& key : shown) ++used[short_name(key)];
  std::vector<std::string> parts;
  for (const auto& [name, value] : keys)
    if (shown.count(name) > 0)
      parts.push_back(fmt::format("{} = {}", used[short_name(name)] > 1 ? name : short_name(name), value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The texts of all elements of \p list, see text_of().
std::vector<std::string> texts_of(const std::vector<key_values>& list, const std::set<std::string>& shown) {
  std::vector<std::string> texts;
  for (const key_values& keys : list) texts.push_back(text_of(keys, shown));
  return texts;
}

std::size_t different(const std::vector<std::string>& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size();
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t letters = 0;
  for (const std::string& text : texts) letters = std::max(letters, letters_of(text));
  return letters;
}

/// A subset of \p keys that distinguishes as many elements of \p list as all of \p keys do. Keys that distinguish more
/// elements are preferred.
std::set<std::string> distinguishing_keys(const std::vector<key_values>& list, const std::set<std::string>& keys) {
  const std::size_t all = different(texts_of(list, keys));
  std::set<std::string> chosen;
  for (std::size_t labelled = 1; labelled < all;) {
    std::string best;
    std::size_t most = 0;
    for (const std::string& key : keys) {
      std::set<std::string> tried = chosen;
      if (!tried.insert(key).second) continue;
      if (const std::size_t apart = different(texts_of(list, tried)); apart > most) {
        most = apart;
        best = key;
      }
    }
    chosen.insert(best);
    labelled = most;
  }
  return chosen;
}

/// A label for each element of \p list, whose experiments have the names \p names.
std::vector<std::string> labels_of(const std::vector<key_values>& list, const std::vector<std::string>& names) {
  constexpr std::size_t MostKeys = 3, MostOfLabel = 60;
  const std::set<std::string> varying = varying_keys(list);
  const std::vector<std::string> labels = texts_of(list, varying);
  const bool are_distinct = different(labels) == labels.size();
  const bool names_are_short = varying.size() > MostKeys && longest(names) <= MostOfLabel;
  if (different(names) == names.size() && (names_are_short || !are_distinct)) return names;
  return longest(labels) <= MostOfLabel ? labels : texts_of(list, distinguishing_keys(list, varying));
}

/// Puts the name of the experiment before the label if there are several tables.
std::string with_table(const std::vector<stored_table>& tables, const stored_table& table, const std::string& label) {
  if (tables.size() < 2 || table.label.empty()) return label;
  return label.empty() ? table.label : fmt::format("{}: {}", table.label, label);
}

/// Points that form one sample.
using replicates = std::vector<const result_point*>;

/// The half width of the 95 % interval of the mean of independent \p values. Nothing if all values are equal, because
/// then the seed has no effect on the runs, and they are not independent.
std::optional<double> half_width_of(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return std::nullopt;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (squares == 0) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  return student_t(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
}

std::optional<sample> sample_of(const replicates& points, const curve_columns& columns) {
  std::vector<double> y;
  double x = 0;
  for (const result_point* point : points) {
    const auto at = point->number(columns.x), value = point->number(columns.y);
    if (!at || !value || (columns.settled_only && !point->settled())) return std::nullopt;
    x += *at;
    y.push_back(*value);
  }
  const auto count = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  sample made{x / count, mean, half_width_of(y, mean)};
  if (points.size() == 1 && !columns.y_half_width.empty()) made.half_width = points[0]->number(columns.y_half_width);
  return made;
}

/// The points of one curve.
struct curve_points {
  key_values keys;
  std::vector<std::string> names;  ///< names of the experiments, without duplicates
  std::map<key_values, replicates> samples;
};

std::vector<curve_points> curves_of(const stored_table& table, const std::set<std::string>& on_x) {
  std::vector<curve_points> curves;
  for (const result_point& point : table.points) {
    const key_values keys = identity(point, on_x);
    auto curve = std::find_if(curves.begin(), curves.end(), [&](const curve_points& c) { return c.keys == keys; });
    if (curve == curves.end()) curve = curves.insert(curve, {keys, {}, {}});
    if (std::count(curve->names.begin(), curve->names.end(), point.name) == 0) curve->names.push_back(point.name);
    curve->samples[identity(point, {Seed})].push_back(&point);
  }
  return curves;
}

std::vector<std::string> labels_of(const std::vector<curve_points>& curves) {
  std::vector<key_values> keys_of_curves;
  std::vector<std::string> names;
  for (const curve_points& curve : curves) {
    keys_of_curves.push_back(curve.keys);
    names.push_back(fmt::format("{}", fmt::join(curve.names, ", ")));
  }
  return labels_of(keys_of_curves, names);
}

/// The curves of one table.
std::vector<series> series_of_table(const stored_table& table, const curve_columns& columns) {
  const std::vector<curve_points> curves = curves_of(table, {Seed, columns.x == "offered" ? LoadKey : columns.x});
  const std::vector<std::string> labels = labels_of(curves);
  std::vector<series> list;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    series made{labels[i], {}};
    for (const auto& [keys, points] : curves[i].samples)
      if (const auto s = sample_of(points, columns)) made.samples.push_back(*s);
    std::sort(made.samples.begin(), made.samples.end(), [](const sample& a, const sample& b) { return a.x < b.x; });
    if (!made.samples.empty()) list.push_back(std::move(made));
  }
  return list;
}

}  // namespace

std::vector<series> series_of(const stored_results& stored, const curve_columns& columns) {
  std::vector<series> all;
  for (const stored_table& table : stored.tables)
    for (series& s : series_of_table(table, columns)) {
      s.label = with_table(stored.tables, table, s.label);
      all.push_back(std::move(s));
    }
  return all;
}

std::vector<std::vector<named_sample>> samples_of(const stored_results& stored, const curve_columns& columns) {
  std::vector<std::vector<named_sample>> all;
  for (const stored_table& table : stored.tables) {
    const std::vector<curve_points> alone =
        curves_of(table, {Seed});  // each curve has one sample, because only the seed is left out
    const std::vector<std::string> labels = labels_of(alone);
    all.emplace_back();
    for (std::size_t i = 0; i < alone.size(); ++i)
      if (const auto s = sample_of(alone[i].samples.begin()->second, columns))
        all.back().push_back({*s, with_table(stored.tables, table, labels[i])});
  }
  return all;
}

std::vector<std::string> point_labels(const std::vector<stored_table>& tables) {
  std::vector<std::string> all;
  for (const stored_table& table : tables) {
    std::vector<key_values> list;
    std::vector<std::string> names;
    for (const result_point& point : table.points) {
      list.push_back(identity(point, {}));
      names.push_back(point.name);
    }
    for (const std::string& label : labels_of(list, names)) all.push_back(with_table(tables, table, label));
  }
  return all;
}

}  // namespace weft::experiment
