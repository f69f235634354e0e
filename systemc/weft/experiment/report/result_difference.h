// SPDX-License-Identifier: Apache-2.0
/// In what two results differ, and whether by more than chance.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"

namespace weft::experiment {

/// A result, as `weft run`, `weft collective` or `weft replay` has written it, or as a store has it.
struct stored_result {
  std::string file;
  json content;
  std::string point{};  ///< of a store: which of its points

  /// For messages: "low.json", "points.sqlite, vcs = 4".
  std::string place() const { return point.empty() ? file : file + ", " + point; }
};

/// What \p text holds, if it is a result.
std::optional<json> result_in(const std::string& text);

/// \throws configuration_error if \p file cannot be read or is no result
stored_result read_result(const std::filesystem::path& file);

/// A key of the configuration with another value in the other result; null where it is not given.
struct key_difference {
  std::string key;
  json a, b;
};

/// A statistic with another value in the other result.
struct statistic_difference {
  std::string name;  ///< path in the JSON file
  std::string unit;
  json a, b;  ///< null: not there. Of lists their lengths.
  std::optional<double> a_half_width, b_half_width;
  std::size_t elements = 0;  ///< of lists: how many of them differ
  bool is_list = false;

  /// b - a, of numbers.
  std::optional<double> change() const;
  /// Half width of the 95 % interval of the change, taking the results for independent: the root of the sum of squares.
  std::optional<double> noise() const;
  /// Whether the change is greater than that; nothing where there are no intervals.
  std::optional<bool> beyond_noise() const;
};

struct result_difference {
  std::vector<key_difference> keys;
  std::vector<statistic_difference> statistics;
  bool any() const { return !keys.empty() || !statistics.empty(); }
};

/// Everything but names and the version of Weft.
result_difference difference_of(const json& a, const json& b);

json to_json(const result_difference& d, const stored_result& a, const stored_result& b);
std::string to_table(const result_difference& d, const stored_result& a, const stored_result& b);

}  // namespace weft::experiment
