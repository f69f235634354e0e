#include "weft/experiment/report/results.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/network_model.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

constexpr double Percentiles[] = {50, 90, 95, 99, 99.9};

/// A number, or null for what could not be measured.
json number(const std::optional<double>& value) { return value ? json(*value) : json(); }

json to_json(const rate& r) { return {{"mean", r.mean}, {"half_width", number(r.half_width)}}; }

json to_json(const histogram& h, const std::optional<double>& half_width) {
  json j = {{"count", h.count()}};
  if (h.count() == 0) return j;
  j["mean"] = h.mean();
  j["half_width"] = number(half_width);
  j["min"] = h.min();
  for (const double p : Percentiles) j["percentiles"][fmt::format("{:g}", p)] = h.percentile(p);
  j["max"] = h.max();
  const histogram::bins bins = h.equal_bins(50);
  j["histogram"] = {{"first", bins.first}, {"width", bins.width}, {"counts", bins.counts}};
  return j;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

json to_json(const std::map<std::uint32_t, packet_class>& classes, const char* name) {
  json list = json::array();
  for (const auto& [value, c] : classes)
    list.push_back({{name, value},
                    {"count", c.count},
                    {"mean_latency", ratio(c.latency_sum, c.count)},
                    {"compressed", c.compressed}});
  return list;
}

json compression_json(const report& r) {
  const compression_figures& c = r.measured.compression();
  json over_time = json::array();
  for (std::size_t i = 0; i < c.over_time.size(); ++i)
    over_time.push_back({{"first", r.measured.window_first() + i * c.interval},
                         {"packets", c.over_time[i].count},
                         {"compressed", c.over_time[i].compressed}});
  return {{"packets", c.packets},
          {"compressed", c.compressed},
          {"share", ratio(c.compressed, c.packets)},
          {"flits_created", c.flits_created},
          {"flits_travelled", c.flits_travelled},
          {"bits_saved", (static_cast<std::int64_t>(c.flits_created) - static_cast<std::int64_t>(c.flits_travelled)) *
                             static_cast<std::int64_t>(r.asked.flit.payload_bits)},
          {"send_latency", ratio(c.send_cycles, c.compressed)},
          {"receive_latency", ratio(c.receive_cycles, c.compressed)},
          {"waiting", {{"mean", r.measured.mean_waiting()}, {"max", c.most_waiting}}},
          {"interval", c.interval},
          {"over_time", over_time}};
}

cycle_t window_of(const report& r) { return r.measured.window_end() - r.measured.window_first(); }

double utilisation(std::uint64_t flits, const report& r) { return ratio(flits, window_of(r)); }

json routers_json(const report& r) {
  std::vector<std::uint64_t> flits(r.graph.routers.size());
  for (const channel_count& c : r.result.window_counts) flits[c.router] += c.flits;
  json list = json::array();
  for (router_id id = 0; id < flits.size(); ++id)
    list.push_back({{"router", id},
                    {"coordinates", r.graph.routers[id].coordinates},
                    {"flits", flits[id]},
                    {"flits_per_cycle", utilisation(flits[id], r)}});
  return list;
}

json nodes_json(const report& r) {
  json list = json::array();
  for (node_id id = 0; id < r.result.nodes.size(); ++id)
    list.push_back({{"node", id},
                    {"queued", r.result.nodes[id].queued},
                    {"received_in_window", r.result.nodes[id].received_in_window}});
  return list;
}

bool complete(const report& r) { return r.result.how == outcome::Complete || r.result.how == outcome::Saturated; }

std::string plus_minus(double mean, const std::optional<double>& half_width, int digits) {
  std::string text = fmt::format("{:.{}f}", mean, digits);
  if (half_width) text += fmt::format(" ± {:.{}f}", *half_width, digits);
  return text;
}

std::string outcome_text(const report& r) {
  switch (r.result.how) {
    case outcome::Complete:
      return "complete";
    case outcome::Saturated:
      return "SATURATED: accepts less than is offered; the source queues grow without limit, and latency "
             "with them";
    case outcome::Interrupted:
      return "INTERRUPTED: what was measured until then";
    case outcome::NotDrained:
      return fmt::format("NOT DRAINED: {} packets still under way after {} cycles",
                         grouped(r.measured.measured_under_way()), grouped(r.asked.simulation.drain));
    case outcome::Deadlock:
      return "DEADLOCK: nothing moves while packets wait";
    case outcome::Undelivered:
      return "UNDELIVERED: nodes lack data that they should have";
    case outcome::Corrupt:
      break;
  }
  return "CORRUPT: a flit did not arrive as it was sent";
}

}  // namespace

