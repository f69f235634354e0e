// SPDX-License-Identifier: Apache-2.0
/// The first difference between the pin level and the engine in a network.
#pragma once

#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <string>

#include <fmt/format.h>

#include "weft/core/types.h"
#include "weft/engine/model.h"

namespace weft {

/// Runs \p c at the pin level and in the engine. \return their first difference, or "ok" and the number of events.
/// \param stalling nodes at times accept no flits
/// \param make     makes the network of the engine
inline std::string level_difference(const network_case& c, bool stalling = false,
                                    decltype(&engine::make_model) make = engine::make_model) {
  const unsigned words = (c.payload_bits + 63) / 64;
  event_log pin_log(words, event_log::detail::Everything), engine_log(words, event_log::detail::Everything);
  built_case pin(c, pin_log);
  stopping_source source(make_traffic(c), c.stop);
  const auto engine = make(c.graph, c.router, c.nic, c.payload_bits, source, engine_log);

  rng d(c.seed);
  for (cycle_t done = 0; done < c.stop + 500;) {
    const cycle_t step = d.between(1, stalling ? 40 : 200);
    if (stalling) {
      const node_id node = d.between(0, c.nodes() - 1);
      const bool ready = d.chance(0.5);
      pin.model().set_ready(node, ready);
      engine->set_ready(node, ready);
    }
    pin.model().run(step);
    engine->run(step);
    done += step;
    const std::string states = first_difference(state_of(c, pin.model()), state_of(c, *engine));
    const std::string events = first_difference(pin_log.pop(done), engine_log.pop(done));
    if (!events.empty()) return "events of pin level and engine: " + events;
    if (!states.empty()) return fmt::format("cycle {}, queues and counters of pin level and engine: {}", done, states);
  }
  return fmt::format("ok {}", engine_log.events());
}

}  // namespace weft
