// SPDX-License-Identifier: Apache-2.0
/// Simulates networks of the pin level in which some parts are RTL: random networks of given kinds, and the event trace
/// of a run.
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

/// Returns the queues, counters and blocked packets of a network as text.
inline std::string whole_state_of(const network_case& c, const network_model& model) {
  std::string text = state_of(c, model);
  for (const blocked_packet& b : model.blocked())
    text += fmt::format("{}.{}.{}: packet {} waits for {} {} {}\n", b.router, b.port, b.vc, b.id,
                        b.why == blocked_packet::reason::Credit ? "a credit" : "a VC", b.output_port, b.output_vcs);
  return text;
}

/// Simulates \p c with the packets of \p source and with the given routers and NICs, where null selects those of the
/// pin level. Returns the event trace of the run.
/// \throws std::logic_error if a conservation invariant is violated
inline std::string record_event_trace(const network_case& c, packet_source& source,
                                      const std::shared_ptr<const pin::external_routers>& routers,
                                      const std::shared_ptr<const pin::external_nics>& nics = nullptr) {
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
  rng d(c.seed);
  while (model->now() < c.stop + 500) {
    model->run(d.between(1, 200));
    text += log.pop(model->now()) + whole_state_of(c, *model);
    demand(model->audit());
  }
  model->run(20'000);
  demand(model->audit_at_rest());
  return text + log.pop(model->now());
}

/// Does the same with the traffic of \p c.
inline std::string record_event_trace(const network_case& c,
                                      const std::shared_ptr<const pin::external_routers>& routers,
                                      const std::shared_ptr<const pin::external_nics>& nics = nullptr) {
  stopping_source source(make_traffic(c), c.stop);
  return record_event_trace(c, source, routers, nics);
}

/// Returns the error with which \p get rejects a network, or an empty string if it accepts the network.
template <class Get>
std::string rejection_of(Get get) {
  try {
    get();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

/// A kind of network, with the properties that distinguish it.
struct network_kind {
  const char* name;
  std::function<void(network_case&)> make;
};

inline void PrintTo(const network_kind& kind, std::ostream* out) { *out << kind.name; }

/// Returns a random case of \p kind, whose load is one of \p loads.
inline network_case case_of(const network_kind& kind, rng& random, std::initializer_list<double> loads, cycle_t stop) {
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
