// SPDX-License-Identifier: Apache-2.0
/// The forms of charts: curves, stacked bars, matrices and others. Every axis has a unit; legends are to the right of
/// the plot.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/picture/gnuplot.h"
#include "weft/picture/series.h"

namespace weft::experiment {

/// A title above a plot.
struct title_above {
  std::string command;  ///< gnuplot command
  unsigned room = 0;    ///< height in pixels of its lines after the first
};

/// \p title over \p width pixels, wrapped as necessary.
title_above title_over(const std::string& title, unsigned width);

struct curve_chart {
  std::string title, x_label, y_label;
  std::vector<series> curves;
  bool steps = false;                                     ///< whether a sample holds until the next (step curve)
  bool from_zero = true;                                  ///< whether the y axis begins at 0
  std::vector<std::pair<double, std::string>> x_ticks{};  ///< replace gnuplot's own
};

/// Curves with markers and, for samples with an interval, a band of the 95 % interval.
picture to_picture(const curve_chart& c);

/// Charts of the same series side by side, with one legend.
picture beside(const std::string& title, const std::vector<curve_chart>& charts);

struct bar_chart {
  std::string title, y_label;
  std::vector<std::string> bars;             ///< label below each bar
  std::vector<std::string> parts;            ///< names of the parts, from bottom to top
  std::vector<std::vector<double>> heights;  ///< by bar, then part
};

/// Stacked bars.
picture to_picture(const bar_chart& c);

struct matrix_chart {
  std::string title, x_label, y_label, value_label;
  std::vector<std::vector<std::optional<double>>> rows;  ///< rows of equal length; empty values stay white
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

/// Horizontal bars from begin to end, one below the other.
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

/// Points, with those of the Pareto front connected and labeled.
picture to_picture(const front_chart& c);

struct ring_member {
  std::string name, waits_for;  ///< it waits for the next member, the last for the first
};

struct ring_chart {
  std::string title;
  std::vector<ring_member> members;
};

/// A ring of arrows, each member labeled beside it.
picture to_picture(const ring_chart& c);

/// `set palette` and the label of the color scale from \p low to \p high.
std::string heat_scale(const std::string& label, double low, double high);

}  // namespace weft::experiment
