// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/output_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace weft::experiment {
namespace {

namespace fs = std::filesystem;

class unit_experiment_output_file : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(m_directory); }

  std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() { return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_directory), {})); }

  fs::path m_directory = fs::temp_directory_path() / ("weft_output_file_" + std::to_string(getpid()));
};

TEST_F(unit_experiment_output_file, appears_whole_with_commit) {
  output_file out(m_directory / "deep" / "a.json");
  out.write("one ");
  out.write("two");
  EXPECT_FALSE(fs::exists(out.file()));
  EXPECT_EQ(out.temporary().extension(), ".json");
  out.commit();
  EXPECT_EQ(content(m_directory / "deep" / "a.json"), "one two");
}

TEST_F(unit_experiment_output_file, leaves_what_was_there_without_commit) {
  fs::create_directories(m_directory);
  std::ofstream(m_directory / "a.json") << "before";
  { output_file(m_directory / "a.json").write("half"); }
  EXPECT_EQ(content(m_directory / "a.json"), "before");
  EXPECT_EQ(files(), 1u);
}

TEST_F(unit_experiment_output_file, says_why_it_cannot_be_written) {
  fs::create_directories(m_directory / "a.json");
  std::ofstream(m_directory / "plain") << "x";
  const auto error_of = [](const fs::path& file) {
    try {
      output_file out(file);
    } catch (const output_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of(m_directory / "a.json"),
            "cannot open " + (m_directory / "a.json").string() + " for writing: Is a directory");
  EXPECT_EQ(error_of(m_directory / "plain" / "a.json"),
            "cannot make directory " + (m_directory / "plain").string() + ": Not a directory");
}

TEST_F(unit_experiment_output_file, a_disk_that_fills_up_leaves_nothing) {
  fs::create_directories(m_directory);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(
      {
        output_file out(m_directory / "a.json");
        out.write(std::string(100'000, 'x'));
        out.commit();
      },
      output_error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace weft::experiment
