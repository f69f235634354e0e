// SPDX-License-Identifier: Apache-2.0
// The files of a run: in a folder or one after the other, with none missing, duplicate or of another run.
#include "trace_case.h"
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weft/mpi/trace/trace_writer.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

using unit_trace_files = unit_trace_format;

TEST_F(unit_trace_files, reads_a_folder_as_one_run) {
  fs::create_directory(file("t"));
  const auto rank = [this](std::uint32_t r, std::uint64_t run = 77, const char* name = nullptr) {
    trace_header h = header_of(r, 2);
    h.run = run;
    trace_writer w((file("t") / (name != nullptr ? name : "rank." + std::to_string(r))).string(), h);
    w.finish();
  };
  const auto fault = [this] {
    everything e;
    try {
      read_trace(file("t"), e);
    } catch (const input_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(fault(), HasSubstr("the folder is empty"));
  rank(1);
  EXPECT_THAT(fault(), HasSubstr("has no file of rank 0 of 2"));
  rank(0);
  EXPECT_EQ(fault(), "none");
  rank(0, 77, "copy");
  EXPECT_THAT(fault(), HasSubstr("rank 0 is given twice, expected one part for each rank; remove the copy"));
  fs::remove(file("t") / "copy");
  rank(0, 78);
  EXPECT_THAT(fault(), HasSubstr("belongs to another run than rank 0"));
  rank(0);
  std::string old = bytes_of(file("t") / "rank.1");
  old[8] = 5;
  write("t/rank.1", old);
  EXPECT_THAT(fault(), AllOf(HasSubstr("rank.1"), HasSubstr("expected version 1 to 4 of the trace format, found 5")));
  rank(1);
  write("t/rank.1", of_version(2, bytes_of(file("t") / "rank.1")));
  EXPECT_THAT(fault(), AllOf(HasSubstr("rank 1 has version 2 of the trace format, but rank 0 has version 4"),
                             HasSubstr("with the same libweft_mpi.so")));
  everything e;
  EXPECT_THROW(read_trace(file("missing"), e), input_error);
}

TEST_F(unit_trace_files, rejects_one_file_of_several_ranks) {
  trace_writer w(file("rank.0"), header_of(0, 2));
  w.finish();
  everything e;
  try {
    read_trace(file("rank.0"), e);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the trace has only 1 of 2 ranks; name the folder of the whole run"));
  }
}

TEST_F(unit_trace_files, rejects_a_pipe_without_waiting) {
  const auto fault = [this](const char* trace) {
    everything e;
    try {
      read_trace(file(trace), e);
    } catch (const input_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  fs::create_directory(file("t"));
  for (const char* const pipe : {"pipe", "t/rank.0"}) ASSERT_EQ(mkfifo(file(pipe).c_str(), 0600), 0);
  EXPECT_THAT(fault("pipe"),
              HasSubstr("pipe: error: the file is a pipe, but a trace is read more than once; write it to a file"));
  EXPECT_THAT(fault("t"), HasSubstr("rank.0: error: the file is a pipe"));
}

TEST_F(unit_trace_files, reads_concatenated_files_as_one_trace) {
  for (std::uint32_t r = 0; r < 2; ++r) {
    trace_writer w(file(std::to_string(r)), header_of(r, 2));
    w.finish();
  }
  write("both", bytes_of(file("1")) + bytes_of(file("0")));
  everything e;
  const std::vector<trace_header> parts = read_trace(file("both"), e);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].rank, 0u);
  EXPECT_EQ(e.headers[0].rank, 1u);
  EXPECT_EQ(e.endings.size(), 2u);
}

}  // namespace
}  // namespace weft
