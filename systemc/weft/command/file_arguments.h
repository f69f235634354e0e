// SPDX-License-Identifier: Apache-2.0
/// The files that a command line names, and checks that none is overwritten by mistake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/command/command.h"
#include "weft/configuration/configuration.h"
#include "weft/picture/stored.h"

namespace weft::experiment {

struct file_argument {
  std::string option;    ///< the option or key that names it, such as "--json" or "CONFIG"
  std::string file;      ///< "-" for standard input or output; empty for none
  std::string remedy{};  ///< for an output: how to write elsewhere, such as "set output.name"; empty: use the option
};

/// CONFIG, its included files, and the files named by its keys; empty without CONFIG.
std::vector<file_argument> inputs_of(const input& in, const configuration& c);

/// A result file, whose name comes from keys.
file_argument result_argument(const std::filesystem::path& file);

/// inputs_of(), without CONFIG if it is a result: a result that is run again replaces itself.
std::vector<file_argument> kept_inputs_of(const input& in, const configuration& c);

/// The files that \p stored was read from.
std::vector<file_argument> arguments_of(const stored_results& stored);

/// The two files of `--proof`; nothing if \p proof is empty.
std::vector<file_argument> proof_files(const std::string& proof);

/// A file, or a folder and its files, named by \p option.
std::vector<file_argument> with_content(const std::string& option, const std::string& file);

/// Rejects outputs that would overwrite an input or each other, under any name. Only one output may go to standard
/// output. Devices and pipes may be named repeatedly.
/// \throws configuration_error, which names both
void check_outputs(const std::vector<file_argument>& outputs, const std::vector<file_argument>& inputs);

}  // namespace weft::experiment
