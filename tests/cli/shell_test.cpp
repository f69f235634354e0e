// SPDX-License-Identifier: Apache-2.0
/// Completion of command lines and manual pages: both have every command, option and key of the program.
#include "cli/command.h"
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class cli_shell : public command_test {
 protected:
  /// The lines that `weft completion` prints for \p words, without descriptions.
  std::vector<std::string> completed(std::vector<std::string> words) {
    words.insert(words.begin(), {"completion", "bash", "--"});
    const command_result r = weft(words);
    EXPECT_EQ(r.status, 0) << r.err;
    std::vector<std::string> lines;
    std::istringstream text(r.out);
    for (std::string line; std::getline(text, line);) lines.push_back(line.substr(0, line.find('\t')));
    return lines;
  }

  /// The manual page of \p command, without the escapes of roff and its fonts.
  std::string manual(const std::string& command) {
    std::string page =
        weft(command.empty() ? std::vector<std::string>{"manual"} : std::vector<std::string>{"manual", command}).out;
    for (const auto& [escape, text] :
         {std::pair{R"(\\f[BIR])", ""}, std::pair{R"(\\-)", "-"}, std::pair{R"(\\&)", ""}, std::pair{R"(\\e)", "\\"}})
      page = std::regex_replace(page, std::regex(escape), text);
    return page;
  }

  std::set<std::string> all_commands() {
    const std::string help = weft({"--help"}).out, heading = "Subcommands:\n";
    std::set<std::string> names;
    std::istringstream lines(help.substr(help.find(heading) + heading.size()));
    for (std::string name, rest; lines >> name && std::getline(lines, rest);) names.insert(name);
    return names;
  }
};

