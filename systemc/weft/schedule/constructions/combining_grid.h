// SPDX-License-Identifier: Apache-2.0
/// Combining all-to-all communication along the dimensions of a guest: a ring, a mesh, a hypercube or anything between,
/// embedded in whatever network there is.
///
/// The participants, in the order of their numbers, are the guest's nodes, dimension 0 runs fastest. One dimension
/// after the other, all nodes exchange with those that differ in it alone. Guests of one dimension rotate on a ring,
/// of two exchange in rows and columns (RINGS, section 3.1; FATTREE, IV.A and IV.C), of twos in the dimensions of a
/// hypercube (FATTREE, IV.B).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/schedule/constructions/combining_relay.h"
#include "weft/schedule/method.h"
#include "weft/schedule/time.h"

namespace weft::schedule {

/// How nodes exchange in a dimension of f nodes, in rounds in which each sends to the one that is so much further,
/// cyclically. B is the nodes of the dimensions dealt with before, P all nodes.
enum class exchange_way : std::uint8_t {
  Rotation,  ///< f - 1 rounds to the next: broadcast B messages each; scatter (f-1)P/f, (f-2)P/f, …, P/f
  Direct,    ///< of scatter: f - 1 rounds to the next, the one after, …: P/f messages each
  Doubling,  ///< ceil(log2 f) rounds to those 1, 2, 4, … further (Bruck et al. 1997)
};

struct guest_dimension {
  std::size_t stride = 1;  ///< product of the sizes of the dimensions that run faster
  std::size_t size = 2;    ///< f ≥ 2
  exchange_way how = exchange_way::Rotation;
};

/// Dimensions in the order in which they are dealt with. Their sizes multiply to the number of participants.
using guest = std::vector<guest_dimension>;

/// Steps that a round in a dimension takes in the network, each node sending to the one that is \p further: ε of
/// FATTREE, measured.
std::size_t congestion_of(const problem& p, round_router& router, const guest_dimension& dimension,
                          std::size_t further = 1);

/// The schedule of \p p that \p along gives.
step_schedule exchange_along(const problem& p, round_router& router, const guest& along);

/// Schedules of guests of all shapes, those that no other dominates, by ascending R; of those that were
/// tried until \p control was over.
std::vector<step_schedule> grid_exchanges(const problem& p, const search_control& control = {});

/// On the guest of fewest start-ups; of those, of least occupancy.
const method& combining_exchange();

}  // namespace weft::schedule
