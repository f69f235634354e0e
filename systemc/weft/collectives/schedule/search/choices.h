// SPDX-License-Identifier: Apache-2.0
/// The choices of a local search: for every message and receiver, the possible paths and, for a broadcast, the nodes
/// that may forward the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/core/random.h"

namespace weft::schedule {

/// An item: the index of a demand in demands_of().
using item_id = std::uint32_t;
inline constexpr item_id NoItem = std::numeric_limits<item_id>::max();

/// One way to deliver an item.
struct way {
  std::uint32_t path = 0;   ///< index of the path
  item_id before = NoItem;  ///< item that must arrive earlier, because the path begins at its receiver
};

/// The position of an item in a schedule: its way and its step.
struct position {
  std::uint32_t way = 0;
  std::uint32_t step = 0;
};

class choices {
 public:
  /// Enumerates the ways of each item. The paths between two nodes are the shortest paths and, if the problem allows
  /// any path, some paths that are longer by up to Detour channels. If there are too many, some are drawn with the seed
  /// of \p control. \p p must outlive this object. \throws time_is_over
  choices(const problem& p, const search_control& control);

  static constexpr std::uint32_t Detour = 3;       ///< extra channels of a path
  static constexpr std::size_t MostWays = 64;      ///< maximum number of ways of an item
  static constexpr std::size_t MostPaths = 24;     ///< maximum number of paths between two nodes
  static constexpr std::size_t Enumerated = 1024;  ///< number of enumerated paths, of which MostPaths are drawn

  const step_network& network() const { return m_problem.network; }
  std::size_t items() const { return m_demands.size(); }
  const demand& what(item_id i) const { return m_demands[i]; }
  /// Returns the ways of an item. The list is never empty.
  const std::vector<way>& ways(item_id i) const { return m_ways[i]; }
  const channel_path& path(const way& w) const { return m_paths[w.path]; }
  /// Returns the items with the same receiver as \p i or, for a scatter, with the same origin, including \p i itself.
  /// If a port is full, they are candidates for a swap of steps.
  const std::vector<item_id>& same_receiver(item_id i) const { return m_of_receiver[m_demands[i].receiver]; }
  const std::vector<item_id>& same_origin(item_id i) const { return m_of_origin[m_demands[i].what.origin]; }

  /// Returns the schedule in which each item has its position in \p where.
  step_schedule schedule(const std::vector<position>& where, std::size_t steps) const;

 private:
  struct range {
    std::uint32_t first = 0, count = 0;
  };
  range paths_between(node_id from, node_id to, std::size_t most);
  std::vector<channel_path> draw(node_id from, node_id to, std::size_t most);
  void add_handed_on(item_id i, const std::map<std::pair<node_id, node_id>, item_id>& item_of);

  const problem& m_problem;
  random_stream m_random;
  std::vector<demand> m_demands;
  std::vector<channel_path> m_paths;
  std::map<std::pair<node_id, node_id>, range> m_of_pair;
  std::vector<std::vector<way>> m_ways;
  std::vector<std::vector<item_id>> m_of_receiver, m_of_origin;
};

}  // namespace weft::schedule
