// SPDX-License-Identifier: Apache-2.0
/// Route computation of one router: the output ports and VCs that a head flit may request. All functions are pure
/// functions on plain integers. The generators of weft/topology set their constants.
#pragma once

#include <cstdint>
#include <variant>

#include "weft/core/detour_routing.h"
#include "weft/core/grid_routing.h"
#include "weft/core/path_ids.h"
#include "weft/core/route.h"
#include "weft/core/table_routing.h"
#include "weft/core/tree_routing.h"
#include "weft/core/types.h"

namespace weft {

/// Source routing: the path id of the packet is a source_path.
struct source_rule {
  vc_set vcs = 0;
  route answer(const route_query& q) const {
    const route r(source_path::port(q.path_id), vcs);
    return r;
  }
  static path_id_use use_of_path_id() { return path_id_use::Each; }
  friend bool operator==(const source_rule& a, const source_rule& b) { return a.vcs == b.vcs; }
};

/// The routing function of one router.
class route_rule {
 public:
  route_rule() = default;
  template <class Rule>
  route_rule(Rule rule) : m_rule(std::move(rule)) {}

  route answer(const route_query& q) const {
    return std::visit([&q](const auto& rule) { return rule.answer(q); }, m_rule);
  }
  /// Calls \p f with the rule in its concrete type.
  template <class F>
  auto visit(F f) const {
    return std::visit(f, m_rule);
  }
  /// In a fat tree, the union of the routes for all path ids. Under any other rule, the route for q.path_id.
  route for_all_path_ids(const route_query& q) const {
    const auto* tree = as<tree_rule>();
    return tree != nullptr ? tree->for_all_path_ids(q) : answer(q);
  }
  path_id_use use_of_path_id() const {
    return std::visit([](const auto& rule) { return rule.use_of_path_id(); }, m_rule);
  }
  /// The rule if it has type \p Rule, otherwise nullptr.
  template <class Rule>
  const Rule* as() const {
    return std::get_if<Rule>(&m_rule);
  }
  template <class Rule>
  Rule* as() {
    return std::get_if<Rule>(&m_rule);
  }

  /// Whether answers may contain choices, and how the VC allocator selects one.
  output_choice choice() const;
  bool adaptive() const { return choice().exists; }
  /// Whether the router removes its own hop from the path id of a packet, which is a source_path.
  bool consumes_path() const { return std::holds_alternative<source_rule>(m_rule); }

  friend bool operator==(const route_rule& a, const route_rule& b) { return a.m_rule == b.m_rule; }

 private:
  std::variant<grid_rule, table_rule, tree_rule, cube_rule, source_rule, detour_rule> m_rule;
};

}  // namespace weft
