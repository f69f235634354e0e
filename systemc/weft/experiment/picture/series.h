// SPDX-License-Identifier: Apache-2.0
/// Points of sweeps as the series of a picture: what belongs on one curve, and what the legend calls it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

struct sample {
  double x = 0, y = 0;
  std::optional<double> half_width;  ///< of the 95 % interval of y
};

struct series {
  std::string label;  ///< empty where there is only one
  std::vector<sample> samples;
};

/// What is drawn over what: columns of the CSV file or keys of the configuration.
struct curve_columns {
  std::string x, y;
  std::string y_half_width;   ///< column; empty: none
  bool settled_only = false;  ///< y means nothing in a saturated network
};

/// A series for each combination of keys but that on the x axis; with "offered" there, but the load. Points that differ
/// in nothing but their seed are one sample, their mean, with the 95 % interval of replications. Series without a
/// sample are left out.
std::vector<series> series_of(const stored_results& stored, const curve_columns& columns);

/// A point of a picture in which each has a name.
struct named_sample {
  sample at;
  std::string label;
};

/// Of each table its samples, which are those of series_of(), but not joined to series; x may be any column, too. They
/// are named as by point_labels(), but for the seed.
std::vector<std::vector<named_sample>> samples_of(const stored_results& stored, const curve_columns& columns);

/// What tells each point from the others of all tables, for legends and ticks: "vcs = 4, depth = 8". Points of one
/// table are named by the keys in which they differ, or by the experiment's name, if that is shorter or they differ in
/// none; where there are many keys, only by those that it takes to tell them apart.
std::vector<std::string> point_labels(const std::vector<stored_table>& tables);

}  // namespace weft::experiment
