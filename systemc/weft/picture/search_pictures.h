// SPDX-License-Identifier: Apache-2.0
/// Pictures and tables of a search over designs, from NAME.explore.json of `weft explore`.
#pragma once

#include <optional>
#include <string>

#include "weft/configuration/keys.h"
#include "weft/picture/gnuplot.h"

namespace weft::experiment {

/// The measured designs and the front of \p search, over its first two objectives. Nothing with a single objective, or
/// if no measured design keeps the constraints. \throws json::exception if \p search is damaged
std::optional<picture> search_picture(const json& search);

/// The section of the report page: what the search did, its front as a table, and its picture. \param id id of the
/// section in the page. \throws json::exception if \p search is damaged
std::string search_section(const json& search, const std::string& id);

}  // namespace weft::experiment
