// SPDX-License-Identifier: Apache-2.0
#include "cli/stored_results.h"

#include <gmock/gmock.h>

namespace weft::cli {

stored_results_test::stored_results_test() {
  write("low.yaml",
        "network: {topology: {shape: [3, 3]}}\nworkload: {injection: 0.1, length: 3}\n"
        "simulation: {level: engine, warmup: 100, measure: 1500}\n"
        "output: {breakdown: true, matrix: true, interval: 400}\n");
  write("ring.yaml",
        "network:\n  topology: {kind: ring, shape: [8]}\n  routing: {algorithm: source, allow_deadlock: true}\n"
        "  router: {vcs: 1, depth: 2}\n"
        "workload: {injection: {load: 0.9}, length: 8}\nsimulation: {level: engine, deadlock_after: 1000}\n");
  write("tree.yaml",
        "network: {topology: {shape: [3, 3]}}\ncollective: {algorithm: tree, operation: broadcast}\n"
        "simulation: {level: engine}\n");
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.event_log=true", "--set", "output.queues=true"}).status, 0);
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=high", "--set", "workload.injection=0.3"}).status, 0);
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "--set", "output.name=load", "--over",
                  "workload.injection.load=0.05,0.2,0.35,0.95", "--over", "network.router.vcs=1,4"})
                .status,
            0);
  EXPECT_EQ(weft({"run", "ring.yaml", "-q"}).status, 1);
  EXPECT_EQ(weft({"collective", "tree.yaml", "-q"}).status, 0);
}

std::string stored_results_test::drawn(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"plot"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"-o", "picture.svg"});
  const command_result r = weft(all);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out + r.err, "");
  return read("picture.svg");
}

void stored_results_test::rejects(const std::vector<std::string>& arguments, const std::string& message) {
  std::vector<std::string> all = {"plot"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"-o", "refused.svg"});
  const command_result r = weft(all);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, testing::HasSubstr(message));
  EXPECT_EQ(read("refused.svg"), "");
}

}  // namespace weft::cli
