// SPDX-License-Identifier: Apache-2.0
/// Points and their results: what is stored is not run again, what is run is stored as it ends.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/experiment/study/store.h"
#include "weft/experiment/study/table.h"
#include "weft/experiment/study/workers.h"

namespace weft::experiment {

/// What a study works with. The references outlive it.
struct study_means {
  std::function<configuration(const sweep_point&)> load;  ///< \throws configuration_error
  const rtl_provider& rtl;
  unsigned jobs = 1;
  std::function<void()> in_child{};  ///< called first in each process that runs a point, if given
  run_hooks hooks{};                 ///< its `stop` ends the study
  remote_workers* others = nullptr;  ///< more workers than the processes of this one, or null
  std::function<void(const study_row&, const std::string& why)> failed{};  ///< told of points whose process died
  std::function<void(std::size_t done, std::size_t all)> progress{};       ///< told after each point that was run
  std::function<void()> ended{};  ///< told when no point is under way, or will be
};

class study {
 public:
  study(const study_means& means, point_store& store) : m_means(means), m_store(store) {}

  /// Another point. Its result is there at once if it is stored, or if it is infeasible; never once the study
  /// is to stop. \return its number
  std::size_t add(const sweep_point& point);

  /// Until every point has its result; \p told of each, those too that were there at once. It may add points.
  void run(const std::function<void(std::size_t)>& told = [](std::size_t) {});

  /// What is known of the points so far, by number; `outcome` is empty for those without a result.
  const std::vector<study_row>& rows() const { return m_rows; }
  std::size_t done() const;

 private:
  struct planned {
    std::string id;
    std::shared_ptr<const configuration> asked;  ///< null where nothing is left to run
    std::vector<std::size_t> twins{};            ///< points that are the same
  };
  work_result work_on(std::size_t number) const;
  void finish(std::size_t number, const work_result& result);

  const study_means& m_means;
  point_store& m_store;
  std::vector<study_row> m_rows;
  std::vector<planned> m_planned;
  std::map<std::string, std::size_t> m_awaited;  ///< points to run, by id
  std::deque<std::size_t> m_to_tell, m_to_run;
  std::size_t m_ran = 0;
};

/// The settings of a point on their way to another process, and what that process does with them.
std::string packed(const sweep_point& point);
work_result work_on_packed(const study_means& means, const std::string& point);

}  // namespace weft::experiment
