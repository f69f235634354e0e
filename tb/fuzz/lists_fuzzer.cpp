// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: lists of packets, of replies and of messages.
///
/// Input: byte 0: kind of list (2 bits), nodes of the network (6 bits); the file. Rules: a list that is read fits the
/// network; a list of messages can be simulated.
#include "tb/fuzz/program_rules.h"
#include "tb/fuzz/text_rules.h"

#include "weft/mpi/replay/message_list.h"
#include "weft/workload/packet_list.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  if (size == 0) return 0;
  const unsigned which = data[0] & 3U;
  const std::uint32_t nodes = 1 + (data[0] >> 2);
  const std::string text = fuzz::text_of(data + 1, size - 1);
  if (which == 0) {
    fuzz::read_or_rejected([&] { return parse_answers(text, "fuzz"); });
  } else if (which == 1) {
    const auto program = fuzz::read_or_rejected([&] { return parse_message_list(text, "fuzz"); });
    if (program) fuzz::check_program(*program);
  } else {
    const auto packets = fuzz::read_or_rejected([&] { return parse_packet_list(text, "fuzz", {nodes}); });
    if (packets)
      for (const packet& p : *packets)
        fuzz::require(p.source < nodes && p.destination < nodes && p.flits > 0,
                      "nodes and length of a packet are valid in the network");
  }
  return 0;
}
