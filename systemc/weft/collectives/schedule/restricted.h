// SPDX-License-Identifier: Apache-2.0
/// More restricted problems on the same network: a solution of one of them also solves the problem itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// A problem with fewer ports, shortest paths instead of any, or single messages instead of combined ones.
class restricted_question {
 public:
  /// \param whole must outlive it \param ports most ports of a node (0: no restriction)
  restricted_question(const problem& whole, unsigned ports, path_rule paths, bool combining);

  problem question() const;
  /// "1 port, shortest paths, single messages"; names only the restrictions.
  const std::string& text() const { return m_text; }
  /// Converts a schedule of question() to the channels of the whole network.
  step_schedule widened(step_schedule s) const;

 private:
  const problem& m_whole;
  const path_rule m_paths;
  const bool m_combining;
  std::shared_ptr<const limited_network> m_network;  ///< null: the whole network
  std::string m_text;
};

/// All restrictions, those with the most ports first. Empty for a problem without any of these freedoms.
std::vector<restricted_question> restrictions_of(const problem& p);

}  // namespace weft::schedule
