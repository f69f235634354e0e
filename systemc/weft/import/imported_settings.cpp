// SPDX-License-Identifier: Apache-2.0
#include "weft/import/imported_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/suggest.h"

namespace weft::experiment {

namespace {

/// Why a setting that no conversion has used is not in Weft's configuration.
std::string reason_of(const std::string& simulator, const std::string& name) {
  const import_hint* const hint = hint_of_key(simulator, name);
  if (!hint) return "Weft has no such key";
  std::string note = hint->note;
  if (*hint->ours == '\0') return note;
  return fmt::format("not converted; see {}{}", hint->ours, note.empty() ? "" : ": " + note);
}

/// Whether \p a and \p b are the same text or the same number, as 1 and 1.0 are.
bool is_same_value(const std::string& a, const std::string& b) {
  const auto x = parse_number<double>(a), y = parse_number<double>(b);
  return a == b || (x && y && *x == *y);
}

}  // namespace

imported_settings::imported_settings(const char* simulator, std::vector<imported_setting> given,
                                     std::vector<simulator_key> keys)
    : m_simulator(simulator), m_given(std::move(given)), m_keys(std::move(keys)) {
  std::vector<std::string> names;
  for (const simulator_key& k : m_keys) names.emplace_back(k.name);
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const imported_setting& s = m_given[i];
    m_last[s.name] = i;
    if (find(s.name) || hint_of_key(simulator, s.name)) continue;
    m_errors.push_back(
        {s.place, fmt::format("{} has no key {}{}", simulator, in_quotes(s.name), did_you_mean(s.name, names))});
  }
}

const simulator_key* imported_settings::find(const std::string& name) const {
  const auto found = std::find_if(m_keys.begin(), m_keys.end(), [&](const simulator_key& k) { return k.name == name; });
  return found == m_keys.end() ? nullptr : &*found;
}

imported_setting imported_settings::use(const std::string& name) {
  m_used.insert(name);
  const auto found = m_last.find(name);
  if (found != m_last.end()) return m_given[found->second];
  const simulator_key* const key = find(name);
  return {name, key ? key->value : "", fmt::format("{}'s default {}", m_simulator, name)};
}

unsigned imported_settings::whole(const std::string& name) {
  const imported_setting s = use(name);
  constexpr unsigned Most = 1'000'000'000;
  const auto value = parse_number<unsigned>(s.value);
  if (value && *value <= Most) return *value;
  error(name, fmt::format("{}: expected an integer from 0 to {}, got {}", name, Most, in_quotes(s.value)));
  return 1;
}

double imported_settings::number(const std::string& name) {
  const imported_setting s = use(name);
  const auto value = parse_number<double>(s.value);
  if (value && std::isfinite(*value)) return *value;
  error(name, fmt::format("{}: expected a number, got {}", name, in_quotes(s.value)));
  return 1;
}

void imported_settings::lack(const std::string& name, const std::string& why) {
  m_used.insert(name);
  m_lacks.emplace(name, why);
}

std::vector<imported_settings::remark> imported_settings::remarks() const {
  std::vector<remark> all;
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const imported_setting& s = m_given[i];
    const std::size_t last = m_last.at(s.name);
    const simulator_key* const key = find(s.name);
    if (last != i) {
      all.push_back({s, fmt::format("replaced at {}", m_given[last].place)});
    } else if (const auto lacks = m_lacks.find(s.name); lacks != m_lacks.end()) {
      all.push_back({s, lacks->second});
    } else if (m_used.count(s.name) == 0 && !(key && key->is_default_behavior && is_same_value(s.value, key->value))) {
      all.push_back({s, reason_of(m_simulator, s.name)});
    }
  }
  return all;
}

void imported_settings::error(const std::string& name, const std::string& message) {
  const std::string place = use(name).place;
  const auto is_same = [&](const diagnostic& d) { return d.place == place && d.message == message; };
  if (std::none_of(m_errors.begin(), m_errors.end(), is_same)) m_errors.push_back({place, message});
}

void imported_settings::throw_if_any() const {
  if (!m_errors.empty()) throw input_error(m_errors);
}

std::string not_converted(const std::string& what, const std::string& path, const std::string& value) {
  return fmt::format("`weft import` does not convert the {} {}{}", what, in_quotes(value), value_hint(path, value));
}

}  // namespace weft::experiment
