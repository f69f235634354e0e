// SPDX-License-Identifier: Apache-2.0
/// Runs the points of a study. Points whose results are in the store are not run again, and each new result is stored
/// as soon as it is available.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/study/store.h"
#include "weft/study/table.h"
#include "weft/study/workers.h"

namespace weft::experiment {

/// The functions, limits and outputs of a study. This object, and the objects that it refers to, must outlive the
/// study.
struct study_context {
  std::function<configuration(const sweep_point&)> load;  ///< loads a point; may throw configuration_error
  const rtl_provider& rtl;
  unsigned jobs = 1;
  std::function<void()> on_subprocess_start{};  ///< if set, each process that runs a point calls it first
  run_hooks hooks{};                            ///< hooks of each run; `stop` also ends the study
  remote_workers* others = nullptr;             ///< workers besides the child processes, or null
  /// Called for each point that ended without a result, with the reason.
  std::function<void(const study_row&, const std::string& why)> failed{};
  std::function<void(std::size_t done, std::size_t all)> progress{};  ///< called after each point that was run
  std::function<void()> ended{};                                      ///< called after the last point has ended
};

class study {
 public:
  study(const study_context& context, point_store& store) : m_context(context), m_store(store) {}

  /// Adds a point. If the store has its result, or if the point is infeasible, the result is available at once. A point
  /// that is added after the study was stopped gets no result. \return the number of the point
  std::size_t add(const sweep_point& point);

  /// Runs the points until each has a result. Calls \p on_done with the number of each point that has its result,
  /// including results that were available at once. \p on_done may add points.
  void run(const std::function<void(std::size_t)>& on_done = [](std::size_t) {});

  /// The points and their results so far, by number; `outcome` is empty for a point without a result.
  const std::vector<study_row>& rows() const { return m_rows; }
  /// The number of points with a result.
  std::size_t done() const;

 private:
  struct planned {
    std::string id;
    std::shared_ptr<const configuration> config;  ///< null if the point does not have to run
    std::vector<std::size_t> duplicates{};        ///< numbers of other points with the same id
  };
  work_result work_on(std::size_t number) const;
  void finish(std::size_t number, const work_result& result);

  const study_context& m_context;
  point_store& m_store;
  std::vector<study_row> m_rows;
  std::vector<planned> m_planned;
  std::map<std::string, std::size_t> m_awaited;  ///< number of each point without a result, by id
  std::deque<std::size_t> m_to_report, m_to_run;
  std::size_t m_ran = 0;
};

/// Encodes the settings of a point for another process.
std::string packed(const sweep_point& point);
/// Decodes a point that another process encoded with packed(), and runs it. \return its encoded result
work_result work_on_packed(const study_context& context, const std::string& point);

}  // namespace weft::experiment
