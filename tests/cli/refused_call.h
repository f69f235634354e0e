// SPDX-License-Identifier: Apache-2.0
/// Calls of one command that it refuses, as a table of arguments and messages.
#pragma once

#include "cli/command.h"
#include <ostream>

#include <gmock/gmock.h>

namespace weft::cli {

struct refused_call {
  const char* name;
  std::vector<std::string> arguments;  ///< after the command's name
  const char* message;                 ///< that standard error begins with
};

inline void PrintTo(const refused_call& c, std::ostream* out) { *out << c.name; }

class refused_call_test : public command_test, public testing::WithParamInterface<refused_call> {
 protected:
  /// `weft COMMAND` with the arguments says the message and nothing else, ends with 2 and writes no file.
  void expect_refusal_of(const char* command) {
    std::vector<std::string> arguments{command};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    const std::vector<std::string> before = files_in(".");
    const command_result r = weft(arguments);
    EXPECT_THAT(r.err, ::testing::StartsWith(GetParam().message));
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(files_in("."), before);
  }
};

}  // namespace weft::cli
