// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: rules of cuts, as users write them.
///
/// Input: rules. Rule: what is read is written and read again as the same.
#include "tb/fuzz/text_rules.h"

#include "weft/trace/cut_rules.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const auto rules = fuzz::read_or_refused([&] { return parse_cut_rules(fuzz::text_of(data, size)); });
  if (!rules) return 0;
  const std::string written = text_of(*rules);
  const auto again = fuzz::read_or_refused([&] { return parse_cut_rules(written); });
  fuzz::require(again && text_of(*again) == written, "what is written is read again");
  return 0;
}
