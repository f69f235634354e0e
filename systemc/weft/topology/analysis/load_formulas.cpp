// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/load_formulas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

/// Use count of each channel of a row if each of its routers sends once to each.
using row_uses = std::vector<std::array<double, 2>>;  // for each router, up and down

std::optional<row_uses> uses_of_row(const topology& t, const std::vector<router_id>& row, unsigned dimension,
                                    unsigned nodes, const wiring& wires) {
  const std::size_t size = row.size();
  row_uses uses(size, {0, 0});
  std::vector<std::size_t> next(size), inputs(size), ready;
  std::vector<unsigned> down(size);
  std::vector<double> flow(size);
  for (std::size_t to = 0; to < size; ++to) {
    std::fill(inputs.begin(), inputs.end(), 0);
    std::fill(flow.begin(), flow.end(), 1);
    for (std::size_t at = 0; at < size; ++at) {
      if (at == to) continue;
      const unsigned local = t.nodes[std::size_t{row[at]} * nodes].ports.front().port;
      // The second phase of Valiant's routing begins at the first router.
      const std::uint64_t path_id =
          t.routing[row[at]].as<grid_rule>()->algorithm == grid_algorithm::Valiant ? row[at] : 0;
      const unsigned port = t.routing[row[at]].answer({local, 0, static_cast<node_id>(row[to] * nodes), path_id}).port;
      const port_end end = wires.output({row[at], port});
      if (end.what != port_end::kind::Channel || port / 2 != dimension) return std::nullopt;
      next[at] = t.routers[t.channels[end.index].to.router].coordinates[dimension];
      down[at] = port % 2;
      ++inputs[next[at]];
    }
    ready.clear();
    for (std::size_t at = 0; at < size; ++at)
      if (inputs[at] == 0 && at != to) ready.push_back(at);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const std::size_t at = ready[i];
      uses[at][down[at]] += flow[at];
      flow[next[at]] += flow[at];
      if (--inputs[next[at]] == 0 && next[at] != to) ready.push_back(next[at]);
    }
  }
  return uses;
}

}  // namespace

std::optional<expected_loads> loads_of_grid(const topology& t) {
  const std::optional<full_grid> grid = recognise_grid(t);
  const grid_rule* first = t.routing.front().as<grid_rule>();
  if (!grid || first == nullptr || first->dimensions != grid->size.size() || first->nodes != grid->nodes)
    return std::nullopt;
  const bool valiant = first->algorithm == grid_algorithm::Valiant;
  if (!valiant && first->algorithm != grid_algorithm::DimensionOrder && first->algorithm != grid_algorithm::O1Turn)
    return std::nullopt;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const grid_rule* rule = t.routing[r].as<grid_rule>();
    if (rule == nullptr) return std::nullopt;
    grid_rule same = *first;
    std::copy(t.routers[r].coordinates.begin(), t.routers[r].coordinates.end(), same.here.begin());
    if (!(*rule == same) || rule->position_of(r).at != rule->here) return std::nullopt;
  }
  if (!std::equal(grid->size.begin(), grid->size.end(), first->size.begin())) return std::nullopt;

  const wiring wires(t);
  std::vector<row_uses> uses;
  for (unsigned d = 0; d < first->dimensions; ++d) {
    std::vector<router_id> row(first->size[d]);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<router_id>(i * first->stride[d]);
    const auto found = uses_of_row(t, row, d, first->nodes, wires);
    if (!found) return std::nullopt;
    uses.push_back(*found);
  }
  const auto nodes = static_cast<double>(t.nodes.size());
  expected_loads loads;
  loads.by_formula = true;
  for (const channel& c : t.channels) {
    const unsigned d = c.from.port / 2;
    // Number of node pairs whose packets take this channel, for one pair of routers of its row: N times the nodes at a
    // router. Each pair contributes 1 / N flit per cycle if nodes also send to themselves.
    const double with_self =
        uses[d][t.routers[c.from.router].coordinates[d]][c.from.port % 2] * first->nodes / first->size[d];
    loads.channels.push_back(with_self * (valiant ? 2 : nodes / std::max(nodes - 1, 1.0)));
    loads.mean_route += loads.channels.back() / nodes;
  }
  return loads;
}

std::optional<expected_loads> loads_of_detours(const topology& t, std::size_t most_steps) {
  const auto takes_detours = [](const route_rule& rule) {
    const auto* detour = rule.as<detour_rule>();
    return detour != nullptr && !detour->selects;
  };
  if (!std::all_of(t.routing.begin(), t.routing.end(), takes_detours)) return std::nullopt;
  topology direct = t;
  for (route_rule& rule : direct.routing) rule = table_rule(rule.as<detour_rule>()->table());
  for (node_attachment& node : direct.nodes) node.path_ids = {};
  expected_loads loads = follow_loads(direct, most_steps);
  const auto nodes = static_cast<double>(t.nodes.size());
  const double both_parts = 2 * (nodes - 1) / nodes;
  for (double& load : loads.channels) load *= both_parts;
  loads.mean_route *= both_parts;
  return loads;
}

}  // namespace weft
