// SPDX-License-Identifier: Apache-2.0
/// A virtual platform: four traffic generators and four memories at the corners and in the middle of a 4x4 mesh.
///
///     virtual_platform [transactions of each generator, 2000]
///
/// Each generator writes blocks into all memories and reads them back. Exit status 0 if all data came back as written.
#include "modules.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "weft/tlm/noc.h"
#include "weft/topology/generators/grid.h"

using sc_core::SC_NS;
using sc_core::sc_time;

int sc_main(int argc, char* argv[]) {
  const int transactions = argc > 1 ? std::atoi(argv[1]) : 2000;
  if (argc > 2 || transactions < 2) {
    std::fprintf(stderr, "usage: %s [transactions of each generator, at least 2]\n", argv[0]);
    return 2;
  }

  weft::grid_parameters shape;
  shape.shape = {4, 4};
  weft::tlm2::noc_parameters parameters;
  parameters.graph = weft::make_grid(shape);
  for (unsigned m = 0; m < Memories; ++m) parameters.map.push_back({base_of(m), MemorySize, MemoryNodes[m]});
  weft::noc network("network", parameters);

  std::vector<std::unique_ptr<generator>> generators;
  for (unsigned g = 0; g < Generators; ++g) {
    generators.push_back(std::make_unique<generator>(("generator_" + std::to_string(g)).c_str(), g,
                                                     static_cast<unsigned>(transactions)));
    generators[g]->socket.bind(network.from_initiator[GeneratorNodes[g]]);
  }
  std::vector<std::unique_ptr<memory>> memories;
  for (unsigned m = 0; m < Memories; ++m) {
    memories.push_back(std::make_unique<memory>(("memory_" + std::to_string(m)).c_str()));
    network.to_target[MemoryNodes[m]].bind(memories[m]->socket);
  }

  sc_core::sc_start();

  std::uint64_t errors = 0;
  std::printf("generator  node  write, ns  read, ns  Mbyte/s\n");
  for (unsigned g = 0; g < Generators; ++g) {
    const generator& of = *generators[g];
    const double count = transactions / 2;
    std::printf("%9u  %4u  %9.1f  %8.1f  %7.1f\n", g, GeneratorNodes[g], of.in_writes / sc_time(1, SC_NS) / count,
                of.in_reads / sc_time(1, SC_NS) / count,
                static_cast<double>(of.bytes) / (of.end / sc_time(1, sc_core::SC_US)));
    errors += of.errors;
  }
  std::printf("memory     node   accesses\n");
  for (unsigned m = 0; m < Memories; ++m)
    std::printf("%6u     %4u  %9llu\n", m, MemoryNodes[m], static_cast<unsigned long long>(memories[m]->accesses()));
  if (errors == 0)
    std::printf("all data as written\n");
  else
    std::printf("%llu errors\n", static_cast<unsigned long long>(errors));
  return errors == 0 ? 0 : 1;
}
