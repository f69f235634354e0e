// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/traffic.h"

#include <algorithm>
#include <utility>

namespace weft::schedule {

traffic::traffic(kind what, std::vector<std::uint64_t> units, node_set receivers)
    : m_what(what), m_units(std::move(units)), m_receives(std::move(receivers)) {
  m_receivers = static_cast<std::uint64_t>(std::count(m_receives.begin(), m_receives.end(), true));
  for (const std::uint64_t n : m_units) {
    m_all += n;
    m_most = std::max(m_most, n);
  }
}

namespace {

std::vector<std::uint64_t> one_of_each(const std::vector<node_id>& senders, std::size_t nodes) {
  std::vector<std::uint64_t> units(nodes, 0);
  for (const node_id n : senders) units[n] = 1;
  return units;
}

node_set set_of(const std::vector<node_id>& members, std::size_t nodes) {
  node_set set(nodes, false);
  for (const node_id n : members) set[n] = true;
  return set;
}

}  // namespace

traffic::traffic(const collective& requested, std::size_t nodes)
    : traffic(requested.what == operation::Scatter ? kind::Personal : kind::Shared,
              one_of_each(requested.senders, nodes), set_of(requested.receivers, nodes)) {}

std::uint64_t traffic::sent_by(node_id node) const {
  const std::uint64_t others = m_receivers - (m_receives[node] ? 1 : 0);
  return m_units[node] * (m_what == kind::Personal ? others : std::min<std::uint64_t>(others, 1));
}

std::uint64_t traffic::received_by(node_id node) const {
  if (!m_receives[node]) return 0;
  if (m_what != kind::Summed) return m_all - m_units[node];
  return m_all > m_units[node] ? m_most : 0;
}

std::uint64_t traffic::leaving(const node_set& inside) const {
  std::uint64_t units = 0, receivers = 0;
  for (node_id n = 0; n < nodes(); ++n) {
    if (inside[n]) units += m_units[n];
    if (!inside[n] && m_receives[n]) ++receivers;
  }
  if (receivers == 0 || units == 0) return 0;
  switch (m_what) {
    case kind::Shared:
      return units;
    case kind::Personal:
      return units * receivers;
    case kind::Summed:
      return m_most;
  }
  return 0;
}

}  // namespace weft::schedule
