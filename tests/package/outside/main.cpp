// SPDX-License-Identifier: Apache-2.0
/// An external project: one packet over a mesh in the engine, a network as a TLM component, and another network in a
/// shared object that it loads.
#include <cstddef>
#include <cstdio>

#include <dlfcn.h>
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

std::size_t nodes_of_plugin() {
#ifdef PLUGIN
  void* const plugin = dlopen(PLUGIN, RTLD_NOW);
  if (plugin == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 0;
  return reinterpret_cast<std::size_t (*)()>(dlsym(plugin, "nodes_of_plugin"))();
#else
  return 6;
#endif
}

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
  if (nodes_of_plugin() != 6) return 1;
  sc_core::sc_start(10, sc_core::SC_NS);
  return watch.packets == 1 ? 0 : 1;
}
