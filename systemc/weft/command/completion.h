// SPDX-License-Identifier: Apache-2.0
/// Finds the words that can complete a command line. They come from the declarations of the commands and from the table
/// of configuration keys, so a shell needs no list of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/command/command.h"

namespace weft::experiment {

/// What can take the place of the last word of a command line.
struct completion {
  enum class kind : std::uint8_t {
    Words,        ///< one of `candidates`
    Files,        ///< the name of a file
    Directories,  ///< the name of a directory
  };
  struct candidate {
    std::string word;         ///< the whole word; more text follows if it ends with "." or "="
    std::string description;  ///< one line; may be empty
  };
  kind what = kind::Words;
  std::vector<candidate> candidates;
};

/// Completes the last of \p words, the arguments of `weft`. Each candidate begins with it.
completion complete(const command_set& commands, const std::vector<std::string>& words);

/// Completes \p typed, the beginning of KEY=VALUE or of KEY=VALUE,VALUE,…: first the sections, then the keys of a
/// section, then the values of a key. There are no candidates for numbers and texts.
completion complete_setting(const std::string& typed);

}  // namespace weft::experiment
