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

/// The number of columns of a line that has a type, and of one that also has a class.
constexpr std::size_t WithType = 6, WithClass = 7;

/// The packet of a valid line of \p columns columns. \param type its type if the line has none
packet packet_in(const std::uint64_t* row, std::size_t columns, data_type type) {
  packet p;
  p.id = row[0];
  p.created = row[1];
  p.source = static_cast<node_id>(row[2]);
  p.destination = static_cast<node_id>(row[3]);
  p.flits = static_cast<std::uint32_t>(row[4]);
  p.type = columns >= WithType ? static_cast<data_type>(row[5]) : type;
  p.message_class = columns >= WithClass ? static_cast<std::uint8_t>(row[6]) : std::uint8_t{0};
  return p;
}

constexpr std::size_t NoLine = 0;

/// Reads the packets of \p text. \p first_line_of(packet number, line) returns the line in which the number was used
/// first, or NoLine.
template <class FirstLineOf>
compact_packets read_lines(std::string_view text, const std::string& name, const packet_list_context& context,
                           FirstLineOf first_line_of) {
  text_table table(text, name, {"packet", "cycle", "source", "destination", "length", "type", "class"}, 2);
  const std::uint32_t nodes = context.nodes;
  compact_packets packets;
  packets.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  std::uint64_t row[WithClass];
  while (const std::size_t columns = table.next(row)) {
    const std::size_t first = first_line_of(row[0], table.line());
    if (first != NoLine)
      table.wrong(fmt::format("packet {} is already in line {}; every packet needs its own number", row[0], first));
    else if (row[1] == Never)
      table.wrong(fmt::format("expected a cycle below {}", Never));
    else if (row[4] == 0 || row[4] > MaxU32)
      table.wrong(fmt::format("expected a length of 1…{} flits, found {}", MaxU32, row[4]));
    else if (row[2] >= nodes || row[3] >= nodes)
      table.wrong(fmt::format("expected a {} in 0…{}, found {}", row[2] >= nodes ? "source" : "destination", nodes - 1,
                              row[2] >= nodes ? row[2] : row[3]));
    else if (columns >= WithType && row[5] > 3)
      table.wrong(
          fmt::format("expected a data type 0 (other), 1 (int), 2 (double) or 3 (double complex), found {}", row[5]));
    else if (columns >= WithClass && row[6] >= context.classes)
      table.wrong(
          fmt::format("expected a class in 0…{} (network.router.classes), found {}", context.classes - 1, row[6]));
    else
      packets.add(packet_in(row, columns, context.type));
  }
  return packets;
}

bool have_different_numbers(const compact_packets& packets) {
  std::vector<packet_id> numbers;
  numbers.reserve(packets.size());
  for (std::size_t i = 0; i < packets.size(); ++i) numbers.push_back(packets[i].id);
  if (!std::is_sorted(numbers.begin(), numbers.end())) std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

std::vector<packet> all_of(const compact_packets& packets) {
  std::vector<packet> all;
  all.reserve(packets.size());
  for (std::size_t i = 0; i < packets.size(); ++i) all.push_back(packets[i]);
  return all;
}

}  // namespace

packet compact_packets::operator[](std::size_t index) const {
  const row& r = m_rows[index];
  if (r.special != 0) return m_special[r.special - 1];
  packet p;
  p.id = r.id;
  p.source = r.source;
  p.destination = r.destination;
  p.flits = r.flits;
  p.created = r.created;
  p.type = static_cast<data_type>(r.type);
  p.message_class = static_cast<std::uint8_t>(r.message_class);
  return p;
}

std::uint32_t compact_packets::longest() const {
  std::uint32_t flits = 1;
  for (const row& r : m_rows) flits = std::max(flits, r.flits);
  return flits;
}

packet_id compact_packets::longest_packet() const {
  const auto shorter = [](const row& a, const row& b) { return a.flits < b.flits; };
  return std::max_element(m_rows.begin(), m_rows.end(), shorter)->id;
}

void compact_packets::add(const packet& p) {
  constexpr std::size_t MostSpecial = (std::size_t{1} << 26) - 1;
  const bool is_plain = p.code == xor_code() && p.cut == ConfiguredCut && !p.urgent && p.more == 0;
  if (!is_plain && m_special.size() == MostSpecial)
    throw std::length_error(fmt::format("a list can have at most {} packets with codes, cuts or urgency", MostSpecial));
  if (!is_plain) m_special.push_back(p);
  m_rows.push_back({p.id, p.created, p.source, p.destination, p.flits, static_cast<std::uint32_t>(p.type),
                    p.message_class, is_plain ? 0 : static_cast<std::uint32_t>(m_special.size())});
}

