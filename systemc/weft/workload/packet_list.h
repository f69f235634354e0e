// SPDX-License-Identifier: Apache-2.0
/// Lists of packets, and lists of what a network did with them: text files for comparing Weft with other simulators.
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
#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

/// What a packet list needs from its network and configuration.
struct packet_list_context {
  std::uint32_t nodes = 0;
  data_type type = data_type::Other;  ///< of packets without a type
  unsigned classes = MaxVcs;          ///< message classes of the network
};

/// Reads lines `packet cycle source destination length [type [class]]` of whole numbers, in any order; `#` comments and
/// empty lines are allowed. Returns the packets in the order of the text. A packet without a class has message class 0.
/// \throws workload_error `name:line: …` for a malformed line, a node that is not in 0…nodes-1, a length of 0, a type
/// above 3, a class that the network does not have, and a duplicate packet number
std::vector<packet> parse_packet_list(std::string_view text, const std::string& name,
                                      const packet_list_context& context);
std::vector<packet> read_packet_list(const std::filesystem::path& file, const packet_list_context& context);

/// Packets in the order of a list, in little memory. A packet takes 32 bytes if it has only the fields of a list. A
/// packet with an XOR code, truncation, urgency or successors also takes a whole `packet`.
class compact_packets {
 public:
  std::size_t size() const { return m_rows.size(); }
  bool empty() const { return m_rows.empty(); }
  packet operator[](std::size_t index) const;
  /// Length of the longest packet in flits; 1 if there are no packets.
  std::uint32_t longest() const;
  /// Number of the first packet of this length. There must be packets.
  packet_id longest_packet() const;

  void reserve(std::size_t packets) { m_rows.reserve(packets); }
  /// \throws std::length_error for the 2^26th packet that takes a whole `packet`
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
    std::uint32_t message_class : 4;
    std::uint32_t special : 26;  ///< 1 + index of the whole packet in m_special; 0: the row is complete
  };
  static_assert(sizeof(row) == 32, "lists may have many millions of packets");

  std::vector<row> m_rows;
  std::vector<packet> m_special;
};

/// Reads the same text as parse_packet_list() into less memory.
compact_packets parse_compact_packets(std::string_view text, const std::string& name,
                                      const packet_list_context& context);
compact_packets read_compact_packets(const std::filesystem::path& file, const packet_list_context& context);

/// Creates the packets of a list. The packets of a node are created by cycle, and within a cycle in the order of the
/// list. If a node creates several packets in one cycle, pop() returns the first, whose `more` counts the others, so
/// that the others need no memory in the network while they wait. Packets of different classes are not joined in this
/// way, because they may wait in different queues.
class packet_list_source final : public packet_source {
 public:
  /// All packets share one payload array, in the order of their numbers.
  /// \throws std::invalid_argument for a packet of 0 flits, and for a packet with a node that the network does not
  /// have; the errors of payload_generator
  packet_list_source(const std::vector<packet>& packets, std::uint32_t nodes, const payload_parameters& payload,
                     std::uint64_t seed);
  /// Makes the source from compact packets.
  static std::unique_ptr<packet_list_source> of(compact_packets packets, std::uint32_t nodes,
                                                const payload_parameters& payload, std::uint64_t seed);

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  packet following(const packet& p) const override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

 private:
  packet_list_source(std::uint32_t nodes, const payload_parameters& payload, std::uint64_t seed,
                     compact_packets packets);

  std::size_t begin_of(node_id node) const { return node == 0 ? 0 : m_end[node - 1]; }

  compact_packets m_packets;        ///< by source, cycle and order in the list
  std::vector<std::size_t> m_next;  ///< for each node, its next packet
  std::vector<std::size_t> m_end;   ///< for each node, the end of its packets
  payload_generator m_payload;
  bool m_is_chained = false;  ///< whether packets of one cycle are joined
};

/// What a network did with one packet.
struct packet_answer {
  packet_id id = 0;
  cycle_t injected = 0;  ///< cycle in which its head left the source queue
  cycle_t head_delivered = 0;
  cycle_t tail_delivered = 0;
  std::uint32_t routers = 0;  ///< routers that it traversed, including those of source and destination

  friend bool operator==(const packet_answer& a, const packet_answer& b) {
    return a.id == b.id && a.injected == b.injected && a.head_delivered == b.head_delivered &&
           a.tail_delivered == b.tail_delivered && a.routers == b.routers;
  }
  friend bool operator!=(const packet_answer& a, const packet_answer& b) { return !(a == b); }
};

/// Writes lines `packet injected head_delivered tail_delivered routers`, ordered by packet.
void write_answers(std::ostream& out, const std::vector<packet_answer>& answers);

/// Reads what write_answers() writes, in the order of the text.
/// \throws workload_error `name:line: …` for a malformed line
std::vector<packet_answer> parse_answers(std::string_view text, const std::string& name);
std::vector<packet_answer> read_answers(const std::filesystem::path& file);

}  // namespace weft
