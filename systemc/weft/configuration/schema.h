// SPDX-License-Identifier: Apache-2.0
/// Generates the JSON Schema for editors and the page of the user guide from the table of keys.
#pragma once

#include <string>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// JSON Schema, draft 2020-12, of a configuration file.
json json_schema();

/// The default of a key in words or, in backticks, as YAML; "none" for an empty one.
std::string default_text(const key& k);

/// The text of docs/02_user/configuration.md.
std::string markdown_page();

}  // namespace weft::experiment
