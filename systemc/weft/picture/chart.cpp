// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/escape.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

constexpr unsigned PlotWidth = 540, PlotHeight = 380, Left = 92, Right = 24, Top = 44, Bottom = 62;
constexpr double LetterWidth = 9.5, LegendLine = 19;  ///< in pixels, for labels with many wide letters in PNG
constexpr double TitleLetter = 9, TitleLine = 19;
constexpr std::size_t MostOfLegend = 72;  ///< length of the longest label in letters

/// The width of a text in pixels.
unsigned width_of(const std::string& text) {
  return static_cast<unsigned>(LetterWidth * static_cast<double>(letters_of(text)));
}

/// Splits \p text into lines of at most \p most letters, at blanks if possible.
std::vector<std::string> lines_of(std::string text, std::size_t most) {
  std::vector<std::string> lines;
  while (letters_of(text) > most) {
    std::string line = first_letters(text, most);
    const std::size_t blank = text[line.size()] == ' ' ? line.size() : line.rfind(' ');
    if (blank != std::string::npos && blank > 0) line.resize(blank);
    lines.push_back(line);
    text.erase(0, std::max(line.size(), text.find_first_not_of(' ', line.size())));
  }
  lines.push_back(text);
  return lines;
}

/// The layout of one or several plots side by side, with the legend of \p labels to their right. Empty labels have no
/// entry.
struct frame_of_plot {
  frame_of_plot(const std::string& title, const std::vector<std::string>& labels, unsigned below = Bottom,
                unsigned plots = 1)
      : title_lines(title_over(title, PlotWidth)),
        bottom(below),
        top(Top + title_lines.room),
        right(plots * (Left + PlotWidth)) {
    unsigned widest = 0, lines = 0;
    for (const std::string& label : labels) {
      widest = std::max(widest, width_of(label));
      lines += !label.empty();
    }
    width = right + Right + (lines > 0 ? widest + 66 : 0);
    height = top + std::max(PlotHeight, static_cast<unsigned>(LegendLine * lines)) + bottom;
  }

  std::string script(const std::string& x_label, const std::string& y_label, unsigned plot = 0) const {
    const unsigned left = Left + plot * (Left + PlotWidth);
    const auto x = [&](unsigned at) { return static_cast<double>(at) / width; };
    const auto y = [&](unsigned from_top) { return 1 - static_cast<double>(from_top) / height; };
    return fmt::format(
        "set margins at screen {:.5f}, screen {:.5f}, screen {:.5f}, screen {:.5f}\n"
        "set key at screen {:.5f}, screen {:.5f} left top Left reverse vertical maxcols 1 samplen 3 noenhanced\n"
        "set grid lc rgb '#dddddd' lt 1 lw 0.5\nset border 3 lc rgb '#444444'\nset tics nomirror\n"
        "{}set xlabel {} noenhanced\nset ylabel {} noenhanced\n",
        x(left), x(left + PlotWidth), y(height - bottom), y(top), x(right + 14), y(top), title_lines.command,
        gnuplot_text(x_label), gnuplot_text(y_label));
  }

  title_above title_lines;
  unsigned width = 0, height = 0, bottom = 0, top = 0;
  unsigned right = 0;  ///< end of the last plot
};

std::vector<std::string> labels_in(const std::vector<series>& list) {
  std::vector<std::string> labels;
  for (const series& s : list) labels.push_back(shortened(s.label, MostOfLegend));
  return labels;
}

std::string title_of(const std::string& label) {
  return label.empty() ? "notitle" : fmt::format("title {} noenhanced", gnuplot_text(shortened(label, MostOfLegend)));
}

/// The samples as gnuplot data block \p name: x, y and the two ends of the interval, which are NaN if there is none.
std::string data_block(const std::string& name, const series& s) {
  std::string text = fmt::format("${} << EOD\n", name);
  if (s.samples.empty()) text += "NaN NaN NaN NaN\n";  // gnuplot rejects an empty block
  for (const sample& at : s.samples) {
    text += fmt::format("{} {}", at.x, at.y);
    text += at.half_width ? fmt::format(" {} {}\n", at.y - *at.half_width, at.y + *at.half_width) : " NaN NaN\n";
  }
  return text + "EOD\n";
}

/// The color of part number \p index of a bar, one of eight colors that are easy to distinguish.
const char* part_colour(std::size_t index) {
  constexpr const char* Colours[] = {"#0072B2", "#E69F00", "#009E73", "#F0E442",
                                     "#56B4E9", "#D55E00", "#CC79A7", "#666666"};
  return Colours[index % std::size(Colours)];
}

