// SPDX-License-Identifier: Apache-2.0
/// Packets by pattern, injection process and length distribution, which do not depend on deliveries.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/random.h"
#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/parameters.h"
#include "weft/workload/pattern.h"
#include "weft/workload/payload.h"
#include "weft/workload/workload.h"

namespace weft {

class generated_source final : public packet_source {
 public:
  /// \throws std::invalid_argument and workload_error in the same cases as make_workload()
  generated_source(const traffic_parameters& parameters, const workload_context& context);

  cycle_t next_creation(node_id node) const override { return m_nodes[node].injection.next; }
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_payload(p.id, sequence, payload_bits, words);
  }

 private:
  struct node_state {
    const injection_process* process;  ///< null: creates no packets
    injection_state injection;
    random_stream destination;
    random_stream length;
    packet_id id;              ///< of the next packet
    node_id next_destination;  ///< only for a matrix
  };

  node_id destination_of_matrix(node_id node, node_state& state);

  packet_id m_count;  ///< number of nodes
  traffic_pattern m_pattern;
  length_distribution m_length;
  node_injection m_injection;
  payload_generator m_payload;
  std::uint8_t m_class;
  std::vector<node_state> m_nodes;
  traffic_matrix::draw_result m_drawn;  ///< a draw whose result is not read yet
  node_id m_drawn_for = 0;              ///< its node
};

}  // namespace weft
