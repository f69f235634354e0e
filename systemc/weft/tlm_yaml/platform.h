// SPDX-License-Identifier: Apache-2.0
/// Reads the parameters of a network in a virtual platform from a YAML file.
/// The file has the sections `network` and `nic` of an experiment (docs/02_user/configuration.md) and a section `tlm`
/// (docs/02_user/tlm.md). Any other section, and any key without effect in a platform, is an error.
/// This file is separate from weft/tlm because it depends on the table of configuration keys, whereas the TLM component
/// does not read files.
#pragma once

#include <filesystem>
#include <string>

#include "weft/core/diagnostic.h"
#include "weft/tlm/parameters.h"

namespace weft::experiment {

/// \throws input_error (weft/core/diagnostic.h) with a line `file:line:column: error: …` for each error
tlm2::noc_parameters load_platform(const std::filesystem::path& file);

/// Parses \p text like the contents of a file. \p file is its name in messages and the base of relative paths.
tlm2::noc_parameters parse_platform(const std::string& text, const std::filesystem::path& file);

}  // namespace weft::experiment
