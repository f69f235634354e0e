// SPDX-License-Identifier: Apache-2.0
/// Several runs, each in a process of its own (SystemC elaborates once a process), a number of them at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace weft::experiment {

/// What came of a point.
struct sweep_row {
  int status = 0;   ///< of the point's process; not Done and no `csv`: it died
  std::string csv;  ///< header and row as to_csv() gives them
};

/// Runs \p work for every point, at most \p jobs at a time, each in a child process; its result travels back
/// as text. What \p work throws is printed on standard error, and its point has failed. \p progress is told after each.
/// When \p stop says so, no more are started, and those that run get SIGTERM. \throws output_error without processes
std::vector<sweep_row> run_points(std::size_t points, unsigned jobs, const std::function<sweep_row(std::size_t)>& work,
                                  const std::function<void(std::size_t done)>& progress,
                                  const std::function<bool()>& stop);

}  // namespace weft::experiment
