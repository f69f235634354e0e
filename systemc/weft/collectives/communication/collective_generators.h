// SPDX-License-Identifier: Apache-2.0
/// The generators that make_collective() calls. They require checked parameters and a builder that contains the data.
#pragma once

#include <vector>

#include "weft/collectives/communication/collective_builder.h"
#include "weft/collectives/communication/node_groups.h"

namespace weft {

/// Returns the checked parameters, with an explicit list of sources and receivers.
/// \throws std::invalid_argument as make_collective() does, but not for too many messages
collective_parameters checked(collective_parameters parameters, const collective_network& network);

/// Whether each level of this broadcast tree is a step of its own. An implementation by rounds has such steps, with a
/// barrier between levels. The other algorithms have a single step, "send".
constexpr bool has_rounds(collective_algorithm a) {
  return a != collective_algorithm::AllAtOnce && a != collective_algorithm::NeighbourForwarding &&
         a != collective_algorithm::Ring;
}

/// Returns the groups of a set of nodes.
/// \param depth 0 for the parameter `group` or `groups`, higher values for the entries of `subgroups`
node_groups groups_at(const collective_parameters& parameters, const node_grid& set, std::size_t depth,
                      const collective_network& network);

/// Adds a broadcast of every datum by its own tree, to all other nodes in the `receivers` of \p parameters (empty: all
/// nodes).
void broadcast_by_trees(collective_builder& builder, const collective_parameters& parameters,
                        const collective_network& network);

/// Adds an all-to-all broadcast or an all-reduce in which pairs of nodes exchange everything that they have.
void exchange_by_doubling(collective_builder& builder, payload_form form, const collective_network& network);

/// Adds a broadcast by one of the algorithms hierarchy, combining, network coding and network coding direct: steps B,
/// D, E and F.
void broadcast_by_hierarchy(collective_builder& builder, const collective_parameters& parameters,
                            const collective_network& network);

/// Adds a broadcast by counterparts. Step B runs inside groups. Then every datum goes from its owner to the
/// counterparts in the other groups (step D), which broadcast it in their groups (step E).
void broadcast_by_counterparts(collective_builder& builder, const collective_parameters& parameters,
                               const collective_network& network);

void broadcast_by_butterfly(collective_builder& builder, const collective_parameters& parameters);

void broadcast_with_parity(collective_builder& builder, const collective_parameters& parameters);

/// Adds a scatter by trees, including its data and goals: a datum from every source for every other receiver.
void scatter_by_trees(collective_builder& builder, const collective_parameters& parameters,
                      const collective_network& network);

/// Adds a scatter by combining: step B to the intermediate of the group, step D between intermediates, and step E to
/// the receivers. Data that take the same path travel in one message.
void scatter_by_combining(collective_builder& builder, const collective_parameters& parameters,
                          const collective_network& network);

/// Adds a gather or a reduce, which sends up the tree of the root. An all-reduce also sends down the tree again.
void collect_by_tree(collective_builder& builder, const collective_parameters& parameters, payload_form form,
                     const collective_network& network);

}  // namespace weft
