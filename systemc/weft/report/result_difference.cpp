// SPDX-License-Identifier: Apache-2.0
#include "weft/report/result_difference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "weft/core/nesting.h"
#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/file/read_bytes.h"
#include "weft/report/other_statistics.h"
#include "weft/report/run_statistics.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

const json Absent;

const json& member(const json& object, const std::string& name) {
  const auto at = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && at != object.end() ? *at : Absent;
}

/// The names of the members of \p a, followed by the names that only \p b has.
std::vector<std::string> names_in(const json& a, const json& b) {
  std::vector<std::string> names;
  for (const json* object : {&a, &b})
    if (object->is_object())
      for (const auto& [name, value] : object->items())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::optional<double> number_in(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string within_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

void compare_keys(const json& a, const json& b, const std::string& path, std::vector<key_difference>& found) {
  if (a == b) return;
  if (!a.is_object() && !b.is_object()) return found.push_back({path, a, b});
  for (const std::string& name : names_in(a, b))
    compare_keys(member(a, name), member(b, name), within_path(path, name), found);
}

std::string unit_in(const statistic_declarations& table, const std::string& name) {
  for (const statistic_declaration& s : table.statistics)
    if (within(name, s.name)) return s.unit;
  return "";
}

std::string unit_of(const std::string& name) {
  if (name.substr(name.rfind('.') + 1) == "count") return "packets";  // not the unit of the counted values
  const std::string unit = unit_in(run_declarations(), name);
  return unit.empty() ? unit_in(collective_declarations(), name) : unit;
}

/// The elements of the statistic `traffics` or `classes` by the names of the traffics, or by the classes.
json by_name(const json& groups) {
  json named = json::object();
  for (const json& group : groups)
    named[group.contains("name") ? group["name"].get<std::string>() : group["class"].dump()] = group;
  return named;
}

class statistics_comparison {
 public:
  std::vector<statistic_difference> found{};

  void compare(const json& a, const json& b, const std::string& path) {
    if (a == b) return;
    if (a.is_array() || b.is_array()) {
      if (path == "traffics" || path == "classes") return compare(by_name(a), by_name(b), path);
      return add_list(a, b, path);
    }
    if (!a.is_object() && !b.is_object()) return add(a, b, path, Absent, Absent);
    const json &half_a = member(a, "half_width"), &half_b = member(b, "half_width");
    for (const std::string& name : names_in(a, b)) {
      const json &in_a = member(a, name), &in_b = member(b, name);
      if (name == "mean" && in_a != in_b)
        add(in_a, in_b, within_path(path, name), half_a, half_b);
      else if (name != "half_width" && name != "histogram")  // half_width is shown with the mean; histograms are drawn
        compare(in_a, in_b, within_path(path, name));
    }
  }

 private:
  void add(const json& a, const json& b, const std::string& path, const json& half_a, const json& half_b) {
    statistic_difference d;
    d.name = path;
    d.unit = unit_of(path);
    d.a = a;
    d.b = b;
    d.a_half_width = number_in(half_a);
    d.b_half_width = number_in(half_b);
    found.push_back(std::move(d));
  }

  void add_list(const json& a, const json& b, const std::string& path) {
    const auto length = [](const json& list) { return list.is_array() ? list.size() : 0; };
    statistic_difference d;
    d.name = path;
    d.is_list = true;
    d.a = length(a);
    d.b = length(b);
    const std::size_t both = std::min(length(a), length(b));
    d.elements = std::max(length(a), length(b)) - both;
    for (std::size_t i = 0; i < both; ++i) d.elements += a[i] != b[i];
    found.push_back(std::move(d));
  }
};

std::string value_text(const json& value, const std::optional<double>& half_width = {}) {
  if (value.is_null()) return "-";
  std::string text = value.is_number_float() ? fmt::format("{:.5g}", value.get<double>()) : yaml_text(value);
  if (half_width) text += fmt::format(" ± {:.2g}", *half_width);
  return text;
}

const char* noise_text(const statistic_difference& d) {
  const std::optional<bool> beyond = d.beyond_noise();
  if (!beyond) return "";
  return *beyond ? "beyond noise" : "within noise";
}

std::vector<std::string> cells_of(const statistic_difference& d) {
  if (d.is_list) return {d.name, value_text(d.a), value_text(d.b), number_of(d.elements, "element")};
  const std::optional<double> change = d.change();
  const double before = number_in(d.a).value_or(0);
  return {d.name,
          value_text(d.a, d.a_half_width),
          value_text(d.b, d.b_half_width),
          change ? fmt::format("{:+.3g}", *change) : "",
          change && before != 0 ? fmt::format("{:+.1f} %", 100 * *change / before) : "",
          noise_text(d)};
}

/// A table of names with the values of A and B. Sentences and long lists are printed below the table, because they
/// would make all lines of the table too long.
class difference_table {
 public:
  explicit difference_table(const std::vector<std::string>& title) { m_columns.row(title); }

  /// \param cells name, value of A, value of B, and remarks
  void add(const std::vector<std::string>& cells) {
    constexpr std::size_t MostLetters = 32;
    if (letters_of(cells[1]) <= MostLetters && letters_of(cells[2]) <= MostLetters) {
      m_columns.row(cells);
      m_has_rows = true;
    } else {
      m_below +=
          fmt::format("  {}\n    A: {}\n    B: {}\n", printable(cells[0]), printable(cells[1]), printable(cells[2]));
    }
  }

  std::string text() const {
    return (m_has_rows ? "\n" + m_columns.text() : "") + (m_below.empty() ? "" : "\n" + m_below);
  }

 private:
  text_columns m_columns{1};
  bool m_has_rows = false;
  std::string m_below;
};

std::string sum_text(const result_difference& d) {
  std::size_t beyond = 0, within_noise = 0;
  for (const statistic_difference& s : d.statistics) {
    const std::optional<bool> exceeds_noise = s.beyond_noise();
    beyond += exceeds_noise.value_or(false);
    within_noise += exceeds_noise && !*exceeds_noise;
  }
  return fmt::format("  {} and {} differ: {} beyond noise, {} within, {} without an interval\n",
                     number_of(d.keys.size(), "key"), number_of(d.statistics.size(), "statistic"), beyond, within_noise,
                     d.statistics.size() - beyond - within_noise);
}

}  // namespace

std::optional<double> statistic_difference::change() const {
  if (is_list || !a.is_number() || !b.is_number()) return std::nullopt;
  return b.get<double>() - a.get<double>();
}

std::optional<double> statistic_difference::noise() const {
  if (!a_half_width || !b_half_width) return std::nullopt;
  return std::hypot(*a_half_width, *b_half_width);
}

std::optional<bool> statistic_difference::beyond_noise() const {
  const std::optional<double> by = change(), chance = noise();
  return by && chance ? std::optional(std::abs(*by) > *chance) : std::nullopt;
}

std::optional<json> result_in(const std::string& text) {
  json content;
  try {
    content = json::parse(text, json_nesting_limit(), false);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  if (!content.is_object() || !content.value("weft", json()).is_string() ||
      !content.value("configuration", json()).is_object() || !content.value("name", json("")).is_string())
    return std::nullopt;
  return content;
}

stored_result read_result(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& what) { throw configuration_error({{file.string(), what}}); };
  std::string text;
  try {
    text = read_bytes(file);
  } catch (const file_error& e) {
    fail(fmt::format("{}; expected a result of `weft run`, `weft collective` or `weft replay`, NAME.json", e.what()));
  }
  std::optional<json> content = result_in(text);
  if (!content)
    fail("expected a result of `weft run`, `weft collective` or `weft replay`, NAME.json; got another kind of file");
  return {file.string(), *std::move(content)};
}

result_difference difference_of(const json& a, const json& b) {
  result_difference d;
  compare_keys(member(a, "configuration"), member(b, "configuration"), "", d.keys);
  statistics_comparison statistics;
  for (const std::string& name : names_in(a, b))
    if (name != "configuration" && name != "weft" && name != "name" && name != "seed")  // the seed is also a key
      statistics.compare(member(a, name), member(b, name), name);
  d.statistics = std::move(statistics.found);
  return d;
}

json to_json(const result_difference& d, const stored_result& a, const stored_result& b) {
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(); };
  json keys = json::array(), statistics = json::array();
  for (const key_difference& k : d.keys) keys.push_back({{"key", k.key}, {"a", k.a}, {"b", k.b}});
  for (const statistic_difference& s : d.statistics) {
    json one = {{"name", s.name}, {"unit", s.unit}, {"a", s.a}, {"b", s.b}};
    if (s.is_list)
      one["elements_that_differ"] = s.elements;
    else
      one.update({{"change", or_null(s.change())}, {"half_width", or_null(s.noise())}});
    one["beyond_noise"] = or_null(s.beyond_noise());
    statistics.push_back(std::move(one));
  }
  return {{"a", a.file}, {"b", b.file}, {"keys", std::move(keys)}, {"statistics", std::move(statistics)}};
}

std::string to_table(const result_difference& d, const stored_result& a, const stored_result& b) {
  std::string text = fmt::format("A: {}\nB: {}\n", printable(a.file), printable(b.file));
  if (const json& made_a = member(a.content, "weft"), &made_b = member(b.content, "weft"); made_a != made_b)
    text += fmt::format("A was made by weft {}, B by weft {}\n", printable(yaml_text(made_a)),
                        printable(yaml_text(made_b)));
  if (!d.any()) return text + "\n  the same: all keys and all statistics\n";
  if (!d.keys.empty()) {
    difference_table keys({"key", "A", "B"});
    for (const key_difference& k : d.keys) keys.add({k.key, value_text(k.a), value_text(k.b)});
    text += keys.text();
  }
  if (!d.statistics.empty()) {
    difference_table statistics({"statistic", "A", "B", "change"});
    for (const statistic_difference& s : d.statistics) statistics.add(cells_of(s));
    text += statistics.text();
  }
  return text + "\n" + sum_text(d);
}

}  // namespace weft::experiment
