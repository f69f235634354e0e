// SPDX-License-Identifier: Apache-2.0
/// Runs several pieces of work in parallel. Each has a process of its own, because SystemC elaborates once per process.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::experiment {

/// The result of a piece of work.
struct work_result {
  int status = 0;    ///< exit status of the work; 128 + the number of the signal that killed its process
  std::string text;  ///< text that the work returned
};

/// Numbered pieces of work, and the functions that supply, execute and complete them.
struct work_list {
  /// Returns the number of the next piece, or nothing if there is none at present; `done` may add pieces.
  std::function<std::optional<std::size_t>()> next;
  /// Executes a piece in a child process. If it throws, the process prints the message and ends with status 1.
  std::function<work_result(std::size_t)> work;
  /// Receives the result of a piece.
  std::function<void(std::size_t, const work_result&)> done;
  /// Returns true to stop. Then no piece is started, and all processes get SIGTERM and, a second later, SIGKILL.
  std::function<bool()> stop;
};

/// Workers other than child processes, for example the other processes of `mpirun`.
class remote_workers {
 public:
  virtual ~remote_workers() = default;
  /// Collects the results of completed pieces and, unless \p stopping, distributes new ones.
  virtual void serve(const work_list& list, bool stopping) = 0;
  /// Whether any worker still executes a piece.
  virtual bool busy() const = 0;
};

/// Executes \p list until no work is left, in at most \p jobs child processes at a time and by \p others. If this
/// process dies, the system kills its children. \throws output_error if a process cannot be created
void run_all(unsigned jobs, const work_list& list, remote_workers* others = nullptr);

/// Executes \p work for the numbers from 0 to \p points - 1, in at most \p jobs child processes at a time. Calls
/// \p progress after each. If \p stop returns true, the remaining numbers are left out. \return the results, by number
std::vector<work_result> run_points(std::size_t points, unsigned jobs,
                                    const std::function<work_result(std::size_t)>& work,
                                    const std::function<void(std::size_t done)>& progress,
                                    const std::function<bool()>& stop);

}  // namespace weft::experiment
