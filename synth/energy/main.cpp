// SPDX-License-Identifier: Apache-2.0
/// Simulates a circuit with a bench. Arguments: circuit, output file, bench, ports, VCs, depth, words, dimensions,
/// nodes, three files of recorded words. Prints the events of each scenario; the output file has the changes of every
/// net by scenario.
#include "traffic.h"
#include <memory>

int main(int count, char** arguments) {
  using namespace energy;
  constexpr int Reset = 4, WarmUp = 128, Measured = 768;
  if (count != 13) {
    std::fprintf(stderr, "13 arguments expected\n");
    return 1;
  }
  circuit gates(arguments[1]);
  const std::string kind = arguments[3];
  const auto number = [&](int i) { return std::atoi(arguments[i]); };
  const shape s{number(4), number(5), number(6), number(7), number(8), number(9)};
  for (int i = 0; i < 3; i++) read_recorded(i, arguments[10 + i]);
  const std::unique_ptr<bench> driver(kind == "router" ? make_router_bench(gates, s) : make_nic_bench(gates, s, kind));
  for (int cycle = 0; cycle < Reset; cycle++) {
    gates.set_constant("rst_ni", 0);
    gates.evaluate();
    gates.clock();
  }
  gates.set_constant("rst_ni", 1);
  for (long cycle = 0; cycle < WarmUp + Measured; cycle++) {
    if (cycle == WarmUp) gates.clear_counts();
    driver->drive(cycle);
    gates.evaluate();
    driver->observe(cycle >= WarmUp);
    gates.clock();
  }
  std::FILE* out = std::fopen(arguments[2], "wb");
  for (int scenario = 0; scenario < Scenarios; scenario++) {
    std::printf("cycle %d", Measured * RunsOfScenario);
    driver->print(scenario);
    std::printf("\n");
    for (int net = 0; net < gates.nets(); net++) {
      int32_t sum = 0;
      for (int run = scenario * RunsOfScenario; run < (scenario + 1) * RunsOfScenario; run++)
        sum += gates.changes(net, run);
      std::fwrite(&sum, 4, 1, out);
    }
  }
  std::fclose(out);
  return 0;
}
