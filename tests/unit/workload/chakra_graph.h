// SPDX-License-Identifier: Apache-2.0
/// Builds Chakra traces for tests, node by node.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/mpi/replay/chakra.h"

namespace chakra_trace {

enum type : std::int32_t { Compute = 4, Send = 5, Receive = 6, Collective = 7 };

using attributes = std::map<std::string, std::int64_t>;

/// \p message preceded by its length.
std::string delimited(const std::string& message);

/// The trace file of a rank.
class graph {
 public:
  /// \param version schema version in the metadata message; empty: none
  explicit graph(const std::string& version = "0.0.4");
  graph& add(std::uint64_t id, type kind, const std::vector<std::uint64_t>& after, const attributes& with = {},
             std::uint64_t microseconds = 0, const std::string& group = "");
  const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

/// Parses files named t.0.et, t.1.et, …
weft::replay_program parse_graphs(const std::vector<graph>& ranks);
weft::replay_program parse_texts(const std::vector<std::string>& ranks);

/// The error of the traces, or `none`.
std::string graph_fault(const std::vector<graph>& ranks);
std::string text_fault(const std::vector<std::string>& ranks);

}  // namespace chakra_trace
