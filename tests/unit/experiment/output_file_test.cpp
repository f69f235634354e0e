// SPDX-License-Identifier: Apache-2.0
#include "weft/report/output_file.h"

#include "support/temporary_directory.h"
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::experiment {
namespace {

namespace fs = std::filesystem;

class unit_experiment_output_file : public testing::Test {
 protected:
  std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_directory.path()), {}));
  }

  temporary_directory m_directory;
};

TEST_F(unit_experiment_output_file, appears_complete_on_commit) {
  output_file out(m_directory / "deep" / "a.json");
  out.write("one ");
  out.write("two");
  EXPECT_FALSE(fs::exists(out.file()));
  EXPECT_EQ(out.temporary().extension(), ".json");
  out.commit();
  EXPECT_EQ(content(m_directory / "deep" / "a.json"), "one two");
}

TEST_F(unit_experiment_output_file, keeps_the_previous_file_without_commit) {
  std::ofstream(m_directory / "a.json") << "before";
  { output_file(m_directory / "a.json").write("half"); }
  EXPECT_EQ(content(m_directory / "a.json"), "before");
  EXPECT_EQ(files(), 1u);
}

// The file reserves space on disk ahead of what is written.
TEST_F(unit_experiment_output_file, long_file_is_complete_without_excess_disk_space) {
  std::string expected;
  output_file out(m_directory / "long");
  for (int i = 0; expected.size() < 10'000'000; ++i) {
    std::string part(99'999, static_cast<char>('a' + i % 26));
    out.write(part);
    expected += part;
  }
  out.commit();
  EXPECT_TRUE(content(out.file()) == expected);
  struct stat status {};
  ASSERT_EQ(stat(out.file().c_str(), &status), 0);
  EXPECT_LT(static_cast<std::size_t>(status.st_blocks) * 512, expected.size() + 1'000'000);
}

TEST_F(unit_experiment_output_file, error_states_why_it_cannot_be_written) {
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
            "cannot open output file " + (m_directory / "a.json").string() + ": Is a directory");
  EXPECT_EQ(error_of(m_directory / "plain" / "a.json"),
            "cannot make directory " + (m_directory / "plain").string() + ": Not a directory");
}

