// SPDX-License-Identifier: Apache-2.0
/// The kinds of pictures that `weft plot` draws from stored results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/picture/gnuplot.h"
#include "weft/experiment/picture/series.h"
#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

/// What a user chooses of a picture.
struct picture_request {
  std::string x, y;                         ///< columns or keys, for kinds that take any
  bool larger_x = false, larger_y = false;  ///< a larger value is a better one
  bool bits = false;                        ///< loads are in bits of payload, not in flits
  std::string title;                        ///< empty: the kind's own
  std::vector<std::string> labels;          ///< of the series, in their order, in place of their own
};

/// What a kind draws: points of sweeps and runs; several whole results; one of these.
enum class picture_source : std::uint8_t { Points, Results, OneResult };

/// A kind of picture.
struct picture_kind {
  const char* name;
  const char* description;
  picture_source source;
  /// Draws it. \throws configuration_error if the results lack what it needs
  picture (*make)(const stored_results&, const picture_request&);
  bool any_columns = false;  ///< it takes x and y
  bool takes_bits = false;
  bool has_series = true;  ///< it takes labels
};

/// All of them.
const std::vector<picture_kind>& picture_kinds();

/// The kind called \p name. \throws configuration_error if there is none
const picture_kind& find_picture_kind(const std::string& name);

// The kinds, by the file in which they are.

// curve_pictures.cpp
picture latency_over_load(const stored_results& stored, const picture_request& asked);
picture accepted_over_offered(const stored_results& stored, const picture_request& asked);
picture compressed_over_load(const stored_results& stored, const picture_request& asked);
picture any_over_any(const stored_results& stored, const picture_request& asked);
picture pareto_front(const stored_results& stored, const picture_request& asked);

// run_pictures.cpp
picture latency_breakdown(const stored_results& stored, const picture_request& asked);
picture latency_percentiles(const stored_results& stored, const picture_request& asked);
picture latency_histogram(const stored_results& stored, const picture_request& asked);
picture accepted_of_sources(const stored_results& stored, const picture_request& asked);
picture packet_matrix(const stored_results& stored, const picture_request& asked);
picture latency_matrix(const stored_results& stored, const picture_request& asked);

// time_pictures.cpp
picture accepted_over_time(const stored_results& stored, const picture_request& asked);
picture latency_over_time(const stored_results& stored, const picture_request& asked);
picture compressed_over_time(const stored_results& stored, const picture_request& asked);
picture steps_of_collective(const stored_results& stored, const picture_request& asked);
picture time_of_ranks(const stored_results& stored, const picture_request& asked);

// network_picture.cpp
picture network_heat(const stored_results& stored, const picture_request& asked);
picture deadlock_ring(const stored_results& stored, const picture_request& asked);

/// Latency and accepted load of a sweep beside each other, over \p key. Nothing if that is no number in any point, or
/// nothing was measured.
std::optional<picture> sweep_picture(const stored_table& table, const std::string& key);

/// \p list with the labels that \p asked gives. \throws configuration_error if there are not as many
std::vector<series> labelled(std::vector<series> list, const picture_request& asked);

/// The only one of \p results, which are \p what, such as "run". \throws configuration_error if there are more or none;
/// \p kind for the message
const stored_result& only_one(const std::vector<stored_result>& results, const stored_results& stored, const char* kind,
                              const char* what);
const stored_result& only_run(const stored_results& stored, const char* kind);

/// \throws configuration_error if \p kind draws fewer results than there are points in the stores of \p stored
void check_number_of_points(const stored_results& stored, const picture_kind& kind);

/// A curve for each run. \throws configuration_error if there is none; \p kind for the message
using samples_of_run = std::function<std::vector<sample>(const stored_result&)>;
std::vector<series> series_of_runs(const stored_results& stored, const picture_request& asked, const char* kind,
                                   const samples_of_run& samples);

}  // namespace weft::experiment
