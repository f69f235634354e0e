// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the reader of schedules in the format ccsched/1.
///
/// Input: a file. Rules: a schedule fits the network in its file; it can be checked, written, and read again.
#include "tb/fuzz/text_rules.h"

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/files/ccsched.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const std::string text = fuzz::text_of(data, size);
  const auto network = fuzz::read_or_rejected([&] { return schedule::read_network(text); });
  if (!network) return 0;
  const auto read = fuzz::read_or_rejected([&] { return schedule::read_schedule(text, *network); });
  if (!read) return 0;
  const std::string written = schedule::to_ccsched(*network, *read);
  const auto again = fuzz::read_or_rejected([&] { return schedule::read_schedule(written, *network); });
  fuzz::require(again && schedule::to_ccsched(*network, *again) == written,
                "a written network is read again unchanged");
  return 0;
}
