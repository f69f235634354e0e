// SPDX-License-Identifier: Apache-2.0
/// The bandwidth that the links have left while the sends of a round are selected, and an index of links by their ends.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/forwarding/link_graph.h"

namespace weft::schedule {

/// Index of links: finds the link from one node to another.
class link_index {
 public:
  explicit link_index(const link_graph& graph) {
    for (link_id l = 0; l < graph.links.size(); ++l) m_links[{graph.links[l].from, graph.links[l].to}] = l;
  }
  std::optional<link_id> find(node_id from, node_id to) const {
    const auto at = m_links.find({from, to});
    return at == m_links.end() ? std::nullopt : std::optional<link_id>(at->second);
  }

 private:
  std::map<std::pair<node_id, node_id>, link_id> m_links;
};

/// The bandwidth that is left under each limit of a graph.
class round_budget {
 public:
  /// Starts with the full bandwidth of \p rounds rounds.
  explicit round_budget(const link_graph& graph, unsigned rounds = 1) : m_of(graph.links.size()) {
    for (const bandwidth_limit& limit : limits_of(graph)) {
      for (const link_id l : limit.links) m_of[l].push_back(m_full.size());
      m_full.push_back(limit.bandwidth * rounds);
    }
    m_left = m_full;
  }

  bool has(link_id link) const {
    for (const std::size_t limit : m_of[link]) {
      if (m_left[limit] == 0) return false;
    }
    return true;
  }
  /// Uses the bandwidth of one chunk on \p link. Returns false, and changes nothing, if no bandwidth is left.
  bool take(link_id link) {
    if (!has(link)) return false;
    for (const std::size_t limit : m_of[link]) --m_left[limit];
    return true;
  }
  void next_round() { m_left = m_full; }

 private:
  std::vector<std::vector<std::size_t>> m_of;  // the limits of each link
  std::vector<unsigned> m_full, m_left;        // chunks that each limit allows in total, and chunks left
};

}  // namespace weft::schedule
