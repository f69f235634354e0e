// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/packet_list.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

constexpr std::uint64_t MaxU32 = std::numeric_limits<std::uint32_t>::max();

std::uint32_t longest(const std::vector<packet>& packets) {
  std::uint32_t flits = 1;
  for (const packet& p : packets) flits = std::max(flits, p.flits);
  return flits;
}

/// The packet of a line that is right.
packet packet_in(const std::uint64_t* row, data_type type) {
  packet p;
  p.id = row[0];
  p.created = row[1];
  p.source = static_cast<node_id>(row[2]);
  p.destination = static_cast<node_id>(row[3]);
  p.flits = static_cast<std::uint32_t>(row[4]);
  p.type = type;
  return p;
}

}  // namespace

std::vector<packet> parse_packet_list(std::string_view text, const std::string& name, std::uint32_t nodes,
                                      data_type type) {
  text_table table(text, name, {"packet", "cycle", "source", "destination", "length", "type"}, 1);
  if (nodes == 0) throw workload_error(name + ": the network has no nodes");
  std::vector<packet> packets;
  std::unordered_map<packet_id, std::size_t> line_of;
  std::uint64_t row[6];
  while (const std::size_t columns = table.next(row)) {
    const bool is_typed = columns == 6;
    const auto [first, is_new] = line_of.emplace(row[0], table.line());
    if (!is_new)
      table.wrong(
          fmt::format("packet {} is already in line {}; every packet needs its own number", row[0], first->second));
    else if (row[1] == Never)
      table.wrong(fmt::format("expected a cycle below {}", Never));
    else if (row[4] == 0 || row[4] > MaxU32)
      table.wrong(fmt::format("expected a length of 1…{} flits, found {}", MaxU32, row[4]));
    else if (row[2] >= nodes || row[3] >= nodes)
      table.wrong(fmt::format("expected a {} 0…{}, found {}", row[2] >= nodes ? "source" : "destination", nodes - 1,
                              row[2] >= nodes ? row[2] : row[3]));
    else if (is_typed && row[5] > 3)
      table.wrong(
          fmt::format("expected a data type 0 (other), 1 (int), 2 (double) or 3 (double complex), found {}", row[5]));
    else
      packets.push_back(packet_in(row, is_typed ? static_cast<data_type>(row[5]) : type));
  }
  return packets;
}

std::vector<packet> read_packet_list(const std::filesystem::path& file, std::uint32_t nodes, data_type type) {
  return parse_packet_list(read_file(file), file.string(), nodes, type);
}

packet_list_source::packet_list_source(std::vector<packet> packets, std::uint32_t nodes,
                                       const payload_parameters& payload, std::uint64_t seed)
    : m_packets(std::move(packets)), m_next(nodes), m_end(nodes), m_payload(payload, seed, 1, longest(m_packets)) {
  for (const packet& p : m_packets) {
    if (p.source >= nodes || p.destination >= nodes || p.flits == 0) {
      throw std::invalid_argument(
          fmt::format("packet {}: {} flits from node {} to node {}; expected at least one flit and nodes below {}",
                      p.id, p.flits, p.source, p.destination, nodes));
    }
    ++m_end[p.source];
  }
  std::partial_sum(m_end.begin(), m_end.end(), m_end.begin());
  for (node_id node = 1; node < nodes; ++node) m_next[node] = m_end[node - 1];
  std::stable_sort(m_packets.begin(), m_packets.end(), [](const packet& a, const packet& b) {
    return a.source != b.source ? a.source < b.source : a.created < b.created;
  });
}

cycle_t packet_list_source::next_creation(node_id node) const {
  return m_next[node] == m_end[node] ? Never : m_packets[m_next[node]].created;
}

packet packet_list_source::take(node_id node) { return m_packets[m_next[node]++]; }

void packet_list_source::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits,
                                 std::uint64_t* words) const {
  m_payload(p.id, sequence, payload_bits, words);
}

void write_answers(std::ostream& out, const std::vector<packet_answer>& answers) {
  std::vector<packet_answer> ordered = answers;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const packet_answer& a, const packet_answer& b) { return a.id < b.id; });
  fmt::memory_buffer text;
  for (const packet_answer& a : ordered) {
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", a.id, a.injected, a.head_delivered, a.tail_delivered,
                   a.routers);
  }
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::vector<packet_answer> parse_answers(std::string_view text, const std::string& name) {
  text_table table(text, name, {"packet", "injected", "head_delivered", "tail_delivered", "routers"});
  std::vector<packet_answer> answers;
  std::uint64_t row[5];
  while (table.next(row)) {
    if (row[4] > MaxU32) table.wrong(fmt::format("expected 0…{} routers, found {}", MaxU32, row[4]));
    answers.push_back({row[0], row[1], row[2], row[3], static_cast<std::uint32_t>(row[4])});
  }
  return answers;
}

std::vector<packet_answer> read_answers(const std::filesystem::path& file) {
  return parse_answers(read_file(file), file.string());
}

}  // namespace weft
