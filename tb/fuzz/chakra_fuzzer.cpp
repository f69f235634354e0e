// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the reader of Chakra traces.
///
/// Input: byte 0: number of ranks, 1 to 4 (2 bits). For each rank except the last: two bytes with the length of its
/// file, and the file. The rest is the file of the last rank. Rules: the reader throws only workload_error, which names
/// a file. Every program that it returns can be simulated, and has a rank for each file.
#include "tb/fuzz/byte_source.h"
#include "tb/fuzz/finding.h"
#include "tb/fuzz/program_rules.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/warning.h"
#include "weft/mpi/replay/chakra.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  static const warning_handler Printed = set_warning_handler({});  // no output for millions of inputs
  fuzz::byte_source in(data, size);
  const std::size_t ranks = 1 + (in.byte() & 3);
  std::vector<std::string> texts(ranks), names;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    names.push_back("fuzz." + std::to_string(rank) + ".et");
    for (std::uint64_t left = rank + 1 < ranks ? in.number(2) : size; left > 0 && !in.empty(); --left)
      texts[rank] += static_cast<char>(in.byte());
  }
  const std::optional<replay_program> read = fuzz::program_of([&] { return parse_chakra(texts, names); }, "fuzz.");
  fuzz::require(!read || read->ranks.size() == ranks, "each file is a rank");
  return 0;
}
