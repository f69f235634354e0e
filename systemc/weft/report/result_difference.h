// SPDX-License-Identifier: Apache-2.0
/// Finds the differences between two results, and whether they exceed statistical noise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// A result as written by `weft run`, `weft collective` or `weft replay`, or from a store.
struct stored_result {
  std::string file;
  json content;
  std::string point{};  ///< for a result from a store: its point

  /// Place for messages: "low.json", "points.sqlite, vcs = 4".
  std::string place() const { return point.empty() ? file : file + ", " + point; }
};

/// \p text as JSON if it is a result; otherwise nothing.
std::optional<json> result_in(const std::string& text);

/// \throws configuration_error if \p file cannot be read or is not a result
stored_result read_result(const std::filesystem::path& file);

/// A configuration key with different values in results A and B. A value is null if the key is not given.
struct key_difference {
  std::string key;
  json a, b;
};

/// A statistic whose values differ.
struct statistic_difference {
  std::string name;  ///< path in the JSON file
  std::string unit;
  json a, b;  ///< values; null: missing; for lists: their lengths
  std::optional<double> a_half_width, b_half_width;
  std::size_t elements = 0;  ///< for lists: number of elements that differ
  bool is_list = false;

  /// \p b - \p a for numbers; otherwise nothing.
  std::optional<double> change() const;
  /// Half width of the 95 % interval of the change, assuming independent results: the root of the sum of the squared
  /// half widths.
  std::optional<double> noise() const;
  /// Whether the change exceeds the noise; nothing if there are no intervals.
  std::optional<bool> beyond_noise() const;
};

struct result_difference {
  std::vector<key_difference> keys;
  std::vector<statistic_difference> statistics;
  bool any() const { return !keys.empty() || !statistics.empty(); }
};

/// All differences between \p a and \p b, except for their names and versions of Weft.
result_difference difference_of(const json& a, const json& b);

json to_json(const result_difference& d, const stored_result& a, const stored_result& b);
std::string to_table(const result_difference& d, const stored_result& a, const stored_result& b);

}  // namespace weft::experiment
