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

/// The axes of curves: columns of the CSV file or keys of the configuration.
struct curve_columns {
  std::string x, y;
  std::string y_half_width;   ///< column with the half width of y; empty if there is none
  bool settled_only = false;  ///< whether to omit points that the network does not carry
};

/// Makes one series for each combination of values of all keys except the key on the x axis. For the column "offered",
/// this key is the load. Points that differ only in their seed become one sample: their mean, with the 95 % interval
/// over the replications. Series without samples are omitted.
std::vector<series> series_of(const stored_results& stored, const curve_columns& columns);

/// A labeled point of a picture.
struct named_sample {
  sample at;
  std::string label;
};

/// The samples of series_of() for each table, not grouped into series. Here, x may be any column. Labels are those of
/// point_labels(), without the seed.
std::vector<std::vector<named_sample>> samples_of(const stored_results& stored, const curve_columns& columns);

/// Labels that distinguish the points of all tables, for legends and ticks, as in "vcs = 4, depth = 8". The points of
/// one table are labeled by the keys in which they differ, or by the name of the experiment if it is shorter or the
/// keys do not differ. If there are many such keys, a label has only the keys that are necessary to distinguish the
/// points.
std::vector<std::string> point_labels(const std::vector<stored_table>& tables);

}  // namespace weft::experiment
