// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/flow_search.h"

#include <algorithm>
#include <utility>

#include "weft/configuration/network.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"

namespace weft::experiment {

namespace {

/// Starts of a search are below this cycle, because flows that start much later meet only regulated traffic.
constexpr cycle_t LongestSearch = 2000;

/// Notes the longest latency of each flow.
class latency_watch final : public network_observer {
 public:
  latency_watch(std::size_t flows, std::size_t nodes) : m_nodes(nodes), m_longest(flows) {}

  bool needs_payload() const override { return false; }
  network_events event_interest() const override { return {network_event::Delivered}; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t /*routers*/) override {
    cycle_t& longest = m_longest[p.id / m_nodes % m_longest.size()];
    longest = std::max(longest, cycle - p.created);
  }

  const std::vector<cycle_t>& longest() const { return m_longest; }

 private:
  std::size_t m_nodes;
  std::vector<cycle_t> m_longest;
};

}  // namespace

flow_search::flow_search(const configuration& c, const topology& graph, std::vector<regulated_flow> flows,
                         cycle_t cycles)
    : m_configuration(c),
      m_graph(graph),
      m_flows(std::move(flows)),
      m_cycles(cycles),
      m_latest(std::min<cycle_t>(cycles / 4, LongestSearch)),
      m_random(c.simulation.seed, 0, stream_purpose::Traffic),
      m_longest(m_flows.size()) {
  start_times given;
  for (const regulated_flow& f : m_flows) given.push_back(f.start);
  m_best.assign(m_flows.size(), given);
}

/// The starts for the next run. Most packets wait for few others, so that most runs change few starts.
flow_search::start_times flow_search::next_starts() {
  constexpr std::uint32_t FewestChanges = 1, MostChanges = 4, PartOfAll = 4, Near = 32;
  const std::size_t target = m_runs % m_flows.size();
  start_times starts = m_best[target];
  if (m_runs == 0) return starts;
  if (m_random.below(PartOfAll) == 0) {
    const cycle_t latest = m_random.below(2) == 0 ? m_latest : std::min<cycle_t>(m_latest, Near);
    for (cycle_t& start : starts) start = m_random.below(static_cast<std::uint32_t>(latest));
    return starts;
  }
  const std::uint32_t changes = FewestChanges + m_random.below(MostChanges);
  for (std::uint32_t i = 0; i < changes; ++i) {
    cycle_t& start = starts[m_random.below(static_cast<std::uint32_t>(starts.size()))];
    const cycle_t least = start > Near ? start - Near : 0;
    start = least + m_random.below(2 * Near);
  }
  return starts;
}

void flow_search::note(const start_times& starts, const std::vector<cycle_t>& longest) {
  for (std::size_t f = 0; f < longest.size(); ++f) {
    if (longest[f] < m_longest[f]) continue;
    m_longest[f] = longest[f];
    m_best[f] = starts;
  }
}

bool flow_search::run(const run_hooks& hooks) {
  const start_times starts = next_starts();
  for (std::size_t f = 0; f < m_flows.size(); ++f) m_flows[f].start = starts[f];
  const auto nodes = static_cast<std::uint32_t>(m_graph.nodes.size());
  flow_source source(m_flows, {}, nodes, m_configuration.workload.payload, m_configuration.simulation.seed);
  latency_watch watch(m_flows.size(), nodes);
  const auto model = engine::make_model(m_graph, m_configuration.router, nic_parameters_of(m_configuration),
                                        m_configuration.flit.payload_bits, source, watch);
  time_slices slices;
  const bool complete = slices.run_to(*model, m_cycles, hooks, [] { return run_progress(); });
  note(starts, watch.longest());
  ++m_runs;
  return complete;
}

}  // namespace weft::experiment
