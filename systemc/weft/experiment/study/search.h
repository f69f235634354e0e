// SPDX-License-Identifier: Apache-2.0
/// Which loads to simulate next, from the results of the ones before: for the saturation load, and for a curve of
/// latency over load. Pure: the search requests a round of loads, and their results come in any order, so that what is
/// found does not depend on how many are simulated at a time.
///
/// Near the knee a run decides by chance: within the time of one window the network may seem to carry a load that it
/// does not carry, and the other way round. So both loads that bound the saturation load are simulated again in the
/// end, in a longer window, whose result replaces the first one. If it differs, the search goes on.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace weft::experiment {

/// A load to simulate.
struct load_question {
  double load = 0;
  bool again = false;  ///< in a longer window: it bounds the saturation load
  friend bool operator==(const load_question& a, const load_question& b) {
    return a.load == b.load && a.again == b.again;
  }
};

/// The result of a load.
struct load_answer {
  double load = 0;
  bool settled = false;  ///< the network carries it, see carries_load()
  double latency = 0;    ///< mean, cycles; of settled loads
  /// Of a load that did not settle: a longer window may show that the network carries it. Not so where the run had no
  /// result, or failed.
  bool repeatable = false;
  bool again = false;  ///< in the longer window
};

/// The highest load that settles, by cutting an interval into four in each round.
class saturation_search {
 public:
  /// Looks from 0 to \p most until the interval is not wider than \p width, which is above 0.
  saturation_search(double most, double width) : m_most(most), m_width(width) {}

  /// The loads of the next round, rising; none when the search is over.
  std::vector<load_question> next() const;
  /// All answers of the round.
  void take(const std::vector<load_answer>& round);

  /// The highest load found to settle below all that do not; 0 where none was found.
  double low() const;
  /// The lowest load that was found not to settle; nothing if all do, or before the first round.
  std::optional<double> high() const;

 private:
  /// The answer for the lowest load that did not settle, or null.
  const load_answer* bound() const;
  bool is_narrow() const;
  /// The bounds that have not been simulated in a longer window.
  std::vector<load_question> unconfirmed() const;

  double m_most, m_width;
  std::map<double, load_answer> m_answers;  ///< by load; the one of the longer window, if there are two
};

/// A curve of latency over load: the saturation load first, roughly, then more loads where the curve is longest between
/// two of them, measured in parts of the saturation load and in doublings of the latency.
class curve_search {
 public:
  /// Ends with \p points settled loads, or when the saturation load is known to \p width and no piece is worth cutting.
  curve_search(double most, double width, std::size_t points)
      : m_saturation(most, width), m_width(width), m_points(points) {}

  std::vector<load_question> next() const;
  void take(const std::vector<load_answer>& round);

  const saturation_search& saturation() const { return m_saturation; }

 private:
  /// The settled loads below the saturation load, rising.
  std::vector<load_answer> settled() const;
  /// Of the piece between two of them, \p last being the highest.
  double length(const load_answer& from, const load_answer& to, double last) const;

  saturation_search m_saturation;
  double m_width;
  std::size_t m_points;
  std::map<double, load_answer> m_answers;  ///< by load
};

}  // namespace weft::experiment
