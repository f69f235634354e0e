// SPDX-License-Identifier: Apache-2.0
/// The kinds of pictures that `weft plot` draws from stored results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/picture/gnuplot.h"
#include "weft/picture/series.h"
#include "weft/picture/stored.h"

namespace weft::experiment {

/// The options of `weft plot` for a picture.
struct picture_request {
  std::string x, y;                         ///< columns or keys on the axes, for kinds that accept any
  bool larger_x = false, larger_y = false;  ///< whether larger values are better
  bool bits = false;                        ///< whether loads are in bits of payload instead of flits
  std::string title;                        ///< empty: the default of the kind
  std::vector<std::string> labels;          ///< replace the labels of the series, in order
};

/// The input of a kind of picture: points of sweeps and runs, several complete results, or one complete result.
enum class picture_source : std::uint8_t { Points, Results, OneResult };

/// A kind of picture.
struct picture_kind {
  const char* name;
  const char* description;
  picture_source source;
  /// Draws the picture. \throws configuration_error if the results lack the required data
  picture (*make)(const stored_results&, const picture_request&);
  bool any_columns = false;  ///< whether it uses x and y
  bool takes_bits = false;   ///< whether loads may be in bits
  bool has_series = true;    ///< whether it uses labels
};

/// All kinds of pictures.
const std::vector<picture_kind>& picture_kinds();

/// The kind called \p name. \throws configuration_error if there is none
const picture_kind& find_picture_kind(const std::string& name);

// The kinds, by source file

// curve_pictures.cpp
picture latency_over_load(const stored_results& stored, const picture_request& request);
picture accepted_over_offered(const stored_results& stored, const picture_request& request);
picture compressed_over_load(const stored_results& stored, const picture_request& request);
picture curve_of_traffics(const stored_results& stored, const picture_request& request);
picture any_over_any(const stored_results& stored, const picture_request& request);
picture pareto_front(const stored_results& stored, const picture_request& request);

// run_pictures.cpp
picture latency_breakdown(const stored_results& stored, const picture_request& request);
picture energy_by_part(const stored_results& stored, const picture_request& request);
picture latency_percentiles(const stored_results& stored, const picture_request& request);
picture latency_histogram(const stored_results& stored, const picture_request& request);
picture accepted_of_sources(const stored_results& stored, const picture_request& request);
picture packet_matrix(const stored_results& stored, const picture_request& request);
picture latency_matrix(const stored_results& stored, const picture_request& request);

// time_pictures.cpp
picture accepted_over_time(const stored_results& stored, const picture_request& request);
picture latency_over_time(const stored_results& stored, const picture_request& request);
picture power_over_time(const stored_results& stored, const picture_request& request);
picture compressed_over_time(const stored_results& stored, const picture_request& request);
picture steps_of_collective(const stored_results& stored, const picture_request& request);
picture time_of_ranks(const stored_results& stored, const picture_request& request);

// network_picture.cpp
picture network_heat(const stored_results& stored, const picture_request& request);
picture deadlock_ring(const stored_results& stored, const picture_request& request);

/// Latency and accepted load of a sweep side by side, over \p key. Returns nothing if no point has a number for the
/// key, or if nothing was measured.
std::optional<picture> sweep_picture(const stored_table& table, const std::string& key);

/// Gives the series in \p list the labels in \p request, if there are any. \throws configuration_error if there are not
/// as many labels as series
std::vector<series> labelled(std::vector<series> list, const picture_request& request);

/// Returns the only element of \p results. \p kind is the kind of the picture and \p what the kind of the results, for
/// the message. \throws configuration_error if there is not exactly one element
const stored_result& only_one(const std::vector<stored_result>& results, const stored_results& stored, const char* kind,
                              const char* what);
/// Returns the only run of \p stored for a picture of kind \p kind. \throws configuration_error as only_one()
const stored_result& only_run(const stored_results& stored, const char* kind);

/// Checks that a picture of \p kind can show all points in the stores of \p stored. \throws configuration_error if
/// there are too many
void check_number_of_points(const stored_results& stored, const picture_kind& kind);

/// Makes a series for each run of \p stored. \param kind kind of the picture, for the message \param samples returns
/// the samples of a run \throws configuration_error if there are no runs
using samples_of_run = std::function<std::vector<sample>(const stored_result&)>;
std::vector<series> series_of_runs(const stored_results& stored, const picture_request& request, const char* kind,
                                   const samples_of_run& samples);

}  // namespace weft::experiment
