// SPDX-License-Identifier: Apache-2.0
/// Results that pictures and reports are drawn from.
#pragma once

#include "cli/command.h"
#include <string>

namespace weft::cli {

/// A test that has results of a 3x3 mesh:
/// results/low.json, high.json: runs with everything recorded, low with an event log; results/load.sweep.csv: 4 loads x
/// 2 numbers of VCs; results/ring.json: a deadlock; results/tree.json: a collective
class stored_results_test : public command_test {
 protected:
  stored_results_test();
};

}  // namespace weft::cli
