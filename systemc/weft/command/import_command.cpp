// SPDX-License-Identifier: Apache-2.0
/// `weft import`: converts configurations of other simulators.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/core/printable.h"
#include "weft/core/warning.h"
#include "weft/file/form.h"
#include "weft/import/anynet_file.h"
#include "weft/import/booksim_file.h"
#include "weft/import/booksim_import.h"
#include "weft/import/booksim_keys.h"
#include "weft/import/check_converted.h"
#include "weft/import/noxim_import.h"
#include "weft/import/noxim_table.h"

namespace weft::experiment {

namespace {

constexpr const char* ImportHelp =
    R"(FILE is a configuration of BookSim2 or Noxim, or a network of BookSim2's topology anynet.
If a configuration names a network file or a traffic table, -o is required: the network or the traffic matrix is
written beside the output. The path of this file is relative to the folder of FILE, or to the working directory if it is
given as an argument network_file=PATH.

Examples:
  weft import examples/import/mesh.cfg -o mesh.yaml
  weft import examples/import/mesh.cfg num_vcs=8            override a setting, as on BookSim2's command line
  weft import examples/import/two_routers.cfg -o two.yaml   also writes two_network.yaml
  weft import examples/import/noxim.yaml)";

struct import_options {
  std::string file;
  std::vector<std::string> overrides;
  std::string output = "-";
};

/// A text and the file that it belongs in.
struct written_file {
  std::string file;
  std::string text;
  std::string source{};             ///< the file from which it was converted; empty for a configuration
  const char* source_setting = "";  ///< the setting that names `source`
};

/// Prints a warning for each difference, and how many settings of \p in are not converted.
void report(const imported_settings& in) {
  for (const imported_settings::remark& r : in.differences())
    warn({r.setting.place, fmt::format("Weft differs from {}: {}: {}", in.simulator(), assignment(r.setting), r.why)});
  const std::vector<imported_settings::remark> remarks = in.remarks();
  for (const imported_settings::remark& r : remarks)
    if (r.is_unexpected) warn({r.setting.place, assignment(r.setting) + ": " + r.why});
  const std::size_t count = remarks.size();
  if (count > 0)
    std::cerr << fmt::format(
        "weft: {}: {} of its settings {} not converted; comments at the end of the output give the reasons\n",
        printable(in.file()), count, count == 1 ? "is" : "are");
}

std::string title(const char* simulator, const import_options& options) {
  const std::string name = std::filesystem::path(options.file).filename().string();
  std::string overrides;
  for (const std::string& text : options.overrides) overrides += " " + text;
  return fmt::format("Converted by weft import from the {} configuration {}{}", simulator, name, overrides);
}

constexpr const char* NetworkKey = "network.topology.file";

/// The file beside the output whose name ends with \p end.
std::filesystem::path beside_output(const import_options& options, const char* end) {
  const std::filesystem::path output = options.output;
  return output.parent_path() / (output.stem().string() + end);
}

/// The path of the file that \p source names. A user completes the path of an argument from the working directory, and
/// that in a file from the file.
std::string path_of(const import_options& options, const imported_setting& source) {
  const std::filesystem::path folder =
      source.is_argument ? std::filesystem::path() : std::filesystem::path(options.file).parent_path();
  return (folder / source.value).string();
}

/// Converts the network of the topology anynet.
converted_file convert_network(const import_options& options, imported_settings& in) {
  const imported_setting source = in.use("network_file");
  const std::string file = path_of(options, source);
  return {NetworkKey, import_anynet(content_of(source.place + ": network_file", file), file), file};
}

/// Checks the configuration \p out and reports how it differs from \p in. Returns the files to write: \p beside, if a
/// file was \p converted, and the configuration.
std::vector<written_file> checked_files(const import_options& options, imported_settings& in,
                                        const converted_configuration& out, const converted_file& converted,
                                        const written_file& beside) {
  check_converted(out, in, converted);
  std::vector<written_file> files;
  if (!beside.source.empty()) files.push_back(beside);
  files.push_back({options.output, out.text(title(in.simulator(), options), in)});
  report(in);
  return files;
}

std::vector<written_file> convert_booksim(const import_options& options, const std::string& text) {
  std::vector<imported_setting> given = read_booksim_file(text, options.file);
  for (const std::string& argument : options.overrides) given.push_back(read_booksim_argument(argument));
  imported_settings in("BookSim2", options.file, std::move(given), booksim_keys());
  const bool has_network = in.has("network_file") && in.use("topology").value == "anynet";
  const std::filesystem::path beside = beside_output(options, "_network.yaml");
  if (has_network && options.output == "-")
    fail(in.use("network_file").place, "the network needs a file of its own; add -o FILE to write both files");
  const converted_configuration out = import_booksim(in, beside.filename().string());
  converted_file network;
  if (has_network) network = convert_network(options, in);
  return checked_files(options, in, out, network, {beside.string(), network.text, network.source, "network_file"});
}

/// Converts the traffic table of Noxim, and notes in \p in how its traffic differs.
converted_file convert_table(const import_options& options, imported_settings& in) {
  const imported_setting source = in.use("traffic_table_filename");
  const std::string file = path_of(options, source);
  const std::string table = content_of(source.place + ": traffic_table_filename", file);
  const std::uint64_t nodes = in.whole("mesh_dim_x") * in.whole("mesh_dim_y");
  return {"workload.pattern.file", import_noxim_table(in, table, file, nodes, noxim_packet_length(in)), file};
}

std::vector<written_file> convert_noxim(const import_options& options, imported_settings& in) {
  const std::filesystem::path beside = beside_output(options, "_matrix.txt");
  const bool has_table = has_noxim_table(in);
  if (has_table && options.output == "-")
    fail(in.setting_of("traffic_distribution").place,
         "the traffic matrix needs a file of its own; add -o FILE to write both files");
  const converted_configuration out = import_noxim(in, beside.filename().string());
  converted_file matrix;
  if (has_table) matrix = convert_table(options, in);
  return checked_files(options, in, out, matrix,
                       {beside.string(), matrix.text, matrix.source, "traffic_table_filename"});
}

std::vector<written_file> convert(const import_options& options) {
  const std::string text(without_byte_order_mark(content_of("FILE", options.file)));
  const file_form form = form_of(text);
  const bool is_booksim = form == file_form::BookSimConfiguration ||
                          (form == file_form::Other && has_booksim_statement(text));  // with a wrong first statement
  if (is_booksim) return convert_booksim(options, text);
  if (!options.overrides.empty())
    fail("argument " + options.overrides.front(), "only a configuration of BookSim2 can have overrides");
  if (form == file_form::BookSimNetwork) {
    const converted_file network{NetworkKey, import_anynet(text, options.file), options.file};
    check_converted(network);
    return {{options.output, network.text}};
  }
  if (auto settings = read_noxim_file(text, options.file)) return convert_noxim(options, *settings);
  fail(options.file, "expected a configuration of BookSim2 or Noxim, or a network of BookSim2 (anynet)");
}

int do_import(const import_options& options) {
  const std::vector<written_file> files = convert(options);
  std::vector<file_argument> outputs, inputs = {{"FILE", options.file}};
  for (const written_file& f : files) {
    outputs.push_back({"-o", f.file});
    if (!f.source.empty()) inputs.push_back({f.source_setting, f.source});
  }
  check_outputs(outputs, inputs);
  for (const written_file& f : files) write_text("-o", f.file, f.text);
  return Done;
}

}  // namespace

void add_import(command_set& commands) {
  const auto options = std::make_shared<import_options>();
  CLI::App& command = commands.add("import", "Converts a configuration of BookSim2 or Noxim into one of Weft.",
                                   ImportHelp, [options] { return do_import(*options); });
  add_file_option(command, "FILE", options->file, "the file to convert; - for standard input")->required();
  command.add_option("NAME=VALUE", options->overrides, "override a setting of BookSim2; repeatable");
  add_file_option(command, "-o,--output", options->output, "the file to write; default: standard output");
}

}  // namespace weft::experiment
