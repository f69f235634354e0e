// SPDX-License-Identifier: Apache-2.0
/// Compares commands, options and files in the pages, and ports in the figures, with the command and the sources.
#include "cli/command.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

/// The pages as the build makes them, at their places among the files of the repository.
const fs::path Root = WEFT_PAGES_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in.good()) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Files below \p folder of the repository with \p extension, by path.
std::vector<fs::path> files_below(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(Root / folder))
    if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Every page that describes the present state: docs/ and the README of each folder, but not the change log.
std::vector<fs::path> pages() {
  std::vector<fs::path> all{Root / "README.md", Root / "CONTRIBUTING.md"};
  for (const char* const folder : {"docs", "rtl", "tb", "synth", "examples"})
    for (const fs::path& page : files_below(folder, ".md")) all.push_back(page);
  return all;
}

/// All matches of the first group of \p expression in \p text.
std::set<std::string> found_in(const std::string& text, const std::regex& expression) {
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

std::string place_of(const fs::path& file) { return fs::relative(file, Root).string(); }

class cli_docs : public command_test {};

// sources_names_in_pages checks sources that a page names by a part of their path.
TEST_F(cli_docs, files_named_in_pages_exist) {
  const std::regex path(R"((?:^|[^\w/.$*-])((?:systemc|rtl|tb|tests|docs|examples|scripts|synth|cmake)/[\w./-]*\w))");
  std::size_t seen = 0;
  for (const fs::path& page : pages())
    for (const std::string& name : found_in(text_of(page), path)) {
      if (name.find("NAME") != std::string::npos) continue;  // stands for the name of an experiment
      ++seen;
      EXPECT_TRUE(fs::exists(Root / name) || fs::exists(Root / (name + ".h"))) << place_of(page) << " names " << name;
    }
  EXPECT_GT(seen, 100u);
}

/// The commands of `weft --help`, each with the options of its own help.
class known_options {
 public:
  explicit known_options(const std::function<command_result(const std::vector<std::string>&)>& weft) {
    const std::string help = weft({"--help"}).out;
    const std::string list = help.substr(help.find("Subcommands:"));
    for (const std::string& command : found_in(list, std::regex(R"(\n  (\w+) )")))
      m_options[command] = found_in(weft({command, "--help"}).out, std::regex(R"(\n  (?:-\w,)?(--[\w-]+))"));
  }
  const std::map<std::string, std::set<std::string>>& by_command() const { return m_options; }
  std::set<std::string> all() const {
    std::set<std::string> all{"--version", "--help"};
    for (const auto& [command, options] : m_options) all.insert(options.begin(), options.end());
    return all;
  }

 private:
  std::map<std::string, std::set<std::string>> m_options;
};

TEST_F(cli_docs, command_lines_in_pages_use_existing_options) {
  const known_options known([this](const std::vector<std::string>& arguments) { return weft(arguments); });
  const std::regex line(R"((?:^|\n|`|\|) *(?:\./run|weft) ([a-z]+)([^\n`|]*))");
  const std::regex option(R"( (--[a-z]+))");
  std::size_t seen = 0;
  for (const fs::path& page : pages()) {
    const std::string text = text_of(page);
    for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) {
      const auto command = known.by_command().find((*i)[1]);
      if (command == known.by_command().end()) {
        EXPECT_THAT((*i)[1].str(), ::testing::AnyOf("installs", "simulates")) << place_of(page) << ": " << i->str();
        continue;
      }
      ++seen;
      for (const std::string& name : found_in((*i)[2], option))
        EXPECT_EQ(command->second.count(name), 1u)
            << place_of(page) << ": weft " << command->first << " has no " << name;
    }
  }
  EXPECT_GT(seen, 30u);
}

TEST_F(cli_docs, guide_covers_all_commands_and_no_unknown_options) {
  const known_options known([this](const std::vector<std::string>& arguments) { return weft(arguments); });
  const std::string guide = text_of(Root / "docs/02_user/command.md") + text_of(Root / "docs/02_user/codec.md");
  for (const auto& [command, options] : known.by_command()) {
    EXPECT_NE(guide.find("`weft " + command), std::string::npos) << command;
    for (const std::string& option : options)
      EXPECT_NE(guide.find(option), std::string::npos) << option << " of weft " << command;
  }
  const std::set<std::string> all = known.all();
  for (const std::string& option : found_in(guide, std::regex(R"([ `](--[a-z]+))")))
    EXPECT_EQ(all.count(option), 1u) << option;
}

/// The text of an SVG drawing.
std::string words_of_svg(const std::string& svg) {
  std::string words;
  for (const std::string& text : found_in(svg, std::regex(R"(<text[^>]*>([^<]*)<)"))) words += text + "\n";
  return words;
}

TEST_F(cli_docs, module_figures_show_only_existing_ports) {
  const std::regex port(R"((?:^|[^\w])([a-z][a-z0-9_]*_(?:i|o|ni))(?!\w))");
  std::size_t seen = 0;
  for (const fs::path& module : files_below("systemc/weft/pin", ".h")) {
    const fs::path figure = Root / "docs/figures" / (module.stem().string() + ".svg");
    if (!fs::exists(figure) || module.stem() == "clock_gate") continue;  // its figure is of another module
    std::string sources = text_of(module);
    for (const std::string& base : found_in(sources, std::regex(R"re(#include "(weft/pin/[^"]+)")re")))
      sources += text_of(Root / "systemc" / base);
    for (const std::string& name : found_in(words_of_svg(text_of(figure)), port)) {
      ++seen;
      EXPECT_TRUE(std::regex_search(sources, std::regex("\\b" + name + "\\b")))
          << place_of(figure) << " shows " << name;
    }
  }
  EXPECT_GT(seen, 100u);
}

}  // namespace
}  // namespace weft::cli
