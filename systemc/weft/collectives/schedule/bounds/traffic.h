// SPDX-License-Identifier: Apache-2.0
/// The traffic of a collective as all bounds use it, in units of which a channel carries one per step. A unit is a
/// message of a schedule in steps, or a flit of a simulated collective, where a step is a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/transfer_flow.h"
#include "weft/collectives/schedule/schedule.h"

namespace weft::schedule {

class traffic {
 public:
  enum class kind : std::uint8_t {
    Shared,    ///< every receiver gets all units of all other nodes: broadcast, gather
    Personal,  ///< every receiver gets units of its own from every other node: scatter
    Summed,    ///< every receiver gets the sum of the units of all others, each with equally many or none: reduce
  };

  /// \param units for each node, the units that start there; Personal: for each receiver
  traffic(kind what, std::vector<std::uint64_t> units, node_set receivers);
  traffic(const collective& requested, std::size_t nodes);

  kind what() const { return m_what; }
  std::size_t nodes() const { return m_units.size(); }
  std::uint64_t units(node_id node) const { return m_units[node]; }
  bool receives(node_id node) const { return m_receives[node]; }

  /// Units that start at \p node and must leave it.
  std::uint64_t sent_by(node_id node) const;
  /// Units that \p node must receive; 0 if it is no receiver.
  std::uint64_t received_by(node_id node) const;
  /// Units that must travel from nodes of \p inside to others, in any form.
  std::uint64_t leaving(const node_set& inside) const;

 private:
  kind m_what;
  std::vector<std::uint64_t> m_units;
  node_set m_receives;
  std::uint64_t m_receivers = 0;
  std::uint64_t m_all = 0;
  std::uint64_t m_most = 0;  ///< most units at one node
};

/// \p units divided by \p by, rounded up. \p by is at least 1.
inline std::uint64_t divided_up(std::uint64_t units, std::uint64_t by) { return units / by + (units % by != 0); }

}  // namespace weft::schedule
