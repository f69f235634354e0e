// SPDX-License-Identifier: Apache-2.0
#include "weft/cosim/rtl_nics.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/core/quantity.h"
#include "weft/cosim/nic_sets.h"
#include "weft/cosim/rtl_rejection.h"
#include "weft/cosim/verilated_nic.h"

namespace weft::tb {

namespace {

constexpr unsigned MostEjectionFlits = 16;  // flits of an ejection VC
constexpr unsigned MostDestinations = 64;   // entries of a table of path ids
constexpr unsigned PathIdBits = 64;         // width of a path id if there is such a table: sufficient for a source
                                            // route
constexpr unsigned CodingDepth = 16;        // flits of each entry of XOR stages
constexpr unsigned FewEntries = 16, ManyEntries = 64;

template <unsigned PayloadBits, class Model, bool Coded = false>
pin::nic_maker<PayloadBits> nics_of(unsigned path_id_bits) {
  return [path_id_bits](sc_core::sc_module_name name, node_id node, unsigned, const path_selector& path_ids,
                        const router_parameters& router, const nic_parameters& nic,
                        pin::clock_gate& clocks) -> std::unique_ptr<pin::nic_interface<PayloadBits>> {
    return std::make_unique<verilated_nic<PayloadBits, Model, Coded>>(name, node, path_id_bits, path_ids, router, nic,
                                                                      clocks);
  };
}

/// \tparam Models the models of one kind of NIC: an instance of nic_models
template <unsigned PayloadBits, class Models, bool Coded = false>
pin::nic_maker<PayloadBits> kind_of(bool two_classes, bool has_path_ids) {
  if constexpr (!Coded)  // NICs with XOR stages always have a table of path ids, which may be unused
    if (!has_path_ids)
      return two_classes ? nics_of<PayloadBits, typename Models::two_classes>(1)
                         : nics_of<PayloadBits, typename Models::one_class>(1);
  return two_classes ? nics_of<PayloadBits, typename Models::two_classes_with_path_ids, Coded>(PathIdBits)
                     : nics_of<PayloadBits, typename Models::one_class_with_path_ids, Coded>(PathIdBits);
}

/// Without stages no module reads the payload, so a model for 64-bit flits can also be used for 32-bit flits.
template <class Models>
void make_without_stages(pin::external_nics& made, bool two_classes, bool has_path_ids) {
  std::get<pin::nic_maker<32>>(made.make) = kind_of<32, Models>(two_classes, has_path_ids);
  std::get<pin::nic_maker<64>>(made.make) = kind_of<64, Models>(two_classes, has_path_ids);
}

/// \tparam Set the set of NICs with the network's number of VCs and flits per VC
template <class Set>
void make(pin::external_nics& made, const nic_parameters& nic, bool two_classes, bool has_path_ids) {
  pin::nic_maker<64>& in_64_bits = std::get<pin::nic_maker<64>>(made.make);
  if (nic.coding.enabled)
    in_64_bits = nic.coding.entries == FewEntries
                     ? kind_of<64, typename Set::coded_16, true>(two_classes, has_path_ids)
                     : kind_of<64, typename Set::coded_64, true>(two_classes, has_path_ids);
  else if (nic.compression.enabled())
    in_64_bits = kind_of<64, typename Set::compressed>(two_classes, has_path_ids);
  else if (nic.ejection_depth != 0)
    make_without_stages<typename Set::buffered>(made, two_classes, has_path_ids);
  else
    make_without_stages<typename Set::pass>(made, two_classes, has_path_ids);
}

bool has_path_ids(const topology& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const node_attachment& node) { return !node.path_ids.by_destination.empty(); });
}

void demand(bool holds, const std::string& only, const std::string& remedy) {
  if (!holds) reject("the RTL NIC is compiled " + only, remedy);
}

void demand_equal(const char* what, std::size_t number, std::size_t compiled, const std::string& key) {
  demand(number == compiled, "for " + std::to_string(compiled) + " " + what + ", not " + std::to_string(number),
         "set " + key + ": " + std::to_string(compiled));
}

void check_compression(unsigned payload_bits, const compression_parameters& compression) {
  const codec_parameters& codec = compression.codec;
  demand_equal("payload bits with compression", payload_bits, 64, "network.flit.payload_bits");
  demand(compression.in_hardware(), "without a compressor of given latency", "set nic.compression.latency: rtl");
  demand(!codec.classic, "without the classic code", "set nic.compression.integer_code: table");
  demand(codec.table == fpc_table(), "with the table [18, 17, 16, 15, 14, 13]", "leave out nic.compression.table");
  demand(codec.exact, "with exact LSB-cut", "set nic.compression.exact: true");
  demand_equal("flits of the compressor's memories", compression.depth, 512, "nic.compression.buffer");
}

