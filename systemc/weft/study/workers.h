// SPDX-License-Identifier: Apache-2.0
/// Runs several tasks in parallel, each in a process of its own, because SystemC elaborates once per process.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::experiment {

/// The result of a piece of work.
struct work_result {
  int status = 0;    ///< status of the work; 128 + signal if its process was killed
  std::string text;  ///< returned text
};

/// Numbered pieces of work, and callbacks.
struct work_list {
  std::function<std::optional<std::size_t>()> next;  ///< nothing: no work at present; done() may add more
  std::function<work_result(std::size_t)> work;      ///< runs in a child process; exceptions are printed: status 1
  std::function<void(std::size_t, const work_result&)> done;
  std::function<bool()> stop;  ///< if true: starts no more work; processes get SIGTERM, a second later SIGKILL
};

/// Workers other than child processes.
class remote_workers {
 public:
  virtual ~remote_workers() = default;
  /// Collects completed work and distributes the next; after \p stopping, distributes nothing more.
  virtual void serve(const work_list& list, bool stopping) = 0;
  virtual bool busy() const = 0;
};

/// Runs until no work is left, with at most \p jobs child processes. Children end with this process.
/// \throws output_error if no process can be created
void run_all(unsigned jobs, const work_list& list, remote_workers* others = nullptr);

/// Results of \p work for 0 … \p points - 1, in order. \p progress is called after each.
std::vector<work_result> run_points(std::size_t points, unsigned jobs,
                                    const std::function<work_result(std::size_t)>& work,
                                    const std::function<void(std::size_t done)>& progress,
                                    const std::function<bool()>& stop);

}  // namespace weft::experiment
