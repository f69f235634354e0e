// SPDX-License-Identifier: Apache-2.0
/// Text as HTML takes it.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"

namespace weft::experiment {

/// \p text as content of an element or of a quoted attribute.
std::string html(const std::string& text);

/// \p data as content of a <script> of JSON, which nothing in it can end.
std::string script_json(const json& data);

/// A table; cells are HTML. The first \p texts columns are of text and lie to the left.
std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       std::size_t texts);

/// <figure> with \p svg, named \p id.
std::string html_figure(const std::string& id, const std::string& svg, const std::string& caption);

/// The style and the script of the page, from page.css and page.js.
extern const char* const PageStyle;
extern const char* const PageScript;

}  // namespace weft::experiment
