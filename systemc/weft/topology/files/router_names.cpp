// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/router_names.h"

#include <algorithm>

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

std::optional<router_id> router_names::called(const std::string& name) const {
  const auto found = std::find(m_names.begin(), m_names.end(), name);
  if (found == m_names.end() || name.empty()) return std::nullopt;
  return static_cast<router_id>(found - m_names.begin());
}

std::optional<router_id> router_names::read(const YAML::Node& n, const std::string& path) const {
  if (const auto number = whole_number_in(n)) {
    if (*number < m_names.size()) return static_cast<router_id>(*number);
    m_faults.add(n.Mark(), fmt::format("{}: there is no router {}, only 0 to {}", path, *number, m_names.size() - 1));
  } else if (n.IsScalar()) {
    if (const auto router = called(n.Scalar())) return router;
    m_faults.add(n.Mark(), fmt::format("{}: there is no router {}{}", path, in_quotes(n.Scalar()),
                                       names_hint(n.Scalar(), m_names)));
  } else {
    m_faults.wrong(n.Mark(), path, "the name or number of a router", n);
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
