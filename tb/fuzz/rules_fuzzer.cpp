// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the parser of truncation rules.
///
/// Input: a text with truncation rules. Rule: rules that are written and read again are the same.
#include "tb/fuzz/text_rules.h"

#include "weft/mpi/trace/truncation_rules.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const auto rules = fuzz::read_or_rejected([&] { return parse_truncation_rules(fuzz::text_of(data, size)); });
  if (!rules) return 0;
  const std::string written = text_of(*rules);
  const auto again = fuzz::read_or_rejected([&] { return parse_truncation_rules(written); });
  fuzz::require(again && text_of(*again) == written, "written rules are read again unchanged");
  return 0;
}
