// SPDX-License-Identifier: Apache-2.0
/// Route computation of one router: which output ports, and which VCs of them, a head flit may ask for.
/// Pure functions on plain integers; a generator (weft/topology) fills in the constants.
#pragma once

#include <cstdint>
#include <variant>

#include "weft/core/grid_routing.h"
#include "weft/core/route.h"
#include "weft/core/table_routing.h"
#include "weft/core/tree_routing.h"
#include "weft/core/types.h"
#include "weft/core/ways.h"

namespace weft {

/// Source routing: the packet's way is a source_path.
struct source_rule {
  vc_set vcs = 0;
  route answer(const route_query& q) const {
    const route r(source_path::port(q.way), vcs);
    return r;
  }
  static way_use use_of_way() { return way_use::Each; }
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
  /// Calls \p f with the rule in its own type.
  template <class F>
  auto visit(F f) const {
    return std::visit(f, m_rule);
  }
  /// The same for a packet of which the way is not known, where the rule can tell what all ways together lead to: in a
  /// fat tree. Else as for q.way.
  route for_all_ways(const route_query& q) const {
    const auto* tree = as<tree_rule>();
    return tree != nullptr ? tree->for_all_ways(q) : answer(q);
  }
  way_use use_of_way() const {
    return std::visit([](const auto& rule) { return rule.use_of_way(); }, m_rule);
  }
  /// The rule, if it is of this type; else nullptr.
  template <class Rule>
  const Rule* as() const {
    return std::get_if<Rule>(&m_rule);
  }
  template <class Rule>
  Rule* as() {
    return std::get_if<Rule>(&m_rule);
  }

  /// Whether the answers may hold choices, between which the VC allocator decides by credits.
  bool adaptive() const;
  /// Whether a packet leaves the router with but the rest of its way, a source_path.
  bool uses_up_way() const { return std::holds_alternative<source_rule>(m_rule); }

  friend bool operator==(const route_rule& a, const route_rule& b) { return a.m_rule == b.m_rule; }

 private:
  std::variant<grid_rule, table_rule, tree_rule, cube_rule, source_rule> m_rule;
};

}  // namespace weft
