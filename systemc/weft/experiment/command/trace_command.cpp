// SPDX-License-Identifier: Apache-2.0
/// `weft trace`: what is in a trace of an MPI program.
#include <iostream>
#include <memory>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/file_arguments.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/report/trace_recording.h"
#include "weft/experiment/report/trace_results.h"

namespace weft::experiment {

namespace {

constexpr const char* TraceHelp = R"(Examples:
  weft trace my.trace
  weft trace --cut 14 --json - my.trace
  weft trace --recording my.bin --type MPI_INT my.trace
  mpirun -n 4 -x LD_PRELOAD=build/release/systemc/weft/recorder/libweft_mpi.so -x WEFT_MPI_TRACE=my.trace ./program

The last one records: libweft_mpi.so lies in the folder of the build, and, where Weft is installed, in
PREFIX/lib or, on Debian, PREFIX/lib/TRIPLET.
TRACE is the folder that the recorder wrote, or its files one behind the other as one file. Calls, time between and in
them, messages by size, by pair of ranks and by type; what the codecs make of the payload, if it was recorded
(WEFT_MPI_PAYLOAD=whole): original bits by coded bits, message by message. --recording writes that payload to a file
that weft codec and workload.payload.file read.

Exit status: 0 done, 2 wrong usage or input.)";

struct trace_options {
  std::string trace;
  unsigned cut = codec_parameters().cut;
  std::string json_file;
  std::string recording_file;
  std::string type;
};

int do_trace(const trace_options& asked) {
  check_outputs({{"--json", asked.json_file}, {"--recording", asked.recording_file}},
                with_content("TRACE", asked.trace));
  const trace_report report = examine_trace(asked.trace, asked.cut);
  if (!asked.json_file.empty()) write_text("--json", asked.json_file, to_text(to_json(report)));
  if (!asked.recording_file.empty())
    write_text("--recording", asked.recording_file, to_recording(asked.trace, asked.type));
  if (asked.json_file.empty() && asked.recording_file.empty()) std::cout << to_table(report);
  return Done;
}

}  // namespace

void add_trace(command_set& commands) {
  const auto options = std::make_shared<trace_options>();
  CLI::App& command = commands.add("trace", "Prints what is in the trace of an MPI program.", TraceHelp,
                                   [options] { return do_trace(*options); });
  command.add_option("TRACE", options->trace, "a folder or a file that libweft_mpi.so wrote")->required();
  command.add_option("--cut", options->cut, "bits that LSB-cut leaves out, 0 to 51; otherwise 28")
      ->type_name("N")
      ->check(CLI::Range(0u, MaxCut));
  add_file_option(command, "--json", options->json_file, "write all figures; - for standard output");
  add_file_option(command, "--recording", options->recording_file,
                  "write the payload for weft codec; - for standard output");
  command.add_option("--type", options->type, "of --recording: messages of this type alone, as MPI_INT; otherwise all")
      ->type_name("NAME")
      ->needs("--recording");
}

}  // namespace weft::experiment
