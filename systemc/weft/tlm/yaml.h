/// Parameters of a network in a virtual platform from a YAML file.
///
/// The file has the sections `network`, `flit` and `nic` of an experiment (docs/02_user/configuration.md) and a section
/// `tlm` (docs/02_user/tlm.md).
#pragma once

#include <filesystem>
#include <string>

#include "weft/tlm/parameters.h"

namespace weft::tlm {

/// \throws experiment::configuration_error (weft/experiment/configuration/configuration.h) with a line `file:line:column: error: …`
/// for everything that is wrong
noc_parameters from_yaml(const std::filesystem::path& file);

/// The same from a text; \p file is its name in messages.
noc_parameters from_yaml_text(const std::string& text, const std::filesystem::path& file);

}  // namespace weft::tlm
