// SPDX-License-Identifier: Apache-2.0
/// A point of a sweep: its identity and its result.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// The key of a stored point: SHA-256 of Weft's version and all keys that affect the result, with the contents of the
/// files that they name instead of their names. \throws configuration_error for a file that cannot be read
std::string id_of(const configuration& c);

struct point_result {
  std::string outcome;  ///< outcome of the run; `infeasible`: cannot be simulated; `failed`: ended without a result
  std::string error;    ///< reason for any outcome other than `complete` and `saturated`, on one line
  std::string csv;      ///< header line and row of the result
  std::string json;     ///< the result file
};

/// Whether the point would end the same way if run again.
bool is_final(const point_result& r);
/// Whether it is a failure: a deadlock, an undelivered packet, no result. Infeasible and undecided points are no
/// failures.
bool is_failure(const point_result& r);

/// The result of a simulated point; \p explanation as in run_result, \p file the content of its JSON file.
point_result result_of(outcome how, const std::vector<std::string>& explanation, std::string csv, const json& file);

/// The result of a point that cannot be simulated or failed; \p message is converted to one line.
point_result without_result(const std::string& outcome, std::string message);

/// Simulates \p c, which may also be a collective or a program.
point_result run_point(configuration c, const rtl_provider& rtl, const run_hooks& hooks);

/// Encodes a result for another process.
std::string packed(const point_result& r);
/// Decodes packed(); the outcome is `failed` if \p text is invalid.
point_result unpacked(const std::string& text);

/// Points yield a row of the table and no files of their own.
/// \throws configuration_error if \p c requests an event log, answers or waveforms
void check_sweepable(const configuration& c);

}  // namespace weft::experiment
