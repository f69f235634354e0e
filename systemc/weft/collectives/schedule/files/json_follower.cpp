// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/json_follower.h"

#include <iterator>
#include <set>

#include <fmt/format.h>

#include "weft/core/printable.h"

namespace weft::schedule {
namespace {

/// Iterates over a text and counts its lines. The position of the parser is the number of characters that it has read.
/// After a number, the parser has read one character too many, so the last character is not counted.
class counting_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator(const char* at, const char* begin, std::size_t* line) : m_at(at), m_begin(begin), m_line(line) {}
  reference operator*() const { return *m_at; }
  counting_iterator& operator++() {
    if (m_at != m_begin && m_at[-1] == '\n') ++*m_line;
    ++m_at;
    return *this;
  }
  bool operator==(const counting_iterator& other) const { return m_at == other.m_at; }
  bool operator!=(const counting_iterator& other) const { return m_at != other.m_at; }

 private:
  const char* m_at;
  const char* m_begin;
  std::size_t* m_line;
};

class line_finder final : public json_follower {
 public:
  explicit line_finder(const std::string& path) : m_path(path) {}
  std::size_t found() const { return m_found; }

 private:
  bool at_value() override {
    if (path() != m_path) return true;
    m_found = line();
    return false;
  }

  const std::string& m_path;
  std::size_t m_found = 1;
};

class second_key_finder final : public json_follower {
 public:
  const std::string& found() const { return m_found; }

 private:
  bool at_key(const std::string& name) override {
    if (m_names.back().insert(name).second) return true;
    m_found = fmt::format("line {}: {}: the key is given twice; give it once", line(), abridged(path()));
    return false;
  }
  void at_begin() override { m_names.emplace_back(); }
  void at_end() override { m_names.pop_back(); }

  std::vector<std::set<std::string>> m_names;  // of the open objects
  std::string m_found;
};

}  // namespace

void json_follower::follow(const std::string& text) {
  const char* const begin = text.data();
  nlohmann::json::sax_parse(counting_iterator(begin, begin, &m_line),
                            counting_iterator(begin + text.size(), begin, &m_line), this);
}

bool json_follower::key(string_t& name) {
  m_open.back().name = name;
  return at_key(name);
}

bool json_follower::value() {
  const bool goes_on = at_value();
  if (!m_open.empty()) ++m_open.back().index;
  return goes_on;
}

bool json_follower::open(bool is_list) {
  if (!at_value()) return false;
  m_open.push_back({is_list, 0, {}});
  at_begin();
  return true;
}

bool json_follower::close() {
  at_end();
  m_open.pop_back();
  if (!m_open.empty()) ++m_open.back().index;
  return true;
}

std::string json_follower::path() const {
  std::string text;
  for (const level& l : m_open) text += l.is_list ? fmt::format("[{}]", l.index) : (text.empty() ? "" : ".") + l.name;
  return text;
}

std::size_t line_of_json(const std::string& text, const std::string& path) {
  line_finder finder(path);
  finder.follow(text);
  return finder.found();
}

std::string second_key_in(const std::string& text) {
  second_key_finder finder;
  finder.follow(text);
  return finder.found();
}

}  // namespace weft::schedule
