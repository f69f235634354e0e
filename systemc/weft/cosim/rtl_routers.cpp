// SPDX-License-Identifier: Apache-2.0
#include "weft/cosim/rtl_routers.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "weft/core/join_with_and.h"
#include "weft/cosim/router_models.h"
#include "weft/cosim/router_shapes.h"
#include "weft/cosim/rtl_rejection.h"
#include "weft/cosim/verilated_router.h"
#include "weft/router/allocator_kinds.h"
#include "weft/router/rtl_choices.h"
#include "weft/topology/path_id_count.h"

namespace weft::tb {

namespace {

template <unsigned PayloadBits, class Model>
pin::router_maker<PayloadBits> routers_of(const router_shape& shape, unsigned path_id_count) {
  return [shape, path_id_count](sc_core::sc_module_name name, const router_parameters& parameters,
                                const route_rule& rule, const std::vector<unsigned>& output_depths,
                                const std::vector<unsigned>& phits, std::size_t nodes,
                                pin::clock_gate& clocks) -> std::unique_ptr<pin::router_interface<PayloadBits>> {
    return std::make_unique<verilated_router<PayloadBits, Model>>(name, shape, parameters, rule, output_depths, phits,
                                                                  nodes, path_id_count, clocks);
  };
}

/// Sets the makers in \p made for the payload widths that the model supports.
template <class Model, unsigned... PayloadBits>
void make(std::tuple<pin::router_maker<PayloadBits>...>& made, const router_shape& shape, unsigned path_id_count) {
  ((PayloadBits <= 32 * shape.words
        ? void(std::get<pin::router_maker<PayloadBits>>(made) = routers_of<PayloadBits, Model>(shape, path_id_count))
        : void()),
   ...);
}

std::string name_of(flow_control flow) {
  return flow == flow_control::VirtualCutThrough ? "virtual cut-through" : "wormhole";
}

void check_pipeline(const router_parameters& router) {
  std::set<unsigned> wormhole, cut_through;
  for_each_router_model([&](const auto& m) { (m.cut_through ? cut_through : wormhole).insert(m.pipeline); });
  const bool is_cut_through = router.flow == flow_control::VirtualCutThrough;
  const std::set<unsigned>& compiled = is_cut_through ? cut_through : wormhole;
  if (compiled.count(router.pipeline) != 0) return;
  reject("the RTL router is compiled with S = " + join_with_and(wormhole) + " for wormhole and with S = " +
             join_with_and(cut_through) + " for virtual cut-through, not with S = " + std::to_string(router.pipeline) +
             " for " + name_of(router.flow),
         "set network.router.pipeline: 4, build with -DWEFT_RTL_MORE_ROUTERS=s" + std::to_string(router.pipeline) +
             (is_cut_through ? "_cut_through" : ""));
}

/// Rejects all kinds of allocators except the default, for which the routers are compiled. \p key is that of the
/// allocator.
void check_allocator(const allocator_parameters& parameters, const std::string& key) {
  const allocator_parameters compiled;
  const bool is_kind = parameters.kind != compiled.kind;
  if (!is_kind && parameters.arbiter == compiled.arbiter) return;
  const std::string has = is_kind ? entry_of(parameters.kind).name : entry_of(parameters.arbiter).name;
  const std::string needs = is_kind ? entry_of(compiled.kind).name : entry_of(compiled.arbiter).name;
  reject("the RTL routers for networks are compiled for the " + std::string(is_kind ? "allocator " : "arbiter ") +
             needs + " only, not for " + has + ", and cannot be built with another one",
         "set " + key + (is_kind ? ".kind: " : ".arbiter: ") + needs);
}

/// Rejects the first property that no compiled router has.
void check(const topology& graph, unsigned payload_bits, const router_parameters& router, const nic_parameters& nic,
           const router_shape& largest) {
  if (const auto missing = choice_without_rtl(router, nic))
    reject("there is no RTL of " + std::string(missing->name),
           "set " + std::string(missing->key) + ": " + missing->remedy);
  check_pipeline(router);
  check_allocator(router.vc_allocator, "network.router.vc_allocator");
  check_allocator(router.switch_allocator, "network.router.switch_allocator");
  const auto at_most = [](const char* what, std::size_t is, std::size_t most, const std::string& remedy,
                          const char* size, unsigned unit = 1) {
    if (is > most)
      reject(
          "the RTL router is compiled for at most " + std::to_string(most) + " " + what + ", not " + std::to_string(is),
          remedy + ", " +
              build_with("WEFT_RTL_ROUTER_SIZES", router_sizes::Given, size + ("=" + std::to_string(is / unit))));
  };
  std::size_t ports = 0;
  for (const router_info& r : graph.routers) ports = std::max<std::size_t>(ports, r.ports);
  const auto lower = [](const char* key, unsigned most) { return "set " + (key + (": " + std::to_string(most))); };
  at_most("VCs", router.vcs, largest.vcs, lower("network.router.vcs", largest.vcs), "Vcs");
  at_most("flits of a VC", router.depth, largest.depth, lower("network.router.depth", largest.depth), "Depth");
  at_most("flits of an ejection VC", nic.ejection_depth, largest.output_depth,
          lower("nic.ejection_depth", largest.output_depth), "Depth");
  at_most("payload bits", payload_bits, 32 * largest.words, lower("network.flit.payload_bits", 32 * largest.words),
          "Words", 32);
  at_most("nodes", graph.nodes.size(), largest.destinations, "use a smaller network.topology", "Destinations");
  at_most("ports", ports, largest.ports, "use a network.topology with fewer ports per router", "Ports");
  const char* const Remedy = "use another network.routing.algorithm";
  for (const route_rule& rule : graph.routing) {
    if (rule.adaptive()) reject("the RTL router has no adaptive routing", Remedy);
    if (rule.consumes_path())
      reject("the RTL router is compiled for routing tables and does not support source routing", Remedy);
  }
  at_most("path ids that the source chooses from", count_path_ids(graph), largest.path_id_count, Remedy, "Ways");
}

}  // namespace

std::shared_ptr<const pin::external_routers> make_rtl_routers(const topology& graph, unsigned payload_bits,
                                                              const router_parameters& router,
                                                              const nic_parameters& nic,
                                                              std::vector<router_id> routers) {
  const bool cut_through = router.flow == flow_control::VirtualCutThrough;
  const router_shape shape = table_router(router.pipeline, cut_through);
  check(graph, payload_bits, router, nic, shape);
  const auto path_id_count = static_cast<unsigned>(count_path_ids(graph));
  auto made = std::make_shared<pin::external_routers>();
  made->routers = std::move(routers);
  for_each_router_model([&](const auto& m) {
    using model = typename std::decay_t<decltype(m)>::model;
    if (m.pipeline == router.pipeline && m.cut_through == cut_through) make<model>(made->make, shape, path_id_count);
  });
  return made;
}

}  // namespace weft::tb
