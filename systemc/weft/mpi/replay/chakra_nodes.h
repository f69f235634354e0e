// SPDX-License-Identifier: Apache-2.0
/// The nodes in one rank's file of a Chakra trace: the required part of et_def.proto, schema 0.0.4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/warning.h"

namespace weft {

/// Node.type of the format.
enum class chakra_node_type : std::int32_t { Invalid = 0, Send = 5, Receive = 6, Collective = 7 };

/// A node of the graph of one rank; missing attributes are empty.
struct chakra_node {
  std::uint64_t id = 0;
  std::uint64_t byte = 0;  ///< position in the file where its message begins
  std::int32_t type = 0;
  std::uint64_t microseconds = 0;
  std::vector<std::uint64_t> after;  ///< ids of its dependencies
  std::optional<std::int64_t> bytes, source, destination, tag, operation, root;
  std::optional<double> runtime;   ///< microseconds
  bool counts_operations = false;  ///< num_ops is positive
  std::string group;

  bool is(chakra_node_type t) const { return type == static_cast<std::int32_t>(t); }
};

/// Reads the nodes of a file, in file order.
/// \param name file name, for messages
/// \param left_out receives the ignored parts, and a note if the trace has another version
/// \throws workload_error `name: byte …` for an invalid or damaged file
std::vector<chakra_node> read_chakra_nodes(const std::string& text, const std::string& name, omissions& left_out);

}  // namespace weft
