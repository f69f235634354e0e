// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: configurations with the files that they include.
///
/// Input: files, separated by a byte 0: the main file, then at most eight files that it may include as `1`, `2` and so
/// on. After a byte 1, settings of `--set`, one per line. Rules: the reader throws only configuration_error. A
/// configuration that is written and read again is the same.
#include "tb/fuzz/text_rules.h"
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"

namespace {

using namespace weft;

/// The folder of this process for the files of an input.
std::filesystem::path folder() {
  static const std::filesystem::path Folder = [] {
    std::filesystem::path made = std::filesystem::temp_directory_path() / ("weft_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  return Folder;
}

std::vector<std::string> parts_of(const std::string& text, char between, std::size_t most) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; parts.size() < most && std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft::experiment;
  constexpr std::size_t MostFiles = 8, MostSettings = 4;
  const std::vector<std::string> halves = parts_of(fuzz::text_of(data, size), '\1', 2);
  if (halves.empty()) return 0;
  const std::vector<std::string> files = parts_of(halves[0], '\0', MostFiles);
  if (files.empty()) return 0;
  for (std::size_t i = 1; i < MostFiles; ++i) {
    const std::filesystem::path file = folder() / std::to_string(i);
    if (i < files.size())
      std::ofstream(file, std::ios::binary) << files[i];
    else
      std::filesystem::remove(file);
  }
  const std::filesystem::path main = folder() / "main.yaml";
  const auto read = fuzz::read_or_rejected([&] {
    std::vector<setting> settings;
    if (halves.size() > 1)
      for (const std::string& line : parts_of(halves[1], '\n', MostSettings)) settings.push_back(parse_setting(line));
    return parse_configuration(files[0], main, settings);
  });
  if (!read) return 0;
  const std::string written = to_json(*read).dump();
  const auto again = fuzz::read_or_rejected([&] { return parse_configuration(written, main); });
  fuzz::require(again && to_json(*again).dump() == written, "a configuration is written and read again unchanged");
  return 0;
}
