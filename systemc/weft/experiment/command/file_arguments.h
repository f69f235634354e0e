// SPDX-License-Identifier: Apache-2.0
/// The files that a command line names, so that none of them is overwritten by mistake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/experiment/command/command.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

struct file_argument {
  std::string option;    ///< or key: what names it, such as "--json" or "CONFIG"
  std::string file;      ///< "-" for standard input or output; empty for none
  std::string remedy{};  ///< of an output, how to write elsewhere, such as "set output.name"; empty: by the option
};

/// CONFIG, what it includes and the files that its keys name; nothing without CONFIG.
std::vector<file_argument> inputs_of(const input& in, const configuration& c);

/// A result file, which keys name.
file_argument result_argument(const std::filesystem::path& file);

/// inputs_of(), but CONFIG itself only if it is no result: one that is run again writes itself anew.
std::vector<file_argument> kept_inputs_of(const input& in, const configuration& c);

/// The files that \p stored comes from.
std::vector<file_argument> arguments_of(const stored_results& stored);

/// The two files of `--proof`; nothing if \p proof is empty.
std::vector<file_argument> proof_files(const std::string& proof);

/// A file, or a folder and its files. \p option named it.
std::vector<file_argument> with_content(const std::string& option, const std::string& file);

/// Refuses outputs that would overwrite an input or one another, under whatever names; standard output takes one of
/// them. Devices and pipes may be named more than once.
/// \throws configuration_error that names both
void check_outputs(const std::vector<file_argument>& outputs, const std::vector<file_argument>& inputs);

}  // namespace weft::experiment
