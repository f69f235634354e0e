// SPDX-License-Identifier: Apache-2.0
/// Formulates the search for schedules without combining as a placement problem. An item is a message for one receiver.
/// Each item gets a step and a path such that no channel exceeds its capacity. If a symmetry group is given, an item
/// represents all its images, which are in the same step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/exact/symmetry.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/problem.h"
#include "weft/core/random.h"

namespace weft::schedule {

/// A row: a set of channels that are images of each other. They have the same load and therefore share one limit.
using row_id = std::uint32_t;

/// An item: the message of `origin` and a node that receives it. In a scatter, the message comes directly from its
/// origin; in a broadcast, it may come from any node that has it.
struct placement_item {
  node_id origin = 0;
  node_id to = 0;
  bool required = true;              ///< whether the receiver requested the message; others may only forward it
  std::vector<channel_id> usable{};  ///< channels that the item's path may use, ascending
  std::vector<bool> forced{};        ///< for each usable channel, whether all paths need it
};

/// The placement of one item.
struct placed {
  std::size_t item = 0;
  std::size_t step = 0;
  channel_path path;
};

/// Limits the channels that a path may use.
struct path_limit {
  static constexpr std::uint32_t AnyLength = std::numeric_limits<std::uint32_t>::max();
  /// A path may use the channels on walks to the receiver that are at most this much longer than the shortest path. 0
  /// means shortest paths only.
  std::uint32_t detour = 0;
};

class placement {
 public:
  /// Enumerates the items of \p p, which must not combine messages. \p group must be one of free_groups(). Both must
  /// outlive the placement. \throws time_is_over
  placement(const problem& p, const symmetry_group& group, path_limit limit, const search_control& control);

  const problem& question() const { return m_problem; }
  const step_network& network() const { return m_problem.network; }
  std::uint32_t detour() const { return m_limit.detour; }
  bool relays() const { return m_problem.requested.what == operation::Broadcast; }
  const std::vector<placement_item>& items() const { return m_items; }
  /// Returns the item that represents the delivery of the message of \p origin to \p to.
  std::optional<std::size_t> item_of(node_id origin, node_id to) const;

  std::size_t rows() const { return m_capacity.size(); }
  row_id row_of(channel_id c) const { return m_row_of[c]; }
  /// Returns the load that an item adds to the row of channel \p c if its path uses the channel.
  unsigned weight(channel_id c) const { return m_weight[m_row_of[c]]; }
  /// Returns the number of transfers per step that the row allows.
  unsigned capacity(row_id row) const { return m_capacity[row]; }
  /// Returns the load that the item adds to the row whichever path it uses.
  unsigned forced_load(const placement_item& item, row_id row) const;

  /// Whether \p steps steps are enough for the forced load of every row.
  bool may_fit(std::size_t steps) const;

  /// Returns the schedule that consists of the placed items and all their images.
  step_schedule schedule(const std::vector<placed>& all, std::size_t steps) const;

 private:
  void find_rows();
  void find_items(const search_control& control);
  void add_item(node_id origin, node_id to, bool required);
  bool usable(const placement_item& item, channel_id id, const std::vector<std::uint32_t>& to) const;

  const problem& m_problem;
  const symmetry_group& m_group;
  const path_limit m_limit;
  std::vector<std::vector<std::uint32_t>> m_from;  // distance from each node to each vertex
  std::vector<row_id> m_row_of;                    // row of each channel
  std::vector<unsigned> m_weight;                  // weight of each row
  std::vector<unsigned> m_capacity;                // capacity of each row
  std::vector<placement_item> m_items;
  std::map<std::pair<node_id, node_id>, std::size_t> m_item_of;
};

/// Returns the paths of \p item on which the images of the item do not conflict, the shortest first. If there are more
/// than \p most, returns a random selection. For scatter only.
std::vector<channel_path> candidate_paths(const placement& p, const placement_item& item, std::size_t most,
                                          random_stream& random);

}  // namespace weft::schedule
