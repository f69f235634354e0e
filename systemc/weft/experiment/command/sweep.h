/// A sweep: the same experiment at many points, each in a process of its own (SystemC elaborates once a
/// process), as many at a time as there are processors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"

namespace weft::experiment {

/// A key and the values it goes through.
struct sweep_axis {
  std::string key;
  std::vector<std::string> values;  ///< YAML
};

/// `key=a,b,c` or `key=first:last:step` of `--over`, the last value included. \throws configuration_error
sweep_axis parse_axis(const std::string& text);

/// \throws configuration_error for a key that is swept twice, and for keys of `output`, which is one for all points
void check_axes(const std::vector<sweep_axis>& axes);

/// A point gives a row of the table, and no files of its own.
/// \throws configuration_error if \p c asks for an event log, answers or waveforms
void check_sweepable(const configuration& c);

/// One setting of every axis.
using sweep_point = std::vector<setting>;

/// All combinations, the last axis fastest.
std::vector<sweep_point> points_of(const std::vector<sweep_axis>& axes);

/// What came of a point.
struct sweep_row {
  int status = 0;   ///< of the point's process; not Done and no `csv`: it died
  std::string csv;  ///< header and row as to_csv() gives them
};

/// Runs \p work for every point, at most \p jobs at a time, each in a child process; its result travels back
/// as text. \p progress is told after each. When \p stop says so, no more are started,
/// and those that run get SIGTERM.
std::vector<sweep_row> run_points(std::size_t points, unsigned jobs, const std::function<sweep_row(std::size_t)>& work,
                                  const std::function<void(std::size_t done)>& progress,
                                  const std::function<bool()>& stop);

/// One table of all points: the columns of the axes, then those of to_csv(). Points without a result are left
/// out.
std::string sweep_csv(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                      const std::vector<sweep_row>& rows);

/// For the terminal: the axes, how each point ended, and its main figures.
std::string sweep_table(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                        const std::vector<sweep_row>& rows);

/// Where a point is: "workload.injection.load=0.3, network.router.vcs=4".
std::string place_of(const sweep_point& point);

/// A gnuplot script that draws latency and accepted throughput over the first axis, one line for each
/// combination of the others, into \p svg. Empty if the first axis is not of numbers or no point has a
/// result; without latency if no point settled.
std::string sweep_plot(const std::string& title, const std::vector<sweep_axis>& axes,
                       const std::vector<sweep_point>& points, const std::vector<sweep_row>& rows,
                       const std::string& svg);

}  // namespace weft::experiment
