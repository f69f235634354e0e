// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_nics.h"

#include "Vnic_buffered_with_ways_1.h"
#include "Vnic_buffered_with_ways_1___024root.h"
#include "Vnic_buffered_with_ways_2.h"
#include "Vnic_buffered_with_ways_2___024root.h"
#include "Vnic_buffered_without_ways_1.h"
#include "Vnic_buffered_without_ways_1___024root.h"
#include "Vnic_buffered_without_ways_2.h"
#include "Vnic_buffered_without_ways_2___024root.h"
#include "Vnic_compressed_with_ways_1.h"
#include "Vnic_compressed_with_ways_1___024root.h"
#include "Vnic_compressed_with_ways_2.h"
#include "Vnic_compressed_with_ways_2___024root.h"
#include "Vnic_compressed_without_ways_1.h"
#include "Vnic_compressed_without_ways_1___024root.h"
#include "Vnic_compressed_without_ways_2.h"
#include "Vnic_compressed_without_ways_2___024root.h"
#include "Vnic_pass_with_ways_1.h"
#include "Vnic_pass_with_ways_1___024root.h"
#include "Vnic_pass_with_ways_2.h"
#include "Vnic_pass_with_ways_2___024root.h"
#include "Vnic_pass_without_ways_1.h"
#include "Vnic_pass_without_ways_1___024root.h"
#include "Vnic_pass_without_ways_2.h"
#include "Vnic_pass_without_ways_2___024root.h"
#include "tb/rtl_refusal.h"
#include "tb/verilated_nic.h"
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace weft::tb {

namespace {

constexpr unsigned MostEjectionFlits = 16;  // of a VC
constexpr unsigned MostDestinations = 64;   // of a table of ways
constexpr unsigned WayBits = 64;            // with such a table: a whole path

template <unsigned PayloadBits, class Model>
pin::nic_maker<PayloadBits> nics_of(unsigned way_bits) {
  return [way_bits](sc_core::sc_module_name name, node_id node, unsigned, const way_rule& ways,
                    const router_parameters& router, const nic_parameters& nic,
                    pin::clock_gate& clocks) -> std::unique_ptr<pin::nic_interface<PayloadBits>> {
    return std::make_unique<verilated_nic<PayloadBits, Model>>(name, node, way_bits, ways, router, nic, clocks);
  };
}

/// The models of one kind of NIC: in one class and in two, without ways and with a table of them.
template <class OneClass, class TwoClasses, class OneClassWithWays, class TwoClassesWithWays>
struct models {
  template <unsigned PayloadBits>
  static pin::nic_maker<PayloadBits> make(bool two_classes, bool ways) {
    if (ways)
      return two_classes ? nics_of<PayloadBits, TwoClassesWithWays>(WayBits)
                         : nics_of<PayloadBits, OneClassWithWays>(WayBits);
    return two_classes ? nics_of<PayloadBits, TwoClasses>(1) : nics_of<PayloadBits, OneClass>(1);
  }
};
using pass_models = models<Vnic_pass_without_ways_1, Vnic_pass_without_ways_2,  //
                           Vnic_pass_with_ways_1, Vnic_pass_with_ways_2>;
using buffered_models = models<Vnic_buffered_without_ways_1, Vnic_buffered_without_ways_2,  //
                               Vnic_buffered_with_ways_1, Vnic_buffered_with_ways_2>;
using compressed_models = models<Vnic_compressed_without_ways_1, Vnic_compressed_without_ways_2,
                                 Vnic_compressed_with_ways_1, Vnic_compressed_with_ways_2>;

/// Without stages nothing looks at the payload: half of it may lie idle.
template <class Models>
void make_without_stages(pin::foreign_nics& made, bool two_classes, bool ways) {
  std::get<pin::nic_maker<32>>(made.make) = Models::template make<32>(two_classes, ways);
  std::get<pin::nic_maker<64>>(made.make) = Models::template make<64>(two_classes, ways);
}

bool has_ways(const topology& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const node_attachment& node) { return !node.ways.by_destination.empty(); });
}

/// The first thing that no compiled NIC has.
void check(const topology& graph, unsigned payload_bits, const router_parameters& router, const nic_parameters& nic) {
  const auto demand = [](bool holds, const std::string& only, const std::string& remedy) {
    if (!holds) refuse("the RTL NIC is compiled " + only, remedy);
  };
  const auto is = [&demand](const char* what, std::size_t number, std::size_t compiled, const std::string& key) {
    demand(number == compiled, "for " + std::to_string(compiled) + " " + what + ", not " + std::to_string(number),
           "give " + key + ": " + std::to_string(compiled));
  };
  is("VCs", router.vcs, 4, "network.router.vcs");
  is("flits of a VC", router.depth, 8, "network.router.depth");
  demand(router.classes <= 2, "for 1 or 2 classes, not " + std::to_string(router.classes),
         "lower network.router.classes");
  demand(nic.ejection_depth <= MostEjectionFlits,
         "for at most " + std::to_string(MostEjectionFlits) + " flits of an ejection VC, not " +
             std::to_string(nic.ejection_depth),
         "lower nic.ejection_depth");
  is("sub-window", nic.buckets, 1, "nic.buckets");
  demand(!nic.coding.enabled, "without XOR stages", "leave out nic.coding");
  for (const node_attachment& node : graph.nodes) {
    is("port", node.ports.size(), 1, "nic.ports");
    demand(node.ways.programme.empty(), "without programmes of schedules", "take another collective.algorithm");
    demand(!node.ways.drawn(), "without ways that the source draws", "take another network.routing.algorithm");
  }
  demand(
      !has_ways(graph) || graph.nodes.size() <= MostDestinations,
      "for ways to at most " + std::to_string(MostDestinations) + " nodes, not " + std::to_string(graph.nodes.size()),
      "make network.topology smaller, or take another network.routing.algorithm");
  if (!nic.compression.enabled()) {
    demand(payload_bits <= 64, "for at most 64 payload bits, not " + std::to_string(payload_bits),
           "lower network.flit.payload_bits");
    return;
  }
  const codec_parameters& codec = nic.compression.codec;
  is("payload bits with compression", payload_bits, 64, "network.flit.payload_bits");
  demand(nic.compression.in_hardware(), "without a compressor of given latency", "give nic.compression.latency: rtl");
  demand(!codec.classic, "without the classic code", "give nic.compression.integer_code: table");
  demand(codec.table == fpc_table(), "with the table [18, 17, 16, 15, 14, 13]", "leave out nic.compression.table");
  demand(codec.exact, "with exact LSB-cut", "give nic.compression.exact: true");
  is("flits of the compressor's memories", nic.compression.depth, 512, "nic.compression.buffer");
}

}  // namespace

std::shared_ptr<const pin::foreign_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                       const router_parameters& router, const nic_parameters& nic,
                                                       std::vector<node_id> nodes) {
  check(graph, payload_bits, router, nic);
  auto made = std::make_shared<pin::foreign_nics>();
  made->nodes = std::move(nodes);
  const bool two_classes = router.classes == 2, ways = has_ways(graph);
  if (nic.compression.enabled())
    std::get<pin::nic_maker<64>>(made->make) = compressed_models::make<64>(two_classes, ways);
  else if (nic.ejection_depth != 0)
    make_without_stages<buffered_models>(*made, two_classes, ways);
  else
    make_without_stages<pass_models>(*made, two_classes, ways);
  return made;
}

}  // namespace weft::tb
