// SPDX-License-Identifier: Apache-2.0
/// Groups the points of sweeps into the series of a picture, with labels for the legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/picture/stored.h"

namespace weft::experiment {

struct sample {
  double x = 0, y = 0;
  std::optional<double> half_width;  ///< of the 95 % interval of y
};

struct series {
  std::string label;  ///< empty if there is only one series
  std::vector<sample> samples;
};

/// The axes: columns of the CSV file or keys of the configuration.
struct curve_columns {
  std::string x, y;
  std::string y_half_width;   ///< column; empty: none
  bool settled_only = false;  ///< whether y is meaningless in a saturated network
};

/// A series for each combination of keys, excluding the key on the x axis; with "offered" on the x axis, excluding the
/// load. Points that differ only in their seed form one sample, their mean, with the 95 % interval of the replications.
/// Series without samples are omitted.
std::vector<series> series_of(const stored_results& stored, const curve_columns& columns);

/// A labeled point of a picture.
struct named_sample {
  sample at;
  std::string label;
};

/// For each table, the same samples as in series_of() but not grouped into series; x may be any column as well. Labels
/// are those of point_labels(), without the seed.
std::vector<std::vector<named_sample>> samples_of(const stored_results& stored, const curve_columns& columns);

/// Labels that distinguish the points of all tables, for legends and ticks: "vcs = 4, depth = 8". Points of one table
/// are labeled by the keys in which they differ, or by the experiment's name if that is shorter or they do not differ.
/// If there are many keys, only as many are used as distinguish the points.
std::vector<std::string> point_labels(const std::vector<stored_table>& tables);

}  // namespace weft::experiment
