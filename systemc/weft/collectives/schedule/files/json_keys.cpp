// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/json_keys.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/schedule/files/json_follower.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft::schedule {
namespace {

/// Checks each key.
class key_checker final : public json_follower {
 public:
  explicit key_checker(const std::vector<object_keys>& known) : m_known(known) {}

 private:
  /// An open list or object.
  struct place {
    std::string pattern;                    ///< its path, with [] for every index
    const std::vector<std::string>* names;  ///< allowed keys; null for any
  };

  bool at_key(const std::string& name) override {
    const std::vector<std::string>* const names = m_places.back().names;
    if (names == nullptr || std::find(names->begin(), names->end(), name) != names->end()) return true;
    const std::string hint = did_you_mean(name, *names);
    throw std::invalid_argument(
        fmt::format("line {}: {}: unknown key{}", line(), abridged(path()),
                    hint.empty() ? fmt::format("; expected one of {}", fmt::join(*names, ", ")) : hint));
  }
  void at_begin() override {
    std::string pattern;
    if (!m_places.empty()) {
      const level& around = levels()[levels().size() - 2];
      const std::string& of_around = m_places.back().pattern;
      pattern = around.is_list ? of_around + "[]" : of_around + (of_around.empty() ? "" : ".") + around.name;
    }
    const bool is_list = levels().back().is_list;
    const auto found = std::find_if(m_known.begin(), m_known.end(),
                                    [&](const object_keys& one) { return !is_list && one.path == pattern; });
    m_places.push_back({std::move(pattern), found == m_known.end() ? nullptr : &found->names});
  }
  void at_end() override { m_places.pop_back(); }

  const std::vector<object_keys>& m_known;
  std::vector<place> m_places;
};

}  // namespace

void check_keys(const std::string& text, const std::vector<object_keys>& known) { key_checker(known).follow(text); }

}  // namespace weft::schedule
