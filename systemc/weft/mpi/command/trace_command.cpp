// SPDX-License-Identifier: Apache-2.0
/// `weft trace`: shows the contents of a trace of an MPI program.
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/mpi/report/trace_recording.h"
#include "weft/mpi/report/trace_results.h"

namespace weft::experiment {

namespace {

constexpr const char* TraceHelp = R"(Examples:
  weft trace my.trace
  weft trace --cut 14 --json - my.trace
  weft trace --recording my.bin --type MPI_INT my.trace
  mpirun -n 4 -x LD_PRELOAD=build/release/systemc/weft/mpi/recorder/libweft_mpi.so -x WEFT_MPI_TRACE=my.trace ./program

The last example records a program. libweft_mpi.so is in the build folder and, where Weft is installed, in PREFIX/lib
or, on Debian, PREFIX/lib/TRIPLET.

TRACE is the folder that the recorder wrote, or one file with its files concatenated. The summary lists the calls, the
time in calls and between them, and the messages by size, by pair of ranks and by type. If the payload was recorded
(WEFT_MPI_PAYLOAD=whole), it also has the compression ratios of the codecs: original bits divided by coded bits, with
each message coded separately. --recording writes the payload to a file for weft codec and workload.payload.file.

Exit status: 0 done, 2 wrong usage or input.)";

struct trace_options {
  std::string trace;
  unsigned cut = codec_parameters().cut;
  std::string json_file;
  std::string recording_file;
  std::string type;
};

int do_trace(const trace_options& options) {
  check_outputs({{"--json", options.json_file}, {"--recording", options.recording_file}},
                with_content("TRACE", options.trace));
  const trace_summary summary = examine_trace(options.trace, options.cut);
  if (!options.json_file.empty()) write_text("--json", options.json_file, to_text(to_json(summary)));
  if (!options.recording_file.empty())
    write_text("--recording", options.recording_file, to_recording(options.trace, options.type));
  if (options.json_file.empty() && options.recording_file.empty()) std::cout << to_table(summary);
  return Done;
}

}  // namespace

void add_trace(command_set& commands) {
  const auto options = std::make_shared<trace_options>();
  CLI::App& command = commands.add("trace", "Prints a summary of the trace of an MPI program.", TraceHelp,
                                   [options] { return do_trace(*options); });
  command.add_option("TRACE", options->trace, "a folder or a file that libweft_mpi.so wrote")
      ->type_name("FILE")
      ->required();
  command.add_option("--cut", options->cut, "bits that LSB-cut removes, 0 to 51; default 28")
      ->type_name("N")
      ->check(CLI::Range(0u, MaxCut));
  add_file_option(command, "--json", options->json_file, "write all metrics as JSON; - for standard output");
  add_file_option(command, "--recording", options->recording_file,
                  "write the payload for weft codec; - for standard output");
  command.add_option("--type", options->type, "write only messages of this type, such as MPI_INT, with --recording")
      ->type_name("NAME")
      ->needs("--recording");
}

}  // namespace weft::experiment
