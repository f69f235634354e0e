// SPDX-License-Identifier: Apache-2.0
/// Draws pictures with gnuplot, as SVG or PNG.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::experiment {

/// A picture ready for drawing. Lengths are in pixels of the SVG.
struct picture {
  std::string title;
  unsigned width = 0, height = 0;
  std::string script;  ///< gnuplot commands, without terminal and output
};

enum class picture_format { Svg, Png };

/// gnuplot is missing or failed. The text includes a remedy.
class no_picture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of the image file. PNG has two pixels per pixel of the SVG. \p id is a prefix of the names in the SVG,
/// so that a page can contain several. \throws no_picture
std::string draw(const picture& p, picture_format format, const std::string& id = "weft");

/// The line style of series number \p index, "lc rgb '#0072B2' dt 1", and its marker, "pt 7". The colors are those of
/// Okabe and Ito, which color-blind people can distinguish; dashes and markers distinguish series of one color, also in
/// print.
std::string line_style(std::size_t index);
std::string marker_style(std::size_t index);
/// The number of distinct line styles: seven colors with four dash patterns.
inline constexpr std::size_t MaxSeries = 28;
/// "#0072B2"; cycles through seven colors.
std::string series_colour(std::size_t index);

/// Color scale from 0 to 1, light yellow to dark red, with monotonic lightness, so that color-blind people and gray
/// prints preserve the order (ColorBrewer's YlOrRd; Harrower and Brewer 2003). "#RRGGBB" at equal distances.
const std::vector<std::string>& heat_colours();

}  // namespace weft::experiment
