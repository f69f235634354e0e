// SPDX-License-Identifier: Apache-2.0
/// Lists the files that a command line names, and checks that no file is overwritten by mistake.
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
  std::string remedy{};  ///< for an output: how to select another file, if not by the option
};

/// CONFIG, its included files, and the files named by its keys; empty without CONFIG.
std::vector<file_argument> inputs_of(const input& in, const configuration& c);

/// The argument for a result file, whose name is set by keys.
file_argument result_argument(const std::filesystem::path& file);

/// The files of inputs_of() that an output must not overwrite. CONFIG is not among them if it is a result, because a
/// result that is run again replaces itself.
std::vector<file_argument> kept_inputs_of(const input& in, const configuration& c);

/// The files from which \p stored was read.
std::vector<file_argument> arguments_of(const stored_results& stored);

/// The two files of `--proof`; nothing if \p proof is empty.
std::vector<file_argument> proof_files(const std::string& proof);

/// The file \p file or, if it is a folder, the folder and its files, as arguments of \p option.
std::vector<file_argument> with_content(const std::string& option, const std::string& file);

/// Rejects outputs that would overwrite an input or each other, also if their names differ. Only one output may go to
/// standard output. Several options may name the same device or pipe. \throws configuration_error with the names of
/// both files
void check_outputs(const std::vector<file_argument>& outputs, const std::vector<file_argument>& inputs);

}  // namespace weft::experiment
