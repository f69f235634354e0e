// SPDX-License-Identifier: Apache-2.0
#include "support/random_plan.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/files/topology_file.h"

using namespace weft;

namespace {

/// Returns a small number of a range, as small networks use them.
std::uint64_t small(rng& d, std::uint64_t min, std::uint64_t max) {
  return d.between(static_cast<std::uint32_t>(min), static_cast<std::uint32_t>(std::min(max, min + 14)));
}

void draw(rng& d, const topology_key& key, topology_options& options) {
  std::visit(
      [&](const auto& value) {
        using value_t = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<value_t, choice_option<topology_options>>) {
          const auto count = static_cast<std::uint32_t>(value.choices.size());
          value.set(options, value.choices[d.between(0, count - 1)].second);
        } else if constexpr (std::is_same_v<value_t, list_option<topology_options>>) {
          std::vector<std::uint32_t> list(d.between(static_cast<std::uint32_t>(value.least), 4));
          list.resize(std::min(list.size(), value.most));
          for (std::uint32_t& each : list)
            each = static_cast<std::uint32_t>(small(d, value.min, std::min<std::uint64_t>(value.max, 7)));
          options.*value.field = list;
        } else if constexpr (!std::is_same_v<value_t, file_option<topology_options>>) {
          options.*value.field =
              static_cast<std::decay_t<decltype(options.*value.field)>>(small(d, value.min, value.max));
        }
      },
      key.value);
}

std::string text_of(const topology_key& key, const topology_options& options) {
  return std::visit(
      [&](const auto& value) -> std::string {
        using value_t = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<value_t, choice_option<topology_options>>) {
          for (const auto& [name, number] : value.choices)
            if (number == value.get(options)) return name;
          return "?";
        } else if constexpr (std::is_same_v<value_t, list_option<topology_options>>) {
          return fmt::format("[{}]", fmt::join(options.*value.field, ", "));
        } else if constexpr (std::is_same_v<value_t, file_option<topology_options>>) {
          return (options.*value.field).string();
        } else {
          return std::to_string(options.*value.field);
        }
      },
      key.value);
}

bool can_be_made(const network_plan& plan) {
  try {
    make_network(plan);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

std::vector<const topology_kind*> generated_kinds() {
  std::vector<const topology_kind*> kinds;
  for (const topology_kind* kind : topology_kinds())
    if (kind != &file_topology()) kinds.push_back(kind);
  return kinds;
}

network_plan random_plan(rng& d, const topology_kind& kind, std::uint32_t most_nodes, const network_options& network) {
  for (int tries = 0; tries < 10'000; ++tries) {
    const auto count = static_cast<std::uint32_t>(kind.routings.size());
    network_plan plan{&kind, kind.routings[d.between(0, count - 1)]};
    plan.topology = kind.defaults;
    for (const topology_key& key : kind.keys)
      if (d.chance(0.6)) draw(d, key, plan.topology);
    plan.routing_choices.ascent = ascents()[d.between(0, static_cast<std::uint32_t>(ascents().size() - 1))].second;
    plan.routing_choices.threshold = d.between(0, 12);
    const auto rules = static_cast<std::uint32_t>(selection_rules().size());
    plan.routing_choices.selection = selection_rules()[d.between(0, rules - 1)].second;
    plan.routing_choices.congestion = d.between(0, 100);
    if (kind.grid) {
      std::vector<unsigned>& order = plan.routing_choices.order;
      order.resize(plan.topology.shape.size());
      std::iota(order.begin(), order.end(), 0U);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[d.between(0, static_cast<std::uint32_t>(i - 1))]);
    }
    plan.seed = d.bits();
    plan.network = network;
    const std::uint64_t nodes = kind.count_nodes(plan);
    if (nodes < 2 || nodes > most_nodes) continue;
    for (; plan.network.vcs <= 8; ++plan.network.vcs)
      if (can_be_made(plan)) return plan;
  }
  throw std::logic_error("no random draw gives a valid network: " + kind.name);
}

std::string describe(const network_plan& plan) {
  std::string text = plan.kind->name;
  for (const topology_key& key : plan.kind->keys) text += fmt::format(", {} {}", key.name, text_of(key, plan.topology));
  const routing_options& chosen = plan.routing_choices;
  return fmt::format("{}; {} [{}] {}, selection {} at {} %, seed {}", text, plan.routing->name,
                     fmt::join(chosen.order, ", "), ascent_name(chosen.ascent),
                     selection_rules()[static_cast<std::size_t>(chosen.selection)].first, chosen.congestion, plan.seed);
}