bool has_band(const series& s) {
  return std::any_of(s.samples.begin(), s.samples.end(), [](const sample& at) { return at.half_width.has_value(); });
}

std::string ticks_text(const std::vector<std::pair<double, std::string>>& ticks) {
  std::vector<std::string> parts;
  for (const auto& [at, text] : ticks) parts.push_back(fmt::format("{} {}", gnuplot_text(text), at));
  return fmt::format("set xtics ({}) noenhanced\n", fmt::join(parts, ", "));
}

/// The gnuplot commands for the curves of \p c. The names of data blocks begin with \p id. \param legend whether there
/// is a legend
std::string curves_script(const curve_chart& c, const std::string& id, bool legend) {
  std::string script = c.from_zero ? "set yrange [0:*]\n" : "";
  if (!c.x_ticks.empty()) script += ticks_text(c.x_ticks);
  std::vector<std::string> bands, lines;
  for (std::size_t i = 0; i < c.curves.size(); ++i) {
    const std::string block = fmt::format("{}{}", id, i);
    script += data_block(block, c.curves[i]);
    if (has_band(c.curves[i]))
      bands.push_back(
          fmt::format("${} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.18 noborder "
                      "notitle",
                      block, series_colour(i)));
    const std::string style = c.steps ? "steps" : fmt::format("linespoints {} ps 0.6", marker_style(i));
    lines.push_back(fmt::format("${} using 1:2 with {} {} lw 1.8 {}", block, style, line_style(i),
                                legend ? title_of(c.curves[i].label) : "notitle"));
  }
  bands.insert(bands.end(), lines.begin(), lines.end());
  return script + fmt::format("plot {}\n", fmt::join(bands, ", "));
}

/// The margin below the points of a front, as a fraction of the axis. It is 0 if the axis would otherwise extend below
/// 0, but all values are nonnegative.
double room_below(const front_chart& c, double sample::*value) {
  constexpr double Room = 0.06;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const series& s : c.points)
    for (const sample& point : s.samples) {
      low = std::min(low, point.*value);
      high = std::max(high, point.*value);
    }
  return low >= 0 && low < 2 * Room * (high - low) ? 0 : Room;
}

}  // namespace

title_above title_over(const std::string& title, unsigned width) {
  std::vector<std::string> lines = lines_of(title, static_cast<std::size_t>(width / TitleLetter));
  for (std::string& line : lines) line = gnuplot_text(line);
  return {fmt::format("set title {} noenhanced\n", fmt::join(lines, ".\"\\n\".")),
          static_cast<unsigned>(TitleLine * static_cast<double>(lines.size() - 1))};
}

picture to_picture(const curve_chart& c) {
  const frame_of_plot frame(c.title, labels_in(c.curves));
  return {c.title, frame.width, frame.height, frame.script(c.x_label, c.y_label) + curves_script(c, "s", true)};
}

picture beside(const std::string& title, const std::vector<curve_chart>& charts) {
  const std::vector<std::string> legend = labels_in(charts.front().curves);
  std::string script = "set multiplot\n";
  unsigned width = 0, height = 0;
  for (unsigned i = 0; i < charts.size(); ++i) {
    const frame_of_plot frame(charts[i].title, legend, Bottom, static_cast<unsigned>(charts.size()));
    script += frame.script(charts[i].x_label, charts[i].y_label, i) +
              curves_script(charts[i], fmt::format("p{}s", i), i == 0);
    width = frame.width;
    height = std::max(height, frame.height);
  }
  return {title, width, height, script + "unset multiplot\n"};
}

picture to_picture(const bar_chart& c) {
  constexpr std::size_t FewBars = 6;
  unsigned longest = 0;
  std::vector<std::string> names;
  for (const std::string& bar : c.bars) {
    const std::string name = shortened(bar, MostOfLegend);
    longest = std::max(longest, width_of(name));
    names.push_back(fmt::format("{} {}", gnuplot_text(name), names.size()));
  }
  const bool aslant = c.bars.size() > FewBars || longest * c.bars.size() > PlotWidth;
  const frame_of_plot frame(c.title, c.parts, Bottom + (aslant ? static_cast<unsigned>(0.72 * longest) : 0));
  std::string script = frame.script("", c.y_label);
  script += fmt::format(
      "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.9 border rgb 'white'\n"
      "set boxwidth 0.7\nset yrange [0:*]\nunset grid\nset grid ytics lc rgb '#dddddd' lt 1 lw 0.5\n"
      "set xtics {} noenhanced scale 0 ({})\nset key invert\n$bars << EOD\n",
      aslant ? "rotate by -45 left" : "norotate", fmt::join(names, ", "));
  for (const std::vector<double>& heights : c.heights) script += fmt::format("{}\n", fmt::join(heights, " "));
  script += "EOD\n";
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < c.parts.size(); ++k)
    parts.push_back(fmt::format("$bars using {} lc rgb '{}' {}", k + 1, part_colour(k), title_of(c.parts[k])));
  return {c.title, frame.width, frame.height, script + fmt::format("plot {}\n", fmt::join(parts, ", "))};
}

