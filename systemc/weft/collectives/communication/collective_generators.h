// SPDX-License-Identifier: Apache-2.0
/// The families of generators behind make_collective(). They presume checked parameters and a builder that has the
/// data.
#pragma once

#include <vector>

#include "weft/collectives/communication/collective_builder.h"
#include "weft/collectives/communication/node_groups.h"

namespace weft {

/// The parameters with sources and receivers listed explicitly. Throws what make_collective() throws, except for the
/// size.
collective_parameters checked(collective_parameters parameters, const collective_network& network);

/// Whether each level of this broadcast tree is a step of its own, as in an implementation by rounds, which has a
/// barrier between levels. The other algorithms have a single step, "send".
constexpr bool has_rounds(collective_algorithm a) {
  return a != collective_algorithm::AllAtOnce && a != collective_algorithm::NeighbourForwarding &&
         a != collective_algorithm::Ring;
}

/// Groups of a set of nodes according to \p parameters. \p depth: 0 for `group` or `groups`, higher values for
/// `subgroups`.
node_groups groups_at(const collective_parameters& parameters, const node_grid& set, std::size_t depth,
                      const collective_network& network);

/// Broadcasts every datum by a tree of its own, to all other nodes that are in \p receivers (empty: all nodes).
void broadcast_by_trees(collective_builder& builder, const collective_parameters& parameters,
                        const collective_network& network);

/// All-to-all broadcast or all-reduce by exchanges of everything that a node has.
void exchange_by_doubling(collective_builder& builder, payload_form form, const collective_network& network);

/// The algorithms hierarchy, combining, network coding and network coding direct: steps B, D, E, F.
void broadcast_by_hierarchy(collective_builder& builder, const collective_parameters& parameters,
                            const collective_network& network);

/// Step B; then every datum goes from its owner to the counterparts in other groups (D), which broadcast it (E).
void broadcast_by_counterparts(collective_builder& builder, const collective_parameters& parameters,
                               const collective_network& network);

void broadcast_by_butterfly(collective_builder& builder, const collective_parameters& parameters);

void broadcast_with_parity(collective_builder& builder, const collective_parameters& parameters);

/// Scatter; adds its own data and goals: a datum from every source for every other receiving node.
void scatter_by_trees(collective_builder& builder, const collective_parameters& parameters,
                      const collective_network& network);

/// Step B to the intermediate of the group, D between intermediates, E to the receivers. Data with the same path travel
/// joined.
void scatter_by_combining(collective_builder& builder, const collective_parameters& parameters,
                          const collective_network& network);

/// Gather and reduce: up the tree of the root. All-reduce: also down again.
void collect_by_tree(collective_builder& builder, const collective_parameters& parameters, payload_form form,
                     const collective_network& network);

}  // namespace weft
