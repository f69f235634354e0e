// SPDX-License-Identifier: Apache-2.0
/// Pictures as gnuplot draws them, as SVG or PNG.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::experiment {

/// A picture that is ready to be drawn. Lengths are pixels of the SVG.
struct picture {
  std::string title;
  unsigned width = 0, height = 0;
  std::string script;  ///< of gnuplot, without terminal and output
};

enum class picture_format { Svg, Png };

/// gnuplot is missing or failed. The text says so and what would do.
class no_picture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of the file. PNG has two dots for a pixel of the SVG. \p id begins the names in the SVG, so that pages can
/// have several. \throws no_picture
std::string draw(const picture& p, picture_format format, const std::string& id = "weft");

/// The look of series number \p index, "lc rgb '#0072B2' dt 1", and its marker, "pt 7". Colours are those of Okabe and
/// Ito, which colour-blind people tell apart; dashes and markers tell series of one colour apart, also in print.
std::string line_style(std::size_t index);
std::string marker_style(std::size_t index);
/// As many series have a line of their own: seven colours with four dashes.
inline constexpr std::size_t SeriesLooks = 28;
/// "#0072B2": seven, over and over.
std::string series_colour(std::size_t index);

/// From 0 to 1: light yellow to dark red, ever darker, so that colour-blind people and grey print keep the order
/// (ColorBrewer's YlOrRd; Harrower and Brewer 2003). "#RRGGBB" at equal distances.
const std::vector<std::string>& heat_colours();

}  // namespace weft::experiment