std::string heat_scale(const std::string& label, double low, double high) {
  std::vector<std::string> colours;
  const auto last = static_cast<double>(heat_colours().size() - 1);
  for (std::size_t i = 0; i < heat_colours().size(); ++i)
    colours.push_back(fmt::format("{:.4f} '{}'", static_cast<double>(i) / last, heat_colours()[i]));
  return fmt::format("set palette defined ({})\nset cbrange [{}:{}]\nset cblabel {} noenhanced offset 1\n",
                     fmt::join(colours, ", "), low, high > low ? high : low + 1, gnuplot_text(label));
}

picture to_picture(const matrix_chart& c) {
  constexpr unsigned Side = 460, Scale = 120;
  double low = 0, high = 0;
  std::string data = "$cells << EOD\n";
  for (const auto& row : c.rows) {
    std::vector<std::string> cells;
    for (const std::optional<double>& value : row) {
      cells.push_back(value ? fmt::format("{}", *value) : "NaN");
      high = std::max(high, value.value_or(0));
    }
    data += fmt::format("{}\n", fmt::join(cells, " "));
  }
  const auto last = static_cast<double>(c.rows.size()) - 0.5;
  const title_above title = title_over(c.title, Side);
  std::string script = fmt::format(
      "{}set xlabel {} noenhanced\nset ylabel {} noenhanced\nset size ratio 1\n"
      "set tics out nomirror\nset xrange [-0.5:{}]\nset yrange [{}:-0.5]\nunset key\n{}",
      title.command, gnuplot_text(c.x_label), gnuplot_text(c.y_label), last, last,
      heat_scale(c.value_label, low, high));
  return {c.title, Left + Side + Scale, Top + title.room + Side + Bottom,
          script + data + "EOD\nplot $cells matrix with image pixels notitle\n"};
}

picture to_picture(const span_chart& c) {
  constexpr unsigned Line = 24;
  unsigned widest = 0;
  for (const span& s : c.spans) widest = std::max(widest, width_of(s.label));
  const unsigned left = widest + 24, width = left + PlotWidth + Right;
  const auto lines = static_cast<unsigned>(c.spans.size());
  const title_above title = title_over(c.title, PlotWidth);
  const unsigned top = Top + title.room, height = top + Line * lines + Bottom;
  std::string data = "$spans << EOD\n", ticks;
  for (unsigned i = 0; i < lines; ++i) {
    data += fmt::format("{} {} {}\n", c.spans[i].begin, c.spans[i].end, i);
    ticks += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_text(c.spans[i].label), i);
  }
  const std::string script = fmt::format(
      "set margins at screen {:.5f}, screen {:.5f}, screen {:.5f}, screen {:.5f}\n{}"
      "set xlabel {} noenhanced\nset ytics ({}) noenhanced scale 0\nset tics nomirror\nset border 1 lc rgb '#444444'\n"
      "set grid xtics lc rgb '#dddddd' lt 1 lw 0.5\nset xrange [0:*]\nset yrange [{}:-0.7]\nunset key\n"
      "set style fill solid 0.9 noborder\n{}EOD\nplot $spans using 1:3:1:2:($3-0.3):($3+0.3) with boxxyerror lc rgb "
      "'{}' notitle\n",
      static_cast<double>(left) / width, static_cast<double>(left + PlotWidth) / width,
      static_cast<double>(Bottom) / height, 1 - static_cast<double>(top) / height, title.command,
      gnuplot_text(c.x_label), ticks, lines - 0.3, data, series_colour(0));
  return {c.title, width, height, script};
}

std::vector<mark> front_of(std::vector<mark> points, bool larger_x, bool larger_y) {
  const double sign_x = larger_x ? -1 : 1, sign_y = larger_y ? -1 : 1;
  std::stable_sort(points.begin(), points.end(), [&](const mark& a, const mark& b) {
    return a.x != b.x ? sign_x * a.x < sign_x * b.x : sign_y * a.y < sign_y * b.y;
  });
  std::vector<mark> front;
  for (mark& point : points)
    if (front.empty() || sign_y * point.y < sign_y * front.back().y) front.push_back(std::move(point));
  if (larger_x) std::reverse(front.begin(), front.end());
  return front;
}

