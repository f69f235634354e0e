// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/packets.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"
#include "weft/file/form.h"

namespace weft::experiment {

namespace {

/// A packet of the log, and the number of its flits that entered and left the network so far.
struct logged_flight {
  logged_packet packet;
  std::uint32_t flits_in = 0, flits_out = 0;
};

[[noreturn]] void reject_line(const std::filesystem::path& file, std::size_t line, const char* expected) {
  throw input_error({{fmt::format("{}:{}", file.string(), line), fmt::format("expected {}", expected)}});
}

}  // namespace

logged_packets read_packets(const std::filesystem::path& file, std::size_t most) {
  constexpr const char* Header = "cycle kind node vc packet sequence";
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (!std::getline(in, text) || without_byte_order_mark(text) != Header) reject_line(file, 1, Header);

  std::unordered_map<packet_id, logged_flight> flights;
  for (std::size_t line = 2; in.peek() != std::ifstream::traits_type::eof(); ++line) {
    cycle_t cycle = 0;
    std::string kind;
    node_id node = 0;
    unsigned vc = 0;
    packet_id id = 0;
    std::uint32_t sequence = 0;
    in >> cycle >> kind >> node >> vc >> id >> sequence;
    if (!in || in.get() != '\n' || (kind != "inject" && kind != "eject"))
      reject_line(file, line, "cycle, inject or eject, node, VC, packet and sequence number; run the experiment again");
    logged_flight& f = flights[id];
    logged_packet& p = f.packet;
    p.id = id;
    if (kind == "inject") {
      if (sequence == 0) p.head_in = cycle, p.source = node, p.vc = vc;
      p.tail_in = cycle;
      ++f.flits_in;
    } else {
      if (sequence == 0) p.head_out = cycle, p.destination = node;
      p.tail_out = cycle;
      ++f.flits_out;
    }
  }

  logged_packets found;
  for (auto& [id, f] : flights) {
    if (f.flits_in != f.flits_out) continue;  // still in the network at the end of the run
    f.packet.flits = f.flits_out;
    found.slowest.push_back(f.packet);
  }
  found.all = found.slowest.size();
  std::sort(found.slowest.begin(), found.slowest.end(), [](const logged_packet& a, const logged_packet& b) {
    const cycle_t time_a = a.tail_out - a.head_in, time_b = b.tail_out - b.head_in;
    return time_a != time_b ? time_a > time_b : a.id < b.id;
  });
  if (found.slowest.size() > most) found.slowest.resize(most);
  return found;
}

}  // namespace weft::experiment
