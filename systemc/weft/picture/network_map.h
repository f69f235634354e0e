// SPDX-License-Identifier: Apache-2.0
/// The network of a stored run with its layout, and the traffic of each link and router.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/picture/stored.h"
#include "weft/topology/files/drawing.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// A channel between routers in the drawing.
struct mapped_channel {
  std::uint32_t channel = 0;  ///< index into topology::channels
  std::size_t row = 0;        ///< index into network_map::rows
  points course;              ///< points of its curve, which runs beside the reverse channel, if there is one
};

struct network_map {
  topology graph;
  network_drawing drawing;
  std::vector<mapped_channel> channels;
  json rows;  ///< the list `channels` of the result; 0 flits if the run ended before its window
};

/// The network of \p run, rebuilt from its configuration. \throws configuration_error if the network file that the
/// configuration names is missing or has changed
network_map map_of(const stored_result& run);

/// For each router, the mean utilization of its output ports, including those to nodes.
std::vector<double> router_utilisation(const network_map& map);

}  // namespace weft::experiment
