// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of `weft sweep`.
#pragma once

#include "cli/command.h"
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace weft::cli {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class cli_sweep : public command_test {
 protected:
  cli_sweep() {
    write("small.yaml",
          "network: {topology: {shape: [3, 3]}}\nworkload: {injection: {load: 0.1}}\n"
          "simulation: {level: engine, warmup: 100, measure: 1000}\n");
  }

  /// The ids of all points of the store, as `weft export` prints them.
  std::vector<std::string> stored(const std::string& store = "results/points.sqlite") {
    const command_result r = weft({"export", store});
    std::vector<std::string> ids;
    for (const std::string& line : lines_of(r.out)) ids.push_back(line.substr(0, line.find(',')));
    if (!ids.empty()) ids.erase(ids.begin());
    return ids;
  }

  /// Runs a line of shell in the test's directory. \return its exit status
  int shell(const std::string& line) const {
    return std::system(fmt::format("cd '{}' && {}", m_directory.path().string(), line).c_str());
  }
};

}  // namespace weft::cli
