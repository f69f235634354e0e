// SPDX-License-Identifier: Apache-2.0
/// All-to-all communication with combined messages along the dimensions of a guest. A guest is a ring, a mesh, a
/// hypercube or a grid between these, embedded in any network.
/// The participants are the nodes of the guest in the order of their numbers; dimension 0 runs fastest. In one
/// dimension after the other, all nodes exchange with the nodes that differ from them only in this dimension.
/// One-dimensional guests rotate on a ring, two-dimensional guests exchange in rows and columns (RINGS, section 3.1;
/// FATTREE, IV.A and IV.C), and guests with sides of 2 exchange in the dimensions of a hypercube (FATTREE, IV.B).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// How nodes exchange in a dimension of f nodes. In each round, a node sends to the node at a given cyclic distance. P
/// is the number of all nodes, and B is the number of nodes in the dimensions processed before.
enum class exchange_way : std::uint8_t {
  Rotation,  ///< f - 1 rounds at distance 1; B messages each, or (f-1)P/f, …, P/f (scatter)
  Direct,    ///< scatter only: f - 1 rounds at distance 1, 2, …, with P/f messages each
  Doubling,  ///< ceil(log2 f) rounds at distance 1, 2, 4, … (Bruck et al. 1997)
};

struct guest_dimension {
  std::size_t stride = 1;  ///< product of the sizes of all dimensions that run faster
  std::size_t size = 2;    ///< f ≥ 2
  exchange_way how = exchange_way::Rotation;
};

/// A guest: its dimensions in the order in which they are processed. The product of their sizes is the number of
/// participants.
using guest = std::vector<guest_dimension>;

/// Returns the number of steps that a round in \p dimension takes in the network if each node sends to the node \p
/// further positions away. This is a measured value of ε in the paper FATTREE.
std::size_t congestion_of(const problem& p, round_router& router, const guest_dimension& dimension,
                          std::size_t further = 1);

/// Returns the schedule of \p p along the guest \p along.
step_schedule exchange_along(const problem& p, round_router& router, const guest& along);

/// Returns non-dominated schedules by ascending R, from guests of all shapes, or of the shapes that were examined
/// before \p control was over.
std::vector<step_schedule> grid_exchanges(const problem& p, const search_control& control = {});

/// Returns the method that uses the guest with the fewest start-ups. If several have equally few, it uses the one with
/// the least occupancy.
const method& combining_exchange();

}  // namespace weft::schedule
