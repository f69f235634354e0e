// SPDX-License-Identifier: Apache-2.0
/// A sweep: the same experiment at many points, their table and their drawing. points.h runs them.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/command/points.h"
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

/// One table of all points: the columns of the axes, then those of to_csv(). Points without a result are left
/// out.
std::string sweep_csv(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                      const std::vector<sweep_row>& rows);

/// For the terminal: the axes, how each point ended, and its main figures.
std::string sweep_table(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                        const std::vector<sweep_row>& rows);

/// What a point sets: "workload.injection.load=0.3, network.router.vcs=4".
std::string settings_text(const sweep_point& point);

/// A gnuplot script that draws latency and accepted throughput over the first axis, one line for each
/// combination of the others, into \p svg. Empty if the first axis is not of numbers or no point has a
/// result; without latency if no point settled.
std::string sweep_plot(const std::string& title, const std::vector<sweep_axis>& axes,
                       const std::vector<sweep_point>& points, const std::vector<sweep_row>& rows,
                       const std::string& svg);

}  // namespace weft::experiment
