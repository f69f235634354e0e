// SPDX-License-Identifier: Apache-2.0
/// Writes manual pages from the declarations of the commands and from the table of configuration keys.
#pragma once

#include <string>
#include <vector>

#include "weft/command/command.h"

namespace weft::experiment {

/// A manual page in the macros of man(7).
struct manual_page {
  std::string name;     ///< such as "weft-run"
  unsigned section;     ///< 1 for commands, 5 for file formats
  std::string content;  ///< UTF-8

  std::string file() const { return name + "." + std::to_string(section); }
};

/// All pages: weft(1), a page for each command, such as weft-run(1), and weft-configuration(5) with all keys.
std::vector<manual_page> manual_pages(const command_set& commands);

}  // namespace weft::experiment
