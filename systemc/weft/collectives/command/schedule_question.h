// SPDX-License-Identifier: Apache-2.0
/// Makes the problem that section `schedule` describes for a network.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"
#include "weft/configuration/configuration.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

struct schedule_question {
  topology graph;
  schedule::step_network network;
  schedule::collective requested;
  schedule::path_rule paths = schedule::path_rule::Minimal;
  bool combining = false;

  /// The problem for the solver. This object must outlive the returned problem.
  schedule::problem problem() const { return {network, requested, paths, combining}; }
};

/// The problem of section `schedule` of \p c. \throws configuration_error at the key with the error, also if no
/// collective is given
schedule_question question_of(const configuration& c);

/// The step network of \p c with its port rule. \throws configuration_error
schedule::step_network step_network_of(const configuration& c, const topology& graph);

/// The nodes that the elements of \p list name, in the order of the list, possibly with duplicates. An element is a
/// node, as in "3" or "n3", a range of nodes, as in "0-7", or a router, which stands for all its nodes: by its name, or
/// as in "r2" unless another router has that name. \throws std::invalid_argument
std::vector<node_id> nodes_named(const std::vector<std::string>& list, const topology& graph,
                                 const schedule::step_network& network);

}  // namespace weft::experiment
