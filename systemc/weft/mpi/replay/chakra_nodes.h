// SPDX-License-Identifier: Apache-2.0
/// Reads the nodes in the file of one rank of a Chakra trace. Only the part of et_def.proto, schema 0.0.4, that Weft
/// needs is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/warning.h"

namespace weft {

/// The values of Node.type in the format.
enum class chakra_node_type : std::int32_t { Invalid = 0, Send = 5, Receive = 6, Collective = 7 };

/// A node of the graph of one rank. Attributes that the file does not give are empty.
struct chakra_node {
  std::uint64_t id = 0;
  std::uint64_t byte = 0;  ///< byte position of the node's message in the file
  std::int32_t type = 0;
  std::uint64_t microseconds = 0;
  std::vector<std::uint64_t> after;  ///< ids of the nodes on which this node depends
  std::optional<std::int64_t> bytes, source, destination, tag, operation, root;
  std::optional<double> runtime;   ///< run time in microseconds
  bool counts_operations = false;  ///< whether num_ops is positive
  std::string group;

  bool is(chakra_node_type t) const { return type == static_cast<std::int32_t>(t); }
};

/// Reads the nodes of a file, in the order of the file.
/// \param name file name, for messages
/// \param left_out receives a note for each ignored part, and a note if the trace has another version
/// \throws workload_error `name: byte …` for an invalid or damaged file
std::vector<chakra_node> read_chakra_nodes(const std::string& text, const std::string& name, omissions& left_out);

}  // namespace weft
