// SPDX-License-Identifier: Apache-2.0
/// Scans a JSON text and reports each value with its path and line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::schedule {

/// Base class with a callback for each key and each value of a JSON text. The text must be valid JSON.
class json_follower : public nlohmann::json_sax<nlohmann::json> {
 public:
  void follow(const std::string& text);

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override;
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 protected:
  /// An open list or object.
  struct level {
    bool is_list;
    std::size_t index;  ///< in a list: index of the next element
    std::string name;   ///< in an object: the last key
  };

  /// These callbacks return whether the scan continues. at_value() is also called at the start of a list or object,
  /// before its elements.
  virtual bool at_key(const std::string& /*name*/) { return true; }
  virtual bool at_value() { return true; }
  virtual void at_begin() {}  ///< called at the start of a list or object, which is then the last of levels()
  virtual void at_end() {}    ///< called at the end of a list or object, before it is removed from levels()

  /// Returns the path of the current key or value, such as "steps[3].transfers".
  std::string path() const;
  std::size_t line() const { return m_line; }
  const std::vector<level>& levels() const { return m_open; }

 private:
  bool value();
  bool open(bool is_list);
  bool close();

  std::size_t m_line = 1;
  std::vector<level> m_open;
};

/// Returns the line of the value at \p path in \p text, or 1 if there is no such value. The path "" means the document.
std::size_t line_of_json(const std::string& text, const std::string& path);

/// Returns an error message for the first duplicate key of an object in \p text, such as "line 3: src: the key is given
/// twice; give it once". Empty if there is none.
std::string second_key_in(const std::string& text);

}  // namespace weft::schedule
