// SPDX-License-Identifier: Apache-2.0
/// Runs the programs of tests/mpi/programs with the recorder.
#pragma once

#include "cli/command.h"
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace weft::cli {

class recording_test : public command_test {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun (Debian: openmpi-bin)";
  }

  /// Runs a program on so many ranks. \return its exit status; its output is in the files out and err
  int record(const std::string& program, int ranks, const std::string& variables = "", const std::string& to = "t") {
    return run("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 mpirun --oversubscribe -n " +
               std::to_string(ranks) + " -x LD_PRELOAD=" WEFT_RECORDER " -x WEFT_MPI_TRACE=" + to + " " + variables +
               " " WEFT_MPI_PROGRAMS " " + program);
  }
  /// The same without mpirun, which is slow when a process ends early.
  int record_alone(const std::string& variable) {
    return run("LD_PRELOAD=" WEFT_RECORDER " " + variable + " " WEFT_MPI_PROGRAMS " ping_pong");
  }
  int run(const std::string& command) {
    const int status = std::system(("cd '" + m_directory.path().string() + "' && " + command + " >out 2>err").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// The JSON output of `weft trace` for a trace.
  nlohmann::json metrics(const std::string& trace = "t") {
    const command_result r = weft({"trace", "--json", "-", trace});
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out);
  }

  /// Records all payload.
  static constexpr const char* Whole = "-x WEFT_MPI_PAYLOAD=whole";
};

}  // namespace weft::cli
