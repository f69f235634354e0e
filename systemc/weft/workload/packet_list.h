// SPDX-License-Identifier: Apache-2.0
/// Packets from a list, and the answers of a network to such a list: the text files by which Weft is compared
/// with other simulators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

/// Reads lines `packet cycle source destination length [type]` (whole numbers; `#` comments and empty lines
/// allowed), in any order, into packets in the order of the text; without its own, a packet has the data type \p type.
/// Throws workload_error `name:line: …` for a line that is not such, a node that is not 0…nodes-1, a length of 0, a
/// type above 3 and a packet number that appears twice.
std::vector<packet> parse_packet_list(std::string_view text, const std::string& name, std::uint32_t nodes,
                                      data_type type = data_type::Other);
std::vector<packet> read_packet_list(const std::filesystem::path& file, std::uint32_t nodes,
                                     data_type type = data_type::Other);

/// Packets in the order of a list, 32 bytes each as long as they have nothing but what a list says of them: XOR codes,
/// message classes, cuts, urgent packets and those that others follow take as much again as a `packet` does.
class compact_packets {
 public:
  std::size_t size() const { return m_rows.size(); }
  bool empty() const { return m_rows.empty(); }
  packet operator[](std::size_t index) const;
  /// Flits of the longest; 1 if there is none.
  std::uint32_t longest() const;

  void reserve(std::size_t packets) { m_rows.reserve(packets); }
  void add(const packet& p);

 private:
  friend class packet_list_source;
  struct row {
    packet_id id;
    cycle_t created;
    node_id source;
    node_id destination;
    std::uint32_t flits;
    std::uint32_t type : 2;
    std::uint32_t special : 30;  ///< 1 + index of the whole packet in m_special; 0: there is no more to it
  };
  static_assert(sizeof(row) == 32, "lists may have many millions of packets");

  std::vector<row> m_rows;
  std::vector<packet> m_special;
};

/// What parse_packet_list() and read_packet_list() give, in less memory.
compact_packets parse_compact_packets(std::string_view text, const std::string& name, std::uint32_t nodes,
                                      data_type type = data_type::Other);
compact_packets read_compact_packets(const std::filesystem::path& file, std::uint32_t nodes,
                                     data_type type = data_type::Other);

/// Creates given packets: those of a node by cycle, and in the order given within a cycle. Of those that a node creates
/// in one cycle take() gives the first, which has the others as `more`: they take no room in the network while they
/// wait.
class packet_list_source final : public packet_source {
 public:
  /// Packets of a list share one payload array, in the order of their numbers. Throws std::invalid_argument
  /// for a packet of another network or without flits, and what payload_generator throws.
  packet_list_source(const std::vector<packet>& packets, std::uint32_t nodes, const payload_parameters& payload,
                     std::uint64_t seed);
  /// The same for compact packets.
  static std::unique_ptr<packet_list_source> of(compact_packets packets, std::uint32_t nodes,
                                                const payload_parameters& payload, std::uint64_t seed);

  cycle_t next_creation(node_id node) const override;
  packet take(node_id node) override;
  packet following(const packet& p) const override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

 private:
  packet_list_source(std::uint32_t nodes, const payload_parameters& payload, std::uint64_t seed,
                     compact_packets packets);

  std::size_t begin_of(node_id node) const { return node == 0 ? 0 : m_end[node - 1]; }

  compact_packets m_packets;        ///< by source, cycle and order in the list
  std::vector<std::size_t> m_next;  ///< of each node, its next packet
  std::vector<std::size_t> m_end;   ///< of each node, the end of its packets
  payload_generator m_payload;
};

/// What became of a packet.
struct packet_answer {
  packet_id id = 0;
  cycle_t injected = 0;  ///< its head left the source queue
  cycle_t head_delivered = 0;
  cycle_t tail_delivered = 0;
  std::uint32_t routers = 0;  ///< it passed, source and destination routers included

  friend bool operator==(const packet_answer& a, const packet_answer& b) {
    return a.id == b.id && a.injected == b.injected && a.head_delivered == b.head_delivered &&
           a.tail_delivered == b.tail_delivered && a.routers == b.routers;
  }
  friend bool operator!=(const packet_answer& a, const packet_answer& b) { return !(a == b); }
};

/// Writes lines `packet injected head_delivered tail_delivered routers`, ordered by packet.
void write_answers(std::ostream& out, const std::vector<packet_answer>& answers);

/// Reads what write_answers() writes, in the order of the text. Throws workload_error `name:line: …`.
std::vector<packet_answer> parse_answers(std::string_view text, const std::string& name);
std::vector<packet_answer> read_answers(const std::filesystem::path& file);

}  // namespace weft
