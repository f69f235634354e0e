// SPDX-License-Identifier: Apache-2.0
/// The seed inputs of the fuzz targets that read text files.
#pragma once

#include <map>
#include <string>

namespace weft::fuzz {

/// Inputs of a fuzz target, by name: small valid examples, and inputs with deep nesting, exponential aliases or very
/// long names.
using seeds = std::map<std::string, std::string>;

seeds yaml_seeds();
seeds network_seeds();
seeds graphml_seeds();
seeds dot_seeds();
seeds lists_seeds();
seeds recording_seeds();
seeds ccsched_seeds();
seeds forwarding_seeds();
seeds rules_seeds();
seeds configuration_seeds();

}  // namespace weft::fuzz
