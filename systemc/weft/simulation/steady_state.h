// SPDX-License-Identifier: Apache-2.0
/// Detects the end of the transient of a simulation, and whether it reaches a steady state at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// Returns the number of \p values that belong to the transient, by MSER-5 (White, Cobb, Spratt 2000). The values must
/// be equidistant in time from the start of a simulation. MSER-5 averages groups of five values. The transient ends
/// where the standard error of the mean of all later values is minimal. If this point is in the second half, the series
/// is too short, and the function returns the number of all values.
std::size_t length_of_transient(const std::vector<double>& values);

/// Length of the shortest window in which a growth of queues is not due to chance. It is 100 times \p correlation_time,
/// the number of cycles over which the offered load is correlated; Never if that is infinite.
cycle_t sufficient_window(double correlation_time);

/// Detects queues that grow without limit. The source queues of all nodes are sampled at equal intervals over the
/// window. Memory is bounded: samples form groups, and adjacent groups are merged in pairs whenever there are 16
/// groups.
/// A queue grows without limit if three conditions hold. It is always longer in the last half of the window than on
/// average in the first quarter. Its mean length rises significantly over the eighths of the window, according to
/// trend_of(). Its mean length in the last quarter exceeds that in the first quarter by at least two packets. The queue
/// of a network that keeps up becomes empty repeatedly, so it does not meet the first condition, even if it is long at
/// times. The same conditions apply to all flits in flight, in queues and in routers, because deep buffers may fill
/// first. These flits must increase by at least one packet per node.
/// The second condition distinguishes growth from chance in a window that is no longer than the correlation time of its
/// queues. In a network that collapses during the window, queues do not grow along a line. Once the samples cover a
/// much longer time, the other two conditions suffice.
class queue_watch {
 public:
  static constexpr std::size_t MinSamples = 8;  ///< samples needed for an estimate

  explicit queue_watch(std::size_t nodes) : m_nodes(nodes) {}

  /// \param flits flits in the source queue of each node \param under_way flits that were created but not received
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

  /// Whether far more flits are in flight now than on average over the samples: more than twice as many plus one packet
  /// per node. \param packet mean length of a packet in flits \param now flits in flight
  bool is_far_above_mean(double packet, std::uint64_t now) const;

 private:
  /// Summary of a queue over a group of samples.
  struct summary {
    float mean = 0;
    std::uint32_t least = ~std::uint32_t{0};
  };
  using group = std::vector<summary>;  ///< one for each node, and one for all flits in flight
  void merge_groups();
  /// The mean length of queue \p n in each group.
  std::vector<double> means_of(std::size_t n) const;
  /// Whether queue \p n grows without limit, by at least \p least_growth flits.
  bool grows(std::size_t n, double least_growth, rise how) const;

  std::size_t m_nodes;
  std::size_t m_samples_per_group = 1;
  std::size_t m_samples = 0;  ///< samples in the last group
  std::vector<group> m_groups;
};

}  // namespace weft::experiment