/// The long options in the section "Options:" of \p help.
std::set<std::string> options_in(const std::string& help) {
  const std::string options = help.substr(help.find("Options:"), help.find("\n\n", help.find("Options:")));
  const std::regex line("\n  (?:-[a-z],)?(--[a-z-]+)");
  std::set<std::string> names;
  for (std::sregex_iterator at(options.begin(), options.end(), line), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

/// Adds the paths of all keys in the part \p schema of a JSON Schema, whose path is \p path.
void add_keys(const nlohmann::json& schema, const std::string& path, std::set<std::string>& found) {
  if (schema.contains("anyOf"))  // a section with a short form
    for (const auto& one : schema["anyOf"])
      if (one.contains("properties")) return add_keys(one, path, found);
  if (!schema.contains("properties")) {
    if (path != "include") found.insert(path);
    return;
  }
  for (const auto& [name, part] : schema["properties"].items())
    if (!part.contains("patternProperties")) add_keys(part, path.empty() ? name : path + "." + name, found);
}

TEST_F(cli_shell, completes_commands_and_options_of_each_command) {
  const std::set<std::string> commands = all_commands();
  ASSERT_GT(commands.size(), 15u);
  for (const std::string& command : commands) {
    EXPECT_THAT(completed({command.substr(0, 2)}), Contains(command));
    if (lacks(command)) continue;
    const std::set<std::string> options = options_in(weft({command, "--help"}).out);
    ASSERT_FALSE(options.empty()) << command;
    const std::vector<std::string> offered = completed({command, "--"});
    for (const std::string& option : options) EXPECT_THAT(offered, Contains(option)) << command;
  }
  EXPECT_THAT(completed({"--v"}), ElementsAre("words", "--version"));
  EXPECT_THAT(completed({"unknown", ""}), ElementsAre("words"));
}

TEST_F(cli_shell, completes_files_directories_and_listed_values) {
  EXPECT_THAT(completed({"run", "a"}), ElementsAre("files"));
  EXPECT_THAT(completed({"run", "a.yaml", "-o", ""}), ElementsAre("directories"));
  EXPECT_THAT(completed({"run", "--output="}), ElementsAre("directories"));
  EXPECT_THAT(completed({"run", "a.yaml", ""}), ElementsAre("words"));
  EXPECT_THAT(completed({"diff", "a.json", ""}), ElementsAre("files"));
  EXPECT_THAT(completed({"plot", "latency-load", "a", "b"}), ElementsAre("files"));
  EXPECT_THAT(completed({"plot", "latency"}), ElementsAre("words", "latency-load", "latency-time"));
  EXPECT_THAT(completed({"topology", "--nics", ""}), ElementsAre("words", "streams", "axi"));
  EXPECT_THAT(completed({"topology", "--nics=a"}), ElementsAre("words", "--nics=axi"));
  EXPECT_THAT(completed({"manual", "conf"}), ElementsAre("words", "configuration"));
  EXPECT_THAT(completed({"sweep", "--quiet", "a"}), ElementsAre("files"));
  EXPECT_THAT(completed({"sweep", "-j", "2", "a"}), ElementsAre("files"));
}

TEST_F(cli_shell, completes_keys_and_values_of_settings) {
  EXPECT_THAT(completed({"run", "--set", "netw"}), ElementsAre("words", "network."));
  EXPECT_THAT(completed({"run", "--set=network.router.de"}), ElementsAre("words", "--set=network.router.depth="));
  EXPECT_THAT(completed({"run", "--set", "simulation.level="}),
              ElementsAre("words", "simulation.level=pin", "simulation.level=engine"));
  EXPECT_THAT(completed({"run", "--set", "workload.pattern=to"}), ElementsAre("words", "workload.pattern=tornado"));
  EXPECT_THAT(completed({"sweep", "--over", "nic.coding=true,f"}), ElementsAre("words", "nic.coding=true,false"));
  EXPECT_THAT(completed({"run", "--set", "workload.trace="}), ElementsAre("files"));
  EXPECT_THAT(completed({"run", "--set", "network.router.vcs="}), ElementsAre("words"));
  EXPECT_THAT(completed({"run", "--set", "no.such.key="}), ElementsAre("words"));
}

TEST_F(cli_shell, completion_offers_and_the_manual_describes_every_key) {
  std::set<std::string> keys;
  add_keys(nlohmann::json::parse(weft({"schema"}).out), "", keys);
  ASSERT_GT(keys.size(), 100u);
  const std::string page = manual("configuration");
  std::map<std::string, std::vector<std::string>> offered;  // by section
  for (const std::string& key : keys) {
    EXPECT_THAT(page, HasSubstr(".TP\n" + key + "\n"));
    const std::string section = key.substr(0, key.rfind('.') + 1);
    if (offered.count(section) == 0) offered[section] = completed({"run", "--set", section});
    EXPECT_THAT(offered[section], Contains(key + "="));
  }
}

TEST_F(cli_shell, the_manual_has_a_page_with_all_options_for_each_command) {
  ASSERT_EQ(weft({"manual", "-o", "man"}).status, 0);
  const std::vector<std::string> files = files_in("man");
  const std::string overview = manual("");
  for (const std::string& command : all_commands()) {
    EXPECT_THAT(files, Contains("weft-" + command + ".1"));
    EXPECT_THAT(overview, HasSubstr("weft-" + command + " (1)"));
    const std::string page = manual(command), help = weft({command, "--help"}).out;
    EXPECT_THAT(page, HasSubstr(first_line(help))) << command;
    if (!lacks(command)) {
      for (const std::string& option : options_in(help)) EXPECT_THAT(page, HasSubstr(option)) << command;
    }
    if (help.find("\nExamples:\n") != std::string::npos) {
      EXPECT_THAT(page, HasSubstr(".SH EXAMPLES\n")) << command;
    }
    if (help.find("\nExit status: ") != std::string::npos) {
      EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n")) << command;
    }
  }
  EXPECT_THAT(files, Contains("weft.1"));
  EXPECT_THAT(files, Contains("weft-configuration.5"));
}

TEST_F(cli_shell, rejects_unknown_shells_and_pages) {
  EXPECT_EQ(weft({"completion", "tcsh"}).status, 2);
  const command_result r = weft({"manual", "runn"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("'runn'; did you mean 'run'?"));
}

}  // namespace
}  // namespace weft::cli