void check_coding(const topology& graph, unsigned payload_bits, const xor_parameters& coding) {
  demand_equal("payload bits with XOR stages", payload_bits, 64, "network.flit.payload_bits");
  demand_equal("flits that XOR stages hold", coding.depth, CodingDepth, "nic.coding.depth");
  demand(coding.entries == FewEntries || coding.entries == ManyEntries,
         "for " + std::to_string(FewEntries) + " or " + std::to_string(ManyEntries) +
             " entries of an XOR decoder, not " + std::to_string(coding.entries),
         "set nic.coding.entries: " + std::to_string(coding.entries < FewEntries ? FewEntries : ManyEntries));
  const bool many = coding.entries == ManyEntries;
  demand_equal(many ? "cycle of an XOR with 64 entries" : "cycles of an XOR with 16 entries", coding.overhead, many,
               "nic.coding.overhead");
  demand(graph.nodes.size() <= MostDestinations,
         "with XOR stages for at most " + std::to_string(MostDestinations) + " nodes, not " +
             std::to_string(graph.nodes.size()),
         "use a smaller network.topology");
}

/// Checks the number of VCs and the flits per VC. An injector counts credits for each VC, so both must be equal to
/// those of the network.
void check_buffers(const router_parameters& router) {
  const auto vcs_of = [](unsigned vcs, unsigned depth) {
    return number_of(vcs, "VC") + " of " + number_of(depth, "flit");
  };
  bool found = false;
  std::string compiled;
  for_each_nic_set([&](const auto& set) {
    found = found || (set.Vcs == router.vcs && set.Depth == router.depth);
    compiled += (compiled.empty() ? "" : " or ") + vcs_of(set.Vcs, set.Depth);
  });
  demand(
      found, "for " + compiled + ", not for " + vcs_of(router.vcs, router.depth),
      "set network.router.vcs: 4 and network.router.depth: 8, " +
          build_with("WEFT_RTL_MORE_NICS", MoreNics, std::to_string(router.vcs) + "x" + std::to_string(router.depth)));
}

/// Rejects a NIC with a property that no compiled NIC has; the message names the first such property.
void check(const topology& graph, unsigned payload_bits, const router_parameters& router, const nic_parameters& nic) {
  check_buffers(router);
  demand(router.classes <= 2, "for 1 or 2 classes, not " + std::to_string(router.classes),
         "lower network.router.classes");
  demand(nic.ejection_depth <= MostEjectionFlits,
         "for at most " + std::to_string(MostEjectionFlits) + " flits of an ejection VC, not " +
             std::to_string(nic.ejection_depth),
         "set nic.ejection_depth: " + std::to_string(MostEjectionFlits));
  demand(nic.ejection_credits == 0,
         "without nic.ejection_credits; nic.ejection_depth gives nodes a buffer with credits",
         "set nic.ejection_credits: 0");
  demand(router.reallocation == vc_reallocation::AfterTail, "for VCs that are reallocated after the tail",
         "set network.router.vc_reallocation: after_tail");
  demand_equal("sub-window", nic.buckets, 1, "nic.buckets");
  for (const node_attachment& node : graph.nodes) {
    demand_equal("port", node.ports.size(), 1, "nic.ports");
    demand(node.path_ids.send_sequence.empty(), "without send sequences of schedules",
           "use another collective.algorithm");
    demand(!node.path_ids.drawn(), "without path ids that the source draws", "use another network.routing.algorithm");
  }
  demand(!has_path_ids(graph) || graph.nodes.size() <= MostDestinations,
         "for path ids to at most " + std::to_string(MostDestinations) + " nodes, not " +
             std::to_string(graph.nodes.size()),
         "use a smaller network.topology, or use another network.routing.algorithm");
  if (nic.coding.enabled) check_coding(graph, payload_bits, nic.coding);
  if (nic.compression.enabled()) check_compression(payload_bits, nic.compression);
  demand(payload_bits <= 64, "for at most 64 payload bits, not " + std::to_string(payload_bits),
         "lower network.flit.payload_bits");
}

}  // namespace

std::shared_ptr<const pin::external_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                        const router_parameters& router, const nic_parameters& nic,
                                                        std::vector<node_id> nodes) {
  check(graph, payload_bits, router, nic);
  auto made = std::make_shared<pin::external_nics>();
  made->nodes = std::move(nodes);
  const bool two_classes = router.classes == 2;
  for_each_nic_set([&](const auto& set) {
    if (set.Vcs == router.vcs && set.Depth == router.depth)
      make<std::decay_t<decltype(set)>>(*made, nic, two_classes, has_path_ids(graph));
  });
  return made;
}

}  // namespace weft::tb
