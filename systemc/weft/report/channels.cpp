// SPDX-License-Identifier: Apache-2.0
#include "weft/report/channels.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/report/format.h"
#include "weft/topology/names.h"

namespace weft::experiment {

std::string far_end(const topology& graph, const port_end& end) {
  if (end.what == port_end::kind::Channel) return full_name(graph, graph.channels[end.index].to);
  return fmt::format("node {}", end.index);
}

namespace {

json port_json(const topology& graph, const port_ref& port) {
  return {{"router", port.router}, {"port", port_name(graph, port)}};
}

/// The end \p end of a channel as JSON: a router's port, or a node.
json end_json(const topology& graph, const port_end& end) {
  if (end.what == port_end::kind::Channel) return port_json(graph, graph.channels[end.index].to);
  return {{"node", end.index}};
}

/// The cycles for which a flit occupies the channel to \p end.
unsigned phits_of(const topology& graph, const port_end& end) {
  return end.what == port_end::kind::Channel ? graph.channels[end.index].phits : 1;
}

}  // namespace

double occupied_share(std::uint64_t occupied, cycle_t cycles) { return ratio(std::min(occupied, cycles), cycles); }

double utilisation_of(const topology& graph, const wiring& wires, const port_ref& port, std::uint64_t flits,
                      cycle_t cycles) {
  return occupied_share(flits * phits_of(graph, wires.output(port)), cycles);
}

json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles) {
  const wiring wires(graph);
  json list = json::array();
  for (const std::size_t i : reported_channels(graph, counts)) {
    const channel_count& c = counts[i];
    const port_ref port{c.router, c.port};
    list.push_back({{"router", c.router},
                    {"port", port_name(graph, port)},
                    {"to", end_json(graph, wires.output(port))},
                    {"flits", c.flits},
                    {"utilisation", utilisation_of(graph, wires, port, c.flits, cycles)}});
  }
  return list;
}

std::vector<std::size_t> reported_channels(const topology& graph, const std::vector<channel_count>& counts) {
  const wiring wires(graph);
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (wires.output({counts[i].router, counts[i].port}).what != port_end::kind::Nothing)  // unconnected: mesh edge
      selected.push_back(i);
  return selected;
}

busiest_channel busiest_link(const topology& graph, const std::vector<channel_count>& counts) {
  const wiring wires(graph);
  const channel_count* most = nullptr;
  std::uint64_t most_cycles = 0;
  for (const channel_count& c : counts) {
    const port_end to = wires.output({c.router, c.port});
    const std::uint64_t cycles = c.flits * phits_of(graph, to);
    if (to.what != port_end::kind::Channel || (most != nullptr && cycles <= most_cycles)) continue;
    most = &c;
    most_cycles = cycles;
  }
  if (!most) return {};
  const port_ref from{most->router, most->port};
  const port_end to = wires.output(from);
  return {most->flits,        most_cycles, full_name(graph, from), far_end(graph, to), port_json(graph, from),
          end_json(graph, to)};
}

}  // namespace weft::experiment
