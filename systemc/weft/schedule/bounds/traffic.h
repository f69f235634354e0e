// SPDX-License-Identifier: Apache-2.0
/// What a collective must move, as all bounds see it: units of which a channel carries one in a step. A unit is a
/// message of a schedule in steps, or a flit of a simulated collective, where a step is a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/bounds/transfer_flow.h"
#include "weft/schedule/schedule.h"

namespace weft::schedule {

class traffic {
 public:
  enum class kind : std::uint8_t {
    Shared,    ///< every receiver gets all units of all others: broadcast, gather
    Personal,  ///< every receiver gets units of its own from every other node: scatter
    Summed,  ///< every receiver gets the sum of the units of all others, which are as many at each that has any: reduce
  };

  /// \param units by node: what starts there; Personal: for each receiver
  traffic(kind what, std::vector<std::uint64_t> units, node_set receivers);
  traffic(const collective& asked, std::size_t nodes);

  kind what() const { return m_what; }
  std::size_t nodes() const { return m_units.size(); }
  std::uint64_t units(node_id node) const { return m_units[node]; }
  bool receives(node_id node) const { return m_receives[node]; }

  /// Units that must leave \p node, of those that start there.
  std::uint64_t sent_by(node_id node) const;
  /// Units that \p node must get; 0 if it is no receiver.
  std::uint64_t received_by(node_id node) const;
  /// Units that must go from nodes of \p inside to others, in whichever form.
  std::uint64_t leaving(const node_set& inside) const;

 private:
  kind m_what;
  std::vector<std::uint64_t> m_units;
  node_set m_receives;
  std::uint64_t m_receivers = 0;
  std::uint64_t m_all = 0;
  std::uint64_t m_most = 0;  ///< units at one node
};

/// \p units over \p by ≥ 1, rounded up.
inline std::uint64_t divided_up(std::uint64_t units, std::uint64_t by) { return units / by + (units % by != 0); }

}  // namespace weft::schedule
