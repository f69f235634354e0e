// SPDX-License-Identifier: Apache-2.0
/// A shared object of an external platform that contains a network.
#include <cstddef>

#include <systemc>

#include "weft/tlm/noc.h"
#include "weft/topology/generators/grid.h"

extern "C" std::size_t nodes_of_plugin() {
  weft::grid_parameters shape;
  shape.shape = {2, 3};
  weft::tlm2::noc_parameters parameters;
  parameters.graph = weft::make_grid(shape);
  // A module lives as long as the simulation.
  static const auto* const network = new weft::noc("network_of_plugin", parameters);
  return network->nodes();
}
