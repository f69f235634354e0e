// SPDX-License-Identifier: Apache-2.0
/// Which loads to simulate next, from what came of the ones before: for the saturation load, and for a curve of latency
/// over load. Pure: a round of loads is asked for, and their answers come in any order, so that what is found does not
/// depend on how many are simulated at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace weft::experiment {

/// What came of a load.
struct load_answer {
  double load = 0;
  bool settled = false;  ///< the network carries it: neither saturated nor without a result
  double latency = 0;    ///< mean, cycles; of settled loads
};

/// The highest load that settles, by cutting an interval into four in each round.
class saturation_search {
 public:
  /// Looks from 0 to \p most until the interval is not wider than \p width, which is above 0.
  saturation_search(double most, double width) : m_high(most), m_most(most), m_width(width) {}

  /// The loads of the next round, rising; none when the search is over.
  std::vector<double> next() const;
  /// All answers of the round.
  void take(const std::vector<load_answer>& round);

  /// The highest load found to settle below all that do not; 0 where none was found.
  double low() const { return m_low; }
  /// The lowest load that was found not to settle; nothing if `most` settles, or before the first round.
  std::optional<double> high() const { return m_first || m_settles ? std::nullopt : std::optional(m_high); }

 private:
  double m_low = 0, m_high, m_most, m_width;
  bool m_first = true;     ///< `most` has not been looked at
  bool m_settles = false;  ///< even `most`
};

/// A curve of latency over load: the saturation load first, roughly, then more loads where the curve is longest between
/// two of them, measured in parts of the saturation load and in doublings of the latency.
class curve_search {
 public:
  /// Ends with \p points settled loads, or when the saturation load is known to \p width and no piece is worth cutting.
  curve_search(double most, double width, std::size_t points)
      : m_saturation(most, width), m_width(width), m_points(points) {}

  std::vector<double> next() const;
  void take(const std::vector<load_answer>& round);

  const saturation_search& saturation() const { return m_saturation; }

 private:
  double length(std::size_t piece) const;

  saturation_search m_saturation;
  double m_width;
  std::size_t m_points;
  std::vector<load_answer> m_settled;  ///< by load
  std::vector<double> m_asked;
};

}  // namespace weft::experiment
