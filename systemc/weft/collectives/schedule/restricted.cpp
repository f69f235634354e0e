// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/restricted.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

unsigned most_ports_of(const step_network& network) {
  unsigned most = 1;
  for (node_id n = 0; n < network.nodes(); ++n) most = std::max({most, network.ports_out(n), network.ports_in(n)});
  return most;
}

}  // namespace

restricted_question::restricted_question(const problem& whole, unsigned ports, path_rule paths, bool combining)
    : m_whole(whole), m_paths(paths), m_combining(combining) {
  std::vector<std::string> parts;
  if (ports > 0) {
    m_network = std::make_shared<const limited_network>(with_ports(whole.network, ports));
    parts.push_back(number_of(ports, "port"));
  }
  if (paths != whole.paths) parts.emplace_back("shortest paths");
  if (combining != whole.combining) parts.emplace_back("single messages");
  m_text = fmt::format("{}", fmt::join(parts, ", "));
}

problem restricted_question::question() const {
  return {m_network ? m_network->network : m_whole.network, m_whole.requested, m_paths, m_combining};
}

step_schedule restricted_question::widened(step_schedule s) const {
  if (!m_network) return s;
  for (step& one : s.steps) {
    for (transfer& t : one) {
      channel_path path;
      for (const channel_id c : t.path) {
        if (m_network->original[c]) path.push_back(*m_network->original[c]);
      }
      t.path = std::move(path);
    }
  }
  return s;
}

std::vector<restricted_question> restrictions_of(const problem& p) {
  std::vector<path_rule> paths{p.paths};
  if (p.paths == path_rule::Any) paths.push_back(path_rule::Minimal);
  std::vector<bool> combining{p.combining};
  if (p.combining) combining.push_back(false);
  std::vector<restricted_question> all;
  const unsigned most = most_ports_of(p.network);
  for (unsigned ports = most; ports > 0; --ports) {
    for (const bool combined : combining) {
      for (const path_rule rule : paths) {
        if (ports == most && combined == p.combining && rule == p.paths) continue;  // not a restriction
        all.emplace_back(p, ports == most ? 0 : ports, rule, combined);
      }
    }
  }
  return all;
}

}  // namespace weft::schedule
