// SPDX-License-Identifier: Apache-2.0
#include "weft/report/run_details.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "weft/report/channels.h"
#include "weft/report/energy_statistics.h"
#include "weft/report/format.h"
#include "weft/report/run_assessment.h"
#include "weft/topology/analysis/bisection.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

double cycles_of_window(const run_summary& r) {
  return static_cast<double>(r.measured.window_end() - r.measured.window_first());
}

/// Accepted flits per cycle of each node; empty if there was no window.
std::vector<double> accepted_rates(const run_summary& r) {
  std::vector<double> rates;
  if (r.measured.window_end() <= r.measured.window_first()) return rates;
  for (const std::uint64_t flits : r.measured.accepted_of_sources())
    rates.push_back(static_cast<double>(flits) / cycles_of_window(r));
  return rates;
}

/// The least, mean and most accepted flits per cycle of the nodes that have created packets; of all nodes if none has.
json accepted_json(const run_summary& r) {
  const std::vector<double> of_nodes = accepted_rates(r);
  std::vector<double> rates;
  for (node_id node = 0; node < of_nodes.size(); ++node)
    if (r.measured.is_source(node)) rates.push_back(of_nodes[node]);
  if (rates.empty()) rates = of_nodes;
  if (rates.empty()) return {};
  const auto [min, max] = std::minmax_element(rates.begin(), rates.end());
  return {{"min", *min},
          {"mean", std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size())},
          {"max", *max}};
}

/// The growth rate of the flits in flight, from the middle of the first quarter of the window to the middle of the last
/// quarter.
json growth_json(const run_summary& r) {
  const double time = 0.75 * cycles_of_window(r) * static_cast<double>(r.graph.nodes.size());
  return time > 0 ? json(r.result.queues.flits / time) : json();
}

json breakdown_json(const run_summary& r) {
  const std::optional<latency_parts> parts = r.measured.parts();
  const std::uint64_t packets = r.measured.latency().count();
  if (!parts || packets == 0) return {};
  return {{"source_queue", ratio(parts->source_queue, packets)},
          {"injection", ratio(parts->injection, packets)},
          {"vc_allocation", ratio(parts->vc_allocation, packets)},
          {"switch_allocation", ratio(parts->switch_allocation, packets)},
          {"credit_wait", ratio(parts->credit_wait, packets)},
          {"pipeline", ratio(parts->pipeline, packets)},
          {"serialisation", ratio(parts->serialisation, packets)},
          {"ejection", ratio(parts->ejection, packets)}};
}

json matrix_json(const run_summary& r) {
  const std::size_t nodes = r.graph.nodes.size();
  json packets = json::array(), latency = json::array();
  for (std::size_t from = 0; from < nodes; ++from) {
    json counts = json::array(), means = json::array();
    for (std::size_t to = 0; to < nodes; ++to) {
      const pair_metrics& pair = r.measured.pairs()[from * nodes + to];
      counts.push_back(pair.packets);
      means.push_back(pair.packets > 0 ? json(ratio(pair.latency_sum, pair.packets)) : json());
    }
    packets.push_back(std::move(counts));
    latency.push_back(std::move(means));
  }
  return {{"packets", std::move(packets)}, {"latency", std::move(latency)}};
}

/// The list of \p value(entry) for all intervals of the time series.
template <class Value>
json of_intervals(const run_summary& r, Value value) {
  json list = json::array();
  for (const time_series::entry& e : r.result.series) list.push_back(value(e));
  return list;
}

/// The queue lengths of connected input ports by VC. They have two decimals, because they are means of samples.
json queues_json(const run_summary& r) {
  const wiring wires(r.graph);
  const unsigned vcs = r.config.router.vcs;
  json list = json::array();
  std::size_t first = 0;  // first VC of the port in network_model::buffered()
  for (router_id id = 0; id < r.graph.routers.size(); ++id) {
    for (unsigned port = 0; port < r.graph.routers[id].ports; ++port, first += vcs) {
      if (wires.input({id, port}).what == port_end::kind::Nothing) continue;
      json flits = json::array();
      for (unsigned vc = 0; vc < vcs; ++vc)
        flits.push_back(of_intervals(r, [&](const time_series::entry& e) {
          return std::round(100.0 * e.queues[first + vc] / e.samples) / 100;
        }));
      list.push_back({{"router", id}, {"port", port_name(r.graph, {id, port})}, {"flits", std::move(flits)}});
    }
  }
  return list;
}

