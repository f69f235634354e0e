// SPDX-License-Identifier: Apache-2.0
/// The identity and the result of a point of a sweep.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// The identifier of a point in a store: the SHA-256 of the version of Weft and of all keys that affect the result. If
/// a key names a file, the identifier depends on the contents of the file and not on its name.
/// \throws configuration_error if such a file cannot be read
std::string id_of(const configuration& c);

struct point_result {
  std::string outcome;  ///< outcome of the run; `infeasible` if it cannot start; `failed` if it has no result
  std::string error;    ///< reason for any outcome other than `complete` and `saturated`, on one line
  std::string csv;      ///< header line and row of the result
  std::string json;     ///< content of the JSON file of the result
};

/// Whether another run of the point would end in the same way, so that the result may be stored.
bool is_final(const point_result& r);
/// Whether the run failed, for example by a deadlock, an undelivered packet or the death of its process. Infeasible and
/// undecided points did not fail.
bool is_failure(const point_result& r);

/// The result of a simulated point. \param explanation as in run_result \param file content of the JSON file of the
/// result
point_result result_of(outcome how, const std::vector<std::string>& explanation, std::string csv, const json& file);

/// The result of a point that cannot be simulated or that failed. The lines of \p message are joined to one.
point_result without_result(const std::string& outcome, std::string message);

/// Simulates \p c, which is traffic, a collective or a recorded program.
point_result run_point(configuration c, const rtl_provider& rtl, const run_hooks& hooks);

/// Encodes a result for another process.
std::string packed(const point_result& r);
/// Decodes packed(); the outcome is `failed` if \p text is invalid.
point_result unpacked(const std::string& text);

/// Checks that \p c requests no files that the points of a sweep do not write. \throws configuration_error if \p c
/// requests an event log, packet answers or waveforms
void check_sweepable(const configuration& c);

}  // namespace weft::experiment
