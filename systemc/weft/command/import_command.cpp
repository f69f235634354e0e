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

namespace weft::experiment {

namespace {

constexpr const char* ImportHelp =
    R"(FILE is a configuration of BookSim2 or Noxim, or a network of BookSim2's topology anynet.
If a configuration names a network file, -o is required: the network is written beside the output. The path of this file
is relative to the folder of FILE, or to the working directory if it is given as an argument network_file=PATH.

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
  std::string source{};  ///< the network file from which it was converted; empty for a configuration
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

/// The file beside the output that gets the converted network.
std::filesystem::path network_beside(const import_options& options) {
  const std::filesystem::path output = options.output;
  return output.parent_path() / (output.stem().string() + "_network.yaml");
}

/// Converts the network of the topology anynet, and notes in \p in how its paths differ.
converted_network convert_network(const import_options& options, imported_settings& in) {
  const imported_setting source = in.use("network_file");
  // A user completes the path of an argument from the working directory, and that in a file from the file.
  const std::filesystem::path folder =
      source.is_argument ? std::filesystem::path() : std::filesystem::path(options.file).parent_path();
  const std::string file = (folder / source.value).string();
  const anynet_network converted = import_anynet(content_of(source.place + ": network_file", file), file);
  if (converted.link_cycles.size() > 1)
    in.differ("network_file", "Weft selects the paths with the fewest hops, and BookSim2 those of the least latency");
  return {converted.text, file};
}

std::vector<written_file> convert_booksim(const import_options& options, const std::string& text) {
  std::vector<imported_setting> given = read_booksim_file(text, options.file);
  for (const std::string& argument : options.overrides) given.push_back(read_booksim_argument(argument));
  imported_settings in("BookSim2", options.file, std::move(given), booksim_keys());
  const bool has_network = in.has("network_file") && in.use("topology").value == "anynet";
  const std::filesystem::path beside = network_beside(options);
  if (has_network && options.output == "-")
    fail(in.use("network_file").place, "the network needs a file of its own; add -o FILE to write both files");
  const converted_configuration out = import_booksim(in, beside.filename().string());
  std::vector<written_file> files;
  converted_network network;
  if (has_network) {
    network = convert_network(options, in);
    files.push_back({beside.string(), network.text, network.source});
  }
  check_converted(out, in, network);
  files.push_back({options.output, out.text(title("BookSim2", options), in)});
  report(in);
  return files;
}

std::vector<written_file> convert_noxim(const import_options& options, imported_settings& in) {
  const converted_configuration out = import_noxim(in);
  check_converted(out, in, {});
  report(in);
  return {{options.output, out.text(title("Noxim", options), in)}};
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
    const converted_network network{import_anynet(text, options.file).text, options.file};
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
    if (!f.source.empty()) inputs.push_back({"network_file", f.source});
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
