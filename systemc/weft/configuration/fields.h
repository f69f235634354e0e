// SPDX-License-Identifier: Apache-2.0
/// Field types for the table of keys. A field type defines how a field of the configuration is set from JSON and
/// written back, and which values are allowed. The parts of the table (…_keys.cpp) use them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/configuration/keys.h"

namespace weft::experiment {

inline constexpr std::size_t Unlimited =
    std::numeric_limits<std::size_t>::max();  ///< maximum length of a list without limit

/// Type, setter and getter of a field of the configuration.
struct field {
  value_type type;
  std::function<void(const json&)> set;
  std::function<json()> get;
};

inline value_type integer_type(std::uint64_t min, std::uint64_t max) {
  value_type t;
  t.what = value_type::kind::Integer;
  t.min = min;
  t.max = max;
  return t;
}

inline value_type choice_type(std::vector<std::string> names) {
  value_type t;
  t.what = value_type::kind::Choice;
  t.names = std::move(names);
  return t;
}

inline value_type list_type(value_type element, std::size_t least, std::size_t most) {
  value_type t;
  t.what = value_type::kind::List;
  t.element = std::make_shared<value_type>(std::move(element));
  t.least = least;
  t.most = most;
  return t;
}

template <class T>
field plain(value_type type, T& value) {
  return {std::move(type), [&value](const json& j) { value = j.get<T>(); }, [&value] { return json(value); }};
}

template <class T>
field integer(T& value, std::uint64_t min, std::uint64_t max) {
  return plain(integer_type(min, max), value);
}

template <class T>
field integer_of(T& value, std::vector<std::uint64_t> allowed) {
  value_type t = integer_type(allowed.front(), allowed.back());
  t.allowed = std::move(allowed);
  return plain(std::move(t), value);
}

inline value_type number_type(double low, double high) {
  value_type t;
  t.what = value_type::kind::Number;
  t.low = low;
  t.high = high;
  return t;
}

/// A number that users may also write as a percentage.
inline value_type fraction_type(double low, double high) {
  value_type t = number_type(low, high);
  t.percent = true;
  return t;
}

inline field number(double& value, double low, double high) { return plain(number_type(low, high), value); }

/// An optional value. The name \p none stands for no value.
template <class T>
field or_name(std::optional<T>& value, value_type type, const std::string& none) {
  type.names = {none};
  return {std::move(type),
          [&value](const json& j) { value = j.is_string() ? std::optional<T>() : std::optional<T>(j.get<T>()); },
          [&value, none] { return value ? json(*value) : json(none); }};
}

inline field boolean(bool& value) {
  value_type t;
  t.what = value_type::kind::Boolean;
  return plain(std::move(t), value);
}

inline field text(std::string& value) { return plain(value_type{}, value); }

inline field texts(std::vector<std::string>& value) { return plain(list_type(value_type{}, 0, Unlimited), value); }

template <class T>
field integers(std::vector<T>& value, std::uint64_t min, std::uint64_t max, std::size_t least, std::size_t most) {
  return plain(list_type(integer_type(min, max), least, most), value);
}

/// The path \p value relative to \p directory.
inline std::filesystem::path relative_to(const std::filesystem::path& directory, const std::filesystem::path& value) {
  const auto whole = [](const std::filesystem::path& p) { return std::filesystem::absolute(p).lexically_normal(); };
  return whole(value).lexically_relative(whole(directory.empty() ? "." : directory));
}

inline field path(std::filesystem::path& value, const configuration& c) {
  value_type t;
  t.what = value_type::kind::Path;
  return {t, [&value](const json& j) { value = j.is_null() ? std::string() : j.get<std::string>(); },
          [&value, &c] {
            return value.empty() ? json() : json(relative_to(c.file.parent_path(), value).generic_string());
          }};
}

/// The six run lengths of table-based FPC; check_configuration() checks that they decrease.
inline field run_lengths(fpc_table& value) {
  return {list_type(integer_type(1, 32), 6, 6),
          [&value](const json& j) { std::copy(j.begin(), j.end(), value.runs.begin()); },
          [&value] { return json(value.runs); }};
}

/// The names that a key accepts, and the values that they stand for.
template <class T>
using choices_of = std::vector<std::pair<std::string, T>>;

/// The choices of an enumeration with enumerators 0, 1, … in the order of \p names.
template <class Enum, class Names>
choices_of<Enum> numbered(const Names& names) {
  choices_of<Enum> all;
  for (const char* const name : names) all.emplace_back(name, static_cast<Enum>(all.size()));
  return all;
}

template <class T>
std::vector<std::string> names_in(const choices_of<T>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) names.push_back(name);
  return names;
}

