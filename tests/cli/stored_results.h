// SPDX-License-Identifier: Apache-2.0
/// Results that pictures and reports are drawn from.
#pragma once

#include "cli/command.h"
#include <string>
#include <vector>

namespace weft::cli {

/// A test that has results of a 3x3 mesh:
/// results/low.json, high.json: runs with everything recorded, low with an event log; results/load.sweep.csv: 4 loads x
/// 2 numbers of VCs; results/ring.json: a deadlock; results/tree.json: a collective
class stored_results_test : public command_test {
 protected:
  stored_results_test();

  /// Draws by `weft plot` to picture.svg; its text.
  std::string drawn(const std::vector<std::string>& arguments);
  /// `weft plot` says \p message, ends with status 2 and draws nothing.
  void refuses(const std::vector<std::string>& arguments, const std::string& message);
};

}  // namespace weft::cli
