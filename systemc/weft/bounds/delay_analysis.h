// SPDX-License-Identifier: Apache-2.0
/// The delays of flows in the queues on their paths, by their arrival curves.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/bounds/queue_network.h"
#include "weft/bounds/queue_times.h"
#include "weft/core/parameters.h"
#include "weft/workload/flows.h"

namespace weft {

/// Computes the delays of all flows.
///
/// The delays depend on each other: a packet waits for packets of other queues, whose number depends on how far their
/// own delays vary. The analysis starts without delays and computes each from the others until none grows. The result
/// is a bound, by induction over time: a packet that leaves a queue is delayed only by packets that left before it,
/// which kept their bounds, so that it keeps its own. In the same way, it first assumes that no buffer fills, and
/// withdraws the assumption for buffers for which the delays do not confirm it.
class delay_analysis {
 public:
  delay_analysis(const queue_network& network, const std::vector<regulated_flow>& flows,
                 const router_parameters& router);

  /// Whether packets can wait for each other in a ring. The analysis then has no result.
  bool has_ring() const { return m_order.empty(); }

  void run();

  /// Time from the creation of a packet of flow \p f to the delivery of its tail; infinite if there is no bound.
  double latency_of(std::size_t f) const;

  /// Number of buffers on the path of flow \p f that may fill.
  std::size_t backpressure_of(std::size_t f) const;

 private:
  /// When heads reach a queue, counted from their creation, and how long they take to leave it.
  struct passage {
    double earliest = 0, latest = 0;
    double delay = 0;
  };
  /// What a flow adds to the delay of a packet in its queue.
  struct contribution {
    double burst, rate;     ///< of the flow when it reaches the queue, in flits and flits per cycle
    double service, flits;  ///< of a packet
    double spacing;         ///< least time from the arrival of a head to that of the next one, in cycles
  };
  /// The packets of other queues that delay a packet, counted by their arrival curves: \p cycles, and \p share of the
  /// time.
  struct interference {
    double cycles = 0, share = 0;
  };
  /// How the packets that delay a packet are counted.
  enum class count_rule : std::uint8_t {
    RoundRobin,  ///< for each packet of the queue, one of each other queue, and the longest waits for credits
    Arrivals,    ///< by their arrival curves, also those in buffers behind the queue that may fill
    Mixed,       ///< as Arrivals, but by round robin in the router if this takes less of the time
  };
  /// A packet at another place that may delay a packet, and for how long.
  struct obstacle {
    std::size_t visit = 0;
    double cycles = 0;
  };
  /// The places behind a queue at which packets may delay its own, because the buffers in between fill.
  struct region_behind {
    std::vector<obstacle> obstacles;
    double credits = 0;  ///< cycles for the credits of these buffers
  };

  /// What packets of a queue wait for, counted by one rule.
  struct queue_load {
    std::vector<contribution> flows;  ///< by visit of the queue
    std::vector<double> heads;        ///< by visit: time until the head at the front leaves, without `others`
    interference others;
  };

  void find_regions();
  region_behind region_of(queue_index from) const;
  bool sweep(bool may_grow);
  bool update(queue_index q, bool may_grow);
  queue_load load_of(count_rule rule, queue_index q) const;
  double gap_before(queue_index q) const;
  static double delay_by(const queue_load& load, std::size_t index, bool at_source);
  interference interference_of(std::size_t v, double cycles) const;
  interference interference_of(const output_share& share) const;
  bool counts_arrivals(count_rule rule, queue_index q, const output_share& share, std::size_t output) const;
  static double longest_busy_period(std::vector<contribution> all, bool at_source);
  double jitter_of(std::size_t v) const;
  double tail_of(std::size_t v) const;
  double tail_left(std::size_t v) const;
  double most_flits_in(queue_index q) const;
  bool withdraw_assumptions();

  const queue_network& m_network;
  const std::vector<regulated_flow>& m_flows;
  queue_times m_times;
  const std::vector<queue_index> m_order;
  const double m_head_cycles;            ///< least time from the arrival of a head in a router to its departure
  const double m_grant_cycles;           ///< the part of it after the grant of an output VC
  std::vector<passage> m_passages;       ///< by visit
  std::vector<region_behind> m_regions;  ///< by queue
};

}  // namespace weft
