// SPDX-License-Identifier: Apache-2.0
/// Several traffics that run at the same time, as workload_parameters::traffics describes them.
/// The packets of one traffic do not depend on the other traffics, except through the network: each traffic draws its
/// random numbers from a seed of its own. The first traffic has the seed of the run, so that a mix of one traffic has
/// the packets of that traffic alone. If a node creates packets of several traffics in one cycle, they are created in
/// the order of the traffics.
///
/// Packet i of traffic t has the id (⌊i / nodes⌋ · traffics + t) · nodes + i mod nodes, where i is its id in this
/// traffic alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/workload/reacting_source.h"
#include "weft/workload/workload.h"

namespace weft {

class traffic_mix final : public reacting_source {
 public:
  /// \throws std::invalid_argument and workload_error in the same cases as make_workload(); the message begins with the
  /// name of the traffic
  traffic_mix(const workload_parameters& parameters, const workload_context& context);

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  void attach(network_model& model) override;
  void set_on_answered(answer_callback on_answered) override;
  class_set accepted(node_id node) const override;
  void set_on_acceptance(acceptance_callback on_acceptance) override;
  cycle_t next_reaction() const override;
  class_set answers_to(unsigned message_class) const override;
  network_events event_interest() const override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

 private:
  struct part {
    std::unique_ptr<packet_source> source;
    reacting_source* reacting = nullptr;  ///< the same source; null if it does not react
  };

  packet in_part(packet p) const;
  packet_id in_part(packet_id id) const;
  std::size_t part_of(packet_id id) const;

  std::uint32_t m_nodes;
  std::vector<part> m_parts;
};

/// The number of the traffic that packet \p id of a mix belongs to. \param traffics number of traffics, ≥ 1
inline std::size_t traffic_of(packet_id id, std::uint32_t nodes, std::size_t traffics) { return id / nodes % traffics; }

}  // namespace weft
