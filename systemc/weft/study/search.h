// SPDX-License-Identifier: Apache-2.0
/// Chooses the next loads to simulate from earlier results: for the saturation load, and for a curve of latency over
/// load. The search has no side effects: it requests a round of loads whose results arrive in any order, so the outcome
/// does not depend on how many are simulated in parallel.
/// Near saturation, the result of a run is subject to chance: within one window, the network may appear to carry a load
/// that it does not carry, and vice versa. Therefore both loads that bound the saturation load are finally simulated
/// again in a longer window, whose result replaces the first. If it differs, the search continues.
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
  bool again = false;  ///< in a longer window, because it bounds the saturation load
  friend bool operator==(const load_question& a, const load_question& b) {
    return a.load == b.load && a.again == b.again;
  }
};

/// The result of a load.
struct load_answer {
  double load = 0;
  bool settled = false;  ///< whether the network carries it, see carries_load()
  double latency = 0;    ///< mean latency of settled loads, in cycles
  /// Whether a longer window may show that an unsettled load is carried; false if the run failed or had no result.
  bool repeatable = false;
  bool again = false;  ///< result of the longer window
};

/// Searches the highest load that settles; each round divides the interval into four.
class saturation_search {
 public:
  /// Searches from 0 to \p most until the interval is at most \p width, which must be positive.
  saturation_search(double most, double width) : m_most(most), m_width(width) {}

  /// The loads of the next round, ascending; empty when the search is complete.
  std::vector<load_question> next() const;
  /// Adds all answers of the round.
  void take(const std::vector<load_answer>& round);

  /// The highest settled load below all unsettled ones; 0 if there is none.
  double low() const;
  /// The lowest unsettled load; nothing if all settle, or before the first round.
  std::optional<double> high() const;

 private:
  /// The answer for the lowest unsettled load, or null.
  const load_answer* bound() const;
  bool is_narrow() const;
  /// The bounds that have not been simulated in a longer window.
  std::vector<load_question> unconfirmed() const;

  double m_most, m_width;
  std::map<double, load_answer> m_answers;  ///< by load; the answer of the longer window replaces the first
};

/// A curve of latency over load: first the approximate saturation load, then more loads where the curve is longest
/// between two adjacent ones. Length is measured in fractions of the saturation load and in doublings of the latency.
class curve_search {
 public:
  /// Ends with \p points settled loads, or when the saturation load is known to \p width and no segment is worth
  /// splitting.
  curve_search(double most, double width, std::size_t points)
      : m_saturation(most, width), m_width(width), m_points(points) {}

  std::vector<load_question> next() const;
  void take(const std::vector<load_answer>& round);

  const saturation_search& saturation() const { return m_saturation; }

 private:
  /// The settled loads below the saturation load, ascending.
  std::vector<load_answer> settled() const;
  /// Length of the segment between two of them; \p last is the highest load.
  double length(const load_answer& from, const load_answer& to, double last) const;

  saturation_search m_saturation;
  double m_width;
  std::size_t m_points;
  std::map<double, load_answer> m_answers;  ///< by load
};

}  // namespace weft::experiment