TEST_F(unit_experiment_output_file, writes_through_links_and_pipes) {
  std::ofstream(m_directory / "target") << "old";
  fs::create_symlink("target", m_directory / "link");
  output_file through(m_directory / "link");
  through.write("new");
  through.commit();
  EXPECT_TRUE(fs::is_symlink(m_directory / "link"));
  EXPECT_EQ(content(m_directory / "target"), "new");

  const fs::path pipe = m_directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  output_file into(pipe);
  into.write("text");
  into.commit();
  char read_text[8] = {};
  EXPECT_EQ(read(reader, read_text, sizeof read_text), 4);
  EXPECT_EQ(std::string(read_text), "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(unit_experiment_output_file, offers_a_temporary_file_for_links_and_pipes) {
  std::ofstream(m_directory / "target.dat") << "old";
  fs::create_symlink("target.dat", m_directory / "link.vcd");
  const fs::path pipe = m_directory / "pipe.vcd";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  for (const char* const name : {"link.vcd", "pipe.vcd"}) {
    output_file out(m_directory / name);
    EXPECT_EQ(out.temporary().extension(), ".vcd");
    std::ofstream(out.temporary()) << "wave";
    out.commit();
    EXPECT_EQ(out.file(), m_directory / name);
  }
  EXPECT_EQ(content(m_directory / "target.dat"), "wave");
  char read_text[8] = {};
  EXPECT_EQ(read(reader, read_text, sizeof read_text), 4);
  EXPECT_EQ(std::string(read_text), "wave");
  close(reader);
  EXPECT_EQ(files(), 3u) << "temporary files are gone";
}

TEST_F(unit_experiment_output_file, writes_to_an_open_descriptor_at_its_position) {
  const int descriptor = open((m_directory / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  for (const char* const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    output_file out(folder + std::to_string(descriptor));
    out.write("text ");
    out.commit();
  }
  close(descriptor);
  EXPECT_EQ(content(m_directory / "log"), "before text text ");
  EXPECT_THROW(output_file("/dev/fd/" + std::to_string(descriptor)), output_error);
}

TEST_F(unit_experiment_output_file, removes_files_left_by_killed_processes) {
  output_file alive(m_directory / "a.json");
  for (const char* const left : {".a.weft-4194305-0.json", ".b.sweep.weft-1-12.csv", ".page.weft-1-0"})
    std::ofstream(m_directory / left) << "half";
  for (const char* const other : {".a.weft-notes.json", ".a.weft-1-.json", ".weft-1-2x", "a.weft-1-2.json", ".a.lock"})
    std::ofstream(m_directory / other) << "mine";
  fs::create_directories(m_directory / ".c.weft-1-0.json");
  output_file(m_directory / "b.csv").commit();
  EXPECT_EQ(files(), 5u + 3) << "others, a directory, the file that is being written, b.csv";
  alive.write("whole");
  alive.commit();
  EXPECT_EQ(content(m_directory / "a.json"), "whole");
}

TEST_F(unit_experiment_output_file, concurrent_writers_do_not_remove_each_others_files) {
  constexpr unsigned Writers = 4, Files = 150;
  std::vector<std::thread> writers;
  for (unsigned w = 0; w < Writers; ++w)
    writers.emplace_back([this, w] {
      for (unsigned i = 0; i < Files; ++i) {
        output_file out(m_directory / (std::to_string(w) + "_" + std::to_string(i)));
        out.write("whole");
        EXPECT_NO_THROW(out.commit());
      }
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(files(), std::size_t{Writers} * Files);
}

TEST_F(unit_experiment_output_file, resolves_all_paths_of_a_file_to_one_place) {
  fs::create_directories(m_directory / "folder");
  fs::create_symlink("folder", m_directory / "link");
  fs::create_symlink("folder/absent", m_directory / "to_absent");
  const std::string place = place_of(m_directory / "folder/absent");
  EXPECT_EQ(place_of(m_directory / "link/absent"), place);
  EXPECT_EQ(place_of(m_directory / "folder/../link/./absent"), place);
  EXPECT_EQ(place_of(m_directory / "to_absent"), place);
  EXPECT_NE(place_of(m_directory / "folder/other"), place);
  EXPECT_EQ(place_of("absent"), place_of(fs::current_path() / "absent"));
  EXPECT_EQ(place_of("absent/too"), place_of(fs::current_path() / "absent/too"));
  for (const char* const output : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    EXPECT_EQ(place_of(output), "-") << output;
  for (const char* const other : {"/dev/null", "/dev/fd/2", "/dev/stdin"}) EXPECT_EQ(place_of(other), "") << other;
}

TEST_F(unit_experiment_output_file, leaves_nothing_when_a_write_fails) {
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

/// The temporary name is predictable, so anyone who can write to the directory could place a link there.
TEST_F(unit_experiment_output_file, does_not_follow_links_at_its_temporary_name) {
  const fs::path victim = m_directory / "victim";
  std::ofstream(victim) << "precious";
  const std::string hidden = ".a.weft-" + std::to_string(getpid()) + "-";
  fs::create_symlink("victim", m_directory / (hidden + "0.json"));
  fs::create_symlink("missing", m_directory / (hidden + "1.json"));
  output_file out(m_directory / "a.json");
  EXPECT_EQ(out.temporary().filename(), hidden + "2.json");
  out.write("mine");
  out.commit();
  EXPECT_EQ(content(m_directory / "a.json"), "mine");
  EXPECT_EQ(content(victim), "precious");
  EXPECT_FALSE(fs::exists(m_directory / "missing"));
}

}  // namespace
}  // namespace weft::experiment
