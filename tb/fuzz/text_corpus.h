// SPDX-License-Identifier: Apache-2.0
/// Seeds of the targets that read a user's texts.
#pragma once

#include <map>
#include <string>

namespace weft::fuzz {

/// By name, as the input of the target: small sound examples, and those that would overflow a stack, repeat a list for
/// ever or fill messages.
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
