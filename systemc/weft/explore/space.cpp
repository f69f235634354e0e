// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/space.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/random.h"

namespace weft::experiment {

namespace {

/// \p axis with its first value only, for checks of the keys.
sweep_axis first_of(const sweep_axis& axis) { return {axis.key, {values_of(axis).front()}, axis.place}; }

/// The setting of \p key in \p point, which has one.
const setting& setting_of(const sweep_point& point, const std::string& key) {
  return *std::find_if(point.begin(), point.end(), [&key](const setting& s) { return s.key == key; });
}

/// Whether both texts are the same value: equal numbers, or equal texts apart from spaces.
bool is_same(std::string a, std::string b) {
  const std::optional<double> x = parse_number<double>(a), y = parse_number<double>(b);
  if (x && y) return *x == *y;
  for (std::string* text : {&a, &b}) text->erase(std::remove(text->begin(), text->end(), ' '), text->end());
  return a == b;
}

/// Whether \p point has all settings of \p part.
bool is_part(const sweep_point& part, const sweep_point& point) {
  return std::all_of(part.begin(), part.end(),
                     [&](const setting& s) { return is_same(s.value, setting_of(point, s.key).value); });
}

/// Linked settings contain commas.
const char* separator_of(const std::vector<sweep_point>& values) { return values.front().size() == 1 ? ", " : "; "; }

/// \p points, each once.
std::vector<sweep_point> distinct(const std::vector<sweep_point>& points) {
  std::set<std::string> seen;
  std::vector<sweep_point> all;
  for (const sweep_point& point : points)
    if (seen.insert(settings_text(point)).second) all.push_back(point);
  return all;
}

}  // namespace

design_space::design_space(const sweep_design& design) {
  if (!design.sample.empty())
    throw configuration_error({{design.sample.front().place + " " + design.sample.front().key,
                                "samples have no effect on a search; list the values in sweep.over"}});
  sweep_design checked = design;
  for (sweep_axis& axis : checked.over) axis = first_of(axis);
  points_of(checked, 1);
  for (const sweep_axis& axis : design.over) {
    sweep_design alone;
    alone.over = {axis};
    m_parameters.push_back(distinct(points_of(alone, 1)));
  }
  if (design.linked.empty()) return;
  sweep_design rows;
  rows.linked = design.linked;
  m_parameters.push_back(distinct(points_of(rows, 1)));
}

std::vector<std::size_t> design_space::sizes() const {
  std::vector<std::size_t> all;
  for (const auto& values : m_parameters) all.push_back(values.size());
  return all;
}

double design_space::size() const {
  double product = 1;
  for (const auto& values : m_parameters) product *= static_cast<double>(values.size());
  return product;
}

sweep_point design_space::point(const design_choice& choice) const {
  sweep_point all;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const sweep_point& settings = m_parameters[i][choice[i]];
    all.insert(all.end(), settings.begin(), settings.end());
  }
  return all;
}

sweep_point design_space::find(const sweep_point& point) const {
  sweep_point found;
  for (const std::vector<sweep_point>& values : m_parameters) {
    const auto at = std::find_if(values.begin(), values.end(), [&](const sweep_point& v) { return is_part(v, point); });
    if (at != values.end()) {
      found.insert(found.end(), at->begin(), at->end());
      continue;
    }
    std::vector<std::string> expected;
    for (const sweep_point& v : values) expected.push_back(v.size() == 1 ? v.front().value : settings_text(v));
    const setting& first = setting_of(point, values.front().front().key);
    throw configuration_error(
        {{first.place, fmt::format("is not in the search; expected {}", fmt::join(expected, separator_of(values)))}});
  }
  return found;
}

design_choice design_space::drawn(std::uint64_t stream, std::uint64_t draw) const {
  design_choice choice;
  for (std::size_t i = 0; i < m_parameters.size(); ++i)
    choice.push_back(splitmix64(splitmix64(stream, draw), i) % m_parameters[i].size());
  return choice;
}

}  // namespace weft::experiment
