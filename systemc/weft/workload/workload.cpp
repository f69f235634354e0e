// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/workload.h"

#include <stdexcept>

#include "weft/core/random.h"
#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/pattern.h"
#include "weft/workload/payload.h"

namespace weft {

namespace {

/// Packets by pattern, injection process and length distribution.
class generated_source final : public packet_source {
 public:
  generated_source(const workload_parameters& parameters, const workload_context& context)
      : m_count(context.nodes),
        m_pattern(parameters.pattern, context.nodes, context.grid),
        m_length(parameters.length),
        m_injection(parameters.injection, m_length.mean(), m_pattern, context.nodes),
        m_payload(parameters.payload, context.seed, context.nodes, m_length.longest()) {
    m_nodes.reserve(context.nodes);
    for (node_id node = 0; node < context.nodes; ++node) {
      const auto stream = [&](stream_purpose purpose) { return random_stream(context.seed, node, purpose); };
      const injection_state never{stream(stream_purpose::Injection)};
      const injection_process* const process = m_injection.of(node);
      m_nodes.push_back({process, process ? process->start(never.random) : never, stream(stream_purpose::Destination),
                         stream(stream_purpose::Length), node, 0});
      if (process && m_pattern.matrix())
        m_nodes.back().next_destination = m_pattern.destination(node, m_nodes.back().destination);
    }
  }

  cycle_t next_creation(node_id node) const override { return m_nodes[node].injection.next; }

  packet pop(node_id node) override {
    node_state& state = m_nodes[node];
    packet p;
    p.id = state.id;
    p.source = node;
    p.destination =
        m_pattern.matrix() ? destination_of_matrix(node, state) : m_pattern.destination(node, state.destination);
    p.flits = m_length.draw(state.length);
    p.created = state.injection.next;
    p.type = m_payload.type();
    state.id += m_count;
    state.process->advance(state.injection);
    return p;
  }

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

  /// Returns the destination of the next packet of \p node, and draws the one after it. A large matrix exceeds the
  /// caches, so the processor fetches the drawn column until the next call, which reads it.
  node_id destination_of_matrix(node_id node, node_state& state) {
    if (m_drawn.at != nullptr) m_nodes[m_drawn_for].next_destination = m_drawn.destination();
    const node_id destination = state.next_destination;
    m_drawn = m_pattern.matrix()->draw(node, state.destination);
    m_drawn_for = node;
    __builtin_prefetch(m_drawn.at);
    return destination;
  }

  packet_id m_count;  ///< number of nodes
  traffic_pattern m_pattern;
  length_distribution m_length;
  node_injection m_injection;
  payload_generator m_payload;
  std::vector<node_state> m_nodes;
  traffic_matrix::draw_result m_drawn;  ///< a draw whose result is not read yet
  node_id m_drawn_for = 0;              ///< its node
};

}  // namespace

std::unique_ptr<packet_source> make_workload(const workload_parameters& parameters, const workload_context& context) {
  if (context.nodes == 0) throw std::invalid_argument("workload: the network has no nodes");
  if (parameters.packet_list.empty()) return std::make_unique<generated_source>(parameters, context);
  const data_type type = payload_generator(parameters.payload, context.seed, 1, 1).type();
  return packet_list_source::of(read_compact_packets(parameters.packet_list, context.nodes, type), context.nodes,
                                parameters.payload, context.seed);
}

}  // namespace weft
