// SPDX-License-Identifier: Apache-2.0
/// Small traces that tests write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "weft/mpi/trace/trace_writer.h"

namespace weft::cli {

/// Communicator 0 with \p ranks ranks.
inline std::vector<trace_communicator> world_of(std::uint32_t ranks) {
  trace_communicator all;
  all.members.resize(ranks);
  std::iota(all.members.begin(), all.members.end(), 0U);
  return {all};
}

/// Writes the part of rank \p rank into \p folder: \p communicators of all ranks, element 0 (a byte), and the calls
/// that
/// \p write_calls writes.
template <typename WriteCalls>
void write_part(const std::filesystem::path& folder, std::uint32_t rank,
                const std::vector<trace_communicator>& communicators, WriteCalls write_calls) {
  std::filesystem::create_directory(folder);
  trace_header h;
  h.rank = rank;
  h.ranks = static_cast<std::uint32_t>(communicators.front().members.size());
  trace_writer w((folder / ("rank." + std::to_string(rank))).string(), h);
  for (const trace_communicator& c : communicators) w.add(c);
  w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
  write_calls(w);
}

}  // namespace weft::cli
