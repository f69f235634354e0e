// SPDX-License-Identifier: Apache-2.0
/// Stored results from which tests draw pictures and reports.
#pragma once

#include "cli/command.h"
#include <string>
#include <vector>

namespace weft::cli {

/// A test with results of a 3x3 mesh:
/// results/low.json, high.json: runs with everything recorded, low with an event log; results/load.sweep.csv: 4 loads x
/// 2 numbers of VCs; results/ring.json: a deadlock; results/tree.json: a collective
class stored_results_test : public command_test {
 protected:
  stored_results_test();

  /// Draws with `weft plot` to picture.svg. \return the content of picture.svg
  std::string drawn(const std::vector<std::string>& arguments);
  /// Expects that `weft plot` prints \p message, ends with status 2 and draws nothing.
  void rejects(const std::vector<std::string>& arguments, const std::string& message);
};

}  // namespace weft::cli
