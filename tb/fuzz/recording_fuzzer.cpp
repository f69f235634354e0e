// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: recordings of messages, packed or unpacked.
///
/// Input: a file. Rules: the messages are not larger than the unpacked file, and their words are made of its bytes.
#include "tb/fuzz/text_rules.h"

#include "weft/workload/message_file.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const auto file = fuzz::read_or_rejected([&] { return parse_messages(fuzz::text_of(data, size), "fuzz"); });
  if (!file) return 0;
  for (const recorded_message& m : file->messages)
    fuzz::require(m.words().size() == m.bytes.size() / 4, "the number of words of a message matches its bytes");
  return 0;
}
