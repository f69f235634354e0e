// SPDX-License-Identifier: Apache-2.0
/// Schedules of unit messages as a placement: each item, a message for a receiver, gets a step and a path, and no
/// channel serves more than it can. With a group of symmetries an item stands for all its images, which are in the
/// same step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/random.h"
#include "weft/schedule/exact/symmetry.h"
#include "weft/schedule/method.h"
#include "weft/schedule/problem.h"

namespace weft::schedule {

/// Channels that are images of each other: equally loaded, so one limit.
using row_id = std::uint32_t;

/// A message of \p origin and a node that gets it. Scatter: straight from the origin. Broadcast: from any node that has
/// it.
struct placement_item {
  node_id origin = 0;
  node_id to = 0;
  bool required = true;              ///< not where a node that did not ask for it may pass it on
  std::vector<channel_id> usable{};  ///< channels that its path may have, ascending
  std::vector<bool> forced{};        ///< of each usable one: no path does without it
};

/// Where one item is.
struct placed {
  std::size_t item = 0;
  std::size_t step = 0;
  channel_path path;
};

/// Which channels a path may have.
struct path_limit {
  static constexpr std::uint32_t AnyLength = std::numeric_limits<std::uint32_t>::max();
  /// Channels that lie on a walk to the receiver that is by no more than this longer than the shortest; 0: shortest
  /// paths.
  std::uint32_t detour = 0;
};

class placement {
 public:
  /// \p p without combining and \p group outlive it; the group as of free_groups(). \throws time_is_over
  placement(const problem& p, const symmetry_group& group, path_limit limit, const search_control& control);

  const problem& asked() const { return m_problem; }
  const step_network& network() const { return m_problem.network; }
  std::uint32_t detour() const { return m_limit.detour; }
  bool relays() const { return m_problem.asked.what == operation::Broadcast; }
  const std::vector<placement_item>& items() const { return m_items; }
  /// The item that stands for \p to getting the message of \p origin.
  std::optional<std::size_t> item_of(node_id origin, node_id to) const;

  std::size_t rows() const { return m_capacity.size(); }
  row_id row_of(channel_id c) const { return m_row_of[c]; }
  /// How often a channel of an item's path loads its row.
  unsigned weight(channel_id c) const { return m_weight[m_row_of[c]]; }
  /// Transfers of a step.
  unsigned capacity(row_id row) const { return m_capacity[row]; }
  /// What the item loads the row with whatever its path.
  unsigned forced_load(const placement_item& item, row_id row) const;

  /// Whether no row must serve more than \p steps allow.
  bool may_fit(std::size_t steps) const;

  /// All images of all that is placed.
  step_schedule schedule(const std::vector<placed>& all, std::size_t steps) const;

 private:
  void find_rows();
  void find_items(const search_control& control);
  void add_item(node_id origin, node_id to, bool required);
  bool usable(const placement_item& item, channel_id id, const std::vector<std::uint32_t>& to) const;

  const problem& m_problem;
  const symmetry_group& m_group;
  const path_limit m_limit;
  std::vector<std::vector<std::uint32_t>> m_from;  // distances from each node to each vertex
  std::vector<row_id> m_row_of;                    // of channels
  std::vector<unsigned> m_weight;                  // of rows
  std::vector<unsigned> m_capacity;                // of rows
  std::vector<placement_item> m_items;
  std::map<std::pair<node_id, node_id>, std::size_t> m_item_of;
};

/// Paths of the item on which its images do not meet, shortest first; where there are more than \p most, some at
/// random. Scatter only.
std::vector<channel_path> candidate_paths(const placement& p, const placement_item& item, std::size_t most,
                                          random_stream& random);

}  // namespace weft::schedule
