// SPDX-License-Identifier: Apache-2.0
#include "weft/core/warning.h"

#include <algorithm>
#include <iostream>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "weft/core/printable.h"

namespace weft {

namespace {

struct warning_state {
  std::mutex mutex;
  std::set<std::string> given;
  warning_handler handler = [](const diagnostic& d) {
    std::cerr << printable(d.place) + ": warning: " + printable(d.message) + "\n";
  };
};

warning_state& state() {
  static warning_state the_state;
  return the_state;
}

}  // namespace

void warn(const diagnostic& d) {
  warning_state& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.handler && s.given.insert(d.place + ": " + d.message).second) s.handler(d);
}

warning_handler set_warning_handler(warning_handler handler) {
  warning_state& s = state();
  const std::lock_guard lock(s.mutex);
  s.given.clear();
  return std::exchange(s.handler, std::move(handler));
}

void omissions::add(const std::string& what, const std::string& place) {
  constexpr std::size_t MostKinds = 40;
  const bool is_known = m_kinds.size() < MostKinds || m_kinds.count(what) > 0;
  const auto [at, is_new] = m_kinds.try_emplace(is_known ? what : "items of further kinds are not read");
  if (is_new) {
    at->second.place = place;
    at->second.order = m_kinds.size();
  }
  ++at->second.count;
}

void omissions::warn_all(const std::string& remedy) const {
  std::vector<std::pair<std::string, kind>> kinds(m_kinds.begin(), m_kinds.end());
  std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  for (const auto& [what, k] : kinds) {
    const std::string count = k.count == 1 ? "" : " (" + std::to_string(k.count) + " times, first here)";
    warn({k.place, what + count + (remedy.empty() ? "" : "; " + remedy)});
  }
}

}  // namespace weft
