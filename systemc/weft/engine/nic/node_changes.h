// SPDX-License-Identifier: Apache-2.0
/// Changes of what nodes accept, which take effect in a later cycle.
#pragma once

#include <algorithm>
#include <deque>

#include "weft/core/types.h"

namespace weft::engine {

/// \tparam Value what is changed
template <typename Value>
class node_changes {
 public:
  /// Notes that \p node will have \p value from cycle \p from on. Calls must be in the order of \p from.
  void add(node_id node, Value value, cycle_t from) { m_changes.push_back({from, node, value}); }

  /// Calls \p set(node, value) for each change that has taken effect by cycle \p now, and forgets it.
  template <typename Set>
  void apply(cycle_t now, Set set) {
    for (; !m_changes.empty() && m_changes.front().from <= now; m_changes.pop_front())
      set(m_changes.front().node, m_changes.front().value);
  }

  /// The value that \p node will have after all changes. \param present its value now
  Value last(node_id node, Value present) const {
    const auto of_node = [node](const change& c) { return c.node == node; };
    const auto found = std::find_if(m_changes.rbegin(), m_changes.rend(), of_node);
    return found == m_changes.rend() ? present : found->value;
  }

 private:
  struct change {
    cycle_t from;
    node_id node;
    Value value;
  };
  std::deque<change> m_changes;  ///< in the order in which they take effect
};

}  // namespace weft::engine
