// SPDX-License-Identifier: Apache-2.0
/// A space of designs whose front is known, and tools that examine designs without runs of a network.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "weft/explore/exploration.h"

namespace weft::experiment {

/// Two objectives of three parameters a, b and c from 0 to 19: latency_mean = 20 - a + 3 c + b·(19 - b) / 10 and
/// area = a + b / 2 + c. The front consists of the 20 designs with b = c = 0. There are 8,000 designs.
class synthetic_space {
 public:
  static constexpr int Values = 20;

  synthetic_space() : space(design()) {
    goals.objectives = {{"latency_mean"}, {"area"}};
    tools.estimate = [this](const sweep_point& point) { return estimate(point); };
    tools.measure = [this](const std::vector<design_run>& runs) {
      std::vector<design_result> results(runs.size());
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t at = backwards ? runs.size() - 1 - i : i;
        results[at] = result_of(runs[at]);
      }
      return results;
    };
    tools.stop = [this] { return stop_after > 0 && measured >= stop_after; };
  }

  /// The numbers a, b and c of \p point.
  static std::vector<double> numbers_of(const sweep_point& point) {
    std::vector<double> numbers;
    for (const setting& s : point) numbers.push_back(std::stod(s.value));
    return numbers;
  }
  static double latency_of(const sweep_point& point) {
    const std::vector<double> n = numbers_of(point);
    return 20 - n[0] + 3 * n[2] + n[1] * (19 - n[1]) / 10;
  }
  static double area_of(const sweep_point& point) {
    const std::vector<double> n = numbers_of(point);
    return n[0] + n[1] / 2 + n[2];
  }
  static bool is_on_front(const sweep_point& point) { return numbers_of(point)[1] == 0 && numbers_of(point)[2] == 0; }

  static sweep_design design() {
    sweep_design d;
    for (const char* const key : {"network.router.vcs", "network.router.depth", "network.router.pipeline"})
      d.over.push_back({key, {"0:19:1"}, "test"});
    return d;
  }

  const design_space space;
  search_goals goals;
  search_limits limits;
  design_tools tools;
  bool backwards = false;      ///< whether runs are carried out in reverse order
  std::size_t stop_after = 0;  ///< number of runs after which the user stops; 0: never
  std::size_t measured = 0;    ///< number of runs so far
  double run_cost = 1;         ///< cost of a run of full length
  double short_error = 0;      ///< error of short runs, with alternating signs

 private:
  network_estimate estimate(const sweep_point& point) const {
    network_estimate known;
    const double area = area_of(point);
    known.exact["area"] = {area, 0};
    known.within["area"] = {area, area};
    known.within["latency_mean"].least = latency_of(point) / 2;
    return known;
  }

  design_result result_of(const design_run& run) {
    ++measured;
    design_result result;
    const double sign = static_cast<int>(area_of(run.point) * 2) % 2 == 0 ? 1 : -1;
    const double error = run.shorter > 1 ? sign * short_error : 0.01 * run.replicate;
    result.measured["latency_mean"] = {latency_of(run.point) + error, 0.1};
    result.cost = run_cost / run.shorter;
    return result;
  }
};

}  // namespace weft::experiment
