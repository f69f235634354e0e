// SPDX-License-Identifier: Apache-2.0
/// Views of the table of keys: JSON Schema for editors, and the page of the user guide.
#pragma once

#include <string>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// JSON Schema, draft 2020-12, of a configuration file.
json json_schema();

/// The text of docs/02_user/configuration.md.
std::string markdown_page();

}  // namespace weft::experiment