json time_series_json(const run_summary& r) {
  const cycle_t interval = *r.config.output.interval;
  const double share = static_cast<double>(interval) * static_cast<double>(r.graph.nodes.size());
  json starts = json::array();
  for (std::size_t i = 0; i < r.result.series.size(); ++i) starts.push_back(i * interval);
  json channels = json::array(), routers = json::array();
  const wiring wires(r.graph);
  for (const std::size_t i : reported_channels(r.graph, r.result.window_counts)) {
    const port_ref port{r.result.window_counts[i].router, r.result.window_counts[i].port};
    channels.push_back({{"id", channels.size()}, {"utilisation", of_intervals(r, [&](const time_series::entry& e) {
                                                    return utilisation_of(r.graph, wires, port, e.channels[i],
                                                                          interval);
                                                  })}});
  }
  const bool occupied = !r.result.series.empty() && !r.result.series.front().occupancy.empty();
  for (std::size_t id = 0; occupied && id < r.graph.routers.size(); ++id)
    routers.push_back({{"router", id},
                       {"occupancy", of_intervals(r, [id](const time_series::entry& e) { return e.occupancy[id]; })}});
  using entry = time_series::entry;
  const auto rate_of = [share](std::uint64_t flits) { return static_cast<double>(flits) / share; };
  json series = {{"interval", interval},
                 {"start", std::move(starts)},
                 {"offered", of_intervals(r, [&](const entry& e) { return rate_of(e.flits_created); })},
                 {"accepted", of_intervals(r, [&](const entry& e) { return rate_of(e.flits_received); })},
                 {"latency", of_intervals(r,
                                          [](const entry& e) {
                                            return e.packets_delivered > 0
                                                       ? json(ratio(e.latency_sum, e.packets_delivered))
                                                       : json();
                                          })},
                 {"source_queue", of_intervals(r, [](const entry& e) { return e.packets_queued; })},
                 {"channels", std::move(channels)},
                 {"routers", std::move(routers)}};
  if (r.config.output.queues) series["queues"] = queues_json(r);
  if (r.result.energy)
    series["power"] = of_intervals(r, [&](const entry& e) {
      return milliwatts(std::accumulate(e.energy.begin(), e.energy.end(), 0.0), interval, *r.result.energy->cost);
    });
  return series;
}

/// Bandwidth in GB/s of a channel that carries a flit in every cycle.
double channel_bandwidth(const run_summary& r) { return r.config.flit.payload_bits / 8.0 * *r.config.simulation.clock; }

json latency_ns(const run_summary& r) {
  const histogram& h = r.measured.latency();
  if (h.count() == 0) return {};
  const double cycle = 1 / *r.config.simulation.clock;
  interval around = latency_interval(r);
  if (around.half_width) *around.half_width *= cycle;
  json j = add_interval({{"mean", h.mean() * cycle}}, around);
  for (const double p : Percentiles)
    j["percentiles"][fmt::format("{:g}", p)] = static_cast<double>(h.percentile(p)) * cycle;
  return j;
}

}  // namespace

json rate_json(const rate& r) { return add_interval({{"mean", r.mean}}, r.around); }

void add_sources(statistic_table<run_summary>& t) {
  t.section("sources", "flits/node/cycle",
            "the nodes as sources of packets: how fairly they are served, and whether their source queues grow");
  t.add("sources.accepted", "",
        "accepted throughput of the packets of one source: `min`, `mean`, `max` over all nodes that created packets",
        accepted_json)
      .in_csv({{"accepted_min", "/min"}, {"accepted_max", "/max"}})
      .on_terminal(row_block::Traffic, "of one source", [](const run_summary& r) -> std::optional<row_text> {
        const json rates = accepted_json(r);
        if (rates.is_null() || r.measured.latency().count() == 0) return std::nullopt;
        return row_text{fmt::format("{:.4f}–{:.4f}", rates["min"].get<double>(), rates["max"].get<double>()),
                        "flits/cycle, least and most accepted"};
      });
  t.add("sources.per_node", "", "for each node: the accepted throughput of the packets that it sends",
        [](const run_summary& r) { return accepted_rates(r); });
  t.add("sources.growing", "nodes", "number of nodes whose source queue grows [without limit](results.md#the-figures)",
        [](const run_summary& r) { return r.result.queues.nodes; })
      .in_csv("growing_sources");
  t.add("sources.growth", "",
        "rate at which the number of flits in source queues and routers grows, mean over all nodes", growth_json);
}

