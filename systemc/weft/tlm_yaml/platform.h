// SPDX-License-Identifier: Apache-2.0
/// Parameters of a network in a virtual platform, from a YAML file.
/// The file has the sections `network` and `nic` of an experiment (docs/02_user/configuration.md) and a section `tlm`
/// (docs/02_user/tlm.md). Anything else, and any key without effect in a platform, is an error.
/// This file belongs to experiment because it uses the table of keys; the TLM component itself does not depend on
/// files.
#pragma once

#include <filesystem>
#include <string>

#include "weft/core/diagnostic.h"
#include "weft/tlm/parameters.h"

namespace weft::experiment {

/// \throws input_error (weft/core/diagnostic.h) with a line `file:line:column: error: …` for each error
tlm2::noc_parameters load_platform(const std::filesystem::path& file);

/// The same from a text; \p file is its name in messages and the base of its paths.
tlm2::noc_parameters parse_platform(const std::string& text, const std::filesystem::path& file);

}  // namespace weft::experiment
