// SPDX-License-Identifier: Apache-2.0
/// Application graphs: the tasks of an application, and the rates at which they send to each other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/types.h"

namespace weft {

struct application_graph {
  struct edge {
    std::uint32_t from = 0, to = 0;  ///< indices into `tasks`
    double rate = 0;                 ///< > 0, in the unit of the file
  };
  std::vector<std::string> tasks;              ///< names, in the order in which the file has them
  std::vector<edge> edges;                     ///< in the order of the file; each pair at most once
  std::vector<std::optional<node_id>> places;  ///< by task: its node, if the file gives it
};

/// Reads the graph in \p file. A line `source destination rate` is an edge between two tasks, whose names have no
/// blanks. A line `task node` places a task of an edge on a node from 0 to \p nodes - 1. `#` starts a comment.
/// \throws workload_error if the file is not valid, has no edge, or has more tasks than \p nodes
application_graph read_application_graph(const std::filesystem::path& file, std::uint32_t nodes);

}  // namespace weft
