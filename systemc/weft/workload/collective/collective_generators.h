// SPDX-License-Identifier: Apache-2.0
/// The families of generators behind make_collective(). Parameters are checked; the builder has the data.
#pragma once

#include <vector>

#include "weft/workload/collective/collective_builder.h"
#include "weft/workload/collective/node_groups.h"

namespace weft {

/// The parameters with sources and receivers written out. Throws what make_collective() throws, but for the size.
collective_parameters checked(collective_parameters parameters, const collective_network& network);

/// Whether each level of this broadcast tree is a step of its own: a barrier between levels is what an implementation
/// by rounds has. The other algorithms run as one step, "send".
constexpr bool has_rounds(collective_algorithm a) {
  return a != collective_algorithm::AllAtOnce && a != collective_algorithm::NeighbourForwarding &&
         a != collective_algorithm::Ring;
}

/// Groups of a set of nodes as \p parameters say at \p depth: 0 for `group` or `groups`, then `subgroups`.
node_groups groups_at(const collective_parameters& parameters, const node_grid& set, std::size_t depth,
                      const collective_network& network);

/// Every datum by a tree of its own, to its owner's fellow nodes in \p receivers; empty: all nodes.
void broadcast_by_trees(collective_builder& builder, const collective_parameters& parameters,
                        const collective_network& network);

/// All-to-all broadcast, or all-reduce, by exchanges of all a node has.
void exchange_by_doubling(collective_builder& builder, payload_form form, const collective_network& network);

/// Hierarchy, combining, network coding, network coding direct: steps B, D, E, F.
void broadcast_by_hierarchy(collective_builder& builder, const collective_parameters& parameters,
                            const collective_network& network);

/// Step B, then every datum from its owner to the counterparts in other groups (D), which broadcast it (E).
void broadcast_by_counterparts(collective_builder& builder, const collective_parameters& parameters,
                               const collective_network& network);

void broadcast_by_butterfly(collective_builder& builder, const collective_parameters& parameters);

void broadcast_with_parity(collective_builder& builder, const collective_parameters& parameters);

/// Scatter makes its own data and goals: a datum of every source for every other node that receives.
void scatter_by_trees(collective_builder& builder, const collective_parameters& parameters,
                      const collective_network& network);

/// Step B to the intermediate of the group, D between intermediates, E to the receivers: joined, whatever has the same
/// path.
void scatter_by_combining(collective_builder& builder, const collective_parameters& parameters,
                          const collective_network& network);

/// Gather and reduce: up the tree of the root; and for all-reduce down again.
void collect_by_tree(collective_builder& builder, const collective_parameters& parameters, payload_form form,
                     const collective_network& network);

}  // namespace weft
