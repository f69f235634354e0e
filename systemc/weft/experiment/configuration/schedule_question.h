// SPDX-License-Identifier: Apache-2.0
/// The question that a section `schedule` asks of a network.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"
#include "weft/schedule/problem.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

struct schedule_question {
  topology graph;
  schedule::step_network network;
  schedule::collective asked;
  schedule::path_rule paths = schedule::path_rule::Minimal;
  bool combining = false;

  /// Outlived by this.
  schedule::problem problem() const { return {network, asked, paths, combining}; }
};

/// \throws configuration_error at the key that is to blame, also where no collective is named
schedule_question question_of(const configuration& c);

/// The network of \p c with its ports. \throws configuration_error
schedule::step_network step_network_of(const configuration& c, const topology& graph);

/// Nodes that a list names: a node by its number or as "n3", a range "0-7", a router by its name, or as "r2"
/// unless another has that name, for all its nodes. In that order, the same node perhaps more than once.
/// \throws std::invalid_argument
std::vector<node_id> nodes_named(const std::vector<std::string>& list, const topology& graph,
                                 const schedule::step_network& network);

}  // namespace weft::experiment
