// SPDX-License-Identifier: Apache-2.0
/// `weft codec`: measures the codecs on recorded messages.
#include <charconv>
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/report/codec_results.h"

namespace weft::experiment {

namespace {

constexpr const char* CodecHelp = R"(Examples:
  weft codec payload.bin.gz
  weft codec --tune is.S.2.bin.gz aco.lin105.2.bin.gz
  weft codec --runs 32,28,25,23,22,21 --packet 64 --words 4 payload.bin
  weft codec --cut 14 --json - lammps.melt.2.bin.gz

A file that starts with MPTRACE1 is a recording of messages. Any other file is read as one message of 32-bit words.
Files may be compressed with gzip.

ratio        the compression ratio of the code alone: original bits divided by coded bits, with each message coded
             separately
as packets   the compression ratio in the network: raw flits divided by flits sent. Messages are divided into packets
             of at most --packet flits. Each packet is sent raw or coded, whichever is shorter, in whole flits, so this
             ratio is never below 1

Table-based FPC replaces leading zeros by a 3-bit code that selects one of six run lengths; --tune finds the optimal
run lengths for the file. Classic FPC is the code of Alameldeen and Wood. LSB-cut removes the lowest bits of doubles.
Its form "exact" keeps zeros, denormals, infinities and NaNs unchanged; "plain" is the form of the paper. Integers in a
file of doubles, and doubles in a file without a type, are tried "as words" and "as doubles".

Exit status: 0 done, 2 wrong usage or input.)";

/// Parses six run lengths such as "18,17,16,15,14,13". \throws configuration_error, which names \p option
fpc_table parse_runs(const std::string& option, const std::string& text) {
  const auto fail = [&option, &text] {
    throw configuration_error(
        {{option + " " + text,
          "expected six run lengths in descending order, from 32 to 1, such as 18,17,16,15,14,13"}});
  };
  fpc_table table;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (unsigned i = 0; i < table.runs.size(); ++i) {
    const auto [stop, error] = std::from_chars(at, end, table.runs[i]);
    const bool is_last = i + 1 == table.runs.size();
    if (error != std::errc{} || (is_last ? stop != end : stop == end || *stop != ',')) fail();
    at = is_last ? stop : stop + 1;
  }
  if (!table.valid()) fail();
  return table;
}

struct codec_command_options {
  std::vector<std::string> files;
  std::optional<std::string> runs;
  codec_options codecs;
  std::string json_file;
};

int do_codec(const codec_command_options& request) {
  codec_options options = request.codecs;
  if (request.runs) options.runs = parse_runs("--runs", *request.runs);
  std::vector<file_argument> read;
  for (const std::string& file : request.files) read.push_back({"FILE", file});
  check_outputs({{"--json", request.json_file}}, read);
  std::vector<codec_summary> summaries;  // all files are read before anything is printed
  for (const std::string& file : request.files) summaries.push_back(examine(file, options));
  if (!request.json_file.empty()) {
    json list = json::array();
    for (const codec_summary& r : summaries) list.push_back(to_json(r, options));
    write_text("--json", request.json_file, to_text(list));
    return Done;
  }
  for (std::size_t i = 0; i < summaries.size(); ++i)
    std::cout << (i > 0 ? "\n" : "") << to_table(summaries[i], options);
  return Done;
}

}  // namespace

void add_codec(command_set& commands) {
  const auto options = std::make_shared<codec_command_options>();
  CLI::App& command = commands.add("codec", "Prints the compression ratios of recorded messages.", CodecHelp,
                                   [options] { return do_codec(*options); });
  codec_options& codecs = options->codecs;
  command.add_option("FILE", options->files, "a recording of messages, or any other file; may be compressed with gzip")
      ->type_name("FILE")
      ->required();
  command.add_flag("--tune", codecs.tune, "find the best six run lengths for each file");
  command.add_option("--runs", options->runs, "six run lengths to try, in descending order, as in 18,17,16,15,14,13")
      ->type_name("RUNS");
  command.add_option("--cut", codecs.cut, "number of bits that LSB-cut removes, 0 to 51; default 28")
      ->type_name("N")
      ->check(CLI::Range(0u, MaxCut));
  command.add_option("--words", codecs.words_per_flit, "number of 32-bit words per flit: 1, 2, 4 or 8; default 2")
      ->type_name("K")
      ->check(CLI::IsMember({1u, 2u, 4u, 8u}));
  command.add_option("--packet", codecs.packet, "length of the longest packet; default 512")
      ->type_name("FLITS")
      ->check(CLI::Range(1u, (1u << 24) - 1));
  add_file_option(command, "--json", options->json_file, "write all metrics as JSON; - for standard output");
}

}  // namespace weft::experiment
