// SPDX-License-Identifier: Apache-2.0
/// Calls of one command that it rejects, as a table of arguments and messages.
#pragma once

#include "cli/command.h"
#include <ostream>

#include <gmock/gmock.h>

namespace weft::cli {

struct rejected_call {
  const char* name;
  std::vector<std::string> arguments;  ///< after the command's name
  const char* message;                 ///< start of standard error
};

inline void PrintTo(const rejected_call& c, std::ostream* out) { *out << c.name; }

class rejected_call_test : public command_test, public testing::WithParamInterface<rejected_call> {
 protected:
  /// Expects that `weft COMMAND` with the arguments prints only the message, ends with status 2 and writes no file.
  void expect_rejection_of(const char* command) {
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
