// SPDX-License-Identifier: Apache-2.0
/// Combining all-to-all communication along the dimensions of a guest: a ring, a mesh, a hypercube or anything in
/// between, embedded in any network.
/// The participants, in the order of their numbers, are the guest's nodes; dimension 0 runs fastest. In one dimension
/// after the other, all nodes exchange with those that differ only in that dimension. One-dimensional guests rotate on
/// a ring, two-dimensional guests exchange in rows and columns (RINGS, section 3.1; FATTREE, IV.A and IV.C), and guests
/// with sides of 2 exchange in the dimensions of a hypercube (FATTREE, IV.B).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// How nodes exchange in a dimension of f nodes. In each round, a node sends to the node at a given cyclic distance. B
/// is the number of nodes in the dimensions processed before, P the number of all nodes.
enum class exchange_way : std::uint8_t {
  Rotation,  ///< f - 1 rounds at distance 1: broadcast B messages each; scatter (f-1)P/f, (f-2)P/f, …, P/f
  Direct,    ///< scatter only: f - 1 rounds at distance 1, 2, …: P/f messages each
  Doubling,  ///< ceil(log2 f) rounds at distance 1, 2, 4, … (Bruck et al. 1997)
};

struct guest_dimension {
  std::size_t stride = 1;  ///< product of the sizes of the dimensions that run faster
  std::size_t size = 2;    ///< f ≥ 2
  exchange_way how = exchange_way::Rotation;
};

/// Dimensions in the order in which they are processed. The product of their sizes is the number of participants.
using guest = std::vector<guest_dimension>;

/// Number of steps that a round in a dimension takes in the network if each node sends to the node \p further away: ε
/// of FATTREE, measured.
std::size_t congestion_of(const problem& p, round_router& router, const guest_dimension& dimension,
                          std::size_t further = 1);

/// The schedule of \p p along the guest \p along.
step_schedule exchange_along(const problem& p, round_router& router, const guest& along);

/// Non-dominated schedules of guests of all shapes, by ascending R; only shapes examined before \p control was over.
std::vector<step_schedule> grid_exchanges(const problem& p, const search_control& control = {});

/// Uses the guest with the fewest start-ups; of several, the one with the least occupancy.
const method& combining_exchange();

}  // namespace weft::schedule
