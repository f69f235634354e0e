// SPDX-License-Identifier: Apache-2.0
#include "weft/bounds/delay_analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "weft/core/router_pipeline.h"

namespace weft {

namespace {

/// Delays above this number of cycles count as unlimited, so that the computation of growing delays ends.
constexpr double Longest = 1e7;
/// A delay that grows by less than this number of cycles is raised by it, so that the result is at or above the fixed
/// point.
constexpr double Precision = 1e-3;
/// Delays that still grow after this number of sweeps over all queues count as unlimited.
constexpr unsigned MostSweeps = 100;

/// The queues in an order in which each comes before those behind it; empty if there is none.
std::vector<queue_index> in_order(const queue_network& network) {
  std::vector<std::size_t> before(network.queues.size());
  for (const queue_visit& v : network.visits)
    if (v.next != NoQueue) ++before[v.next];
  std::vector<queue_index> order;
  for (queue_index q = 0; q < before.size(); ++q)
    if (before[q] == 0) order.push_back(q);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::size_t v : network.queues[order[i]].visits)
      if (const queue_index next = network.visits[v].next; next != NoQueue && --before[next] == 0)
        order.push_back(next);
  if (order.size() != network.queues.size()) order.clear();
  return order;
}

}  // namespace

delay_analysis::delay_analysis(const queue_network& network, const std::vector<regulated_flow>& flows,
                               const router_parameters& router)
    : m_network(network),
      m_flows(flows),
      m_times(network, flows, router),
      m_order(in_order(network)),
      m_head_cycles(router_pipeline(router).cycles_to_switch()),
      m_grant_cycles(m_head_cycles - router_pipeline(router).route_cycles()),
      m_passages(network.visits.size()) {}

/// If a buffer needs more slots than it has by delays that still grow, it also does by larger ones. So its assumption
/// is withdrawn at once, and the delays continue to grow from where they are.
void delay_analysis::run() {
  constexpr unsigned SweepsBetweenChecks = 8;
  for (const queue_index q : m_order) m_times.set_never_fills(q, true);
  m_times.compute(m_order);
  find_regions();
  unsigned sweeps = 0;
  for (bool grows = true; grows;) {
    grows = sweep(sweeps++ < MostSweeps);
    if ((grows && sweeps % SweepsBetweenChecks != 0) || !withdraw_assumptions()) continue;
    m_times.compute(m_order);
    find_regions();
    sweeps = 0;
    grows = true;
  }
}

/// Computes all delays once. Returns whether one of them grows.
bool delay_analysis::sweep(bool may_grow) {
  bool grows = false;
  for (const queue_index q : m_order) grows = update(q, may_grow) || grows;
  return grows;
}

void delay_analysis::find_regions() {
  m_regions.clear();
  for (queue_index q = 0; q < m_network.queues.size(); ++q) m_regions.push_back(region_of(q));
}

/// A packet that lacks a credit waits for the packet at the front of the next buffer, which waits for a packet that
/// holds its output VC or lacks a credit itself, and so on. At every moment, one of these packets advances. A buffer in
/// which a flit can be followed by the next one as fast as credits return adds the time of one credit only.
delay_analysis::region_behind delay_analysis::region_of(queue_index from) const {
  region_behind region;
  std::map<std::size_t, double> longest;
  std::vector<queue_index> open{from};
  std::set<queue_index> known{from};
  const auto add = [&](std::size_t v, double cycles) { longest[v] = std::max(longest[v], cycles); };
  const auto follow = [&](const queue_visit& visit) {
    if (visit.next == NoQueue || m_times.never_fills(visit.next) || !known.insert(visit.next).second) return;
    const bool streams = m_network.queues[visit.next].depth >= visit.out_cycles + visit.credit_cycles;
    region.credits += streams ? visit.credit_cycles : NoLimit;
    open.push_back(visit.next);
  };
  while (!open.empty()) {
    const queue_index q = open.back();
    open.pop_back();
    for (const std::size_t v : m_network.queues[q].visits) {
      follow(m_network.visits[v]);
      if (q != from) add(v, m_times.free(v).own);
      for (const output_share& share : m_network.outputs[m_network.visits[v].output]) {
        if (share.queue == q) continue;
        for (const std::size_t rival : share.visits) {
          follow(m_network.visits[rival]);  // the port of a node leads to a buffer for each class
          if (q != from) add(rival, m_times.free(rival).held);
        }
      }
    }
  }
  for (const auto& [visit, cycles] : longest) region.obstacles.push_back({visit, cycles});
  return region;
}

