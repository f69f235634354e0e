// SPDX-License-Identifier: Apache-2.0
/// The worst service times of the packets of flows in the queues on their paths.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "weft/bounds/queue_network.h"
#include "weft/core/parameters.h"
#include "weft/workload/flows.h"

namespace weft {

/// A time without a limit.
inline constexpr double NoLimit = std::numeric_limits<double>::infinity();

/// The times of a flow in a queue, in cycles, without the packets of other queues.
struct visit_times {
  double head = 0;  ///< from the time when the head of a packet is at the front until it leaves
  double held = 0;  ///< for which a packet occupies its output VC, from the grant until another packet can get it
  double own =
      0;  ///< from the time when the head is at the front until the next packet is, a cycle after the tail left
  double tail = 0;  ///< from the departure of the head to that of the tail
};

/// Computes the times of all visits, from the last queues of the paths to the first.
class queue_times {
 public:
  queue_times(const queue_network& network, const std::vector<regulated_flow>& flows, const router_parameters& router);

  /// Computes the times. \param order the queues, each before those behind it
  void compute(const std::vector<queue_index>& order);

  /// The times with the longest waits for credits, whatever the buffers contain.
  const visit_times& of(std::size_t visit) const { return m_times[visit]; }

  /// The times without waits for credits.
  const visit_times& free(std::size_t visit) const { return m_free[visit]; }

  /// Most cycles by which a flit leaves later than if each flit of the packet followed in the next cycle, without waits
  /// for credits.
  double longest_gap(std::size_t visit) const { return m_spread[visit].longest; }

  /// The longest time for which a packet of another queue, which shares an output, occupies this output.
  double longest_hold(const output_share& rivals) const { return longest_hold(rivals, m_times); }
  /// The same without waits for credits.
  double longest_free_hold(const output_share& rivals) const { return longest_hold(rivals, m_free); }

  /// The longest time until the packet of \p visit at the front leaves, if every other queue always has packets. The
  /// round-robin arbiter of the output serves each queue once before.
  double contended(std::size_t visit) const { return m_contended[visit]; }

  /// Time to serve all packets that a buffer may contain in front of a head, whatever the other queues contain.
  double longest_backlog(queue_index queue) const { return m_backlog[queue]; }

  /// Whether a buffer never fills, so that its sender always has a credit. At first false for all buffers.
  bool never_fills(queue_index queue) const { return m_never_fills[queue]; }
  void set_never_fills(queue_index queue, bool never) { m_never_fills[queue] = never; }

 private:
  /// How the flits of a packet follow its head out of a queue, if nothing but the switch allocators and credits for its
  /// own flits delays them.
  struct spread {
    double tail = 0;     ///< cycles from the departure of the head to that of the tail
    double longest = 0;  ///< most cycles by which a flit is later than if each flit followed in the next cycle
  };

  spread spread_of(std::size_t visit) const;
  static double longest_hold(const output_share& rivals, const std::vector<visit_times>& times);
  double least_head_cycles(std::size_t visit) const;
  bool at_source(std::size_t visit) const { return m_network.queues[m_network.visits[visit].queue].at_source; }
  visit_times times_with(std::size_t visit, double first_credit, double all_credits) const;
  void serve(queue_index q);
  double credit_wait(std::size_t visit, unsigned flits) const;
  void find_drains(queue_index q);

  const queue_network& m_network;
  const std::vector<regulated_flow>& m_flows;
  const double m_route_cycles;  ///< from the arrival of a head at the front to its first request for an output VC
  const double m_grant_cycles;  ///< from the grant of an output VC to the first request for the switch
  std::vector<visit_times> m_times, m_free;
  std::vector<spread> m_spread;
  std::vector<double> m_contended;
  std::vector<std::vector<double>> m_drain;  ///< by queue and n: until n flits of earlier packets have left
  std::vector<double> m_backlog;
  std::vector<bool> m_never_fills;
};

}  // namespace weft
