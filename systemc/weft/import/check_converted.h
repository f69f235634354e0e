// SPDX-License-Identifier: Apache-2.0
/// Checks a converted configuration as `weft check` does, and reports errors at the settings that cause them.
#pragma once

#include <string>

#include "weft/import/converted_configuration.h"
#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// A file that a converted configuration names.
struct converted_file {
  std::string key;     ///< the key that names it
  std::string text;    ///< in Weft's format; empty: there is none
  std::string source;  ///< the file from which it was converted
};

/// Reads the values of \p out, and builds the network. \param file the file that it names \throws input_error at the
/// settings of \p in
void check_converted(const converted_configuration& out, const imported_settings& in, const converted_file& file);

/// Checks the structure of the network in \p file. \throws input_error with its source as place
void check_converted(const converted_file& file);

}  // namespace weft::experiment
