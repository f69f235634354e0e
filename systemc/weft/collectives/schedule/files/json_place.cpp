// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/json_place.h"

#include <set>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "weft/collectives/schedule/files/json_follower.h"
#include "weft/core/nesting.h"
#include "weft/core/printable.h"

namespace weft::schedule {
namespace {

using nlohmann::json;

/// Returns a value for a message: short values in full, otherwise the kind of value.
std::string shown(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  constexpr std::size_t MostShown = 40;
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= MostShown ? printable(text) : "a long text";
}

/// Shortens \p message, an error message of the parser. The parser repeats the whole token at which it stopped, as in
/// "…; last read: 'TOKEN'; expected …".
std::string with_short_token(const std::string& message) {
  constexpr std::string_view Before = "last read: '", After = "'; expected";
  const std::size_t before = message.find(Before), after = message.rfind(After), begin = before + Before.size();
  if (before == std::string::npos || after == std::string::npos || after < begin) return abridged(message);
  return message.substr(0, begin) + abridged(message.substr(begin, after - begin)) + abridged(message.substr(after));
}

}  // namespace

json parse_json(const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of the enclosing objects
  const auto note = [&](int depth, json::parse_event_t event, json& parsed) {
    json_nesting_limit()(depth, event, parsed);
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw std::invalid_argument(second_key_in(text));
    return true;
  };
  try {
    return json::parse(text, note);
  } catch (const json::exception& e) {  // of syntax, or of a number that no double holds
    const std::string what = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::size_t at = what.find("] ");
    throw std::invalid_argument("not JSON: " + with_short_token(at == std::string::npos ? what : what.substr(at + 2)));
  }
}

json_place json_place::at(const std::string& key) const {
  if (!m_value.is_object()) fail(fmt::format("an object with {}", key));
  const std::string path = m_path.empty() ? key : m_path + "." + key;
  const auto found = m_value.find(key);
  if (found == m_value.end()) throw json_fault(m_path, abridged(path) + " is missing");
  return json_place(*found, path);
}

std::vector<std::string> json_place::keys() const {
  if (!m_value.is_object()) fail("an object");
  std::vector<std::string> all;
  for (const auto& [key, value] : m_value.items()) all.push_back(key);
  return all;
}

std::vector<json_place> json_place::elements() const {
  if (!m_value.is_array()) fail("a list");
  std::vector<json_place> all;
  for (std::size_t i = 0; i < m_value.size(); ++i) all.emplace_back(m_value[i], fmt::format("{}[{}]", m_path, i));
  return all;
}

std::string json_place::text() const {
  constexpr std::size_t Longest = 10'000;  // longest name, because messages and results repeat names
  if (!m_value.is_string() || m_value.get_ref<const std::string&>().empty()) fail("a text");
  if (m_value.get_ref<const std::string&>().size() > Longest) fail(fmt::format("at most {} bytes", Longest));
  return m_value.get<std::string>();
}

std::uint64_t json_place::number(std::uint64_t min, std::uint64_t max) const {
  const bool fits =
      m_value.is_number_unsigned() && m_value.get<std::uint64_t>() >= min && m_value.get<std::uint64_t>() <= max;
  if (!fits) fail(min == max ? std::to_string(min) : fmt::format("a whole number from {} to {}", min, max));
  return m_value.get<std::uint64_t>();
}

std::vector<std::uint64_t> json_place::distinct_numbers(std::uint64_t min, std::uint64_t max,
                                                        const std::string& noun) const {
  std::vector<std::uint64_t> list;
  std::set<std::uint64_t> seen;
  for (const json_place& element : elements()) {
    list.push_back(element.number(min, max));
    if (!seen.insert(list.back()).second) element.fail(fmt::format("each {} once", noun));
  }
  return list;
}

void json_place::fail(const std::string& expected) const {
  throw json_fault(m_path, fmt::format("{}: {}, expected {}", m_path.empty() ? "the document" : abridged(m_path),
                                       shown(m_value), expected));
}

void json_place::reject(const std::string& what) const {
  throw json_fault(m_path, fmt::format("{}: {}", m_path.empty() ? "the document" : abridged(m_path), what));
}

void throw_with_line(const std::string& text, const json_fault& fault) {
  throw std::invalid_argument(fmt::format("line {}: {}", line_of_json(text, fault.path()), fault.what()));
}

}  // namespace weft::schedule
