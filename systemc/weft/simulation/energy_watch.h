// SPDX-License-Identifier: Apache-2.0
/// Requests the activity of a network for its energy, and counts the words that its compressors code and its
/// decompressors decode.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/energy/network_cost.h"

namespace weft::experiment {

class energy_watch final : public network_observer {
 public:
  bool needs_payload() const override { return false; }
  bool needs_activity() const override { return true; }
  network_events event_interest() const override { return {network_event::Injected, network_event::Ejected}; }
  void injected(const flit_event& event, const header& head) override {
    if (event.sequence != 0 || head.codec == codec::Raw) return;
    m_coded += head.words;
    m_under_way[event.id] = head.words;
  }
  void ejected(const flit_event& event, const std::uint64_t* /*payload*/) override {
    if (event.sequence != 0 || m_under_way.empty()) return;
    const auto found = m_under_way.find(event.id);
    if (found == m_under_way.end()) return;
    m_decoded += found->second;
    m_under_way.erase(found);
  }

  /// What \p model, whose observer this is, has done since the start.
  network_counts counts(const network_model& model) const { return {model.activity(), m_coded, m_decoded}; }

 private:
  std::uint64_t m_coded = 0, m_decoded = 0;
  std::unordered_map<packet_id, std::uint32_t> m_under_way;  ///< coded packets in the network, and their words
};

}  // namespace weft::experiment
