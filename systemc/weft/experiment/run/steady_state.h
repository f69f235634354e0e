// SPDX-License-Identifier: Apache-2.0
/// Whether a simulation has reached its steady state, and whether it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// MSER-5 (White, Cobb, Spratt 2000): how many of \p values, at equal distances in time from the start of a simulation,
/// belong to the transient. Five at a time are averaged; the cut is where the standard error of the mean of the rest is
/// least. All of them where that is in the second half: then the series is too short to tell.
std::size_t length_of_transient(const std::vector<double>& values);

/// Shortest window whose growth of queues is no matter of chance, where what is offered stays much the same for
/// \p correlation_time cycles: 100 times as long.
cycle_t window_that_tells(double correlation_time);

/// Looks at the source queues of all nodes at equal distances over the window, in bounded memory: looks are taken
/// together, two and two, whenever there are 16 groups of them.
///
/// A queue grows without limit if it is longer all through the last half of the window than it was on average in the
/// first quarter, if the means of the window's eighths rise as trend_of() asks, and if the last quarter has at least
/// two packets more than the first. A queue of a network that keeps up runs empty again and again, so it fails the
/// first of these however long it is for a while. The same of all flits that are under way, in queues and in routers,
/// if they become more by a packet a node: buffers may be deep, and fill first.
///
/// The trend is what distinguishes growth from chance in a window that is no longer than the correlation of its queues.
/// A network that collapses, at some time and not at the start of the window, grows without being on a line: once the
/// looks cover a much longer time, the other two conditions say enough.
class queue_watch {
 public:
  static constexpr std::size_t LeastLooks = 8;  ///< of a judgement

  explicit queue_watch(std::size_t nodes) : m_nodes(nodes) {}

  /// \p flits in the source queue of each node; \p under_way: flits created and not received
  void look(const std::vector<std::uint32_t>& flits, std::uint64_t under_way);

  struct growth {
    std::vector<node_id> nodes;  ///< whose queue grows without limit
    bool network = false;        ///< what is under way in the whole network does
    double flits = 0;            ///< by which that grew in the window, from its first quarter to its last one

    bool without_limit() const { return network || !nodes.empty(); }
  };
  enum class rise { Steady, Any };  ///< whether growth must have the trend of a line
  /// \p packet: mean length of a packet, flits
  growth judge(double packet, rise how = rise::Steady) const;

  /// Whether at the end of the looks far more flits are under way than on average before: by as many again, and a
  /// packet a node. \p packet as in judge(); \p now: flits under way
  bool is_far_above_mean(double packet, std::uint64_t now) const;

 private:
  /// Of a node, over a group of looks.
  struct summary {
    float mean = 0;
    std::uint32_t least = ~std::uint32_t{0};
  };
  using group = std::vector<summary>;  ///< of all nodes, and of what is under way
  void merge_groups();
  /// Of queue \p n, group by group.
  std::vector<double> means_of(std::size_t n) const;
  /// Whether it grows without limit, by so many flits at least.
  bool grows(std::size_t n, double least_growth, rise how) const;

  std::size_t m_nodes;
  std::size_t m_looks_each = 1;  ///< looks of a group
  std::size_t m_looks = 0;       ///< of the last group
  std::vector<group> m_groups;
};

}  // namespace weft::experiment
