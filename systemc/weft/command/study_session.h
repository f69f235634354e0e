// SPDX-License-Identifier: Apache-2.0
/// The common parts of `weft sweep`, `weft saturation` and `weft curve`: options, store, workers and the end of a
/// study.
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

/// Opens the store \p file. Errors name \p argument, the command-line argument that gave the file. \p create has the
/// same meaning as in point_store().
/// \throws configuration_error at the argument if the store cannot be opened
point_store open_store(const std::string& argument, const std::filesystem::path& file, bool create);

/// Calls \p use, which uses the store \p file, and returns its exit status. \throws configuration_error at \p argument
/// if the store is damaged
int with_whole_store(const std::string& argument, const std::filesystem::path& file, const std::function<int()>& use);

void add_study_options(CLI::App& command, study_options& options);

/// The input of a study. `base` has not been checked, because values that a point sets may be missing.
struct study_question {
  configuration base;
  sweep_design design;
  std::vector<sweep_point> points;  ///< one point without settings if nothing is swept
  std::filesystem::path store;
  std::vector<std::string> tables;  ///< suffixes of the other output files, which are locked meanwhile
};

/// The input of a study with these options. \throws configuration_error, also if the store or a table would overwrite
/// an input
study_question question_of(const study_options& options, std::vector<std::string> tables);
/// The same without `points`, for a search in a design whose points are too many to list.
study_question question_without_points(const study_options& options, std::vector<std::string> tables);

/// Runs a study and returns the exit status. \p use adds the points and evaluates the results. Under mpirun, only
/// process 0 calls \p use; the other processes simulate points for it.
int with_study(const study_options& options, const rtl_provider& rtl, const study_question& question,
               const std::function<int(study&)>& use);

/// Prints on standard error why no point is feasible, each reason once. Returns the exit status.
int report_infeasible(const std::vector<std::string>& errors);

/// Prints on standard error how a study ended if it did not complete. Returns the exit status.
int end_of_study(const study& s, const study_question& question);

/// Writes \p rows, at least one, as a table to \p csv and to the terminal, and draws them over the first
/// swept key in \p svg. Prints the names of the written files, or on standard error why there is no picture. Draws
/// nothing if the key is not numeric, or if nothing was measured.
void show_points(const std::string& title, const std::vector<study_row>& rows, output_file& csv, output_file& svg,
                 bool quiet);

}  // namespace weft::experiment
