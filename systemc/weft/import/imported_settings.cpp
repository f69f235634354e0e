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
  if (!hint) return "Weft has no counterpart";
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

std::string assignment(const imported_setting& s) {
  return fmt::format("{} = {}{}", printable(s.name), abridged(s.value), s.is_default ? " (default)" : "");
}

imported_settings::imported_settings(const char* simulator, std::string file, std::vector<imported_setting> given,
                                     std::vector<simulator_key> keys)
    : m_simulator(simulator), m_file(std::move(file)), m_given(std::move(given)), m_keys(std::move(keys)) {
  choose_holding();
  check_given();
}

void imported_settings::choose_holding() {
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const auto [held, is_first] = m_holding.insert({m_given[i].name, i});
    if (is_first) continue;
    const bool is_number = is_number_token(m_given[i].value),
               holds_number = is_number_token(m_given[held->second].value);
    if (!is_number || holds_number) held->second = i;
  }
}

void imported_settings::check_given() {
  std::vector<std::string> names;
  for (const simulator_key& k : m_keys) names.emplace_back(k.name);
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const imported_setting& s = m_given[i];
    const simulator_key* const key = find(s.name);
    if (!key && !hint_of_key(m_simulator, s.name)) {
      const std::string similar = did_you_mean(s.name, names);
      add_error(s.place, fmt::format("{} has no key {}{}", m_simulator, in_quotes(s.name),
                                     similar.empty() ? "; remove it" : similar));
    }
    if (!key || m_holding.at(s.name) != i) continue;
    if (const std::string fault = fault_of_value(m_simulator, *key, s.value); !fault.empty())
      add_error(s.place, fmt::format("{}: {}", s.name, fault));
  }
}

const simulator_key* imported_settings::find(const std::string& name) const {
  const auto found = std::find_if(m_keys.begin(), m_keys.end(), [&](const simulator_key& k) { return k.name == name; });
  return found == m_keys.end() ? nullptr : &*found;
}

imported_setting imported_settings::setting_of(const std::string& name) const {
  const auto found = m_holding.find(name);
  if (found != m_holding.end()) return m_given[found->second];
  const simulator_key* const key = find(name);
  return {name, key ? key->value : "", m_file, false, true};
}

bool imported_settings::is_wrong(const std::string& name) const {
  const simulator_key* const key = find(name);
  return key && has(name) && !fault_of_value(m_simulator, *key, setting_of(name).value).empty();
}

imported_setting imported_settings::use(const std::string& name) {
  m_used.insert(name);
  return setting_of(name);
}

std::uint64_t imported_settings::whole(const std::string& name) {
  const imported_setting s = use(name);
  constexpr std::uint64_t Most = 1'000'000'000;
  const auto value = parse_number<std::uint64_t>(s.value);
  if (value && *value <= Most) return *value;
  if (!is_wrong(name))
    error(name, fmt::format("{}: expected an integer from 0 to {}, got {}", name, Most, in_quotes(s.value)));
  return 1;
}

double imported_settings::number(const std::string& name) {
  const imported_setting s = use(name);
  const auto value = parse_number<double>(s.value);
  if (value && std::isfinite(*value)) return *value;
  if (!is_wrong(name)) error(name, fmt::format("{}: expected a number, got {}", name, in_quotes(s.value)));
  return 1;
}

void imported_settings::lack_unexpectedly(const std::string& name, const std::string& why) {
  lack(name, why);
  m_unexpected.insert(name);
}

void imported_settings::differ(const std::string& name, const std::string& why) {
  m_used.insert(name);
  m_differences.emplace_back(name, why);
}

bool imported_settings::is_ignored(const imported_setting& s) const {
  const simulator_key* const key = find(s.name);
  return m_used.count(s.name) == 0 && !(key && key->is_default_behavior && is_same_value(s.value, key->value));
}

std::vector<imported_settings::remark> imported_settings::remarks() const {
  std::vector<remark> all;
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const imported_setting& s = m_given[i];
    const imported_setting& holding = m_given[m_holding.at(s.name)];
    const simulator_key* const key = find(s.name);
    if (m_holding.at(s.name) > i) {
      all.push_back({s, fmt::format("replaced by {} ({})", assignment(holding), holding.place)});
    } else if (m_holding.at(s.name) < i) {
      all.push_back(
          {s,
           fmt::format("{} ignores this number because of {} ({}): it prefers a list or name, also an earlier one",
                       m_simulator, assignment(holding), holding.place),
           true});
    } else if (const auto lacks = m_lacks.find(s.name); lacks != m_lacks.end()) {
      all.push_back({s, lacks->second, m_unexpected.count(s.name) > 0});
    } else if (is_ignored(s) && !(key && key->changes_results)) {
      all.push_back({s, reason_of(m_simulator, s.name)});
    }
  }
  return all;
}

std::vector<imported_settings::remark> imported_settings::differences() const {
  std::vector<remark> all;
  for (std::size_t i = 0; i < m_given.size(); ++i) {
    const imported_setting& s = m_given[i];
    const simulator_key* const key = find(s.name);
    if (m_holding.at(s.name) == i && key && key->changes_results && m_lacks.count(s.name) == 0 && is_ignored(s))
      all.push_back({s, reason_of(m_simulator, s.name)});
  }
  for (const auto& [name, why] : m_differences) all.push_back({setting_of(name), why});
  return all;
}

void imported_settings::error(const std::string& name, const std::string& message) {
  add_error(use(name).place, message);
}

void imported_settings::add_error(const std::string& place, const std::string& message) {
  const auto is_same = [&](const diagnostic& d) { return d.place == place && d.message == message; };
  if (std::none_of(m_errors.begin(), m_errors.end(), is_same)) m_errors.push_back({place, message});
}

void imported_settings::throw_if_any() const {
  if (m_errors.empty()) return;
  // In the order of the settings. Errors that no setting causes come first.
  const auto rank = [this](const diagnostic& d) {
    const auto given =
        std::find_if(m_given.begin(), m_given.end(), [&](const imported_setting& s) { return s.place == d.place; });
    return given == m_given.end() ? -1 : given - m_given.begin();
  };
  std::vector<diagnostic> errors = m_errors;
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const diagnostic& a, const diagnostic& b) { return rank(a) < rank(b); });
  throw input_error(std::move(errors));
}

std::string not_converted(const std::string& what, const std::string& path, const std::string& value) {
  return fmt::format("`weft import` does not convert the {} {}{}", what, in_quotes(value), value_hint(path, value));
}

}  // namespace weft::experiment
