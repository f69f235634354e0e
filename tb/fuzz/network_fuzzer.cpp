// SPDX-License-Identifier: Apache-2.0
/// Fuzz targets: the readers of networks, one target for each format. WEFT_FUZZ_READER is the function of the reader.
///
/// Input: a file. Rules: a network that is read is complete: every router and node that it refers to exists.
#include "tb/fuzz/text_rules.h"

#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"

#ifndef WEFT_FUZZ_READER  // for tools that read only this source
#define WEFT_FUZZ_READER read_topology
#endif

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const std::string text = fuzz::text_of(data, size);
  const read_options options;
  const auto network = fuzz::read_or_rejected([&] { return WEFT_FUZZ_READER(text, "fuzz", options); });
  if (!network) return 0;
  fuzz::require(!network->routers.empty() && !network->nodes.empty(), "a network has routers and nodes");
  fuzz::require(network->routing.size() == network->routers.size(), "every router has a routing rule");
  fuzz::require(fuzz::read_or_rejected([&] { return check_structure(*network, options.vcs), 0; }).has_value(),
                "a network that is read is complete");
  return 0;
}
