// SPDX-License-Identifier: Apache-2.0
#include "weft/report/run_statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/core/members.h"
#include "weft/report/channels.h"
#include "weft/report/energy_statistics.h"
#include "weft/report/format.h"
#include "weft/report/group_statistics.h"
#include "weft/report/run_assessment.h"
#include "weft/report/run_details.h"
#include "weft/simulation/deadlock.h"
#include "weft/topology/names.h"

namespace weft::experiment {

namespace {

using run_table = statistic_table<run_summary>;
using optional_row = std::optional<row_text>;

// ---------------------------------------------------------------------------------------------------------------------
// Values

json to_json(const std::map<std::uint32_t, packet_class>& classes, const char* name) {
  json list = json::array();
  for (const auto& [value, c] : classes)
    list.push_back({{name, value},
                    {"count", c.count},
                    {"mean_latency", ratio(c.latency_sum, c.count)},
                    {"compressed", c.compressed}});
  return list;
}

json over_time_json(const run_summary& r) {
  const compression_metrics& c = r.measured.compression();
  json list = json::array();
  for (std::size_t i = 0; i < c.over_time.size(); ++i)
    list.push_back({{"first", r.measured.window_first() + i * c.interval},
                    {"packets", c.over_time[i].count},
                    {"compressed", c.over_time[i].compressed}});
  return list;
}

cycle_t window_of(const run_summary& r) { return r.measured.window_end() - r.measured.window_first(); }

json routers_json(const run_summary& r) {
  std::vector<std::uint64_t> flits(r.graph.routers.size());
  for (const channel_count& c : r.result.window_counts) flits[c.router] += c.flits;
  json list = json::array();
  for (router_id id = 0; id < flits.size(); ++id)
    list.push_back({{"router", id},
                    {"coordinates", r.graph.routers[id].coordinates},
                    {"flits", flits[id]},
                    {"flits_per_cycle", ratio(flits[id], window_of(r))}});
  return list;
}

/// A packet of a deadlock that is in a NIC.
json nic_packet_json(const run_summary& r, const blocked_packet& b) {
  const port_ref router = r.graph.nodes[b.node].ports[b.port];
  json packet = {{"packet", b.id},          {"node", b.node},          {"class", b.message_class},
                 {"router", router.router}, {"waits_for", awaited(b)}, {"of", json::array()}};
  if (b.why == blocked_packet::reason::Acceptance) {
    packet["vc"] = b.vc;
  } else if (b.why == blocked_packet::reason::Injection) {
    packet["of"].push_back({{"port", port_name(r.graph, router)}, {"vcs", json::array()}});
    for_each_member(b.output_vcs, [&](unsigned vc) { packet["of"][0]["vcs"].push_back(vc); });
  }
  return packet;
}

json ring_json(const run_summary& r) {
  json list = json::array();
  for (const blocked_packet& b : r.result.ring) {
    if (is_in_nic(b)) {
      list.push_back(nic_packet_json(r, b));
      continue;
    }
    json offers = json::array();
    for (const auto& [port, vcs] : offers_to(b)) {
      offers.push_back({{"port", port_name(r.graph, {b.router, port})}, {"vcs", json::array()}});
      for_each_member(vcs, [&](unsigned vc) { offers.back()["vcs"].push_back(vc); });
    }
    list.push_back({{"packet", b.id},
                    {"router", b.router},
                    {"port", port_name(r.graph, {b.router, b.port})},
                    {"vc", b.vc},
                    {"waits_for", awaited(b)},
                    {"of", offers}});
  }
  return list;
}

json nodes_json(const run_summary& r) {
  json list = json::array();
  for (node_id id = 0; id < r.result.nodes.size(); ++id)
    list.push_back({{"node", id},
                    {"queued", r.result.nodes[id].queued},
                    {"received_in_window", r.result.nodes[id].received_in_window}});
  return list;
}

std::uint64_t delivered(const run_summary& r) { return r.measured.latency().count(); }

/// Whether measured packets passed through a compressor.
bool has_compression(const run_summary& r) {
  return r.config.nic.compression.enabled() && r.measured.compression().packets > 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns and rows

std::vector<csv_column> rate_columns(const std::string& name) {
  return {{name, "/mean"}, {name + "_half_width", "/half_width"}};
}

optional_row rate_row(const rate& value, const char* remark) {
  return row_text{plus_minus(value.mean, value.around.half_width, 4), remark};
}

// ---------------------------------------------------------------------------------------------------------------------
// The table

void add_identity(run_table& t) {
  t.add("weft", "", "version of Weft", [](const run_summary&) { return version(); });
  t.add("name", "", "name of the experiment, `output.name`", [](const run_summary& r) {
     return r.config.output.name;
   }).in_csv("name");
  t.add("seed", "", "`simulation.seed`", [](const run_summary& r) { return r.config.simulation.seed; }).in_csv("seed");
  t.add("outcome", "", "[how the run ended](results.md#how-it-ends)", [](const run_summary& r) {
     return name_of(r.result.how);
   }).in_csv("outcome");
  t.add("complete", "",
        "whether the whole window was measured, which can also be true for a saturated or undecided run",
        [](const run_summary& r) { return has_whole_window(name_of(r.result.how)); });
  t.add("saturated", "", "whether the outcome is `saturated`",
        [](const run_summary& r) { return r.result.how == outcome::Saturated; });
  add_assessment(t);
  t.add("deadlock", "", "whether the outcome is `deadlock`",
        [](const run_summary& r) { return r.result.how == outcome::Deadlock; });
  t.add("explanation", "", "what happened, line by line, if the run ended with a deadlock or a corrupt flit",
        [](const run_summary& r) { return r.result.explanation; });
  t.add("ring", "",
        "the ring of packets that block each other, only after a deadlock. Each element names a `packet`, the "
        "`router`, input `port` and `vc` where it is, the resource that it `waits_for`, and the output ports and their "
        "`vcs` where it needs that resource (`of`). A packet in a NIC has its `node` and `class` and the adjacent "
        "`router`; it has a `vc` only if it is in an ejection buffer. Each packet waits for the next",
        ring_json)
      .in_json_if([](const run_summary& r) { return r.result.how == outcome::Deadlock; });
  t.add("configuration", "",
        "the value of every key that affects the results, including defaults. Paths are relative to the result file. "
        "`weft run` accepts this file as a configuration",
        [](const run_summary& r) { return to_json_in(r.config.result_file(".json"), r.config); });
}

void add_counts(run_table& t) {
  t.section("cycles", "", "simulated time");
  t.add("cycles.simulated", "cycles", "number of cycles of the whole run",
        [](const run_summary& r) { return r.result.cycles; })
      .in_csv("cycles")
      .on_terminal(row_block::Time, "cycles", [](const run_summary& r) -> optional_row {
        return row_text{grouped(r.result.cycles),
                        fmt::format("measured from {} to {}", grouped(r.measured.window_first()),
                                    grouped(r.measured.window_end()))};
      });
  t.add("cycles.window_first", "cycle", "first cycle of the window",
        [](const run_summary& r) { return r.measured.window_first(); });
  t.add("cycles.window_end", "cycle", "first cycle after the window",
        [](const run_summary& r) { return r.measured.window_end(); });
  t.section("packets", "", "packets created in the window");
  t.add("packets.measured", "packets", "number of packets created in the window", [](const run_summary& r) {
     return r.measured.measured();
   }).in_csv("packets_measured");
  t.add("packets.delivered", "packets", "number of these packets that were delivered before the run ended", delivered)
      .in_csv("packets_delivered")
      .on_terminal(row_block::Traffic, "packets delivered", [](const run_summary& r) -> optional_row {
        return row_text{grouped(delivered(r)), fmt::format("of {} measured", grouped(r.measured.measured()))};
      });
}

void add_throughput(run_table& t) {
  t.section("throughput", "flits/node/cycle",
            "`mean` over the window, and `half_width` of its [95 % interval](results.md#the-figures). If `half_width` "
            "is null, `no_interval` gives the reason");
  t.add("throughput.offered", "", "flits of packets created in the window",
        [](const run_summary& r) { return rate_json(with_interval(r, r.measured.offered())); })
      .in_csv(rate_columns("offered"))
      .on_terminal(row_block::Traffic, "offered", [](const run_summary& r) {
        return rate_row(with_interval(r, r.measured.offered()), "flits/node/cycle");
      });
  t.add("throughput.accepted", "", "flits of all packets delivered in the window, counted before compression",
        [](const run_summary& r) { return rate_json(with_interval(r, r.measured.accepted())); })
      .in_csv(rate_columns("accepted"))
      .on_terminal(row_block::Traffic, "accepted", [](const run_summary& r) {
        return rate_row(with_interval(r, r.measured.accepted()), "flits/node/cycle");
      });
  t.add("throughput.growth", "",
        "offered minus accepted throughput, which is the rate at which the number of flits in flight increases; its "
        "interval is estimated from the differences",
        [](const run_summary& r) { return rate_json(with_interval(r, r.measured.growth())); });
}

/// Declares the section `compression`, which follows `latency` in the JSON file. add_compression() adds its statistics
/// later, because their CSV columns come after older columns.
void add_compression_section(run_table& t) {
  t.section("compression", "",
            "metrics of the measured packets that were delivered; present only if the NICs have compressors",
            [](const run_summary& r) { return r.config.nic.compression.enabled(); });
}

void add_paths(run_table& t) {
  t.add("mean_routers", "routers",
        "mean number of routers that a measured packet passes, including the routers of its source and destination",
        [](const run_summary& r) { return delivered(r) > 0 ? json(r.measured.mean_routers()) : json(); })
      .in_csv("mean_routers")
      .on_terminal(row_block::Network, "routers passed", [](const run_summary& r) -> optional_row {
        if (delivered(r) == 0) return std::nullopt;
        return row_text{fmt::format("{:.2f}", r.measured.mean_routers()), "on average"};
      });
}

void add_carried(run_table& t) {
  t.add("throughput.carried", "", "flits that left the network in the window, counted after compression",
        [](const run_summary& r) { return rate_json(with_interval(r, r.measured.carried())); })
      .in_csv({{"carried", "/mean"}})
      .on_terminal(row_block::Traffic, "carried", [](const run_summary& r) -> optional_row {
        if (!has_compression(r)) return std::nullopt;
        return rate_row(with_interval(r, r.measured.carried()), "flits/node/cycle, compressed");
      });
}

/// A statistic with the value \p f of the run, or null if \p base of its compression metrics is 0, because nothing was
/// measured.
template <class Metric, class Base>
auto unless_none(Metric f, Base base) {
  return [f, base](const run_summary& r) { return base(r.measured.compression()) > 0 ? json(f(r)) : json(); };
}

void add_compression_counts(run_table& t) {
  t.add("compression.packets", "packets", "number of measured packets that were delivered",
        [](const run_summary& r) { return r.measured.compression().packets; });
  t.add("compression.compressed", "packets", "number of packets that were sent compressed",
        [](const run_summary& r) { return r.measured.compression().compressed; });
  const auto share = [](const run_summary& r) {
    return ratio(r.measured.compression().compressed, r.measured.compression().packets);
  };
  const auto travelled = [](const run_summary& r) {
    return ratio(r.measured.compression().flits_travelled, r.measured.compression().flits_created);
  };
  t.add("compression.share", "", "`compressed` / `packets`",
        unless_none(share, [](const compression_metrics& c) { return c.packets; }))
      .in_csv("compressed_share")
      .on_terminal(row_block::Traffic, "compressed", [share, travelled](const run_summary& r) -> optional_row {
        if (!has_compression(r)) return std::nullopt;
        return row_text{fmt::format("{:.1f} %", 100 * share(r)),
                        fmt::format("of the packets; {:.1f} % of all flits saved", 100 * (1 - travelled(r)))};
      });
  t.add("compression.flits_created", "flits", "number of flits of all these packets before compression",
        [](const run_summary& r) { return r.measured.compression().flits_created; });
  t.add("compression.flits_travelled", "flits", "number of flits of all these packets as they were sent",
        [](const run_summary& r) { return r.measured.compression().flits_travelled; });
  t.add("compression.travelled_share", "", "`flits_travelled` / `flits_created`",
        unless_none(travelled, [](const compression_metrics& c) { return c.flits_created; }))
      .in_csv("travelled_share")
      .not_in_json();
  t.add("compression.bits_saved", "bits", "number of payload bits in the flits saved by compression",
        [](const run_summary& r) {
          const compression_metrics& c = r.measured.compression();
          return (static_cast<std::int64_t>(c.flits_created) - static_cast<std::int64_t>(c.flits_travelled)) *
                 static_cast<std::int64_t>(r.config.flit.payload_bits);
        });
}

void add_compression_latency(run_table& t) {
  const auto send = [](const run_summary& r) {
    return ratio(r.measured.compression().send_cycles, r.measured.compression().compressed);
  };
  const auto receive = [](const run_summary& r) {
    return ratio(r.measured.compression().receive_cycles, r.measured.compression().compressed);
  };
  const auto compressed = [](const compression_metrics& c) { return c.compressed; };
  t.add("compression.send_latency", "cycles",
        "mean time that the head of a compressed packet takes from the source queue to the router",
        unless_none(send, compressed))
      .in_csv("send_latency")
      .on_terminal(row_block::Traffic, "codec latency", [send, receive](const run_summary& r) -> optional_row {
        if (!has_compression(r) || r.measured.compression().compressed == 0) return std::nullopt;
        return row_text{fmt::format("{:.1f}", send(r)),
                        fmt::format("cycles from source queue to router, {:.1f} from router to node, on average over "
                                    "those compressed",
                                    receive(r))};
      });
  t.add("compression.receive_latency", "cycles",
        "mean time that the tail of a compressed packet takes from the router to the node",
        unless_none(receive, compressed))
      .in_csv("receive_latency");
  t.add("compression.waiting", "packets",
        "number of packets of a node between its source queue and its router: `mean` over time and nodes, and `max`",
        [](const run_summary& r) {
          return json{{"mean", r.measured.mean_waiting()}, {"max", r.measured.compression().most_waiting}};
        })
      .on_terminal(row_block::Traffic, "in compressors", [](const run_summary& r) -> optional_row {
        if (!has_compression(r)) return std::nullopt;
        return row_text{fmt::format("{:.3f}", r.measured.mean_waiting()),
                        fmt::format("packets a node on average, {} at most", r.measured.compression().most_waiting)};
      });
  t.add("compression.interval", "cycles", "length of the intervals of `over_time`",
        [](const run_summary& r) { return r.measured.compression().interval; });
  t.add("compression.over_time", "",
        "for each interval of the window: its `first` cycle, the number of `packets` created in it, and how many of "
        "them were `compressed`",
        over_time_json);
}

void add_parts(run_table& t) {
  t.add("by_length", "",
        "for each packet length in `flits`: the `count` of packets, their `mean_latency` in cycles, and how many were "
        "`compressed`",
        [](const run_summary& r) { return to_json(r.measured.by_length(), "flits"); });
  t.add("by_routers", "", "for each number of `routers` passed: the same members as in `by_length`",
        [](const run_summary& r) { return to_json(r.measured.by_routers(), "routers"); });
  t.add("channels", "",
        "for each connected output port, including ejection ports: its `router` and `port`, the other end of the "
        "channel in `to` (a `router` and its `port`, or a `node`), the number of `flits` in the window, and the "
        "share of cycles for which flits occupied it (`utilisation`)",
        [](const run_summary& r) { return channels_json(r.graph, r.result.window_counts, window_of(r)); });
  t.add("busiest_link", "flits/cycle", "utilization of the busiest channel between routers", nullptr)
      .not_in_json()
      .on_terminal(row_block::Network, "busiest link", [](const run_summary& r) -> optional_row {
        const busiest_channel link = busiest_link(r.graph, r.result.window_counts);
        if (link.flits == 0) return std::nullopt;
        return row_text{fmt::format("{:.4f}", occupied_share(link.cycles, window_of(r))),
                        fmt::format("{}, {} -> {}", link.cycles == link.flits ? "flits/cycle" : "of the cycles busy",
                                    link.from, link.to)};
      });
  t.add("routers", "",
        "for each router: its `coordinates`, the number of `flits` that left it through any port in the window, and "
        "this number per cycle (`flits_per_cycle`)",
        routers_json);
  t.add("nodes", "",
        "for each node at the end of the run: the number of packets in its source queue (`queued`, Q), and the number "
        "of flits received in the last full window of its NIC (`received_in_window`, N)",
        nodes_json);
  t.add("speed", "cycles/s", "simulated cycles per second of real time", nullptr)
      .not_in_json()
      .on_terminal(row_block::Network, "speed", [](const run_summary& r) -> optional_row {
        if (r.cycles_a_second <= 0) return std::nullopt;
        return row_text{grouped(static_cast<std::uint64_t>(r.cycles_a_second)), "cycles/s"};
      });
}

/// The energy of a run; nothing if output.energy selects no technology.
std::optional<energy_view> energy_of_run(const run_summary& r) {
  if (!r.result.energy) return std::nullopt;
  std::uint64_t flits = 0;
  for (const std::uint64_t of_source : r.measured.accepted_of_sources()) flits += of_source;
  return energy_view{*r.result.energy, r.graph, r.result.window_counts, static_cast<double>(flits),
                     r.config.flit.payload_bits};
}

run_table make_run_table() {
  run_table t;
  add_identity(t);
  add_counts(t);
  add_throughput(t);
  add_latency(t);
  add_compression_section(t);
  add_paths(t);
  add_carried(t);
  add_compression_counts(t);
  add_compression_latency(t);
  add_parts(t);
  add_sources(t);
  add_breakdown(t);
  add_matrix(t);
  add_time_series(t);
  add_physical(t);
  add_energy<run_summary>(t, energy_of_run);
  add_assessment_column(t);
  add_groups(t);
  return t;
}

}  // namespace

const statistic_table<run_summary>& run_statistics() {
  static const run_table all = make_run_table();
  return all;
}

const statistic_declarations& run_declarations() {
  static const statistic_declarations declarations = run_statistics().declarations();
  return declarations;
}

}  // namespace weft::experiment