template <class T>
T value_of(const choices_of<T>& choices, const std::string& name) {
  return std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.first == name; })->second;
}

template <class T>
std::string name_in(const choices_of<T>& choices, const T& value) {
  return std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.second == value; })->first;
}

/// One of \p choices. enable_if_t prevents the compiler from deducing T from \p choices, which may be a braced list.
template <class T>
field choice(T& value, const choices_of<std::enable_if_t<true, T>>& choices) {
  return {choice_type(names_in(choices)),
          [&value, choices](const json& j) { value = value_of(choices, j.get<std::string>()); },
          [&value, choices] { return json(name_in(choices, value)); }};
}

/// Adds former names to \p f. \p former maps each of them to the current name. The reader accepts a former name with a
/// warning.
inline field renamed(field f, std::map<std::string, std::string> former) {
  f.type.former = std::move(former);
  return f;
}

/// Like choice(), but for an optional value. The name \p none stands for no value.
template <class T>
field choice_or(std::optional<T>& value, const std::string& none, const choices_of<T>& choices) {
  std::vector<std::string> names = names_in(choices);
  names.insert(names.begin(), none);
  return {choice_type(names),
          [&value, choices, none](const json& j) {
            const auto name = j.get<std::string>();
            value = name == none ? std::optional<T>() : value_of(choices, name);
          },
          [&value, choices, none] { return json(value ? name_in(choices, *value) : none); }};
}

/// A list that may be left out. It is then empty.
template <class T>
field list_or_none(std::vector<T>& value, value_type element) {
  return {list_type(std::move(element), 1, Unlimited),
          [&value](const json& j) { value = j.is_null() ? std::vector<T>() : j.get<std::vector<T>>(); },
          [&value] { return value.empty() ? json() : json(value); }};
}

/// A list of names in \p names, stored as their indices.
inline field choices(std::vector<unsigned>& value, const std::vector<std::string>& names) {
  return {list_type(choice_type(names), 1, names.size()),
          [&value, names](const json& j) {
            value.clear();
            for (const json& name : j) {
              const auto at = std::find(names.begin(), names.end(), name.get<std::string>());
              value.push_back(static_cast<unsigned>(at - names.begin()));
            }
          },
          [&value, names] {
            json j = json::array();
            for (const unsigned index : value) j.push_back(names[index]);
            return j;
          }};
}

/// Lengths and their weights, sorted by length so that their order in the file does not matter.
inline field weights(std::vector<length_choice>& value, std::uint64_t max) {
  value_type t;
  t.what = value_type::kind::Weights;
  t.min = 1;
  t.max = max;
  t.low = 0;
  t.high = 1e9;
  return {t,
          [&value](const json& j) {
            value.clear();
            for (const auto& [flits, weight] : j.items())
              value.push_back({static_cast<std::uint32_t>(std::stoul(flits)), weight.get<double>()});
            std::sort(value.begin(), value.end(),
                      [](const length_choice& a, const length_choice& b) { return a.flits < b.flits; });
          },
          [&value] {
            json j = json::object();
            for (const length_choice& choice : value) j[std::to_string(choice.flits)] = choice.weight;
            return j;
          }};
}

/// A map from keys to their sweep values.
inline field axes(std::vector<sweep_axis>& value) {
  value_type t;
  t.what = value_type::kind::Axes;
  return {t,
          [&value](const json& j) {
            value.clear();
            for (const auto& [name, values] : j.items()) value.push_back({name, values, {}});
          },
          [&value] {
            json j = json::object();
            for (const sweep_axis& axis : value) j[axis.key] = axis.values;
            return value.empty() ? json() : j;
          }};
}

}  // namespace weft::experiment
