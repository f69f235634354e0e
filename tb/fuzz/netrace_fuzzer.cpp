// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the reader of netraces.
///
/// Input: byte 0: a region (2 bits), and the number of sixteenths of the file that are kept (4 bits); then the unpacked
/// file. Rules: the reader throws only workload_error. Every program that it returns can be simulated. The messages of
/// a region are among the messages of the whole file. A truncated file is rejected.
#include "tb/fuzz/finding.h"
#include "tb/fuzz/program_rules.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "weft/mpi/replay/netrace.h"

namespace {

using namespace weft;
using fuzz::require;

std::optional<replay_program> read(const std::string& bytes, std::uint32_t region) {
  const auto parse = [&] {
    std::istringstream in(bytes);
    return parse_netrace(in, "fuzz", region);
  };
  return fuzz::program_of(parse, "fuzz: ");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint32_t region = data[0] & 3, left = data[0] >> 2 & 15;
  const std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::optional<replay_program> whole = read(file, 0);
  const std::optional<replay_program> part = region > 0 ? read(file, region) : std::nullopt;
  if (whole && part) {
    const auto same = [](const listed_message& a, const listed_message& b) {
      return a.id == b.id && a.source == b.source && a.destination == b.destination && a.bytes == b.bytes;
    };
    require(std::search(whole->messages.begin(), whole->messages.end(), part->messages.begin(), part->messages.end(),
                        same) != whole->messages.end(),
            "a region is a part of the whole trace");
  }
  require(!whole || !read(file.substr(0, file.size() * left / 16), 0),
          "no message is read beyond the end of a truncated file");
  return 0;
}
