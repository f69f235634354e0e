// SPDX-License-Identifier: Apache-2.0
/// A value in a JSON document together with its place, for messages: "steps[3].transfers[1].size: 2, expected …".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::schedule {

/// All of \p text. \throws std::invalid_argument for what is not JSON, and for a key that is given twice
nlohmann::json parse_json(const std::string& text);

/// Outlived by its document. What is not as asked for is a std::invalid_argument.
class json_place {
 public:
  explicit json_place(const nlohmann::json& value, std::string path = {}) : m_value(value), m_path(std::move(path)) {}

  /// Whether it is an object with \p key.
  bool has(const std::string& key) const { return m_value.is_object() && m_value.contains(key); }
  json_place at(const std::string& key) const;
  /// Of an object.
  std::vector<std::string> keys() const;
  std::vector<json_place> elements() const;
  std::string text() const;
  std::uint64_t number(std::uint64_t min, std::uint64_t max) const;

  const std::string& path() const { return m_path; }
  /// "PATH: GOT, expected EXPECTED"
  [[noreturn]] void fail(const std::string& expected) const;

 private:
  const nlohmann::json& m_value;
  std::string m_path;
};

}  // namespace weft::schedule
