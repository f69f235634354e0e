// SPDX-License-Identifier: Apache-2.0
/// Searches that simulate a network at several loads: saturation_search finds the saturation load, and curve_search
/// selects the loads of a latency curve. A search requests rounds of loads, based on the results so far. The results of
/// a round may arrive in any order, so the outcome does not depend on how many loads are simulated in parallel.
/// Near saturation, the result of a run is subject to chance: within one window, the network may seem to carry a load
/// that it cannot sustain, or the reverse. Therefore both bounds of the saturation load are finally simulated again in
/// a longer window, whose results replace the first ones. If a result changes, the search continues.
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
  bool again = false;  ///< whether it is simulated again, in a longer window, as a bound of the saturation load
  friend bool operator==(const load_question& a, const load_question& b) {
    return a.load == b.load && a.again == b.again;
  }
};

/// The result of the simulation at a load.
struct load_answer {
  double load = 0;
  bool settled = false;  ///< whether the network carries the load, see carries_load()
  double latency = 0;    ///< mean packet latency in cycles, if settled
  /// Whether a simulation in a longer window may show that the network carries this unsettled load. False if the run
  /// failed or had no result.
  bool repeatable = false;
  bool again = false;  ///< whether this is the result of the longer window
};

/// Finds the highest load that the network carries. Each round simulates at most three loads, which divide the interval
/// between the bounds into equal parts.
class saturation_search {
 public:
  /// Searches loads from 0 to \p most, in flits/node/cycle, until the bounds differ by at most \p width, which must be
  /// positive.
  saturation_search(double most, double width) : m_most(most), m_width(width) {}

  /// The number of loads that a search with these arguments requests at most, apart from those in a longer window.
  static std::size_t most_loads(double most, double width);

  /// Returns the loads of the next round in ascending order; empty when the search is complete.
  std::vector<load_question> next() const;
  /// Processes the answers to all loads of the last round.
  void take(const std::vector<load_answer>& round);

  /// The lower bound: the highest settled load below all unsettled ones; 0 if there is none.
  double low() const;
  /// The upper bound: the lowest unsettled load; nothing if all loads settled, or before the first round.
  std::optional<double> high() const;

 private:
  /// The answer for the lowest unsettled load; null if there is none.
  const load_answer* bound() const;
  bool is_narrow() const;
  /// The bounds that have not been simulated in a longer window yet.
  std::vector<load_question> unconfirmed() const;

  double m_most, m_width;
  std::map<double, load_answer> m_answers;  ///< by load; the answer of the longer window replaces the first
};

/// Selects the loads of a curve of latency over load. It first finds the saturation load, then adds loads in the middle
/// of the longest segments of the curve. The length of a segment combines the difference of its loads, as a fraction of
/// the highest settled load, and the difference of its latencies, in doublings.
class curve_search {
 public:
  /// Finds the saturation load, which is at most \p most, within \p width. Then adds loads until \p points loads have
  /// settled, or all segments are narrower than \p width.
  curve_search(double most, double width, std::size_t points)
      : m_saturation(most, width), m_width(width), m_points(points) {}

  std::vector<load_question> next() const;
  void take(const std::vector<load_answer>& round);

  const saturation_search& saturation() const { return m_saturation; }

 private:
  /// The answers for the settled loads below the saturation load, in ascending order of the load.
  std::vector<load_answer> settled() const;
  /// Length of the segment from \p from to \p to; \p last is the highest load of the curve.
  double length(const load_answer& from, const load_answer& to, double last) const;

  saturation_search m_saturation;
  double m_width;
  std::size_t m_points;
  std::map<double, load_answer> m_answers;  ///< by load
};

}  // namespace weft::experiment
