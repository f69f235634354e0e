// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/workload.h"

#include <algorithm>
#include <stdexcept>

#include "weft/workload/flows.h"
#include "weft/workload/generated_source.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/payload.h"
#include "weft/workload/request_reply.h"
#include "weft/workload/traffic_mix.h"

namespace weft {

bool reacts(const workload_parameters& w) {
  if (!w.packet_list.empty() || !w.flows.file.empty()) return false;
  if (w.traffics.empty()) return reacts(static_cast<const traffic_parameters&>(w));
  return std::any_of(w.traffics.begin(), w.traffics.end(), [](const traffic_parameters& t) { return reacts(t); });
}

bool is_closed_loop(const workload_parameters& w) {
  if (w.traffics.empty()) return reacts(w);
  return std::all_of(w.traffics.begin(), w.traffics.end(), [](const traffic_parameters& t) { return reacts(t); });
}

bool has_queues(const workload_parameters& w) {
  const auto has_queue = [](const traffic_parameters& t) { return reacts(t) && t.injection.queue.has_value(); };
  if (!w.packet_list.empty() || w.traffics.empty()) return reacts(w) && has_queue(w);
  return std::any_of(w.traffics.begin(), w.traffics.end(), has_queue);
}

std::unique_ptr<packet_source> make_workload(const workload_parameters& parameters, const workload_context& context) {
  if (context.nodes == 0) throw std::invalid_argument("workload: the network has no nodes");
  if (reacts(parameters)) return make_reacting_workload(parameters, context);
  if (!parameters.packet_list.empty()) {
    const data_type type = payload_generator(parameters.payload, context.seed, 1, 1).type();
    return packet_list_source::of(read_compact_packets(parameters.packet_list, {context.nodes, type, context.classes}),
                                  context.nodes, parameters.payload, context.seed);
  }
  if (!parameters.flows.file.empty())
    return std::make_unique<flow_source>(read_flows(parameters.flows.file, {context.nodes, context.classes}),
                                         parameters.flows, context.nodes, parameters.payload, context.seed);
  if (!parameters.traffics.empty()) return std::make_unique<traffic_mix>(parameters, context);
  return std::make_unique<generated_source>(parameters, context);
}

std::unique_ptr<reacting_source> make_reacting_workload(const workload_parameters& parameters,
                                                        const workload_context& context) {
  if (!reacts(parameters)) return nullptr;
  if (!parameters.traffics.empty()) return std::make_unique<traffic_mix>(parameters, context);
  return std::make_unique<request_reply_source>(parameters, context);
}

}  // namespace weft
