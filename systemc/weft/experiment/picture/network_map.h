// SPDX-License-Identifier: Apache-2.0
/// The network of a stored run on its layout, with what each link and router carried.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/experiment/picture/stored.h"
#include "weft/topology/files/drawing.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// A channel between routers, as it is drawn.
struct mapped_channel {
  std::uint32_t channel = 0;  ///< index into topology::channels
  std::size_t row = 0;        ///< index into network_map::rows
  points course;              ///< beside that of the channel back, if there is one
};

struct network_map {
  topology graph;
  network_drawing drawing;
  std::vector<mapped_channel> channels;
  json rows;  ///< the run's list of channels; of one that ended before its window, all of them with 0 flits
};

/// The network of \p run, rebuilt from its configuration.
/// \throws configuration_error if a file that describes it is gone, or describes another by now
network_map map_of(const stored_result& run);

/// Of each router, the mean utilisation of its output ports, those to nodes included.
std::vector<double> router_utilisation(const network_map& map);

}  // namespace weft::experiment
