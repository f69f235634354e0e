// SPDX-License-Identifier: Apache-2.0
/// Requests the activity of a network for its energy, and counts the words that its compressors code.
#pragma once

#include <cstdint>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/energy/network_cost.h"

namespace weft::experiment {

class energy_watch final : public network_observer {
 public:
  bool needs_payload() const override { return false; }
  bool needs_activity() const override { return true; }
  network_events event_interest() const override { return {network_event::Injected}; }
  void injected(const flit_event& event, const header& head) override {
    if (event.sequence == 0 && head.codec != codec::Raw) m_words += head.words;
  }

  /// What \p model, whose observer this is, has done since the start.
  network_counts counts(const network_model& model) const { return {model.activity(), m_words}; }

 private:
  std::uint64_t m_words = 0;
};

}  // namespace weft::experiment
