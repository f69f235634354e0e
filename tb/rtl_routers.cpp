// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_routers.h"

#include "Vrouter_table_s3.h"
#include "Vrouter_table_s3___024root.h"
#include "Vrouter_table_s4.h"
#include "Vrouter_table_s4___024root.h"
#include "Vrouter_table_s4_cut_through.h"
#include "Vrouter_table_s4_cut_through___024root.h"
#include "tb/router_shapes.h"
#include "tb/rtl_refusal.h"
#include "tb/verilated_router.h"
#include <algorithm>
#include <string>
#include <utility>

#include "weft/topology/way_count.h"

namespace weft::tb {

namespace {

template <unsigned PayloadBits, class Model>
pin::router_maker<PayloadBits> routers_of(const router_shape& shape, unsigned ways) {
  return [shape, ways](sc_core::sc_module_name name, const router_parameters& parameters, const route_rule& rule,
                       const std::vector<unsigned>& output_depths, std::size_t nodes,
                       pin::clock_gate& clocks) -> std::unique_ptr<pin::router_interface<PayloadBits>> {
    return std::make_unique<verilated_router<PayloadBits, Model>>(name, shape, parameters, rule, output_depths, nodes,
                                                                  ways, clocks);
  };
}

template <class Model>
void make(pin::foreign_routers& made, const router_shape& shape, unsigned ways) {
  std::get<pin::router_maker<32>>(made.make) = routers_of<32, Model>(shape, ways);
  std::get<pin::router_maker<64>>(made.make) = routers_of<64, Model>(shape, ways);
}

/// The first thing that the RTL does not do.
void check(const topology& graph, unsigned payload_bits, const router_parameters& router, const nic_parameters& nic,
           const router_shape& largest) {
  const bool cut_through = router.flow == flow_control::VirtualCutThrough;
  if (router.pipeline > 4 || (cut_through && router.pipeline == 3))
    refuse(
        "the RTL router is compiled with S = 3 and 4 for wormhole and with S = 4 for virtual cut-through, not with "
        "S = " +
            std::to_string(router.pipeline) + (cut_through ? " for virtual cut-through" : ""),
        "give network.router.pipeline: 4");
  const auto at_most = [](const char* what, std::size_t is, std::size_t most, const char* remedy) {
    if (is > most)
      refuse(
          "the RTL router is compiled for at most " + std::to_string(most) + " " + what + ", not " + std::to_string(is),
          remedy);
  };
  std::size_t ports = 0;
  for (const router_info& r : graph.routers) ports = std::max<std::size_t>(ports, r.ports);
  at_most("VCs", router.vcs, largest.vcs, "lower network.router.vcs");
  at_most("flits of a VC", router.depth, largest.depth, "lower network.router.depth");
  at_most("flits of an ejection VC", nic.ejection_depth, largest.output_depth, "lower nic.ejection_depth");
  at_most("payload bits", payload_bits, 32 * largest.words, "lower network.flit.payload_bits");
  at_most("nodes", graph.nodes.size(), largest.destinations, "make network.topology smaller");
  at_most("ports", ports, largest.ports, "take a network.topology of fewer ports a router");
  const char* const Remedy = "take another network.routing.algorithm";
  for (const route_rule& rule : graph.routing) {
    if (rule.adaptive()) refuse("the RTL router has no adaptive routing", Remedy);
    if (rule.uses_up_way()) refuse("the RTL router is compiled with tables, not for source routing", Remedy);
  }
  at_most("ways that the source chooses from", count_ways(graph), largest.ways, Remedy);
}

}  // namespace

std::shared_ptr<const pin::foreign_routers> make_rtl_routers(const topology& graph, unsigned payload_bits,
                                                             const router_parameters& router, const nic_parameters& nic,
                                                             std::vector<router_id> routers) {
  const bool cut_through = router.flow == flow_control::VirtualCutThrough;
  const router_shape shape = table_router(router.pipeline, cut_through);
  check(graph, payload_bits, router, nic, shape);
  const auto ways = static_cast<unsigned>(count_ways(graph));
  auto made = std::make_shared<pin::foreign_routers>();
  made->routers = std::move(routers);
  if (router.pipeline == 3)
    make<Vrouter_table_s3>(*made, shape, ways);
  else if (cut_through)
    make<Vrouter_table_s4_cut_through>(*made, shape, ways);
  else
    make<Vrouter_table_s4>(*made, shape, ways);
  return made;
}

}  // namespace weft::tb
