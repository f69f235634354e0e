// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/k_ary_n_fly.h"

#include <utility>

#include "weft/core/members.h"
#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;

std::uint64_t nodes_of(const k_ary_n_fly_parameters& p) {
  return generator_detail::product(1, std::vector<std::uint32_t>(p.stages, p.arity));
}

void check(const k_ary_n_fly_parameters& p) {
  generator_detail::check_options(p.options);
  generator_detail::check_nic_ports(p.options);
  if (p.arity < 2) reject("arity is {}; give at least 2", p.arity);
  if (p.stages < 3 || p.stages > 20)
    reject("stages is {}; give 3 to 20: with 2, routers would be connected to themselves", p.stages);
  if (nodes_of(p) > MaxNodes)
    reject("arity {} and {} stages make more than {} nodes; lower arity or stages", p.arity, p.stages, MaxNodes);
  const std::uint64_t ports = std::uint64_t{p.arity} * (1 + p.options.nic_ports);
  if (ports > MaxPorts)
    reject("routers of the first and last stage have {} ports, and may have at most {}; lower arity or nic.ports",
           ports, MaxPorts);
}

/// The structure of a butterfly.
class fly_plan {
 public:
  explicit fly_plan(const k_ary_n_fly_parameters& p)
      : m_arity(p.arity), m_stages(p.stages), m_switches(static_cast<std::uint32_t>(nodes_of(p) / p.arity)) {}

  std::uint32_t arity() const { return m_arity; }
  std::uint32_t stages() const { return m_stages; }
  std::uint32_t switches() const { return m_switches; }  ///< of a stage
  std::uint32_t nodes() const { return m_switches * m_arity; }
  router_id router(std::uint32_t stage, std::uint32_t number) const {
    return (stage + 1 == m_stages ? 0 : stage) * m_switches + number;
  }
  /// The input of the next stage that output \p port of switch \p number of stage \p stage leads to.
  port_ref next(std::uint32_t stage, std::uint32_t number, std::uint32_t port) const {
    const std::uint32_t place = power(m_stages - 2 - stage), digit = number / place % m_arity;
    return {router(stage + 1, number - digit * place + port * place), digit};
  }
  /// The output of stage \p stage to node \p n.
  std::uint32_t tag(std::uint32_t stage, node_id n) const { return n / power(m_stages - 1 - stage) % m_arity; }

 private:
  std::uint32_t power(std::uint32_t exponent) const {
    std::uint32_t product = 1;
    for (std::uint32_t i = 0; i < exponent; ++i) product *= m_arity;
    return product;
  }

  std::uint32_t m_arity, m_stages, m_switches;
};

std::vector<route> tags_of(const fly_plan& plan, std::uint32_t stage, vc_set vcs) {
  std::vector<route> row(plan.nodes());
  for (node_id n = 0; n < row.size(); ++n) row[n] = {plan.tag(stage, n), vcs};
  return row;
}

/// The table of a router with nodes: packets of its nodes go to the next stage, packets of links to the nodes.
table_rule outer_table(const fly_plan& plan, unsigned nic_ports, vc_set vcs) {
  table_rule table(tags_of(plan, 0, vcs));
  for (unsigned i = 0; i < nic_ports; ++i) {
    std::vector<route> row = tags_of(plan, plan.stages() - 1, vcs);
    for (route& each : row) each.port = static_cast<std::uint8_t>(plan.arity() + each.port * nic_ports + i);
    table.add_row(row);
  }
  for (unsigned port = 0; port < plan.arity(); ++port)
    for (unsigned vc = 0; vc < MaxVcs; ++vc) table.use_row(port, vc, 1 + port % nic_ports);
  return table;
}

k_ary_n_fly_parameters k_ary_n_fly_of(const network_plan& plan) {
  return {plan.topology.arity, plan.topology.stages, plan.network};
}

topology_kind make_k_ary_n_fly_kind() {
  topology_kind kind{};
  kind.name = "k_ary_n_fly";
  kind.noun = "a butterfly";
  kind.description = "a butterfly of n stages of switches with k inputs and k outputs";
  kind.keys = {{"arity", integer_option<topology_options, std::uint32_t>{&topology_options::arity, 2, MaxPorts / 2}, "",
                "Number of inputs and outputs of a switch of a butterfly (k)."},
               {"stages", integer_option<topology_options, std::uint32_t>{&topology_options::stages, 3, 20}, "",
                "Number of stages of a butterfly (n). It has k^n nodes."}};
  kind.usual = &destination_tag_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) { return nodes_of(k_ary_n_fly_of(plan)); };
  kind.make = [](const network_plan& plan) { return make_k_ary_n_fly(k_ary_n_fly_of(plan)); };
  return kind;
}

}  // namespace

topology make_k_ary_n_fly(const k_ary_n_fly_parameters& p) {
  check(p);
  const fly_plan plan(p);
  const vc_set vcs = first_vcs(p.options.vcs);
  topology t;
  t.kind = "k_ary_n_fly";
  t.algorithm = destination_tag_routing().name;
  const std::uint32_t apart = 1 + (plan.switches() - 1) / 4;  // of stages in the drawing, so that links are not steep
  for (std::uint32_t stage = 0; stage + 1 < plan.stages(); ++stage) {
    for (std::uint32_t number = 0; number < plan.switches(); ++number) {
      const router_id r = plan.router(stage, number);
      router_info router;
      router.coordinates = std::vector<std::uint32_t>{stage * apart, number};
      for (std::uint32_t port = 0; port < plan.arity(); ++port) {
        router.port_names.push_back(fmt::format("link{}", port));
        t.channels.push_back({{r, port}, plan.next(stage, number, port), p.options.link_cycles});
      }
      router.ports = plan.arity();
      if (stage == 0) generator_detail::attach_nodes(t, r, router, plan.arity(), p.options);
      t.routers.push_back(std::move(router));
    }
  }
  check_table_size(t);
  for (std::uint32_t stage = 0; stage + 1 < plan.stages(); ++stage) {
    const table_rule table =
        stage == 0 ? outer_table(plan, p.options.nic_ports, vcs) : table_rule(tags_of(plan, stage, vcs));
    t.routing.insert(t.routing.end(), plan.switches(), route_rule(table));
  }
  return t;
}

const routing_kind& destination_tag_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "destination_tag";
    kind.description = "in a butterfly, at each stage by a digit of the destination (1)";
    kind.shortest = false;
    return kind;
  }();
  return Kind;
}

const topology_kind& k_ary_n_fly_topology() {
  static const topology_kind Kind = make_k_ary_n_fly_kind();
  return Kind;
}

}  // namespace weft
