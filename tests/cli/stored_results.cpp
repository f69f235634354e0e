// SPDX-License-Identifier: Apache-2.0
#include "cli/stored_results.h"

namespace weft::cli {

stored_results_test::stored_results_test() {
  write("low.yaml",
        "network: {topology: {shape: [3, 3]}}\nworkload: {injection: 0.1, length: 3}\n"
        "simulation: {level: tlm, warmup: 100, measure: 1500}\n"
        "output: {breakdown: true, matrix: true, interval: 400}\n");
  write("ring.yaml",
        "network:\n  topology: {kind: ring, shape: [8]}\n  routing: {algorithm: source, allow_deadlock: true}\n"
        "  router: {vcs: 1, depth: 2}\n"
        "workload: {injection: {load: 0.9}, length: 8}\nsimulation: {level: tlm, deadlock_after: 1000}\n");
  write("tree.yaml",
        "network: {topology: {shape: [3, 3]}}\ncollective: {algorithm: tree, operation: broadcast}\n"
        "simulation: {level: tlm}\n");
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.event_log=true", "--set", "output.queues=true"}).status, 0);
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=high", "--set", "workload.injection=0.3"}).status, 0);
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "--set", "output.name=load", "--over",
                  "workload.injection.load=0.05,0.2,0.35,0.95", "--over", "network.router.vcs=1,4"})
                .status,
            0);
  EXPECT_EQ(weft({"run", "ring.yaml", "-q"}).status, 1);
  EXPECT_EQ(weft({"collective", "tree.yaml", "-q"}).status, 0);
}

}  // namespace weft::cli
