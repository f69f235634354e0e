// SPDX-License-Identifier: Apache-2.0
/// Text for HTML.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// \p text escaped as content of an element or of a quoted attribute.
std::string html(const std::string& text);

/// \p data escaped as content of a JSON <script>, which it cannot terminate.
std::string script_json(const json& data);

/// A table with HTML cells. The first \p texts columns are text and left-aligned.
std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       std::size_t texts);

/// A <figure> that contains \p svg, with the id \p id.
std::string html_figure(const std::string& id, const std::string& svg, const std::string& caption);

/// Style sheet and script of the page, from page.css and page.js.
extern const char* const PageStyle;
extern const char* const PageScript;

}  // namespace weft::experiment
