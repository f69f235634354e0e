// SPDX-License-Identifier: Apache-2.0
/// Escapes text for HTML, and makes HTML tables and figures.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// \p text escaped as content of an element or of a quoted attribute.
std::string html(const std::string& text);

/// \p data as content of a <script> element, escaped so that it cannot end the element.
std::string script_json(const json& data);

/// An HTML table whose cells contain HTML. The first \p texts columns are left-aligned.
std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       std::size_t texts);

/// A <figure> element with the id \p id, the picture \p svg and a caption.
std::string html_figure(const std::string& id, const std::string& svg, const std::string& caption);

/// Style sheet and script of the page, from page.css and page.js.
extern const char* const PageStyle;
extern const char* const PageScript;

}  // namespace weft::experiment