const char* version() { return WEFT_VERSION; }

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string csv_text(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\"");
  return "\"" + text + "\"";
}

std::string far_end(const topology& graph, const port_end& end) {
  if (end.what == port_end::kind::Channel) return full_name(graph, graph.channels[end.index].to);
  return fmt::format("node {}", end.index);
}

json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles) {
  const wiring wires(graph);
  json list = json::array();
  for (const channel_count& c : counts) {
    const port_ref port{c.router, c.port};
    const port_end end = wires.output(port);
    if (end.what == port_end::kind::Nothing) continue;  // the edge of a mesh
    list.push_back({{"router", c.router},
                    {"port", port_name(graph, port)},
                    {"to", far_end(graph, end)},
                    {"flits", c.flits},
                    {"utilisation", ratio(c.flits, cycles)}});
  }
  return list;
}

const channel_count* busiest_link(const std::vector<channel_count>& counts, const wiring& wires) {
  const channel_count* busiest = nullptr;
  for (const channel_count& c : counts)
    if (wires.output({c.router, c.port}).what == port_end::kind::Channel && (!busiest || c.flits > busiest->flits))
      busiest = &c;
  return busiest;
}

json to_json(const report& r) {
  const measurement& m = r.measured;
  json j;
  j["weft"] = version();
  j["name"] = r.asked.output.name;
  j["seed"] = r.asked.simulation.seed;
  j["outcome"] = name_of(r.result.how);
  j["complete"] = complete(r);
  j["saturated"] = r.result.how == outcome::Saturated;
  j["deadlock"] = r.result.how == outcome::Deadlock;
  j["explanation"] = r.result.explanation;
  j["configuration"] = to_json(r.asked);
  j["cycles"] = {{"simulated", r.result.cycles}, {"window_first", m.window_first()}, {"window_end", m.window_end()}};
  j["packets"] = {{"measured", m.measured()}, {"delivered", m.latency().count()}};
  j["throughput"] = {{"unit", "flits/node/cycle"},
                     {"offered", to_json(m.offered())},
                     {"accepted", to_json(m.accepted())},
                     {"carried", to_json(m.carried())}};
  j["latency"] = {{"unit", "cycles"},
                  {"packet", to_json(m.latency(), m.latency_half_width())},
                  {"network", to_json(m.network_latency(), m.network_latency_half_width())}};
  if (r.asked.nic.compression.enabled()) j["compression"] = compression_json(r);
  j["mean_routers"] = m.latency().count() > 0 ? json(m.mean_routers()) : json();
  j["by_length"] = to_json(m.by_length(), "flits");
  j["by_routers"] = to_json(m.by_routers(), "routers");
  j["channels"] = channels_json(r.graph, r.result.window_counts, window_of(r));
  j["routers"] = routers_json(r);
  j["nodes"] = nodes_json(r);
  return j;
}

std::string to_csv(const report& r) {
  const measurement& m = r.measured;
  std::vector<std::string> names, values;
  const auto add = [&](const std::string& name, const std::string& value) {
    names.push_back(name);
    values.push_back(value);
  };
  const auto add_optional = [&](const char* name, const std::optional<double>& value) {
    add(name, value ? fmt::format("{}", *value) : "");
  };
  const auto add_latency = [&](const char* name, const histogram& h, const std::optional<double>& half_width) {
    const std::string prefix = name;
    const bool any = h.count() > 0;
    add(prefix + "_mean", any ? fmt::format("{}", h.mean()) : "");
    add_optional((prefix + "_half_width").c_str(), half_width);
    add(prefix + "_min", any ? fmt::format("{}", h.min()) : "");
    for (const double p : Percentiles)
      add(fmt::format("{}_p{:g}", prefix, p), any ? fmt::format("{}", h.percentile(p)) : "");
    add(prefix + "_max", any ? fmt::format("{}", h.max()) : "");
  };

  add("name", csv_text(r.asked.output.name));
  add("seed", std::to_string(r.asked.simulation.seed));
  add("outcome", name_of(r.result.how));
  add("cycles", std::to_string(r.result.cycles));
  add("packets_measured", std::to_string(m.measured()));
  add("packets_delivered", std::to_string(m.latency().count()));
  add("offered", fmt::format("{}", m.offered().mean));
  add_optional("offered_half_width", m.offered().half_width);
  add("accepted", fmt::format("{}", m.accepted().mean));
  add_optional("accepted_half_width", m.accepted().half_width);
  add_latency("latency", m.latency(), m.latency_half_width());
  add_latency("network_latency", m.network_latency(), m.network_latency_half_width());
  add("mean_routers", m.latency().count() > 0 ? fmt::format("{}", m.mean_routers()) : "");
  const compression_figures& compression = m.compression();
  add("carried", fmt::format("{}", m.carried().mean));
  add("compressed_share", fmt::format("{}", ratio(compression.compressed, compression.packets)));
  add("travelled_share", fmt::format("{}", ratio(compression.flits_travelled, compression.flits_created)));
  add("send_latency", fmt::format("{}", ratio(compression.send_cycles, compression.compressed)));
  add("receive_latency", fmt::format("{}", ratio(compression.receive_cycles, compression.compressed)));
  return fmt::format("{}\n{}\n", fmt::join(names, ","), fmt::join(values, ","));
}

