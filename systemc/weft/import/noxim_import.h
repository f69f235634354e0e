// SPDX-License-Identifier: Apache-2.0
/// Converts a configuration of Noxim, a YAML file.
#pragma once

#include <optional>
#include <string>

#include "weft/import/converted_configuration.h"
#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// The settings of \p text at its top level; nothing if \p text is not a YAML map with at least one key of Noxim other
/// than `topology`. \param file its name in messages \throws input_error if a text with keys of Noxim is not YAML
std::optional<imported_settings> read_noxim_file(const std::string& text, const std::string& file);

/// Whether \p in has a traffic table, which import_noxim_table() converts.
bool has_noxim_table(const imported_settings& in);

/// The mean length of packets in flits.
double noxim_packet_length(imported_settings& in);

/// Converts \p in, as import_booksim() does. \param matrix_file the file for the converted traffic table
/// \throws input_error
converted_configuration import_noxim(imported_settings& in, const std::string& matrix_file);

}  // namespace weft::experiment
