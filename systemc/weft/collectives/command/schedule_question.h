// SPDX-License-Identifier: Apache-2.0
/// The problem that section `schedule` describes for a network.
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

  /// The schedule_question must outlive the result.
  schedule::problem problem() const { return {network, requested, paths, combining}; }
};

/// \throws configuration_error at the relevant key, also if no collective is given
schedule_question question_of(const configuration& c);

/// The step network of \p c with its port rule. \throws configuration_error
schedule::step_network step_network_of(const configuration& c, const topology& graph);

/// The nodes that a list names: a node by its number or as "n3", a range "0-7", or all nodes of a router by its name,
/// or as "r2" unless another router has that name. In list order, possibly with duplicates.
/// \throws std::invalid_argument
std::vector<node_id> nodes_named(const std::vector<std::string>& list, const topology& graph,
                                 const schedule::step_network& network);

}  // namespace weft::experiment
