// SPDX-License-Identifier: Apache-2.0
/// Points and their results: stored points are not run again, and results are stored as soon as they are available.
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

/// What a study runs with: functions, limits, outputs. The references must outlive it.
struct study_context {
  std::function<configuration(const sweep_point&)> load;  ///< \throws configuration_error
  const rtl_provider& rtl;
  unsigned jobs = 1;
  std::function<void()> on_subprocess_start{};  ///< if given, called first in each process that runs a point
  run_hooks hooks{};                            ///< its `stop` ends the study
  remote_workers* others = nullptr;             ///< workers in addition to the child processes, or null
  std::function<void(const study_row&, const std::string& why)> failed{};  ///< called for points whose process died
  std::function<void(std::size_t done, std::size_t all)> progress{};       ///< called after each point that was run
  std::function<void()> ended{};  ///< called when no point is running or will be run
};

class study {
 public:
  study(const study_context& context, point_store& store) : m_context(context), m_store(store) {}

  /// Adds a point. Its result is available at once if it is stored or infeasible, but never after the study has been
  /// stopped. \return its number
  std::size_t add(const sweep_point& point);

  /// Runs until every point has its result. Calls \p on_done for each, including those available at once; it may add
  /// points.
  void run(const std::function<void(std::size_t)>& on_done = [](std::size_t) {});

  /// Results so far, by number; `outcome` is empty for points without a result.
  const std::vector<study_row>& rows() const { return m_rows; }
  std::size_t done() const;

 private:
  struct planned {
    std::string id;
    std::shared_ptr<const configuration> config;  ///< null if nothing is left to run
    std::vector<std::size_t> duplicates{};        ///< other points that are the same
  };
  work_result work_on(std::size_t number) const;
  void finish(std::size_t number, const work_result& result);

  const study_context& m_context;
  point_store& m_store;
  std::vector<study_row> m_rows;
  std::vector<planned> m_planned;
  std::map<std::string, std::size_t> m_awaited;  ///< number of each point to run, by id
  std::deque<std::size_t> m_to_report, m_to_run;
  std::size_t m_ran = 0;
};

/// Encodes the settings of a point for another process; work_on_packed() runs them there.
std::string packed(const sweep_point& point);
work_result work_on_packed(const study_context& context, const std::string& point);

}  // namespace weft::experiment
