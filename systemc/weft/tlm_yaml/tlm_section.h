// SPDX-License-Identifier: Apache-2.0
/// The section `tlm` of a platform's file.
#pragma once

#include "weft/tlm/parameters.h"
#include "weft/yaml/section.h"

namespace weft::experiment {

/// The section \p node, with its keys.
yaml_section tlm_section(yaml_errors& errors, const YAML::Node& node);

/// Stores the values of the section in \p p, whose graph must be set.
void read_tlm_section(const yaml_section& section, tlm2::noc_parameters& p);

}  // namespace weft::experiment
