// SPDX-License-Identifier: Apache-2.0
/// The nodes of a Chakra trace, as one rank's file has them: et_def.proto of the schema 0.0.4, as far as it is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/warning.h"

namespace weft {

/// Node.type of the form.
enum class chakra_node_type : std::int32_t { Invalid = 0, Send = 5, Receive = 6, Collective = 7 };

/// A node of the graph of one rank; attributes that it does not have are none.
struct chakra_node {
  std::uint64_t id = 0;
  std::uint64_t byte = 0;  ///< of the file, where its message begins
  std::int32_t type = 0;
  std::uint64_t microseconds = 0;
  std::vector<std::uint64_t> after;  ///< ids
  std::optional<std::int64_t> bytes, source, destination, tag, operation, root;
  std::optional<double> runtime;   ///< microseconds
  bool counts_operations = false;  ///< num_ops is above 0
  std::string group;

  bool is(chakra_node_type t) const { return type == static_cast<std::int32_t>(t); }
};

/// The nodes of a file, in its order.
/// \param name of the file, for messages
/// \param left_out gets what is not read, and that the trace names another version
/// \throws workload_error `name: byte …` for what is no such file or damaged
std::vector<chakra_node> read_chakra_nodes(const std::string& text, const std::string& name, omissions& left_out);

}  // namespace weft
