// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/route_computation.h"

#include "weft/pin/router/route_memory.h"

namespace weft::pin {

route_computation::route_computation(sc_core::sc_module_name name, const switch_inputs& inputs)
    : sc_module(name), head_i("head_i", inputs.count), route_o("route_o", inputs.count), m_inputs(inputs) {}

template <typename Rule, typename Source>
route_computation_by<Rule, Source>::route_computation_by(sc_core::sc_module_name name, const switch_inputs& inputs,
                                                         const Source& rule, unsigned class_vcs, bool lookahead)
    : route_computation(name, inputs), m_rule(rule), m_class_vcs(class_vcs), m_lookahead(lookahead) {
  SC_HAS_PROCESS(route_computation_by);
  WEFT_START_CLOCKED_PROCESS;
  if (m_lookahead) {
    SC_METHOD(combinational);
    for (auto& input : head_i) sensitive << input;
  }
}

template <typename Rule, typename Source>
void route_computation_by<Rule, Source>::reset() {
  m_announced_q = 0;
  if (!m_lookahead)
    for (unsigned input = 0; input < m_inputs.count; ++input) route_o[input].write(route_announcement());
}

template <typename Rule, typename Source>
void route_computation_by<Rule, Source>::step() {
  if (!m_lookahead) {
    WEFT_ASSERTED(requesting, head_announcement, head_i, m_inputs.count);
    compute(requesting | m_announced_q);
    m_announced_q = requesting;
  }
}

template <typename Rule, typename Source>
void route_computation_by<Rule, Source>::combinational() {
  compute(~0U >> (32 - m_inputs.count));
}

/// Outputs the routes of the heads that are announced at the inputs \p touched.
template <typename Rule, typename Source>
void route_computation_by<Rule, Source>::compute(port_set touched) {
  WEFT_FOR_MEMBERS(input, touched, m_inputs.count) {
    WEFT_VALUE(head_announcement, heads, head_i[input].read());
    route_announcement routes;
    for (unsigned i = 0; i < head_announcement::Slots; ++i) {
      if (heads.valid[i]) {
        route_query query;
        query.in_port = m_inputs.port_of[input];
        query.in_vc = heads.vc[i];
        query.destination = heads.destination[i];
        query.path_id = heads.path_id[i];
        routes.valid[i] = true;
        routes.vc[i] = heads.vc[i];
        const route requested = route_in_class(m_rule, query, m_class_vcs);
        set_route(routes, i, requested);
        routes.flits[i] = heads.flits[i];
      }
    }
    route_o[input].write(routes);
  }
}

namespace {

constexpr unsigned MostEntries = 1U << 28;  // 256 rows of 2^20 nodes

struct maker {
  const char* name;
  switch_inputs inputs;
  unsigned class_vcs;
  bool lookahead;

  template <typename Rule>
  std::unique_ptr<route_computation> operator()(const Rule& rule) const {
    return std::make_unique<route_computation_by<Rule>>(name, inputs, rule, class_vcs, lookahead);
  }
  std::unique_ptr<route_computation> operator()(const table_rule& table) const {
    return with_memory<256, plain_table>(table, table);
  }
  std::unique_ptr<route_computation> operator()(const detour_rule& rule) const {
    return with_memory<256, detour_routes>(rule, rule.table());
  }

  template <class Memory>
  using plain_table = Memory;

  /// Makes the module with a memory of sufficient capacity for \p table, the table of \p rule: 256, 4,096, … entries.
  /// \tparam Routes the form of \p rule with a memory in place of its table
  template <unsigned Entries, template <class> class Routes, class Rule>
  std::unique_ptr<route_computation> with_memory(const Rule& rule, const table_rule& table) const {
    using memory = route_memory<Entries>;
    if constexpr (Entries < MostEntries)
      if (table.rows() * memory::most_destinations(table) > Entries)
        return with_memory<16 * Entries, Routes>(rule, table);
    return std::make_unique<route_computation_by<Routes<memory>, Rule>>(name, inputs, rule, class_vcs, lookahead);
  }
};

}  // namespace

std::unique_ptr<route_computation> make_route_computation(const char* name, unsigned ports, const route_rule& rule,
                                                          unsigned class_vcs, bool lookahead, unsigned speedup) {
  return rule.visit(maker{name, switch_inputs(ports, speedup), class_vcs, lookahead});
}

}  // namespace weft::pin
