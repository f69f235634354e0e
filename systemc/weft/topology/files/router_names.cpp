// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/router_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft {

std::string names_hint(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t Most = 16, Shortest = 3;
  std::string near = name.size() < Shortest ? "" : did_you_mean(name, names);
  if (!near.empty() || names.empty() || names.size() > Most) return near;
  std::vector<std::string> all;
  for (const std::string& one : names) all.push_back(abridged(one));
  return fmt::format("; there are {}", fmt::join(all, ", "));
}

void router_names::add(const std::string& name) {
  m_first.emplace(name, static_cast<router_id>(m_names.size()));
  m_names.push_back(name);
}

std::optional<router_id> router_names::called(const std::string& name) const {
  const auto found = m_first.find(name);
  if (found == m_first.end() || name.empty()) return std::nullopt;
  return found->second;
}

std::string router_names::hint(const std::string& name) const {
  constexpr std::size_t MostHints = 64;
  return m_errors.found().size() < MostHints ? names_hint(name, m_names) : std::string();
}

std::optional<router_id> router_names::read(const YAML::Node& n, const std::string& path) const {
  if (const auto number = whole_number_in(n)) {
    if (*number < m_names.size()) return static_cast<router_id>(*number);
    m_errors.add(n.Mark(),
                 fmt::format("{}: there is no router {}, expected 0 to {}", path, *number, m_names.size() - 1));
  } else if (n.IsScalar()) {
    if (const auto router = called(n.Scalar())) return router;
    m_errors.add(n.Mark(), fmt::format("{}: there is no router {}{}", path, in_quotes(n.Scalar()), hint(n.Scalar())));
  } else {
    m_errors.wrong(n.Mark(), path, "the name or number of a router", n);
  }
  return std::nullopt;
}

vc_set read_vcs(const yaml_section& section, const std::string& key, vc_set otherwise) {
  if (!section.has(key)) return otherwise;
  vc_set set = 0;
  for (const std::uint64_t vc : section.numbers(key, MaxVcs - 1)) set |= vc_set{1} << vc;
  return set;
}

}  // namespace weft
