// SPDX-License-Identifier: Apache-2.0
/// A point of a sweep: what makes it the same as another, and what comes of it.
#pragma once

#include <string>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// Under which a point is stored: SHA-256 of Weft's version and all keys that decide the result, with the content of
/// the files that they name in place of the names. \throws configuration_error for a file that cannot be read
std::string id_of(const configuration& c);

struct point_result {
  std::string outcome;  ///< of the run; `infeasible`: it cannot be simulated; `failed`: it ended without a result
  std::string error;    ///< why, of any other outcome than `complete` and `saturated`; on one line
  std::string csv;      ///< header line and row of the result
  std::string json;     ///< the result file
};

/// Whether it came to an end that will be the same the next time.
bool is_final(const point_result& r);
/// Whether it is a failure: a deadlock, an undelivered packet, no result. Infeasible and undecided points are none.
bool is_failure(const point_result& r);

/// Of a point that cannot be simulated, or failed: \p message on one line.
point_result without_result(const std::string& outcome, std::string message);

/// Simulates \p c, a collective and a program, too.
point_result run_point(configuration c, const rtl_provider& rtl, const run_hooks& hooks);

/// Between processes.
std::string packed(const point_result& r);
/// `failed` if \p text is not what packed() gave.
point_result unpacked(const std::string& text);

/// A point gives a row of the table, and no files of its own.
/// \throws configuration_error if \p c asks for an event log, answers or waveforms
void check_sweepable(const configuration& c);

}  // namespace weft::experiment
