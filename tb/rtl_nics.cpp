// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_nics.h"

#include "Vnic_compressed.h"
#include "Vnic_compressed___024root.h"
#include "Vnic_plain.h"
#include "Vnic_plain___024root.h"
#include "tb/verilated_nic.h"
#include <stdexcept>
#include <string>
#include <utility>

namespace weft::tb {

namespace {

template <class Model>
pin::nic_maker<64> nics_of() {
  return [](sc_core::sc_module_name name, node_id node, unsigned, const way_rule&, const router_parameters& router,
            const nic_parameters& nic, pin::clock_gate& clocks) -> std::unique_ptr<pin::nic_interface<64>> {
    return std::make_unique<verilated_nic<64, Model>>(name, node, router, nic, clocks);
  };
}

void demand(bool condition, const std::string& text) {
  if (!condition) throw std::invalid_argument(text);
}

/// The first thing that no compiled NIC has.
void check(const topology& graph, unsigned payload_bits, const router_parameters& router, const nic_parameters& nic) {
  const auto is = [](const char* what, std::size_t number, std::size_t compiled) {
    demand(number == compiled,
           "the RTL NIC is compiled for " + std::to_string(compiled) + " " + what + ", not " + std::to_string(number));
  };
  const bool compressed = nic.compression.enabled();
  is("payload bits", payload_bits, 64);
  is("VCs", router.vcs, 4);
  is("flits of a VC", router.depth, 8);
  is(compressed ? "classes with compression" : "class without compression", router.classes, compressed ? 2 : 1);
  is(compressed ? "flits of an ejection VC with compression" : "flits of an ejection VC without compression",
     nic.ejection_depth, compressed ? 8 : 0);
  is("sub-window", nic.buckets, 1);
  demand(!nic.coding.enabled, "the RTL NIC is compiled without XOR stages");
  demand(!compressed || nic.compression.in_hardware(), "the RTL NIC has no compressor of given latency");
  const codec_parameters& codec = nic.compression.codec;
  demand(!compressed || (!codec.classic && codec.table == fpc_table() && codec.exact && nic.compression.depth == 512),
         "the RTL NIC is compiled with the table [18, 17, 16, 15, 14, 13], exact LSB-cut and memories of 512 flits");
  for (const node_attachment& node : graph.nodes) {
    is("port", node.ports.size(), 1);
    demand(!node.ways.chooses(), "the RTL NIC is compiled without ways that the source chooses");
  }
}

}  // namespace

std::shared_ptr<const pin::foreign_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                       const router_parameters& router, const nic_parameters& nic,
                                                       std::vector<node_id> nodes) {
  check(graph, payload_bits, router, nic);
  auto made = std::make_shared<pin::foreign_nics>();
  made->nodes = std::move(nodes);
  std::get<pin::nic_maker<64>>(made->make) =
      nic.compression.enabled() ? nics_of<Vnic_compressed>() : nics_of<Vnic_plain>();
  return made;
}

}  // namespace weft::tb
