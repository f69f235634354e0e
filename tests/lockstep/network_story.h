// SPDX-License-Identifier: Apache-2.0
/// A network of the pin level that runs with parts of RTL: its kinds, and all that is to be told of a run.
#pragma once

#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <functional>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/pin/model.h"

namespace weft::lockstep {

/// Queues, counters, and what is blocked.
inline std::string whole_state_of(const network_case& c, const network_model& model) {
  std::string text = state_of(c, model);
  for (const blocked_packet& b : model.blocked())
    text += fmt::format("{}.{}.{}: packet {} waits for {} {} {}\n", b.router, b.port, b.vc, b.id,
                        b.why == blocked_packet::reason::Credit ? "a credit" : "a VC", b.output_port, b.output_vcs);
  return text;
}

/// All that is known of a run of \p c with the packets of \p source and with those routers and NICs, null: with those
/// of the pin level. \throws std::logic_error where a law of conservation is broken
inline std::string story_of(const network_case& c, packet_source& source,
                            const std::shared_ptr<const pin::foreign_routers>& routers,
                            const std::shared_ptr<const pin::foreign_nics>& nics = nullptr) {
  event_log log((c.payload_bits + 63) / 64, event_log::detail::Nodes);
  pin::model_options options;
  options.payload_bits = c.payload_bits;
  options.clock_gating = c.clock_gating;
  options.routers = routers;
  options.nics = nics;
  const auto model = pin::make_model(c.graph, c.router, c.nic, options, source, log);

  std::string text;
  const auto demand = [&](const std::string& broken) {
    if (!broken.empty()) throw std::logic_error(fmt::format("cycle {}: {}", model->now(), broken));
  };
  dice d(c.seed);
  while (model->now() < c.stop + 500) {
    model->run(d.between(1, 200));
    text += log.take(model->now()) + whole_state_of(c, *model);
    demand(model->audit());
  }
  model->run(20'000);
  demand(model->audit_at_rest());
  return text + log.take(model->now());
}

/// The same with the traffic of \p c.
inline std::string story_of(const network_case& c, const std::shared_ptr<const pin::foreign_routers>& routers,
                            const std::shared_ptr<const pin::foreign_nics>& nics = nullptr) {
  stopping_source source(make_traffic(c), c.stop);
  return story_of(c, source, routers, nics);
}

/// What \p get throws to refuse a network; empty where it takes it.
template <class Get>
std::string refusal_of(Get get) {
  try {
    get();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

/// A network, and what is special about it.
struct network_kind {
  const char* name;
  std::function<void(network_case&)> make;
};

inline void PrintTo(const network_kind& kind, std::ostream* out) { *out << kind.name; }

/// A case of \p kind with one of \p loads, drawn.
inline network_case case_of(const network_kind& kind, dice& random, std::initializer_list<double> loads, cycle_t stop) {
  network_case c;
  c.seed = random.bits();
  c.stop = stop;
  c.workload.injection.load = random.one_of(loads);
  c.workload.length.kind = length_kind::Uniform;
  c.workload.length.min = 1;
  c.workload.length.max = 8;
  c.nic.window = 100;
  kind.make(c);
  return c;
}

inline grid_parameters grid(std::vector<std::uint32_t> shape, bool rings = false) {
  grid_parameters p{std::move(shape)};
  p.rings = rings;
  p.options.vcs = 4;
  return p;
}

}  // namespace weft::lockstep
