// SPDX-License-Identifier: Apache-2.0
/// More restricted questions about the same network: what answers one of them answers the question itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/schedule/problem.h"

namespace weft::schedule {

/// A question with fewer ports, shortest paths in place of any, or single messages in place of combined ones.
class restricted_question {
 public:
  /// \p whole, which outlives it, with at most \p ports at a node (0: as many as it has), \p paths and \p combining.
  restricted_question(const problem& whole, unsigned ports, path_rule paths, bool combining);

  problem question() const;
  /// "1 port, shortest paths, single messages": only what is restricted.
  const std::string& text() const { return m_text; }
  /// A schedule of question() on the channels of the whole network.
  step_schedule widened(step_schedule s) const;

 private:
  const problem& m_whole;
  const path_rule m_paths;
  const bool m_combining;
  std::shared_ptr<const limited_network> m_network;  ///< none: that of the whole question
  std::string m_text;
};

/// All of them, those with the most ports first. None of a question without any of these freedoms.
std::vector<restricted_question> restrictions_of(const problem& p);

}  // namespace weft::schedule
