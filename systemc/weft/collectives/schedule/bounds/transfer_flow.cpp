// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/transfer_flow.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft::schedule {
std::string ranges_of(const node_set& set) {
  std::string text;
  for (std::size_t first = 0; first < set.size(); ++first) {
    if (!set[first]) continue;
    std::size_t last = first;
    while (last + 1 < set.size() && set[last + 1]) ++last;
    text += fmt::format(first == last ? "{}{}" : "{}{}-{}", text.empty() ? "" : ", ", first, last);
    first = last;
  }
  return text;
}

transfer_flow::transfer_flow(const step_network& network)
    : m_source(network.vertices() + network.nodes()),
      m_sink(m_source + 1),
      m_flow(m_sink + 1),
      m_sending(network.channels().size()),
      m_receiving(m_sending + network.nodes()) {
  const auto receiving = [&](vertex_id node) { return network.vertices() + node; };
  for (const step_channel& c : network.channels()) {
    m_flow.add_arc(c.from, network.is_node(c.to) ? receiving(c.to) : c.to, c.capacity);
  }
  for (node_id n = 0; n < network.nodes(); ++n) m_flow.add_arc(m_source, n, 0);
  for (node_id n = 0; n < network.nodes(); ++n) m_flow.add_arc(receiving(n), m_sink, 0);
}

std::uint64_t transfer_flow::most(const node_set& from, const node_set& to, std::uint64_t enough) {
  for (node_id n = 0; n < from.size(); ++n) m_flow.set_capacity(m_sending + n, from[n] ? max_flow::Endless : 0);
  for (node_id n = 0; n < to.size(); ++n) m_flow.set_capacity(m_receiving + n, to[n] ? max_flow::Endless : 0);
  m_flow.reset();
  const auto limit = static_cast<std::int64_t>(std::min<std::uint64_t>(enough, max_flow::Endless));
  return static_cast<std::uint64_t>(m_flow.run(m_source, m_sink, limit));
}

}  // namespace weft::schedule
