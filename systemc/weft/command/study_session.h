// SPDX-License-Identifier: Apache-2.0
/// Common parts of `weft sweep`, `weft saturation` and `weft curve`: options, store, workers, and end of the study.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/command/command.h"
#include "weft/report/output_file.h"
#include "weft/study/store.h"
#include "weft/study/study.h"

namespace weft::experiment {

struct study_options {
  input in;
  std::vector<std::string> over, linked, sample;
  std::optional<std::string> samples, replicates;
  std::optional<unsigned> jobs;
  std::string store;
  bool quiet = false;
};

/// Opens the store \p file, named by \p argument, as in point_store(). \throws configuration_error at the argument if
/// that fails
point_store open_store(const std::string& argument, const std::filesystem::path& file, bool create);

/// Returns the exit status of \p use, which reads the store \p file.
/// \throws configuration_error at \p argument if the store is damaged
int with_whole_store(const std::string& argument, const std::filesystem::path& file, const std::function<int()>& use);

void add_study_options(CLI::App& command, study_options& options);

/// The input of a study. `base` has not been checked, because values that a point sets may be missing.
struct study_question {
  configuration base;
  sweep_design design;
  std::vector<sweep_point> points;  ///< a single point without settings if nothing is swept
  std::filesystem::path store;
  std::vector<std::string> tables;  ///< suffixes of other output files, which no other study may write meanwhile
};

/// \throws configuration_error, also if the store or a table would overwrite an input
study_question question_of(const study_options& options, std::vector<std::string> tables);

/// Runs a study with \p use in this process and, under mpirun, in all of its processes; returns the exit status. Under
/// mpirun, processes other than the first only work on points.
int with_study(const study_options& options, const rtl_provider& rtl, const study_question& question,
               const std::function<int(study&)>& use);

/// Prints on standard error why no point is feasible, each reason once, and returns the exit status.
int report_infeasible(const std::vector<std::string>& errors);

/// Prints on standard error how a study ended if it did not complete, and returns the exit status.
int end_of_study(const study& s, const study_question& question);

/// Writes the points, of which there must be some, as a table to \p csv and to the terminal, and as a picture over the
/// first swept key to \p svg. Prints the names of the files, or on standard error why one was not written. Draws
/// nothing if the key is not numeric, or nothing was measured.
void show_points(const std::string& title, const std::vector<study_row>& rows, output_file& csv, output_file& svg,
                 bool quiet);

}  // namespace weft::experiment
