// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/bounds.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/collectives/schedule/bounds/cuts.h"
#include "weft/collectives/schedule/bounds/growth.h"
#include "weft/collectives/schedule/bounds/load.h"
#include "weft/collectives/schedule/bounds/ports.h"
#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

bound of_ports(const step_network& network, const traffic& t) {
  const busiest_node in = busiest_receiver(network, t), out = busiest_sender(network, t);
  const bool receiving = in.steps() >= out.steps();
  const busiest_node& busiest = receiving ? in : out;
  return {argument::Ports, busiest.steps(),
          fmt::format("node {} must {} {}, {} in a step", busiest.node, receiving ? "receive" : "send",
                      number_of(busiest.units, "message"), busiest.ports)};
}

bound of_cut(const cut& found) {
  const std::size_t inside = static_cast<std::size_t>(std::count(found.inside.begin(), found.inside.end(), true));
  if (2 * inside <= found.inside.size()) {
    return {argument::Cut, found.steps(),
            fmt::format("{} must leave nodes {}, over {}", number_of(found.leaving, "message"), ranges_of(found.inside),
                        number_of(found.channels, "channel"))};
  }
  node_set others = found.inside;
  others.flip();
  return {argument::Cut, found.steps(),
          fmt::format("{} must come to nodes {}, over {}", number_of(found.leaving, "message"), ranges_of(others),
                      number_of(found.channels, "channel"))};
}

bound of_load(const load& found) {
  return {argument::Load, found.steps(),
          fmt::format("the messages take {} {}, of which a step has {}", found.cost, found.channels, found.of_step)};
}

bound of_growth(const growth& found) { return {argument::Growth, found.steps, found.text}; }

}  // namespace

const char* name_of(argument why) {
  switch (why) {
    case argument::Ports:
      return "ports";
    case argument::Growth:
      return "growth";
    case argument::Cut:
      return "cut";
    case argument::Load:
      return "load";
    case argument::Flow:
      return "flow";
  }
  return "";
}

lower_bounds find_bounds(const problem& p) {
  const traffic t(p.requested, p.network.nodes());
  const load heaviest = heaviest_load(p.network, t);  // first, because it detects unreachable receivers
  lower_bounds found;
  found.occupancy = {of_ports(p.network, t), of_growth(growth_of_transfers(p.network, t)),
                     of_cut(narrowest_cut(p.network, t)), of_load(heaviest)};
  if (p.combining)
    found.start_ups = {of_growth(growth_of_reach(p.network, p.requested))};
  else
    found.start_ups = found.occupancy;
  return found;
}

const bound& best_of(const std::vector<bound>& bounds) {
  return *std::max_element(bounds.begin(), bounds.end(),
                           [](const bound& a, const bound& b) { return a.steps < b.steps; });
}

}  // namespace weft::schedule
