// SPDX-License-Identifier: Apache-2.0
/// Searches a space of designs for its Pareto front. NSGA-II or a random generator proposes generations of designs.
/// Designs that cannot be on the front according to bounds are excluded. The others are simulated with a short window,
/// and the better half of a generation with a window of full length (successive halving: K. Jamieson, A. Talwalkar,
/// "Non-stochastic best arm identification and hyperparameter optimization", 2015). The search depends only on the
/// space, the goals, the limits and the results of runs, and not on the order in which runs end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/explore/goals.h"
#include "weft/explore/network_estimate.h"
#include "weft/explore/space.h"

namespace weft::experiment {

/// A run of a design to carry out.
struct design_run {
  sweep_point point;
  unsigned shorter = 1;    ///< how many times shorter than usual
  unsigned replicate = 0;  ///< added to the seed
};

/// The result of a run, or of the runs of a search for the saturation load.
struct design_result {
  figures measured;
  std::string fault;    ///< why the design cannot be used; empty if it can
  double distance = 0;  ///< how far it is from being usable; 0 if it is
  double cost = 1;      ///< simulated cycles, in runs of full length
};

/// The functions that examine designs.
struct design_tools {
  /// Returns what is known without simulation. \throws configuration_error for a design that is not possible
  std::function<network_estimate(const sweep_point&)> estimate;
  /// Carries out runs, in any order. After stop() the results are not used.
  std::function<std::vector<design_result>(const std::vector<design_run>&)> measure;
  std::function<bool()> stop;  ///< whether the user ended the search
};

struct search_limits {
  double budget = 200;   ///< in runs of full length
  double most_cost = 1;  ///< the most that a design costs at full length, in runs
  std::size_t population = 16;
  unsigned shorter = 4;  ///< 1: no short runs
  unsigned replicates = 1;
  std::uint32_t seed = 1;
  explore_method method = explore_method::Nsga2;
  bool bounds = true;
};

/// How much is known of a design.
enum class design_stage : std::uint8_t {
  Infeasible,  ///< it cannot be built, or the run cannot start
  Excluded,    ///< bounds show that it violates a constraint, or that a measured design is better
  Unmeasured,  ///< the budget was used up before it was simulated
  Short,       ///< simulated with a short window
  Measured     ///< simulated at full length, or known without simulation
};
const char* name_of(design_stage stage);

struct explored_design {
  design_choice choice;
  sweep_point point;
  design_stage stage = design_stage::Unmeasured;
  figures known;
  metric_bounds within;
  double violation = 0;  ///< of the constraints; above 0 also if there is a fault
  std::string fault;     ///< why it is not on the front: "area 0.7 > 0.5"; empty if it keeps all constraints
  unsigned runs = 1;     ///< number of runs of full length, with different seeds, if it is measured
  costs cost;            ///< empty until it has a value for each objective

  /// Whether it may be on the front: measured at full length, without a fault.
  bool competes() const { return stage == design_stage::Measured && violation == 0; }
};

class exploration {
 public:
  /// The arguments must outlive the exploration.
  exploration(const design_space& space, const search_goals& goals, const search_limits& limits,
              const design_tools& tools);

  /// Searches until the budget is used up, every design is known, nothing new is found, or the user stops. Never spends
  /// more than the budget if no design costs more than search_limits::most_cost.
  void run();

  /// All designs in the order in which they were proposed.
  const std::vector<explored_design>& designs() const { return m_designs; }
  /// The numbers of the designs on the front, in ascending order of the first cost.
  std::vector<std::size_t> front() const;
  /// Simulated cycles, in runs of full length.
  double spent() const { return m_spent; }

  /// Examines a design, which the search need not have proposed, at full length and outside the budget.
  explored_design examine(const sweep_point& point) const;

 private:
  using numbers = std::vector<std::size_t>;

  bool has_short_runs() const;
  double cost_of(unsigned shorter) const;
  double left() const;
  std::size_t affordable(double each) const;
  bool has_budget() const;
  bool more() const;
  bool has_all() const;
  std::vector<costs> evaluate(const std::vector<design_choice>& generation);
  std::size_t number_of(const design_choice& choice);
  void estimate(explored_design& design) const;
  bool is_beaten(const explored_design& design) const;
  void exclude(explored_design& design) const;
  void measure(numbers designs, unsigned shorter);
  void record(explored_design& design, const design_result& result, design_stage stage) const;
  numbers confirmable(numbers designs) const;
  numbers ranked(const numbers& designs) const;
  numbers better_half(const numbers& designs) const;
  numbers rest() const;
  void measure_rest();
  costs fitness_of(const explored_design& design) const;
  std::vector<design_choice> drawn(std::size_t count, std::vector<design_choice> first);
  void evolve_from(std::size_t round);
  void replicate_front();
  void record_replicates(explored_design& design, const std::vector<design_result>& results);
  double reserved() const;

  const design_space& m_space;
  const search_goals& m_goals;
  const search_limits& m_limits;
  const design_tools& m_tools;
  std::vector<explored_design> m_designs;
  std::map<design_choice, std::size_t> m_numbers;
  double m_spent = 0;
  bool m_has_measured = false;  ///< whether a design was simulated at full length
  std::uint64_t m_draws = 0;
  std::size_t m_idle = 0;  ///< successive generations without a new design to simulate
};

}  // namespace weft::experiment
