// SPDX-License-Identifier: Apache-2.0
/// Packets from a list, and the answers of a network to such a list: the text files by which Weft is compared
/// with other simulators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
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

/// Creates given packets: those of a node by cycle, and in the order given within a cycle.
class packet_list_source final : public packet_source {
 public:
  /// Packets of a list share one payload array, in the order of their numbers. Throws std::invalid_argument
  /// for a packet of another network or without flits, and what payload_generator throws.
  packet_list_source(std::vector<packet> packets, std::uint32_t nodes, const payload_parameters& payload,
                     std::uint64_t seed);

  cycle_t next_creation(node_id node) const override;
  packet take(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

 private:
  std::vector<packet> m_packets;    ///< by source, cycle and order in the list
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
