// SPDX-License-Identifier: Apache-2.0
/// The shell runs every example of every `--help` unchanged, if its files exist.
#include "cli/command.h"
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <sys/wait.h>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

/// The lines of "Examples:" in \p help, without comments and without the part after a pipe or &&.
std::vector<std::string> examples_in(const std::string& help) {
  std::vector<std::string> examples;
  const std::size_t begin = help.find("Examples:\n");
  std::istringstream lines(begin == std::string::npos ? "" : help.substr(help.find('\n', begin) + 1));
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    line = line.substr(line.find_first_not_of(' '));
    for (const char* const end : {"   ", " | ", " && "}) line = line.substr(0, line.find(end));
    if (!examples.empty() && examples.back().back() == '\\')
      examples.back().replace(examples.back().size() - 1, 1, line);
    else
      examples.push_back(line);
  }
  return examples;
}

class cli_help_examples : public command_test {
 protected:
  /// The examples of the repository; the quickstart without pins and with a short window, to save time.
  cli_help_examples() {
    fs::copy(WEFT_SOURCE_DIR "/examples", m_directory / "examples", fs::copy_options::recursive);
    std::string quickstart = read("examples/quickstart.yaml");
    const std::string window = "measure: 16000";
    const std::size_t at = quickstart.find(window);
    if (at == std::string::npos) throw std::logic_error("the quickstart has no " + window);
    quickstart.replace(at, window.size(), "measure: 2000");
    write("examples/quickstart.yaml", quickstart + "  level: engine\n");
    fs::create_directory(m_directory / "bin");
    fs::create_symlink(WEFT_COMMAND, m_directory / "bin/weft");
  }

  /// Whether all files that \p example reads exist.
  bool has_files(const std::string& example) {
    static const std::set<std::string> Inputs = {".yaml", ".json", ".csv", ".sqlite", ".trace", ".bin", ".gz"};
    static const std::set<std::string> Outputs = {"-o", "--csv", "--ccsched", "--recording", ">"};
    std::istringstream words(example);
    std::string before;
    for (std::string word; words >> word; before = word)
      if (Inputs.count(fs::path(word).extension()) > 0 && Outputs.count(before) == 0 && !fs::exists(m_directory / word))
        return false;
    return true;
  }

  int status_of(const std::string& example) {
    const std::string directory = m_directory.path();
    const int status = std::system(
        ("cd '" + directory + "' && PATH='" + directory + "/bin':\"$PATH\" && " + example + " >out 2>err </dev/null")
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(cli_help_examples, exit_with_expected_status) {
  std::set<std::string> commands_seen;
  std::size_t seen = 0;
  for (const char* const command : {"run",   "sweep",  "saturation", "curve",      "explore",  "bounds",     "export",
                                    "plot",  "report", "diff",       "collective", "schedule", "forwarding", "topology",
                                    "check", "import", "codec",      "trace",      "replay",   "map",        "schema"})
    for (const std::string& example : examples_in(weft({command, "--help"}).out)) {
      EXPECT_THAT(example, testing::AnyOf(testing::StartsWith("weft "), testing::StartsWith("mpirun "))) << command;
      if (example.rfind("weft ", 0) != 0 || !has_files(example)) continue;
      const bool refuted = example.find("--proof refuted") != std::string::npos;
      EXPECT_EQ(status_of(example), refuted ? 1 : 0) << example << "\n" << read("err");
      commands_seen.insert(command);
      ++seen;
    }
  EXPECT_GE(seen, lacks("collective") ? 15u : 35u);
  EXPECT_GE(commands_seen.size(), lacks("collective") ? 8u : 11u);
}

}  // namespace
}  // namespace weft::cli
