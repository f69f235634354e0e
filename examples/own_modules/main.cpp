// SPDX-License-Identifier: Apache-2.0
/// Modules of one's own at the nodes of a 4x4 mesh at pin level. With an argument, its waveforms are in this file.
#include <cstdio>

#include <systemc>

#include "weft/network.h"

/// Sends 100 packets to the other nodes, one every 20 cycles, and adds up the numbers that it receives.
struct element : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"};
  weft::node_port node{"node"};
  std::uint64_t sum = 0, cycle = 0;

  explicit element(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(element);
    SC_METHOD(step);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  void step() {
    if (const std::uint64_t k = cycle++ / 20; k < 100 && cycle % 20 == 1)
      node->send((node->number() + 1 + k % 15) % 16, {k, 0, 0});  // 3 flits of 64 bits
    while (const auto packet = node->receive()) sum += packet->words[0];
  }
};

int sc_main(int argc, char* argv[]) {
  weft::network_settings settings;
  settings.graph = weft::make_grid({{4, 4}});
  if (argc > 1) settings.vcd_file = argv[1];
  weft::network network("network", settings);

  sc_core::sc_clock clock("clock", settings.clock);
  sc_core::sc_vector<element> elements("element", network.node.size());
  for (unsigned n = 0; n < elements.size(); ++n) elements[n].node(network.node[n]), elements[n].clk_i(clock);
  sc_core::sc_start(3000 * settings.clock);

  const weft::network_statistics s = network.statistics();
  std::printf("%d of %d packets delivered; latency: mean %.2f, maximum %d cycles\n", static_cast<int>(s.delivered),
              static_cast<int>(s.sent), s.mean_latency, static_cast<int>(s.max_latency));
  std::uint64_t sum = 0;
  for (const element& e : elements) sum += e.sum;
  return s.delivered == 1600 && sum == 16 * 99 * 100 / 2 ? 0 : 1;
}
