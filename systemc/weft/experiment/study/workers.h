// SPDX-License-Identifier: Apache-2.0
/// Several runs, each in a process of its own (SystemC elaborates once a process), a number of them at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::experiment {

/// What came of a piece of work.
struct work_result {
  int status = 0;    ///< what the work said; 128 + signal if its process was killed
  std::string text;  ///< what it gave back
};

/// Work that is numbered, and who is told.
struct work_list {
  std::function<std::optional<std::size_t>()> next;  ///< nothing: none now; done() may bring more
  std::function<work_result(std::size_t)> work;      ///< in a child process; what it throws is printed, status 1
  std::function<void(std::size_t, const work_result&)> done;
  std::function<bool()> stop;  ///< no more is started, and what runs gets SIGTERM, a second later SIGKILL
};

/// Other places than child processes where work of a list is done.
class remote_workers {
 public:
  virtual ~remote_workers() = default;
  /// Takes in what is done and gives out what is next; after \p stopping, nothing more.
  virtual void serve(const work_list& list, bool stopping) = 0;
  virtual bool busy() const = 0;
};

/// Until no work is left, at most \p jobs at a time here. Children die with this process. \throws output_error without
/// processes
void run_all(unsigned jobs, const work_list& list, remote_workers* others = nullptr);

/// What came of \p work for 0 … \p points - 1, in order. \p progress is told after each.
std::vector<work_result> run_points(std::size_t points, unsigned jobs,
                                    const std::function<work_result(std::size_t)>& work,
                                    const std::function<void(std::size_t done)>& progress,
                                    const std::function<bool()>& stop);

}  // namespace weft::experiment
