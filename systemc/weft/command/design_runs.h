// SPDX-License-Identifier: Apache-2.0
/// Runs the designs of a search as points of a study.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "weft/command/command.h"
#include "weft/explore/exploration.h"
#include "weft/study/search.h"
#include "weft/study/study.h"

namespace weft::experiment {

class design_runs {
 public:
  /// The arguments must outlive this object. \param width width at which a search for a saturation load ends
  design_runs(study& s, const input& in, const search_goals& goals, double width)
      : m_study(s), m_in(in), m_goals(goals), m_width(width) {}

  /// Carries out \p runs, as design_tools::measure. A design has one run, and a search for its saturation load if the
  /// goals need it. This search is that of `weft saturation` without the longer second runs at the bounds.
  std::vector<design_result> measure(const std::vector<design_run>& runs);

 private:
  /// A design and its runs in the study.
  struct job {
    const design_run* run;
    sweep_point settings;
    std::optional<std::size_t> at_load{};  ///< number of the run at the load of the configuration
    std::optional<saturation_search> search{};
    std::map<double, std::size_t> numbers{};  ///< number of the run at each load of the search
    std::vector<load_question> round{};
  };

  const study_row& row(std::size_t number) const { return m_study.rows()[number]; }
  sweep_point settings_of(const design_run& run) const;
  void begin_round(std::size_t i);
  void end_round_if_complete(std::size_t i);
  void add_run(const job& j, design_result& to) const;
  void add_saturation(const job& j, design_result& to) const;
  design_result result_of(const job& j) const;

  study& m_study;
  const input& m_in;
  const search_goals& m_goals;
  double m_width;
  std::vector<job> m_jobs;
  std::map<std::size_t, std::size_t> m_owner;  ///< number of the job of each run
};

}  // namespace weft::experiment