void add_breakdown(statistic_table<run_summary>& t) {
  t.add("latency.breakdown", "",
        "the parts of the packet latency, as means over the measured packets; they add up to the mean packet latency. "
        "Present only with `output.breakdown`. `source_queue` is the time until the head leaves the source queue. "
        "`injection` is the time in the stages and the register of the NIC and on the channel to the router. "
        "`vc_allocation`, `switch_allocation` and `credit_wait` are the times that a packet "
        "[waits](../03_reference/statistics.md#waits) in routers for an output VC, for the switch and for a credit. "
        "`pipeline` is the time in the pipelines of the routers and on the channels between them. `serialisation` is "
        "one cycle for each flit after the head. `ejection` is the time on the channel to the node, in its buffer and "
        "in the stages of the NIC",
        breakdown_json)
      .in_json_if([](const run_summary& r) { return r.config.output.breakdown; })
      .in_csv({{"source_queue", "/source_queue"},
               {"injection", "/injection"},
               {"vc_allocation", "/vc_allocation"},
               {"switch_allocation", "/switch_allocation"},
               {"credit_wait", "/credit_wait"},
               {"pipeline", "/pipeline"},
               {"serialisation", "/serialisation"},
               {"ejection", "/ejection"}});
}

void add_matrix(statistic_table<run_summary>& t) {
  t.add("matrix", "",
        "number of measured `packets` and their mean `latency` in cycles for each pair of nodes, present only with "
        "`output.matrix`. Both are lists of rows: a row belongs to a source, a column to a destination",
        matrix_json)
      .in_json_if([](const run_summary& r) { return r.config.output.matrix; });
}

void add_time_series(statistic_table<run_summary>& t) {
  t.add("time_series", "",
        "lists with one value per interval, present only with `output.interval`. `interval` is the length of an "
        "interval in cycles, and `start` is its first cycle. `offered` and `accepted` are in flits per node and cycle. "
        "`latency` is the mean latency of the packets delivered, and `source_queue` is the number of packets in all "
        "source queues at the end of the interval. Each of `channels` has an `id`, its position in the statistic "
        "`channels`, and its `utilisation`. Each of `routers` has its `occupancy`: the number of flits in the router "
        "and on the channels to it (absent if nodes have several ports). With `output.queues`, `queues` has for each "
        "input `port` of each `router` the number of `flits` in the buffer of each VC, to two decimals. With "
        "`output.energy`, `power` is the mean power in mW, without the coding of words in stages. All values are "
        "exact except `occupancy` and `queues`, which are means of samples. Samples are taken every 100 cycles (more "
        "often in a short run) and at the end of the interval",
        time_series_json)
      .in_json_if([](const run_summary& r) { return r.config.output.interval.has_value(); });
}

void add_physical(statistic_table<run_summary>& t) {
  t.section("physical", "", "metrics in physical units; present only with `simulation.clock`",
            [](const run_summary& r) { return r.config.simulation.clock.has_value(); });
  t.add("physical.latency", "ns", "packet latency: `mean`, `half_width` of its 95 % interval, and `percentiles`",
        latency_ns)
      .on_terminal(row_block::Network, "packet latency", [](const run_summary& r) -> std::optional<row_text> {
        if (!r.config.simulation.clock || r.measured.latency().count() == 0) return std::nullopt;
        return row_text{fmt::format("{:.2f}", r.measured.latency().mean() / *r.config.simulation.clock),
                        fmt::format("ns on average, at {:g} GHz", *r.config.simulation.clock)};
      });
  t.add("physical.accepted", "GB/s", "accepted payload per node, mean over all nodes; 1 GB is 10⁹ bytes",
        [](const run_summary& r) { return r.measured.accepted().mean * channel_bandwidth(r); })
      .on_terminal(row_block::Network, "accepted payload", [](const run_summary& r) -> std::optional<row_text> {
        if (!r.config.simulation.clock) return std::nullopt;
        return row_text{fmt::format("{:.3f}", r.measured.accepted().mean * channel_bandwidth(r)),
                        fmt::format("GB/s a node; a link carries {:g} GB/s", channel_bandwidth(r))};
      });
  t.add("physical.link_bandwidth", "GB/s", "payload that a link can carry in each direction", channel_bandwidth);
  t.add("physical.bisection_bandwidth", "GB/s",
        "payload that all links from one half of the nodes to the other can carry", [](const run_summary& r) {
          const bisection halves = find_bisection(r.graph, recognise_grid(r.graph));
          return static_cast<double>(halves.channels) * channel_bandwidth(r);
        });
}

}  // namespace weft::experiment
