// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/page_text.h"

#include <fmt/format.h>

#include "weft/core/escape.h"

namespace weft::experiment {

std::string html(const std::string& text) { return xml_text(text); }

std::string script_json(const json& data) {
  std::string text = compact_text(data);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       std::size_t texts) {
  const auto row_of = [texts](const std::vector<std::string>& cells, const char* kind) {
    std::string row = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      row += fmt::format("<{0}{1}>{2}</{0}>", kind, i < texts ? " class=\"text\"" : "", cells[i]);
    return row + "</tr>\n";
  };
  std::string text = "<div class=\"scroll\"><table>\n<thead>" + row_of(head, "th") + "</thead>\n<tbody>\n";
  for (const auto& row : rows) text += row_of(row, "td");
  return text + "</tbody></table></div>\n";
}

std::string html_figure(const std::string& id, const std::string& svg, const std::string& caption) {
  return fmt::format("<figure class=\"picture\" id=\"{}\">\n{}<figcaption>{}</figcaption></figure>\n", html(id), svg,
                     html(caption));
}

}  // namespace weft::experiment
