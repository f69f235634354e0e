// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/files/json_keys.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft::schedule {
namespace {

using nlohmann::json;

/// Goes over a text and counts its lines: the parser says how far it is by how much it has taken.
class counting_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator(const char* at, std::size_t* line) : m_at(at), m_line(line) {}
  reference operator*() const { return *m_at; }
  counting_iterator& operator++() {
    if (*m_at++ == '\n') ++*m_line;
    return *this;
  }
  bool operator==(const counting_iterator& other) const { return m_at == other.m_at; }
  bool operator!=(const counting_iterator& other) const { return m_at != other.m_at; }

 private:
  const char* m_at;
  std::size_t* m_line;
};

/// Keeps the place in the document while it is parsed, and checks each key.
class key_checker final : public nlohmann::json_sax<json> {
 public:
  key_checker(const std::vector<object_keys>& known, const std::size_t& line) : m_known(known), m_line(line) {}

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
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  bool key(string_t& name) override {
    level& now = m_open.back();
    now.name = name;
    if (now.names == nullptr || std::find(now.names->begin(), now.names->end(), name) != now.names->end()) return true;
    const std::string hint = did_you_mean(name, *now.names);
    throw std::invalid_argument(
        fmt::format("line {}: {}: unknown key{}", m_line, abridged(path()),
                    hint.empty() ? fmt::format("; expected one of {}", fmt::join(*now.names, ", ")) : hint));
  }

 private:
  /// A list or an object that is open.
  struct level {
    bool is_list;
    std::string pattern;                    ///< its path with [] for every index
    const std::vector<std::string>* names;  ///< that it may have, null for any
    std::size_t index;                      ///< of the next element
    std::string name;                       ///< of the last key
  };

  bool value() {
    if (!m_open.empty()) ++m_open.back().index;
    return true;
  }
  bool open(bool is_list) {
    std::string pattern;
    if (!m_open.empty()) {
      const level& around = m_open.back();
      const std::string separator = around.pattern.empty() ? "" : ".";
      pattern = around.is_list ? around.pattern + "[]" : around.pattern + separator + around.name;
    }
    const auto found = std::find_if(m_known.begin(), m_known.end(),
                                    [&](const object_keys& one) { return !is_list && one.path == pattern; });
    m_open.push_back({is_list, std::move(pattern), found == m_known.end() ? nullptr : &found->names, 0, {}});
    return true;
  }
  bool close() {
    m_open.pop_back();
    return value();
  }
  std::string path() const {
    std::string text;
    for (const level& l : m_open) text += l.is_list ? fmt::format("[{}]", l.index) : (text.empty() ? "" : ".") + l.name;
    return text;
  }

  const std::vector<object_keys>& m_known;
  const std::size_t& m_line;
  std::vector<level> m_open;
};

}  // namespace

void check_keys(const std::string& text, const std::vector<object_keys>& known) {
  std::size_t line = 1;
  key_checker checker(known, line);
  const char* const begin = text.data();
  json::sax_parse(counting_iterator(begin, &line), counting_iterator(begin + text.size(), &line), &checker);
}

}  // namespace weft::schedule
