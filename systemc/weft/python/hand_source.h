// SPDX-License-Identifier: Apache-2.0
/// A source of packets that a program injects by hand, besides those of a workload.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "weft/core/packet.h"
#include "weft/workload/payload.h"
#include "weft/workload/workload.h"

namespace weft::python {

class hand_source final : public packet_source {
 public:
  static constexpr std::uint32_t MaxFlits = 65536;  ///< of an injected packet

  /// \param workload the source of all other packets
  /// \param payload of the injected packets, which read it as the packets of one node do
  hand_source(std::unique_ptr<packet_source> workload, std::uint32_t nodes, const payload_parameters& payload,
              std::uint64_t seed);

  /// Adds \p p, whose `created` is later than the cycles in which packets of its source have been popped. Sets its id
  /// and its data type. The network requires reschedule_source() afterwards. \return the id
  packet_id add(packet p);

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  packet following(const packet& p) const override { return m_workload->following(p); }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

 private:
  std::unique_ptr<packet_source> m_workload;
  std::vector<std::deque<packet>> m_waiting;  ///< injected packets, by source and then by cycle of creation
  payload_generator m_payload;
  packet_id m_next = FirstInjectedId;
};

}  // namespace weft::python
