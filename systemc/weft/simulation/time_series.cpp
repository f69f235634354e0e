// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/time_series.h"

#include <algorithm>

#include "weft/topology/wiring.h"

namespace weft::experiment {

time_series::time_series(cycle_t interval, bool with_queues, const topology& graph, const network_model& model,
                         const measurement& watch, const energy_watch* energy, const network_cost* cost)
    : m_interval(interval),
      m_with_queues(with_queues),
      m_model(model),
      m_watch(watch),
      m_energy(energy),
      m_cost(cost),
      m_routers(graph.routers.size()) {
  if (interval == 0) return;
  m_counts = model.channel_counts();
  if (energy != nullptr) m_activity = energy->counts(model);
  const wiring wires(graph);
  for (const channel_count& c : m_counts) {
    const port_end end = wires.output({c.router, c.port});
    m_leads_to.push_back(end.what == port_end::kind::Channel ? std::optional(graph.channels[end.index].to.router)
                                                             : std::nullopt);
  }
  if (std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) { return node.ports.size() == 1; }))
    for (const auto& node : graph.nodes) m_router_of.push_back(node.ports.front().router);
  m_occupancy_sum.resize(m_routers);
}

/// Adds the flits in each router: those that have entered it minus those that have left it.
void time_series::add_occupancy(const std::vector<channel_count>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto flits = static_cast<std::int64_t>(counts[i].flits);
    m_occupancy_sum[counts[i].router] -= flits;
    if (m_leads_to[i]) m_occupancy_sum[*m_leads_to[i]] += flits;
  }
  const std::vector<std::uint64_t>& injected = m_watch.flits_injected_by();
  for (std::size_t n = 0; n < m_router_of.size(); ++n)
    m_occupancy_sum[m_router_of[n]] += static_cast<std::int64_t>(injected[n]);
}

void time_series::add_queues() {
  const std::vector<std::uint32_t> now = m_model.buffered();
  m_queue_sum.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) m_queue_sum[i] += now[i];
}

void time_series::sample() {
  if (m_interval == 0) return;
  const std::vector<channel_count> counts = m_model.channel_counts();
  ++m_samples;
  if (has_occupancy()) add_occupancy(counts);
  if (m_with_queues) add_queues();
  if (m_model.now() % m_interval != 0) return;

  const traffic_totals now = m_watch.totals_before(m_model.now());
  entry e;
  e.flits_created = now.flits_created - m_totals.flits_created;
  e.flits_received = now.flits_received - m_totals.flits_received;
  e.packets_delivered = now.packets_delivered - m_totals.packets_delivered;
  e.latency_sum = now.latency_sum - m_totals.latency_sum;
  e.packets_queued = now.packets_queued;
  for (std::size_t i = 0; i < counts.size(); ++i) e.channels.push_back(counts[i].flits - m_counts[i].flits);
  for (std::int64_t& sum : m_occupancy_sum) {
    if (has_occupancy()) e.occupancy.push_back(static_cast<double>(sum) / m_samples);
    sum = 0;
  }
  e.samples = m_samples;
  e.queues = std::exchange(m_queue_sum, {});
  if (m_energy != nullptr) {
    network_counts present = m_energy->counts(m_model), of_interval = present;
    of_interval -= m_activity;
    e.energy = m_cost->tiles(m_cost->account(of_interval, m_interval));
    m_activity = std::move(present);
  }
  m_entries.push_back(std::move(e));
  m_totals = now;
  m_counts = counts;
  m_samples = 0;
}

}  // namespace weft::experiment
