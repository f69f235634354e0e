// SPDX-License-Identifier: Apache-2.0
/// `weft report`: writes an HTML page with all results of a directory.
#include <filesystem>
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/core/printable.h"
#include "weft/picture/page.h"

namespace weft::experiment {

namespace {

constexpr const char* ReportHelp = R"(Examples:
  weft report results                       writes results/report.html
  weft report results -o quickstart.html

The page is self-contained and opens in any browser. It contains the results of NAME.json, NAME.sweep.csv,
NAME.curve.csv, NAME.explore.json and NAME.events of the directory, or of its stores if there are no tables. The command
skips damaged files and reports them. For more pictures, set output.breakdown, output.interval, output.queues,
output.matrix or output.event_log and run again.

Exit status: 0 the page is written, 1 it could not be written, 2 wrong usage or input. If only some of the input is
damaged, the status is 2, but the page with the other results is written.)";

struct report_options {
  std::string directory, file;
};

int do_report(const report_options& options) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(options.directory, error))
    fail("report " + options.directory, "expected a directory with results of `weft run` or `weft sweep`");
  const stored_results stored = read_stored({options.directory});
  if (stored.empty() && stored.damaged.empty()) fail("report " + options.directory, NoResults);
  const std::string file = options.file.empty() ? (fs::path(options.directory) / "report.html").string() : options.file;
  check_outputs({{"-o", file}}, arguments_of(stored));
  const fs::path whole = fs::weakly_canonical(options.directory, error);
  std::vector<std::string> damaged;
  write_text("-o", file, to_page(stored, "Results in " + whole.filename().string(), damaged));
  if (file != "-") std::cout << written_line(file);
  for (const std::string& line : damaged) std::cerr << printable(line) << "\n";
  return damaged.empty() ? Done : Wrong;
}

}  // namespace

void add_report(command_set& commands) {
  const auto options = std::make_shared<report_options>();
  CLI::App& command = commands.add("report", "Writes a web page with all results of a directory.", ReportHelp,
                                   [options] { return do_report(*options); });
  command.add_option("DIR", options->directory, "a directory with results")->type_name("DIR")->required();
  add_file_option(command, "-o,--output", options->file, "the page; default: report.html in the directory");
}

}  // namespace weft::experiment
