// SPDX-License-Identifier: Apache-2.0
/// A configuration that `weft` rejects, with the whole message.
#pragma once

#include "cli/command.h"
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::cli {

struct bad_configuration {
  const char* name;
  const char* yaml;                    ///< content of bad.yaml
  std::vector<std::string> arguments;  ///< after `weft run bad.yaml`
  const char* message;                 ///< standard error
};

inline void PrintTo(const bad_configuration& b, std::ostream* out) { *out << b.name; }

/// Expects that `weft run bad.yaml` with the arguments ends with status 2, prints the message, and writes no file.
/// good.txt, a packet list, is `0 0 0 5 3`: one packet of 3 flits to node 5.
class cli_bad_configuration : public command_test, public testing::WithParamInterface<bad_configuration> {
 protected:
  void expect_rejection() {
    write("bad.yaml", GetParam().yaml);
    write("good.txt", "0 0 0 5 3\n");
    std::vector<std::string> arguments = {"run", "bad.yaml"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.err, std::string(GetParam().message) + "\n");
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(files_in("."), ::testing::ElementsAre("bad.yaml", "good.txt"));  // nothing written
  }
};

}  // namespace weft::cli
