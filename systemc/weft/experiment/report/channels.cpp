// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/channels.h"

#include <fmt/format.h>

#include "weft/experiment/report/format.h"
#include "weft/topology/names.h"

namespace weft::experiment {

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

busiest_channel busiest_link(const topology& graph, const std::vector<channel_count>& counts) {
  const wiring wires(graph);
  const channel_count* most = nullptr;
  for (const channel_count& c : counts)
    if (wires.output({c.router, c.port}).what == port_end::kind::Channel && (!most || c.flits > most->flits)) most = &c;
  if (!most) return {};
  const port_ref from{most->router, most->port};
  return {most->flits, full_name(graph, from), far_end(graph, wires.output(from))};
}

}  // namespace weft::experiment
