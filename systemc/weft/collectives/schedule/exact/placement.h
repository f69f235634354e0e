// SPDX-License-Identifier: Apache-2.0
/// Schedules of unit messages as a placement: each item, a message for a receiver, gets a step and a path, and no
/// channel exceeds its capacity. With a symmetry group, an item represents all its images, which are in the same step.
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

/// A row is a set of channels that are images of each other. They have the same load, so they share one limit.
using row_id = std::uint32_t;

/// A message of \p origin and a node that receives it. Scatter: directly from the origin. Broadcast: from any node that
/// has it.
struct placement_item {
  node_id origin = 0;
  node_id to = 0;
  bool required = true;              ///< false: a node that did not request it may receive it to forward it
  std::vector<channel_id> usable{};  ///< channels that its path may use, ascending
  std::vector<bool> forced{};        ///< for each usable channel, whether all paths need it
};

/// The placement of one item.
struct placed {
  std::size_t item = 0;
  std::size_t step = 0;
  channel_path path;
};

/// Limits the channels of a path.
struct path_limit {
  static constexpr std::uint32_t AnyLength = std::numeric_limits<std::uint32_t>::max();
  /// Channels on a walk to the receiver that is at most this much longer than the shortest path; 0: shortest paths.
  std::uint32_t detour = 0;
};

class placement {
 public:
  /// \p p, without combining, and \p group, from free_groups(), must outlive it. \throws time_is_over
  placement(const problem& p, const symmetry_group& group, path_limit limit, const search_control& control);

  const problem& question() const { return m_problem; }
  const step_network& network() const { return m_problem.network; }
  std::uint32_t detour() const { return m_limit.detour; }
  bool relays() const { return m_problem.requested.what == operation::Broadcast; }
  const std::vector<placement_item>& items() const { return m_items; }
  /// The item that represents the delivery of the message of \p origin to \p to.
  std::optional<std::size_t> item_of(node_id origin, node_id to) const;

  std::size_t rows() const { return m_capacity.size(); }
  row_id row_of(channel_id c) const { return m_row_of[c]; }
  /// Load that a channel of an item's path adds to its row.
  unsigned weight(channel_id c) const { return m_weight[m_row_of[c]]; }
  /// Transfers per step.
  unsigned capacity(row_id row) const { return m_capacity[row]; }
  /// Load that the item adds to the row on any path.
  unsigned forced_load(const placement_item& item, row_id row) const;

  /// Whether \p steps steps are enough for the forced load of every row.
  bool may_fit(std::size_t steps) const;

  /// The schedule with all images of the placed items.
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
  std::vector<row_id> m_row_of;                    // for each channel
  std::vector<unsigned> m_weight;                  // for each row
  std::vector<unsigned> m_capacity;                // for each row
  std::vector<placement_item> m_items;
  std::map<std::pair<node_id, node_id>, std::size_t> m_item_of;
};

/// Paths of the item on which its images do not conflict, shortest first; a random selection if there are more than
/// \p most. Scatter only.
std::vector<channel_path> candidate_paths(const placement& p, const placement_item& item, std::size_t most,
                                          random_stream& random);

}  // namespace weft::schedule
