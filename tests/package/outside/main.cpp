// SPDX-License-Identifier: Apache-2.0
/// A project of somebody else: one packet over a mesh in the engine, and a network as a TLM component.
#include <cstdio>

#include <systemc>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/tlm/noc.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace {

struct watcher : weft::network_observer {
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override {
    std::printf("packet %u -> %u: %u cycles, %u routers\n", p.source, p.destination,
                static_cast<unsigned>(cycle - p.created), routers);
    ++packets;
  }
  int packets = 0;
};

}  // namespace

int sc_main(int, char**) {
  const weft::topology graph = weft::make_grid({{4, 4}, {1, 1, 1, 4}});
  weft::packet_list_source source({{1, 0, 15, 1, 0}}, 16, {}, 1);
  watcher watch;
  const auto network = weft::engine::make_model(graph, {}, {}, 64, source, watch);
  network->run(100);

  weft::tlm2::noc_parameters parameters;
  parameters.graph = graph;
  weft::noc component("noc", parameters);
  sc_core::sc_start(10, sc_core::SC_NS);
  return watch.packets == 1 ? 0 : 1;
}
