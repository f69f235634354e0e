// SPDX-License-Identifier: Apache-2.0
/// Converts a configuration of Noxim, a YAML file.
#pragma once

#include <string>
#include <vector>

#include "weft/import/converted_configuration.h"
#include "weft/import/foreign_settings.h"

namespace weft::experiment {

/// Whether \p text is a configuration of Noxim: a YAML map with at least one key of Noxim other than `topology`.
bool is_noxim_file(const std::string& text);

/// The settings of \p text at its top level. \param file its name in messages \throws input_error if it is not YAML
foreign_settings read_noxim_file(const std::string& text, const std::string& file);

/// Converts \p in, as import_booksim() does. \throws input_error
converted_configuration import_noxim(foreign_settings& in);

}  // namespace weft::experiment
