// SPDX-License-Identifier: Apache-2.0
/// A very short experiment.
#pragma once

#include "cli/command.h"

namespace weft::cli {

/// A test with the experiment small.yaml.
class small_run_test : public command_test {
 protected:
  small_run_test() {
    write("small.yaml",
          "network: {topology: {shape: [3, 3]}}\n"
          "workload: {injection: 0.1, length: 3}\n"
          "simulation: {warmup: 100, measure: 1000}\n");
  }
};

}  // namespace weft::cli
