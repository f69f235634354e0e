// SPDX-License-Identifier: Apache-2.0
/// The traffic of a collective, in the form that all bounds use. A channel carries one unit of traffic per step. For
/// schedules in steps, a unit is a message. For simulated collectives, a unit is a flit and a step is a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/transfer_flow.h"
#include "weft/collectives/schedule/schedule.h"

namespace weft::schedule {

class traffic {
 public:
  enum class kind : std::uint8_t {
    Shared,    ///< broadcast, gather: every receiver gets all units of all other nodes
    Personal,  ///< scatter: every receiver gets its own units from every other node
    Summed,    ///< reduce: every receiver gets the sum of the units of all others; they all have equally many or none
  };

  /// \param units for each node, the number of units that start there; if Personal, the number for each receiver
  traffic(kind what, std::vector<std::uint64_t> units, node_set receivers);
  traffic(const collective& requested, std::size_t nodes);

  kind what() const { return m_what; }
  std::size_t nodes() const { return m_units.size(); }
  std::uint64_t units(node_id node) const { return m_units[node]; }
  bool receives(node_id node) const { return m_receives[node]; }

  /// Returns the number of units that start at \p node and must leave it.
  std::uint64_t sent_by(node_id node) const;
  /// Returns the number of units that \p node must receive; 0 if the node is not a receiver.
  std::uint64_t received_by(node_id node) const;
  /// Returns the number of units that must travel from nodes of \p inside to other nodes.
  std::uint64_t leaving(const node_set& inside) const;

 private:
  kind m_what;
  std::vector<std::uint64_t> m_units;
  node_set m_receives;
  std::uint64_t m_receivers = 0;
  std::uint64_t m_all = 0;
  std::uint64_t m_most = 0;  ///< maximum number of units at one node
};

/// Returns \p units divided by \p by, rounded up. \p by must be at least 1.
inline std::uint64_t divided_up(std::uint64_t units, std::uint64_t by) { return units / by + (units % by != 0); }

}  // namespace weft::schedule
