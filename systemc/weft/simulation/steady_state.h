// SPDX-License-Identifier: Apache-2.0
/// Detects whether a simulation has reached its steady state, and whether it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// MSER-5 (White, Cobb, Spratt 2000): the number of \p values, equidistant from the start of a simulation, that belong
/// to the transient. Groups of five are averaged; the transient ends where the standard error of the mean of the rest
/// is minimal. Returns the number of all values if this point is in the second half, because the series is then too
/// short.
std::size_t length_of_transient(const std::vector<double>& values);

/// Shortest window in which growth of queues is not due to chance if the offered load is correlated over
/// \p correlation_time cycles: 100 times as long.
cycle_t sufficient_window(double correlation_time);

/// Samples the source queues of all nodes at equal intervals over the window, in bounded memory: pairs of groups are
/// merged whenever there are 16 groups of samples.
/// A queue grows without limit if it is longer throughout the last half of the window than on average in the first
/// quarter, if the means of the window's eighths rise significantly according to trend_of(), and if the last quarter
/// has at least two packets more than the first. The queue of a network that keeps up becomes empty repeatedly, so it
/// fails the first condition however long it is temporarily. The same conditions apply to all flits in flight, in
/// queues and in routers, if they increase by a packet per node, because deep buffers may fill first.
/// The trend distinguishes growth from chance in a window that is no longer than the correlation time of its queues. A
/// network that collapses at some time within the window grows, but not along a line; once the samples cover a much
/// longer time, the other two conditions suffice.
class queue_watch {
 public:
  static constexpr std::size_t MinSamples = 8;  ///< samples needed for an estimate

  explicit queue_watch(std::size_t nodes) : m_nodes(nodes) {}

  /// \param flits flits in the source queue of each node \param under_way flits created and not received
  void sample(const std::vector<std::uint32_t>& flits, std::uint64_t under_way);

  struct growth {
    std::vector<node_id> nodes;  ///< nodes whose queue grows without limit
    bool network = false;        ///< whether the flits in flight in the whole network grow without limit
    double flits = 0;            ///< growth of the flits in flight from the first to the last quarter of the window

    bool without_limit() const { return network || !nodes.empty(); }
  };
  enum class rise { Steady, Any };  ///< whether growth must have a linear trend
  /// \param packet mean length of a packet in flits
  growth estimate_growth(double packet, rise how = rise::Steady) const;

  /// Whether far more flits are in flight at the end of the samples than on average before: twice as many plus a packet
  /// per node. \param packet as in estimate_growth() \param now flits in flight
  bool is_far_above_mean(double packet, std::uint64_t now) const;

 private:
  /// Summary of a node over a group of samples.
  struct summary {
    float mean = 0;
    std::uint32_t least = ~std::uint32_t{0};
  };
  using group = std::vector<summary>;  ///< for all nodes, and for the flits in flight
  void merge_groups();
  /// Means of queue \p n, group by group.
  std::vector<double> means_of(std::size_t n) const;
  /// Whether it grows without limit, by at least \p least_growth flits.
  bool grows(std::size_t n, double least_growth, rise how) const;

  std::size_t m_nodes;
  std::size_t m_samples_per_group = 1;  ///< samples per group
  std::size_t m_samples = 0;            ///< samples in the last group
  std::vector<group> m_groups;
};

}  // namespace weft::experiment