std::string to_table(const report& r, double cycles_a_second) {
  const measurement& m = r.measured;
  const configuration& c = r.asked;
  std::string table =
      fmt::format("{}: {}, {} VCs of {} flits, {} pipeline cycles, seed {}\n\n", c.output.name, describe(r.graph),
                  c.router.vcs, c.router.depth, c.router.pipeline, c.simulation.seed);

  const auto row = [&table](const char* name, const std::string& value, const std::string& rest) {
    table += fmt::format("  {:<18}{:>17}  {}\n", name, value, rest);
  };
  row("cycles", grouped(r.result.cycles),
      fmt::format("measured from {} to {}", grouped(m.window_first()), grouped(m.window_end())));
  row("packets delivered", grouped(m.latency().count()), fmt::format("of {} measured", grouped(m.measured())));
  row("offered", plus_minus(m.offered().mean, m.offered().half_width, 4), "flits/node/cycle");
  row("accepted", plus_minus(m.accepted().mean, m.accepted().half_width, 4), "flits/node/cycle");
  if (c.nic.compression.enabled() && m.compression().packets > 0) {
    const compression_figures& f = m.compression();
    row("carried", plus_minus(m.carried().mean, m.carried().half_width, 4), "flits/node/cycle, compressed");
    row("compressed", fmt::format("{:.1f} %", 100 * ratio(f.compressed, f.packets)),
        fmt::format("of the packets; {:.1f} % of all flits saved",
                    100 * (1 - ratio(f.flits_travelled, f.flits_created))));
    if (f.compressed > 0)
      row("codec latency", fmt::format("{:.1f}", ratio(f.send_cycles, f.compressed)),
          fmt::format("cycles from source queue to router, {:.1f} from router to node, in the mean of those compressed",
                      ratio(f.receive_cycles, f.compressed)));
    row("in compressors", fmt::format("{:.3f}", m.mean_waiting()),
        fmt::format("packets a node in the mean, {} at most", f.most_waiting));
  }
  if (m.latency().count() > 0) row("routers passed", fmt::format("{:.2f}", m.mean_routers()), "in the mean");
  const wiring wires(r.graph);
  if (const channel_count* link = busiest_link(r.result.window_counts, wires); link && link->flits > 0) {
    const port_ref from{link->router, link->port};
    row("busiest link", fmt::format("{:.4f}", utilisation(link->flits, r)),
        fmt::format("flits/cycle, {} -> {}", full_name(r.graph, from), far_end(r.graph, wires.output(from))));
  }
  if (cycles_a_second > 0) row("speed", grouped(static_cast<std::uint64_t>(cycles_a_second)), "cycles/s");

  if (m.latency().count() > 0) {
    table += fmt::format("\n  {:<18}{:>17}{:>9}", "latency in cycles", "mean", "min");
    for (const double p : Percentiles) table += fmt::format("{:>7g} %", p);
    table += fmt::format("{:>9}\n", "max");
    const auto latency = [&](const char* name, const histogram& h, const std::optional<double>& half_width) {
      table += fmt::format("  {:<18}{:>17}{:>9}", name, plus_minus(h.mean(), half_width, 2), grouped(h.min()));
      for (const double p : Percentiles) table += fmt::format("{:>9}", grouped(h.percentile(p)));
      table += fmt::format("{:>9}\n", grouped(h.max()));
    };
    latency("packet", m.latency(), m.latency_half_width());
    latency("network", m.network_latency(), m.network_latency_half_width());
  }

  table += fmt::format("\n  {}\n", outcome_text(r));
  for (const std::string& line : r.result.explanation) table += fmt::format("    {}\n", line);
  return table;
}

}  // namespace weft::experiment
