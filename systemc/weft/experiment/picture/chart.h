// SPDX-License-Identifier: Apache-2.0
/// The forms that pictures have: curves, stacked bars, a matrix. Every axis has its unit; legends stand to the right of
/// the plot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/picture/gnuplot.h"
#include "weft/experiment/picture/series.h"

namespace weft::experiment {

/// A title above a plot.
struct title_above {
  std::string command;  ///< of gnuplot
  unsigned room = 0;    ///< that its lines but the first take, pixels
};

/// \p title over \p width pixels, in as many lines as that takes.
title_above title_over(const std::string& title, unsigned width);

struct curve_chart {
  std::string title, x_label, y_label;
  std::vector<series> curves;
  bool steps = false;                                     ///< a sample holds until the next
  bool from_zero = true;                                  ///< the y axis begins at 0
  std::vector<std::pair<double, std::string>> x_ticks{};  ///< in place of gnuplot's own
};

/// Curves with markers and, where samples have one, a band for their 95 % interval.
picture to_picture(const curve_chart& c);

/// Charts of the same series beside each other, with one legend.
picture beside(const std::string& title, const std::vector<curve_chart>& charts);

struct bar_chart {
  std::string title, y_label;
  std::vector<std::string> bars;             ///< what stands below each
  std::vector<std::string> parts;            ///< from bottom to top
  std::vector<std::vector<double>> heights;  ///< of each bar its parts
};

/// Stacked bars.
picture to_picture(const bar_chart& c);

struct matrix_chart {
  std::string title, x_label, y_label, value_label;
  std::vector<std::vector<std::optional<double>>> rows;  ///< all as long as the first; nothing: left white
};

picture to_picture(const matrix_chart& c);

struct span {
  std::string label;
  double begin = 0, end = 0;
};

struct span_chart {
  std::string title, x_label;
  std::vector<span> spans;  ///< from top to bottom
};

/// Bars from begin to end, one below the other.
picture to_picture(const span_chart& c);

struct mark {
  double x = 0, y = 0;
  std::string label;
};

struct front_chart {
  std::string title, x_label, y_label;
  std::vector<series> points;
  std::vector<mark> front;  ///< in the order of x
};

/// Those of \p points that no other is better than in both, in the order of x. A smaller value is better unless said.
std::vector<mark> front_of(std::vector<mark> points, bool larger_x, bool larger_y);

/// Points, and those that no other is better than in both, joined and named.
picture to_picture(const front_chart& c);

struct ring_member {
  std::string name, waits_for;  ///< it waits for the next, the last for the first
};

struct ring_chart {
  std::string title;
  std::vector<ring_member> members;
};

/// A ring of arrows, each member named beside it.
picture to_picture(const ring_chart& c);

/// `set palette` and the label of the colours from \p low to \p high.
std::string heat_scale(const std::string& label, double low, double high);

}  // namespace weft::experiment
