// SPDX-License-Identifier: Apache-2.0
/// A value in a JSON document together with its place, for messages such as "steps[3].transfers[1].size: 2, expected
/// …". Invalid values cause a json_fault; with_lines() adds the line to its message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::schedule {

/// Parses \p text.
/// \throws std::invalid_argument, with the line, for invalid JSON and for duplicate keys
nlohmann::json parse_json(const std::string& text);

/// An error in a value of a document, with the path of the value.
class json_fault : public std::invalid_argument {
 public:
  json_fault(std::string path, const std::string& what) : std::invalid_argument(what), m_path(std::move(path)) {}
  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

/// Returns the result of \p read, which reads \p text.
/// \throws std::invalid_argument "line 3: …" if \p read throws a json_fault
template <class Read>
auto with_lines(const std::string& text, Read read);

/// A value and its path. The document must outlive this object. Functions that read the value throw json_fault if the
/// value is not as expected.
class json_place {
 public:
  explicit json_place(const nlohmann::json& value, std::string path = {}) : m_value(value), m_path(std::move(path)) {}

  /// Whether the value is an object with \p key.
  bool has(const std::string& key) const { return m_value.is_object() && m_value.contains(key); }
  json_place at(const std::string& key) const;
  /// Returns the keys of the object.
  std::vector<std::string> keys() const;
  std::vector<json_place> elements() const;
  std::string text() const;
  std::uint64_t number(std::uint64_t min, std::uint64_t max) const;
  /// Returns the numbers of a list without duplicates.
  /// \param noun what a number identifies, for the error message, such as "node"
  std::vector<std::uint64_t> distinct_numbers(std::uint64_t min, std::uint64_t max, const std::string& noun) const;

  const std::string& path() const { return m_path; }
  /// Reports that the value is not \p expected.
  /// \throws json_fault "PATH: VALUE, expected EXPECTED"
  [[noreturn]] void fail(const std::string& expected) const;
  /// Reports the error \p what.
  /// \throws json_fault "PATH: WHAT"
  [[noreturn]] void reject(const std::string& what) const;
  /// Returns the result of \p make. If \p make throws std::invalid_argument, throws a json_fault with the same message
  /// instead.
  template <class Make>
  auto attempt(Make make) const {
    try {
      return make();
    } catch (const json_fault&) {
      throw;
    } catch (const std::invalid_argument& e) {
      reject(e.what());
    }
  }

 private:
  const nlohmann::json& m_value;
  std::string m_path;
};

/// Adds the line in \p text to the message of \p fault.
/// \throws std::invalid_argument "line 3: …"
[[noreturn]] void throw_with_line(const std::string& text, const json_fault& fault);

template <class Read>
auto with_lines(const std::string& text, Read read) {
  try {
    return read();
  } catch (const json_fault& fault) {
    throw_with_line(text, fault);
  }
}

}  // namespace weft::schedule