/// Computes the delays of queue \p q from the others. Returns whether one of them grows. If they \p may_grow no
/// longer, those that do count as unlimited.
bool delay_analysis::update(queue_index q, bool may_grow) {
  const bool at_source = m_network.queues[q].at_source;
  const queue_load loads[] = {load_of(count_rule::RoundRobin, q), load_of(count_rule::Arrivals, q),
                              load_of(count_rule::Mixed, q)};
  bool grows = false;
  for (std::size_t i = 0; i < m_network.queues[q].visits.size(); ++i) {
    const std::size_t v = m_network.queues[q].visits[i];
    passage& here = m_passages[v];
    double delay = NoLimit;
    for (const queue_load& load : loads) delay = std::min(delay, delay_by(load, i, at_source));
    const double full = m_times.longest_backlog(q) + m_times.contended(v) - m_times.of(v).own + m_times.of(v).head;
    if (!at_source) delay = std::min(delay, full);
    if (delay > Longest) delay = NoLimit;
    if (delay > here.delay) {
      here.delay = may_grow ? delay + Precision : at_source ? NoLimit : std::max(full, delay);
      grows = true;
    }
    if (m_network.visits[v].next == NoQueue) continue;
    const double out = m_network.visits[v].out_cycles;
    m_passages[v + 1].earliest = here.earliest + (at_source ? 0 : m_head_cycles) + out;
    m_passages[v + 1].latest = here.latest + here.delay + out;
  }
  return grows;
}

/// How far the times vary at which the packets of \p v reach the queue.
double delay_analysis::jitter_of(std::size_t v) const { return m_passages[v].latest - m_passages[v].earliest; }

/// The packets of visit \p v that are in its queue at some moment of a time T, each of which delays another packet by
/// \p cycles. They were created within T and the time from the earliest arrival to the latest departure.
delay_analysis::interference delay_analysis::interference_of(std::size_t v, double cycles) const {
  const regulated_flow& flow = m_flows[m_network.visits[v].flow];
  const double stay = tail_left(v) - m_passages[v].earliest;
  return {cycles * (flow.burst + flow.rate * stay) / flow.flits, cycles * flow.rate / flow.flits};
}

delay_analysis::interference delay_analysis::interference_of(const output_share& share) const {
  interference sum;
  for (const std::size_t v : share.visits) {
    const interference more = interference_of(v, m_times.free(v).held);
    sum.cycles += more.cycles;
    sum.share += more.share;
  }
  return sum;
}

/// Whether \p rule counts the packets of \p share by their arrival curves.
bool delay_analysis::counts_arrivals(count_rule rule, queue_index q, const output_share& share,
                                     std::size_t output) const {
  if (rule != count_rule::Mixed) return rule == count_rule::Arrivals;
  double packets = 0;
  for (const std::size_t g : m_network.queues[q].visits)
    if (m_network.visits[g].output == output)
      packets += m_flows[m_network.visits[g].flow].rate / m_flows[m_network.visits[g].flow].flits;
  const interference rivals = interference_of(share);
  return std::isfinite(rivals.cycles) && rivals.share < packets * m_times.longest_free_hold(share);
}

/// The least time between a tail and the next head that enter queue \p q. Packets that come from routers have to get an
/// output VC in between; if all of them come from one queue, their routes are computed first.
double delay_analysis::gap_before(queue_index q) const {
  const flow_queue& queue = m_network.queues[q];
  if (queue.at_source) return 0;
  const queue_index before = m_network.visits[queue.visits.front() - 1].queue;
  if (m_network.queues[before].at_source) return 0;
  const bool is_only = std::all_of(queue.visits.begin(), queue.visits.end(),
                                   [&](std::size_t v) { return m_network.visits[v - 1].queue == before; });
  return is_only ? m_head_cycles : m_grant_cycles;
}

delay_analysis::queue_load delay_analysis::load_of(count_rule rule, queue_index q) const {
  const bool robin = rule == count_rule::RoundRobin;
  const double gap = gap_before(q);
  queue_load load;
  std::set<std::size_t> outputs;
  const auto add = [&load](const interference& more) {
    load.others.cycles += more.cycles;
    load.others.share += more.share;
  };
  for (const std::size_t g : m_network.queues[q].visits) {
    const queue_visit& visit = m_network.visits[g];
    const regulated_flow& flow = m_flows[visit.flow];
    double rivals = 0;
    const bool is_new = outputs.insert(visit.output).second;
    for (const output_share& share : m_network.outputs[visit.output]) {
      if (share.queue == q) continue;
      if (!counts_arrivals(rule, q, share, visit.output))
        rivals += robin ? m_times.longest_hold(share) : m_times.longest_free_hold(share);
      else if (is_new)
        add(interference_of(share));
    }
    const visit_times& times = robin ? m_times.of(g) : m_times.free(g);
    const double flits = flow.flits;
    load.flows.push_back({flow.burst + flow.rate * jitter_of(g), flow.rate, times.own + rivals, flits, flits + gap});
    load.heads.push_back(times.head + rivals + (robin ? 0 : m_regions[q].credits));
  }
  if (!robin)
    for (const obstacle& o : m_regions[q].obstacles) add(interference_of(o.visit, o.cycles));
  return load;
}