compact_packets parse_compact_packets(std::string_view text, const std::string& name,
                                      const packet_list_context& context) {
  if (context.nodes == 0) throw workload_error(name + ": the network has no nodes");
  // Looking up every number takes more memory than the packets and is needed only for error messages.
  try {
    compact_packets packets =
        read_lines(text, name, context, [](packet_id, std::size_t) -> std::size_t { return NoLine; });
    if (have_different_numbers(packets)) return packets;
  } catch (const workload_error&) {
    // Parse again with lookup, so that duplicate numbers are among the errors.
  }
  std::unordered_map<packet_id, std::size_t> line_of;
  return read_lines(text, name, context, [&line_of](packet_id number, std::size_t line) {
    const auto [first, is_new] = line_of.emplace(number, line);
    return is_new ? NoLine : first->second;
  });
}

compact_packets read_compact_packets(const std::filesystem::path& file, const packet_list_context& context) {
  return parse_compact_packets(read_file(file), file.string(), context);
}

std::vector<packet> parse_packet_list(std::string_view text, const std::string& name,
                                      const packet_list_context& context) {
  return all_of(parse_compact_packets(text, name, context));
}

std::vector<packet> read_packet_list(const std::filesystem::path& file, const packet_list_context& context) {
  return all_of(read_compact_packets(file, context));
}

namespace {

compact_packets compacted(const std::vector<packet>& packets) {
  compact_packets compact;
  compact.reserve(packets.size());
  for (const packet& p : packets) compact.add(p);
  return compact;
}

}  // namespace

packet_list_source::packet_list_source(const std::vector<packet>& packets, std::uint32_t nodes,
                                       const payload_parameters& payload, std::uint64_t seed)
    : packet_list_source(nodes, payload, seed, compacted(packets)) {}

packet_list_source::packet_list_source(std::uint32_t nodes, const payload_parameters& payload, std::uint64_t seed,
                                       compact_packets packets)
    : m_packets(std::move(packets)), m_next(nodes), m_end(nodes), m_payload(payload, seed, 1, m_packets.longest()) {
  using row = compact_packets::row;
  std::vector<row>& rows = m_packets.m_rows;
  for (const row& p : rows) {
    if (p.source >= nodes || p.destination >= nodes || p.flits == 0) {
      throw std::invalid_argument(
          fmt::format("packet {}: {} flits from node {} to node {}; expected at least one flit and nodes below {}",
                      p.id, p.flits, p.source, p.destination, nodes));
    }
    ++m_end[p.source];
  }
  std::partial_sum(m_end.begin(), m_end.end(), m_end.begin());
  for (node_id node = 0; node < nodes; ++node) m_next[node] = begin_of(node);
  m_is_chained = m_packets.m_special.empty() &&
                 std::all_of(rows.begin(), rows.end(), [](const row& p) { return p.message_class == 0; });
  std::stable_sort(rows.begin(), rows.end(), [](const row& a, const row& b) {
    return a.source != b.source ? a.source < b.source : a.created < b.created;
  });
}

std::unique_ptr<packet_list_source> packet_list_source::of(compact_packets packets, std::uint32_t nodes,
                                                           const payload_parameters& payload, std::uint64_t seed) {
  return std::unique_ptr<packet_list_source>(new packet_list_source(nodes, payload, seed, std::move(packets)));
}

cycle_t packet_list_source::next_creation(node_id node) const {
  return m_next[node] == m_end[node] ? Never : m_packets.m_rows[m_next[node]].created;
}

packet packet_list_source::pop(node_id node) {
  packet p = m_packets[m_next[node]++];
  if (!m_is_chained) return p;
  const std::size_t first = m_next[node];
  while (m_next[node] < m_end[node] && m_packets.m_rows[m_next[node]].created == p.created) ++m_next[node];
  p.more = static_cast<std::uint32_t>(m_next[node] - first);
  return p;
}

packet packet_list_source::following(const packet& p) const {
  const auto first = m_packets.m_rows.begin();
  const auto end = std::upper_bound(first + static_cast<std::ptrdiff_t>(begin_of(p.source)),
                                    first + static_cast<std::ptrdiff_t>(m_end[p.source]), p.created,
                                    [](cycle_t cycle, const compact_packets::row& r) { return cycle < r.created; });
  packet next = m_packets[static_cast<std::size_t>(end - first) - p.more];
  next.more = p.more - 1;
  return next;
}

void packet_list_source::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits,
                                 std::uint64_t* words) const {
  m_payload(p.id, sequence, payload_bits, words);
}

void write_answers(std::ostream& out, const std::vector<packet_answer>& answers) {
  std::vector<std::size_t> order(answers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&answers](std::size_t a, std::size_t b) { return answers[a].id < answers[b].id; });
  constexpr std::size_t Enough = 1 << 16;  // characters per write
  fmt::memory_buffer text;
  const auto flush = [&] {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  for (const std::size_t i : order) {
    const packet_answer& a = answers[i];
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", a.id, a.injected, a.head_delivered, a.tail_delivered,
                   a.routers);
    if (text.size() >= Enough) flush();
  }
  flush();
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
