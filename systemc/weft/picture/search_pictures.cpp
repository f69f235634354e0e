// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/search_pictures.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/picture/chart.h"
#include "weft/picture/page_text.h"
#include "weft/study/table.h"

namespace weft::experiment {

namespace {

std::string name_with_unit(const json& objective) {
  const auto unit = objective.at("unit").get<std::string>();
  return objective.at("statistic").get<std::string>() + (unit.empty() ? "" : ", " + unit);
}

std::string axis_of(const json& objective) {
  return name_with_unit(objective) + (objective.at("better") == "larger" ? " (larger is better)" : "");
}

double value_in(const json& member, const json& objective) {
  return member.at("statistics").at(objective.at("statistic").get<std::string>()).at("value").get<double>();
}

/// The last parts of the keys of \p settings, as titles.
std::vector<std::string> titles_of(const json& settings) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : settings.items()) keys.push_back(key);
  return column_titles(keys);
}

std::string label_of(const json& settings) {
  const std::vector<std::string> titles = titles_of(settings);
  std::vector<std::string> parts;
  for (const auto& [key, value] : settings.items())
    parts.push_back(fmt::format("{}={}", titles[parts.size()], value.get<std::string>()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A value with four digits, and its interval if it has one.
std::string figure_text(const json& figure) {
  const json& half_width = figure.at("half_width");
  const std::string text = fmt::format("{:.4g}", figure.at("value").get<double>());
  return half_width.is_null() || half_width == 0 ? text : text + fmt::format(" ± {:.2g}", half_width.get<double>());
}

std::string front_table(const json& search) {
  const json& front = search.at("front");
  if (front.empty()) return "<p>No measured design keeps the constraints.</p>\n";
  std::vector<std::string> head;
  for (const std::string& title : titles_of(front.at(0).at("settings"))) head.push_back(html(title));
  const std::size_t parameters = head.size();
  for (const json& objective : search.at("objectives")) head.push_back(html(name_with_unit(objective)));
  head.emplace_back("confidence");
  std::vector<std::vector<std::string>> rows;
  for (const json& member : front) {
    rows.emplace_back();
    for (const auto& [key, value] : member.at("settings").items())
      rows.back().push_back(html(value.get<std::string>()));
    for (const json& objective : search.at("objectives"))
      rows.back().push_back(
          html(figure_text(member.at("statistics").at(objective.at("statistic").get<std::string>()))));
    rows.back().push_back(html(member.at("confidence").get<std::string>()));
  }
  return html_table(head, rows, parameters);
}

}  // namespace

std::optional<picture> search_picture(const json& search) {
  const json &objectives = search.at("objectives"), &front = search.at("front");
  if (objectives.size() < 2 || front.empty()) return std::nullopt;
  const auto name = search.at("name").get<std::string>();
  front_chart chart{name + ": measured designs", axis_of(objectives.at(0)), axis_of(objectives.at(1)), {}, {}};
  series others{"measured", {}}, best{"on the front", {}};
  for (const json& values : search.at("others"))
    others.samples.push_back(sample{values.at(0).get<double>(), values.at(1).get<double>(), {}});
  for (const json& member : front) {
    const double x = value_in(member, objectives.at(0)), y = value_in(member, objectives.at(1));
    best.samples.push_back(sample{x, y, {}});
    if (objectives.size() == 2) chart.front.push_back({x, y, label_of(member.at("settings"))});
  }
  std::stable_sort(chart.front.begin(), chart.front.end(), [](const mark& a, const mark& b) { return a.x < b.x; });
  const auto same_place = [](const mark& a, const mark& b) { return a.x == b.x && a.y == b.y; };
  chart.front.erase(std::unique(chart.front.begin(), chart.front.end(), same_place), chart.front.end());
  if (!others.samples.empty()) chart.points.push_back(std::move(others));
  chart.points.push_back(std::move(best));
  return to_picture(chart);
}

std::string search_section(const json& search, const std::string& id) {
  std::string text = fmt::format(
      "<h2 id=\"{}\">Search {}</h2>\n<p>{} of {:.0f} designs are on the front; {:.4g} runs{}</p>\n", id,
      html(search.at("name").get<std::string>()), search.at("front").size(), search.at("space").get<double>(),
      search.at("spent").get<double>(), search.at("interrupted").get<bool>() ? "; interrupted" : "");
  text += front_table(search);
  if (const std::optional<picture> made = search_picture(search))
    text += "<div class=\"pictures\">\n" +
            html_figure(id + "-front", draw(*made, picture_format::Svg, id + "-front"),
                        "the measured designs over the first two objectives") +
            "</div>\n";
  return text;
}

}  // namespace weft::experiment