picture to_picture(const front_chart& c) {
  constexpr std::size_t MostNames = 24;
  const bool named = c.front.size() <= MostNames;
  std::vector<std::string> legend = labels_in(c.points);
  for (std::size_t i = 0; named && i < c.front.size(); ++i)
    legend.push_back(shortened(fmt::format("{}: {}", i + 1, c.front[i].label), MostOfLegend));
  const frame_of_plot frame(c.title, legend);
  std::string script = frame.script(c.x_label, c.y_label);
  script += fmt::format("set offsets graph {}, graph 0.06, graph 0.06, graph {}\n", room_below(c, &sample::x),
                        room_below(c, &sample::y));
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    script += data_block(fmt::format("s{}", i), c.points[i]);
    parts.push_back(fmt::format("$s{} using 1:2 with points lc rgb '{}' {} ps 0.7 {}", i, series_colour(i),
                                marker_style(i), title_of(c.points[i].label)));
  }
  script += "$front << EOD\n";
  for (std::size_t i = 0; i < c.front.size(); ++i)
    script += fmt::format("{} {} {}\n", c.front[i].x, c.front[i].y, i + 1);
  script += "EOD\n";
  parts.emplace_back("$front using 1:2 with linespoints lc rgb '#444444' lw 1.5 pt 6 ps 1.4 notitle");
  if (named) {  // labels alternate between the two sides of the front
    parts.emplace_back("$front using 1:2:3 every 2::0 with labels left offset 0.7,-0.6 font ',10' notitle");
    parts.emplace_back("$front using 1:2:3 every 2::1 with labels right offset -0.7,0.6 font ',10' notitle");
  }
  for (std::size_t i = c.points.size(); i < legend.size(); ++i)
    parts.push_back(fmt::format("keyentry with points lc rgb '#444444' pt 6 ps 1.2 {}", title_of(legend[i])));
  return {c.title, frame.width, frame.height, script + fmt::format("plot {}\n", fmt::join(parts, ", "))};
}

picture to_picture(const ring_chart& c) {
  constexpr double Row = 44, Half = 46, Letter = 7;
  const std::size_t right = (c.members.size() + 1) / 2, left = c.members.size() - right;
  std::size_t longest = 0;
  const std::string waits = "waits for ";
  for (const ring_member& m : c.members)
    longest = std::max({longest, m.name.size(), waits.size() + m.waits_for.size()});
  const double room = Half + 30 + Letter * static_cast<double>(longest);
  const double height = Row * static_cast<double>(right);
  const auto y = [&](double row, std::size_t rows) { return height * (row + 0.5) / static_cast<double>(rows); };
  // The members go downwards on the right, then upwards on the left.
  const auto place = [&](std::size_t i) {
    return i < right ? mark{Half, y(static_cast<double>(i), right), ""}
                     : mark{-Half, y(static_cast<double>(c.members.size() - 1 - i), left), ""};
  };
  const title_above title = title_over(c.title, static_cast<unsigned>(2 * room));
  const unsigned top = Top + title.room;
  std::string script = fmt::format(
      "{}unset key\nunset border\nunset tics\nset xrange [{}:{}]\nset yrange [{}:0]\n"
      "set margins at screen 0, screen 1, screen 0.02, screen {:.4f}\n$ring << EOD\n",
      title.command, -room, room, height, height / (height + top));
  std::string rest;
  for (std::size_t i = 0; i < c.members.size(); ++i) {
    const mark here = place(i), next = place((i + 1) % c.members.size());
    const double dx = next.x - here.x, dy = next.y - here.y, gap = 9 / std::max(1.0, std::hypot(dx, dy));
    script += fmt::format("{} {}\n", here.x, here.y);
    rest += fmt::format("set arrow from {},{} to {},{} lw 2 lc rgb '{}' filled\n", here.x + gap * dx, here.y + gap * dy,
                        next.x - gap * dx, next.y - gap * dy, series_colour(1));
    const double outside = here.x > 0 ? 14 : -14;
    const char* side = here.x > 0 ? "left" : "right";
    rest += fmt::format("set label {} at {},{} {} noenhanced font ',11'\n", gnuplot_text(c.members[i].name),
                        here.x + outside, here.y - 8, side);
    rest += fmt::format("set label {} at {},{} {} noenhanced font ',10' tc rgb '#5a6775'\n",
                        gnuplot_text(waits + c.members[i].waits_for), here.x + outside, here.y + 8, side);
  }
  script += "EOD\n" + rest +
            fmt::format("plot $ring using 1:2 with points pt 7 ps 1.6 lc rgb '{}' notitle\n", series_colour(0));
  return {c.title, static_cast<unsigned>(2 * room), static_cast<unsigned>(height) + top, script};
}

}  // namespace weft::experiment
