// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the readers of files for store-and-forward schedules: links, algorithms of SCCL, and counts.
///
/// Input: byte 0: kind of file (2 bits), nodes (6 bits); the file. Rules: links connect nodes and have a bandwidth; an
/// algorithm can be checked; there is a count for each node.
#include "tb/fuzz/text_rules.h"

#include "weft/collectives/schedule/forwarding/count_file.h"
#include "weft/collectives/schedule/forwarding/link_file.h"
#include "weft/collectives/schedule/forwarding/sccl_file.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  using fuzz::require;
  if (size == 0) return 0;
  const unsigned which = data[0] & 3U;
  const std::size_t nodes = 1 + (data[0] >> 2);
  const std::string text = fuzz::text_of(data + 1, size - 1);
  if (which == 0) {
    const auto counts = fuzz::read_or_rejected([&] { return schedule::counts_from_json(text, nodes, "fuzz"); });
    require(!counts || counts->size() == nodes, "there is a row for each node");
  } else if (which == 1) {
    const auto file = fuzz::read_or_rejected([&] { return schedule::from_sccl_json(text); });
    if (file) schedule::check_file(*file);
  } else {
    const auto graph = fuzz::read_or_rejected([&] { return schedule::links_from_json(text); });
    if (!graph) return 0;
    for (const schedule::graph_link& l : graph->links)
      require(l.from < graph->nodes && l.to < graph->nodes && l.bandwidth > 0, "a link connects two nodes");
    const auto again =
        fuzz::read_or_rejected([&] { return schedule::links_from_json(schedule::links_to_json(*graph)); });
    require(again && again->links.size() == graph->links.size(), "a written graph is read again unchanged");
  }
  return 0;
}
