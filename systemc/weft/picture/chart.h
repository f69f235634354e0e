// SPDX-License-Identifier: Apache-2.0
/// Charts, such as curves, stacked bars and matrices, as scripts for gnuplot. Every axis has a unit; legends are to the
/// right of the plot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/picture/gnuplot.h"
#include "weft/picture/series.h"

namespace weft::experiment {

/// The title above a plot.
struct title_above {
  std::string command;  ///< gnuplot command
  unsigned room = 0;    ///< height of its second and further lines, in pixels
};

/// The title \p title of a picture that is \p width pixels wide, wrapped if necessary.
title_above title_over(const std::string& title, unsigned width);

struct curve_chart {
  std::string title, x_label, y_label;
  std::vector<series> curves;
  bool steps = false;                                     ///< whether the value holds until the next sample
  bool from_zero = true;                                  ///< whether the y axis begins at 0
  std::vector<std::pair<double, std::string>> x_ticks{};  ///< positions and labels of ticks; empty: automatic
};

/// Draws curves with markers. Samples that have an interval also get a band of the 95 % interval.
picture to_picture(const curve_chart& c);

/// Draws charts with the same series side by side, with one legend.
picture beside(const std::string& title, const std::vector<curve_chart>& charts);

struct bar_chart {
  std::string title, y_label;
  std::vector<std::string> bars;             ///< label below each bar
  std::vector<std::string> parts;            ///< names of the parts, from bottom to top
  std::vector<std::vector<double>> heights;  ///< of each part of each bar: heights[bar][part]
};

/// Draws stacked bars.
picture to_picture(const bar_chart& c);

struct matrix_chart {
  std::string title, x_label, y_label, value_label;
  std::vector<std::vector<std::optional<double>>> rows;  ///< rows of equal length; cells without a value are white
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

/// Draws a horizontal bar from begin to end for each span, one below the other.
picture to_picture(const span_chart& c);

struct mark {
  double x = 0, y = 0;
  std::string label;
};

struct front_chart {
  std::string title, x_label, y_label;
  std::vector<series> points;
  std::vector<mark> front;  ///< sorted by x
};

/// The Pareto front of \p points, sorted by x. Smaller values are better unless \p larger_x or \p larger_y is set.
std::vector<mark> front_of(std::vector<mark> points, bool larger_x, bool larger_y);

/// Draws all points, and connects and labels the points of the Pareto front.
picture to_picture(const front_chart& c);

struct ring_member {
  std::string name, waits_for;  ///< its name, and what it waits for at the next member
};

struct ring_chart {
  std::string title;
  std::vector<ring_member> members;
};

/// Draws the members in a ring, each with a label and an arrow to the next one; the last waits for the first.
picture to_picture(const ring_chart& c);

/// The gnuplot commands for a color scale from \p low to \p high with the label \p label.
std::string heat_scale(const std::string& label, double low, double high);

}  // namespace weft::experiment
