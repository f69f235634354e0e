// SPDX-License-Identifier: Apache-2.0
/// All ports, registers and files that pages and figures name exist.
#include "sources/module_ports.h"
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::sources {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

namespace fs = std::filesystem;
/// The pages as the build makes them, at their places among the files of the repository.
const fs::path PagesRoot = WEFT_PAGES_DIR;

std::vector<fs::path> files_in(const std::vector<const char*>& folders, const std::set<std::string>& extensions) {
  std::vector<fs::path> found;
  for (const char* folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(PagesRoot / folder))
      if (extensions.count(entry.path().extension().string()) != 0) found.push_back(entry.path());
  return found;
}

void add_matches(const std::string& text, const std::regex& pattern, std::set<std::string>& found) {
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m) found.insert((*m)[1]);
}

/// Names of ports and registers: `flit_i`, `rst_ni`, `busy_o`, `count_q`, `state_d`.
std::set<std::string> wires_in(const std::string& text) {
  std::set<std::string> found;
  add_matches(text, std::regex(R"(\b(?:m_)?([a-z][a-z0-9]+(?:_[a-z0-9]+)*_(?:i|ni|o|q|d))\b)"), found);
  return found;
}

/// Files of the model that a text names with their folder: `core/xor_stages.h`, `rtl/nic/weft_compressor.sv`.
std::set<std::string> paths_in(const std::string& text) {
  std::set<std::string> found;
  add_matches(text, std::regex(R"((?:^|[\s`(])((?:[a-z_]+/)+[a-z0-9_]+\.(?:h|cpp|sv)\b))"), found);
  return found;
}

/// "page: name" for each name in a page or figure that is not in \p known.
std::vector<std::string> unknown(const fs::path& page, const std::set<std::string>& names,
                                 const std::set<std::string>& known) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (known.count(name) == 0) found.push_back(page.lexically_relative(PagesRoot).string() + ": " + name);
  return found;
}

TEST(sources_names_in_pages, every_wire_of_a_page_or_figure_is_in_the_code) {
  std::set<std::string> known;
  for (const fs::path& file : files_in({"rtl", "systemc"}, {".sv", ".svh", ".h", ".cpp"}))
    known.merge(wires_in(source_of(file)));
  EXPECT_GE(known.size(), 300U);
  unsigned seen = 0;
  for (const fs::path& page : files_in({"docs/03_reference", "docs/figures"}, {".md", ".svg"})) {
    const std::set<std::string> wires = wires_in(source_of(page));
    seen += static_cast<unsigned>(wires.size());
    EXPECT_THAT(unknown(page, wires, known), IsEmpty());
  }
  EXPECT_GE(seen, 300U);
}

TEST(sources_names_in_pages, every_source_file_named_in_a_page_exists) {
  const std::vector<fs::path> files =
      files_in({"docs", "rtl", "systemc", "tb", "tests", "examples"}, {".sv", ".svh", ".h", ".cpp"});
  unsigned seen = 0;
  for (const fs::path& page : files_in({"docs", "rtl", "tb", "synth"}, {".md"})) {
    for (const std::string& path : paths_in(source_of(page))) {
      ++seen;
      bool there = false;
      for (const fs::path& file : files) {
        const std::string whole = "/" + file.lexically_relative(PagesRoot).string(), part = "/" + path;
        there |= whole.size() >= part.size() && whole.compare(whole.size() - part.size(), part.size(), part) == 0;
      }
      EXPECT_TRUE(there) << page.lexically_relative(PagesRoot) << ": " << path;
    }
  }
  EXPECT_GE(seen, 30U);
}

TEST(sources_names_in_pages, detects_a_planted_name) {
  const std::set<std::string> wires = wires_in("| `flit_i[p]`, `no_such_q` | `m_count_q`, `rst_ni`, in_i_front |");
  EXPECT_THAT(wires, ElementsAre("count_q", "flit_i", "no_such_q", "rst_ni"));
  EXPECT_THAT(unknown(PagesRoot / "page.md", wires, {"flit_i", "count_q", "rst_ni"}),
              ElementsAre("page.md: no_such_q"));
  EXPECT_THAT(paths_in("see `core/none.h` and (rtl/nic/weft_none.sv), not a.h"),
              ElementsAre("core/none.h", "rtl/nic/weft_none.sv"));
}

}  // namespace
}  // namespace weft::sources
