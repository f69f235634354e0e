// SPDX-License-Identifier: Apache-2.0
/// What `weft sweep`, `weft saturation` and `weft curve` share: options, store, workers, and how they end.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/command/command.h"
#include "weft/experiment/report/output_file.h"
#include "weft/experiment/study/store.h"
#include "weft/experiment/study/study.h"

namespace weft::experiment {

struct study_options {
  input in;
  std::vector<std::string> over, linked, sample;
  std::optional<std::string> samples, replicates;
  std::optional<unsigned> jobs;
  std::string store;
  bool quiet = false;
};

/// Opens the store \p file, which \p argument names, as point_store() does. \throws configuration_error at the argument
/// if that does not work
point_store open_store(const std::string& argument, const std::filesystem::path& file, bool create);

/// The exit status of \p use, which reads the store \p file.
/// \throws configuration_error at \p argument if that is damaged
int with_whole_store(const std::string& argument, const std::filesystem::path& file, const std::function<int()>& use);

void add_study_options(CLI::App& command, study_options& options);

/// What is to be studied. `base` has not been checked: values that a point sets may be missing.
struct study_question {
  configuration base;
  sweep_design design;
  std::vector<sweep_point> points;  ///< one without settings where nothing is swept
  std::filesystem::path store;
  std::vector<std::string> tables;  ///< suffixes of what is written besides the store: no other study may at that time
};

/// \throws configuration_error, also if the store or a table would overwrite what is read
study_question question_of(const study_options& options, std::vector<std::string> tables);

/// Has \p use run a study here, and, under mpirun, in all its processes; gives its exit status. Processes of mpirun but
/// the first only work.
int with_study(const study_options& options, const rtl_provider& rtl, const study_question& question,
               const std::function<int(study&)>& use);

/// Says on standard error why no point is feasible, each reason once, and gives the exit status.
int tell_infeasible(const std::vector<std::string>& errors);

/// Says on standard error how a study ended that did not end well, and gives the exit status.
int end_of_study(const study& s, const study_question& question);

/// The points, of which there are some, as a table in \p csv and on the terminal, and drawn over the first key that
/// is swept, into \p svg; says what was written, or on standard error why not. Draws nothing if that key is not of
/// numbers, or nothing was measured.
void show_points(const std::string& title, const std::vector<study_row>& rows, output_file& csv, output_file& svg,
                 bool quiet);

}  // namespace weft::experiment
