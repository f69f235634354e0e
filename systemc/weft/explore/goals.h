// SPDX-License-Identifier: Apache-2.0
/// What a search over designs optimizes: objectives, constraints, and how two designs compare.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"

namespace weft::experiment {

/// The value of a metric of a design.
struct figure {
  double value = 0;
  /// Half width of the 95 % interval; 0 for an exact value, nothing if it is unknown.
  std::optional<double> half_width{};
};
using figures = std::map<std::string, figure>;  ///< by the name of the metric

/// Bounds of a metric of a design, which need no simulation.
struct bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
using metric_bounds = std::map<std::string, bounds>;  ///< a metric without bounds is missing

struct objective {
  std::string metric;
  bool larger = false;  ///< whether larger values are better
};

struct constraint {
  std::string metric;
  bool at_least = false;  ///< whether \p limit is the least allowed value instead of the largest
  double limit = 0;
};

/// How the value of a metric is obtained.
enum class metric_source : std::uint8_t {
  Network,     ///< computed without simulation
  Saturation,  ///< by a search for the saturation load
  Run          ///< a column of a run
};
metric_source source_of(const std::string& metric);
/// The unit of \p metric; empty for a plain number.
std::string unit_of(const std::string& metric);

/// The costs of a design, one for each objective. Smaller costs are better.
using costs = std::vector<double>;

struct search_goals {
  std::vector<objective> objectives;
  std::vector<constraint> constraints;

  /// All metrics, each once, objectives first.
  std::vector<std::string> metrics() const;
  /// Whether any metric has the source \p source.
  bool needs(metric_source source) const;
  /// Whether any metric needs a run.
  bool need_runs() const { return needs(metric_source::Run) || needs(metric_source::Saturation); }
  /// Whether any metric is a latency. A network that does not carry its load has no latency.
  bool has_latency() const;

  /// The costs of a design with \p known, which has a value for each objective.
  costs costs_of(const figures& known) const;
  /// The lowest costs that a design within \p known may have.
  costs least_costs(const metric_bounds& known) const;
  /// How far \p known violates the constraints: the sum of |value - limit| / |limit| over the violated ones, or of
  /// |value| if the limit is 0. Values are missing only for constraints that are not checked yet.
  double violation(const figures& known) const;
  /// The least violation of a design within \p known.
  double least_violation(const metric_bounds& known) const;
  /// The first violated constraint, as in "area 0.7 > 0.5"; empty if there is none.
  std::string violated(const figures& known) const;
  std::string violated(const metric_bounds& known) const;
};

/// The objectives and constraints in section `explore` of \p c.
/// \throws configuration_error at the key for unknown metrics, metrics that \p c cannot have, duplicates, and
/// constraints of a wrong form
search_goals goals_of(const configuration& c);

/// Whether a design with costs \p a is at least as good as one with costs \p b in every objective, and better in one.
bool dominates(const costs& a, const costs& b);

/// The number of vectors in \p others that dominate \p one.
std::size_t dominators(const costs& one, const std::vector<costs>& others);

}  // namespace weft::experiment
