// SPDX-License-Identifier: Apache-2.0
/// Reads the section `tlm` of the file of a virtual platform.
#pragma once

#include "weft/tlm/parameters.h"
#include "weft/yaml/section.h"

namespace weft::experiment {

/// Returns \p node as the section `tlm`, with the keys that it may have.
yaml_section tlm_section(yaml_errors& errors, const YAML::Node& node);

/// Stores the values of \p section in \p p. The graph in \p p must be set before.
void read_tlm_section(const yaml_section& section, tlm2::noc_parameters& p);

}  // namespace weft::experiment
