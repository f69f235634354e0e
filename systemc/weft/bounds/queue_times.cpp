// SPDX-License-Identifier: Apache-2.0
#include "weft/bounds/queue_times.h"

#include <algorithm>
#include <map>

#include "weft/core/router_pipeline.h"

namespace weft {

queue_times::queue_times(const queue_network& network, const std::vector<regulated_flow>& flows,
                         const router_parameters& router)
    : m_network(network),
      m_flows(flows),
      m_route_cycles(router_pipeline(router).route_cycles()),
      m_grant_cycles(router_pipeline(router).cycles_to_switch() - m_route_cycles),
      m_times(network.visits.size()),
      m_contended(network.visits.size()),
      m_drain(network.queues.size()),
      m_backlog(network.queues.size()),
      m_never_fills(network.queues.size()) {
  for (std::size_t v = 0; v < network.visits.size(); ++v) {
    m_spread.push_back(spread_of(v));
    m_free.push_back(times_with(v, 0, 0));
  }
}

void queue_times::compute(const std::vector<queue_index>& order) {
  for (auto q = order.rbegin(); q != order.rend(); ++q) serve(*q);
}

/// The least time from the arrival of a head at the queue of \p visit to its departure.
double queue_times::least_head_cycles(std::size_t visit) const {
  return at_source(visit) ? 0 : m_route_cycles + m_grant_cycles;
}

/// Follows the flits through all queues from the source to that of \p visit. A flit leaves a queue when it has arrived,
/// the flit before it has left, and the flit that used its slot of the next buffer has left that, after the longest
/// wait for the switch. The head passed each earlier queue as late as possible, which delays the other flits most.
queue_times::spread queue_times::spread_of(std::size_t visit) const {
  const std::size_t first = m_network.first[m_network.visits[visit].flow], queues = visit - first + 1;
  const unsigned flits = m_flows[m_network.visits[visit].flow].flits;
  std::vector<std::vector<double>> left(queues, std::vector<double>(flits));
  for (std::size_t i = queues - 1; i-- > 0;)
    left[i][0] = left[i + 1][0] - least_head_cycles(first + i + 1) - m_network.visits[first + i].out_cycles;
  spread found;
  for (unsigned k = 1; k < flits; ++k) {
    for (std::size_t i = 0; i < queues; ++i) {
      const queue_visit& v = m_network.visits[first + i];
      double ready = left[i][k - 1] + 1;
      if (i > 0) ready = std::max(ready, left[i - 1][k] + v.in_cycles);
      if (i + 1 < queues) {
        const unsigned depth = m_network.queues[v.next].depth;
        // The slots that the head found empty were used by flits of earlier packets, which left one by one.
        const double freed = k >= depth ? left[i + 1][k - depth] : left[i + 1][0] - (depth - k);
        ready = std::max(ready, freed + v.credit_cycles);
      }
      left[i][k] = ready + static_cast<double>(v.switch_wait) - 1;
    }
    found.longest = std::max(found.longest, left[queues - 1][k] - k);
  }
  found.tail = left[queues - 1].back();
  return found;
}

/// The longest time until the first \p flits flits of a packet have credits. If the packet is longer than the next
/// buffer, its last flits need slots that its own first flits use, so that these must leave first.
double queue_times::credit_wait(std::size_t visit, unsigned flits) const {
  const queue_visit& v = m_network.visits[visit];
  if (v.next == NoQueue || m_never_fills[v.next]) return 0;
  const unsigned depth = m_network.queues[v.next].depth;
  const double own = flits > depth ? m_contended[visit + 1] : 0;
  return v.credit_cycles + m_drain[v.next][std::min(flits, depth)] + own;
}

/// The times of a packet whose first flit waits for a credit for \p first_credit cycles, and whose flits together wait
/// for \p all_credits cycles.
visit_times queue_times::times_with(std::size_t visit, double first_credit, double all_credits) const {
  const queue_visit& v = m_network.visits[visit];
  if (v.unlimited) return {NoLimit, NoLimit, NoLimit, m_spread[visit].tail};
  const double route = at_source(visit) ? 0 : m_route_cycles, grant = at_source(visit) ? 0 : m_grant_cycles;
  const double until_head = grant + static_cast<double>(v.switch_wait) - 1;
  visit_times times;
  times.head = route + until_head + first_credit;
  times.held = until_head + all_credits + m_spread[visit].tail + 1;
  times.own = route + times.held;
  times.tail = m_spread[visit].tail + all_credits - first_credit;
  return times;
}

double queue_times::longest_hold(const output_share& rivals, const std::vector<visit_times>& times) {
  double longest = 0;
  for (const std::size_t rival : rivals.visits) longest = std::max(longest, times[rival].held);
  return longest;
}

/// The queues behind \p q have been served.
void queue_times::serve(queue_index q) {
  for (const std::size_t visit : m_network.queues[q].visits) {
    double& contended = m_contended[visit];
    contended = 0;
    for (const output_share& share : m_network.outputs[m_network.visits[visit].output]) {
      for (const std::size_t rival : share.visits)
        m_times[rival] =
            times_with(rival, credit_wait(rival, 1), credit_wait(rival, m_flows[m_network.visits[rival].flow].flits));
      if (share.queue != q) contended += longest_hold(share);
    }
    contended += m_times[visit].own;
  }
  if (!m_network.queues[q].at_source) find_drains(q);
}

/// Finds how long it takes until n flits of earlier packets have left the buffer, and until all earlier packets have
/// left that fit in front of a head. At first, the front packet may have left in part and keep only its tail.
void queue_times::find_drains(queue_index q) {
  const flow_queue& queue = m_network.queues[q];
  std::map<unsigned, double> service_of;  // the longest one of all packets of a length
  double part = 0;
  for (const std::size_t visit : queue.visits) {
    double& service = service_of[m_flows[m_network.visits[visit].flow].flits];
    service = std::max(service, m_contended[visit]);
    part = std::max(part, m_times[visit].held);
  }
  std::vector<double> leave(queue.depth + 1), fit(queue.depth + 1);  // packets that are whole
  for (unsigned n = 1; n <= queue.depth; ++n) {
    for (const auto& [flits, service] : service_of) {
      leave[n] = std::max(leave[n], service + (n > flits ? leave[n - flits] : 0));
      if (flits <= n) fit[n] = std::max(fit[n], service + fit[n - flits]);
    }
  }
  std::vector<double>& drain = m_drain[q];
  drain.assign(queue.depth + 1, 0);
  for (unsigned n = 1; n <= queue.depth; ++n) drain[n] = std::max(leave[n], part + leave[n - 1]);
  m_backlog[q] = queue.depth < 2 ? 0 : std::max(fit[queue.depth - 1], part + fit[queue.depth - 2]);
}

}  // namespace weft
