// SPDX-License-Identifier: Apache-2.0
/// Restricted variants of a problem on the same network. A solution of a restricted problem also solves the original
/// problem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// A restricted variant of a problem. It uses fewer ports, only shortest paths, or single messages instead of combined
/// ones.
class restricted_question {
 public:
  /// \param whole the original problem; must outlive this object
  /// \param ports maximum number of ports of a node; 0: no restriction
  restricted_question(const problem& whole, unsigned ports, path_rule paths, bool combining);

  problem question() const;
  /// Lists the restrictions, as in "1 port, shortest paths, single messages".
  const std::string& text() const { return m_text; }
  /// Converts a schedule of question() to the channels of the original network.
  step_schedule widened(step_schedule s) const;

 private:
  const problem& m_whole;
  const path_rule m_paths;
  const bool m_combining;
  std::shared_ptr<const limited_network> m_network;  ///< null: the original network
  std::string m_text;
};

/// Returns all restricted variants of \p p, with the most ports first. Empty if nothing in \p p can be restricted.
std::vector<restricted_question> restrictions_of(const problem& p);

}  // namespace weft::schedule
