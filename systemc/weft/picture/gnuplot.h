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

/// Reports that gnuplot is missing or failed.
class no_picture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Draws a picture and returns the contents of the image file. A PNG has twice the width and height of an SVG in
/// pixels. All names in an SVG begin with \p id, so that a page can contain several. \throws no_picture
std::string draw(const picture& p, picture_format format, const std::string& id = "weft");

/// The gnuplot options of series number \p index for its line, as in "lc rgb '#0072B2' dt 1", and for its marker, as in
/// "pt 7". The colors are those of Okabe and Ito, which color-blind people can distinguish. Dashes and markers
/// distinguish series with the same color, also in print.
std::string line_style(std::size_t index);
std::string marker_style(std::size_t index);
/// The number of distinct line styles: seven colors with four dash patterns.
inline constexpr std::size_t MaxSeries = 28;
/// The color of series number \p index, as in "#0072B2"; there are seven, which repeat.
std::string series_colour(std::size_t index);

/// The colors of a scale from 0 to 1 at equal distances, as "#RRGGBB", from light yellow to dark red (YlOrRd of
/// ColorBrewer; Harrower and Brewer 2003). The lightness decreases monotonically, so color-blind readers and gray
/// prints preserve the order.
const std::vector<std::string>& heat_colours();

}  // namespace weft::experiment