/// The longest delay of a head of visit \p index of its queue.
double delay_analysis::delay_by(const queue_load& load, std::size_t index, bool at_source) {
  const interference& others = load.others;
  if (!(others.share < 1) || !std::isfinite(others.cycles)) return NoLimit;
  std::vector<contribution> flows = load.flows;
  flows[index].burst -= flows[index].flits;  // the packet itself
  for (contribution& c : flows) c.service /= 1 - others.share;
  return longest_busy_period(std::move(flows), at_source) + (load.heads[index] + others.cycles) / (1 - others.share);
}

/// The longest wait of a packet behind the packets of \p all flows of its queue, in a busy period. In a router, the
/// packets in front have arrived one after the other, which leaves time to serve the first of them: the wait for a busy
/// period that began t cycles before the head arrived is concave in t, and its maximum is at a time in which the
/// channel has brought all packets of the k flows with the longest service compared with their spacing.
double delay_analysis::longest_busy_period(std::vector<contribution> all, bool at_source) {
  double utilisation = 0;
  for (const contribution& c : all) utilisation += c.rate / c.flits * c.service;
  if (!(utilisation <= 1)) return NoLimit;
  std::sort(all.begin(), all.end(),
            [](const contribution& a, const contribution& b) { return a.service * b.spacing > b.service * a.spacing; });
  double longest = 0, bursts = 0, rates = 0, service = 0, growth = 0;
  for (const contribution& c : all) {
    bursts += c.burst / c.flits * c.spacing;
    rates += c.rate / c.flits * c.spacing;
    service += c.service * c.burst / c.flits;
    growth += c.service * c.rate / c.flits;
    if (std::isinf(bursts) || rates >= 1) return NoLimit;
    const double since = at_source ? 0 : bursts / (1 - rates);
    longest = std::max(longest, service + growth * since - since);
  }
  return longest;
}

/// Time from the departure of the head of \p v to that of the tail. If the next buffer may fill, the tail has left at
/// the latest when it leaves that buffer.
double delay_analysis::tail_of(std::size_t v) const {
  const queue_visit& visit = m_network.visits[v];
  if (visit.next == NoQueue || m_times.never_fills(visit.next)) return m_times.free(v).tail;
  return std::min(m_times.of(v).tail, visit.out_cycles + m_passages[v + 1].delay + tail_of(v + 1));
}

/// The latest time at which a tail leaves the queue of \p v, counted from the creation of its packet.
double delay_analysis::tail_left(std::size_t v) const {
  return m_passages[v].latest + m_passages[v].delay + tail_of(v);
}

double delay_analysis::latency_of(std::size_t f) const {
  const std::size_t last = m_network.first[f + 1] - 1;
  return tail_left(last) + m_network.visits[last].out_cycles;
}

std::size_t delay_analysis::backpressure_of(std::size_t f) const {
  std::size_t count = 0;
  for (std::size_t v = m_network.first[f] + 1; v < m_network.first[f + 1]; ++v)
    count += m_times.never_fills(m_network.visits[v].queue) ? 0 : 1;
  return count;
}

/// The most flits that occupy the buffer \p q, counted as its sender does: from their departure until their credit is
/// back. A flit leaves the sender in each cycle at most.
double delay_analysis::most_flits_in(queue_index q) const {
  double flits = 0, longest = 0;
  for (const std::size_t v : m_network.queues[q].visits) {
    const queue_visit &here = m_network.visits[v], &before = m_network.visits[v - 1];
    const double stay = here.in_cycles + m_passages[v].delay + tail_of(v) - m_times.free(v).tail +
                        m_times.longest_gap(v) + before.credit_cycles;
    const double jitter = tail_left(v - 1) - (m_passages[v].earliest - here.in_cycles);
    const regulated_flow& flow = m_flows[here.flow];
    flits += flow.burst + flow.rate * (stay + jitter);
    longest = std::max(longest, stay);
  }
  return std::min(flits, longest);
}

/// Withdraws the assumption that a buffer never fills for those for which it is wrong. Returns whether there are any.
bool delay_analysis::withdraw_assumptions() {
  bool has_any = false;
  for (const queue_index q : m_order) {
    if (m_network.queues[q].at_source || !m_times.never_fills(q)) continue;
    if (most_flits_in(q) <= m_network.queues[q].depth) continue;
    m_times.set_never_fills(q, false);
    has_any = true;
  }
  return has_any;
}

}  // namespace weft
