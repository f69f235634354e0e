// SPDX-License-Identifier: Apache-2.0
/// `weft plot`: draws stored results.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/core/printable.h"
#include "weft/picture/choice.h"
#include "weft/picture/picture.h"
#include "weft/study/design.h"

namespace weft::experiment {

namespace {

constexpr const char* PlotExamples = R"(Examples:
  weft plot latency-load results/quickstart.sweep.csv -o latency.svg
  weft plot accepted-offered mesh.sweep.csv torus.sweep.csv -o throughput.png
  weft plot breakdown results/low.json results/high.json -o breakdown.svg
  weft plot network results/quickstart.json -o network.svg
  weft plot percentiles results/points.sqlite --where workload.injection.load=0.2 -o percentiles.svg
  weft plot pareto results/quickstart.sweep.csv --x latency_mean --y accepted --larger y -o front.svg
  weft plot pareto router.saturation.csv --join area.csv --x area_mm2 --y saturation_low --larger y -o area.svg

Kinds:
)";

std::string plot_help() {
  std::string help = PlotExamples;
  for (const picture_kind& kind : picture_kinds()) help += fmt::format("  {:<17} {}\n", kind.name, kind.description);
  return help +
         R"(
Results are files of `weft run`, `weft collective`, `weft replay` and `weft sweep`, or directories with such files. A
store, points.sqlite, has the whole result of each point, which is enough for every kind. A CSV file has metrics only,
which is enough for the kinds that draw sweeps. If a kind draws one result, --where selects it. The command skips
damaged files of a directory and reports them.

Exit status: 0 drawn, 1 not drawn, 2 wrong usage or input, with a picture of the rest if some of a directory is
damaged.)";
}

struct plot_options {
  std::string kind, file, join;
  std::vector<std::string> results, larger, where;
  picture_request request;
};

/// The format for the suffix of \p file. \throws configuration_error for any suffix other than .svg and .png
picture_format format_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".svg" || file == "-") return picture_format::Svg;
  if (ending == ".png") return picture_format::Png;
  fail("-o " + file, "expected a file that ends in .svg or .png");
}

/// Checks that \p kind supports the options. \throws configuration_error
void check_options(const plot_options& options, const picture_kind& kind) {
  if (!kind.any_columns && !(options.request.x.empty() && options.request.y.empty()))
    fail("plot " + options.kind, "has fixed axes; --x and --y apply only to traffics, curve and pareto");
  if (options.request.bits && !kind.takes_bits)
    fail("plot " + options.kind, "--bits applies only to latency-load and accepted-offered");
  if (!kind.has_series && !options.request.labels.empty())
    fail("plot " + options.kind, "has no legend, so --label does not apply; omit it");
  if (options.kind != "pareto" && !options.larger.empty())
    fail("plot " + options.kind, "--larger applies only to pareto");
  if (kind.source != picture_source::Points && !options.join.empty())
    fail("plot " + options.kind, "draws no columns of a table; leave --join out");
}

/// Reads the results to draw: all, or those that --where selects.
stored_results results_of(const plot_options& options, const picture_kind& kind) {
  const bool whole = kind.source != picture_source::Points;
  stored_results stored =
      read_stored({options.results.begin(), options.results.end()}, whole ? reading::Whole : reading::Metrics);
  std::vector<file_argument> inputs = arguments_of(stored);
  inputs.push_back({"--join", options.join});
  check_outputs({{"-o", options.file}}, inputs);
  for (const std::string& line : stored.damaged) std::cerr << printable(line) << "\n";
  if (stored.empty()) fail(fmt::format("plot {} {}", options.kind, fmt::join(options.results, " ")), NoResults);
  std::vector<sweep_axis> choices;
  for (const std::string& text : options.where) choices.push_back(parse_axis("--where", text));
  choose_results(stored, choices);
  if (!options.join.empty()) join_table(stored, options.join);
  check_number_of_points(stored, kind);
  if (whole) read_whole(stored);
  return stored;
}

int do_plot(const plot_options& options) {
  const picture_format format = format_of(options.file);
  const picture_kind& kind = find_picture_kind(options.kind);
  check_options(options, kind);
  picture_request request = options.request;
  request.larger_x = std::count(options.larger.begin(), options.larger.end(), "x") > 0;
  request.larger_y = std::count(options.larger.begin(), options.larger.end(), "y") > 0;
  const stored_results stored = results_of(options, kind);
  try {
    const std::string bytes = draw(kind.make(stored, request), format);
    write_text("-o", options.file, bytes);
  } catch (const json::exception& e) {
    reject_damaged(fmt::format("{}", fmt::join(options.results, " ")), e);
  }
  return stored.damaged.empty() ? Done : Wrong;
}

}  // namespace

void add_plot(command_set& commands) {
  const auto options = std::make_shared<plot_options>();
  const std::string help = plot_help();
  CLI::App& command = commands.add("plot", "Draws stored results as SVG or PNG.", help.c_str(),
                                   [options] { return do_plot(*options); });
  const CLI::Option* kind =
      command.add_option("KIND", options->kind, "kind of picture; the kinds are listed below")->required();
  commands.set_values(*kind, [] {
    std::vector<std::string> names;
    for (const picture_kind& one : picture_kinds()) names.push_back(one.name);
    return names;
  });
  command.add_option("RESULTS", options->results, "JSON of `weft run`, store or CSV of `weft sweep`, or directories")
      ->type_name("FILE")
      ->required();
  add_file_option(command, "-o,--output", options->file, "the picture, .svg or .png; - for SVG to standard output")
      ->required();
  add_file_option(command, "--join", options->join,
                  "a CSV file with further columns; its columns that are keys identify the points");
  command
      .add_option(
          "--where", options->where,
          "draw only results in which KEY has one of these values (VALUE,VALUE,… or FIRST:LAST:STEP); repeatable")
      ->type_name("KEY=VALUES")
      ->expected(1)
      ->take_all();
  picture_request& request = options->request;
  command.add_option("--title", request.title, "title of the picture")->type_name("TEXT");
  command.add_option("--label", request.labels, "name of the next series in the legend; repeatable")
      ->type_name("TEXT")
      ->expected(1)
      ->take_all();
  command.add_flag(
      "--bits", request.bits,
      "for latency-load and accepted-offered: give loads in bits of payload, to compare networks with different flits");
  command.add_option("--x", request.x, "for curve and pareto: column or key on the x axis")->type_name("COLUMN");
  command.add_option("--y", request.y, "for curve and pareto: column or key on the y axis")->type_name("COLUMN");
  command.add_option("--larger", options->larger, "for pareto: larger is better on this axis, x or y; repeatable")
      ->type_name("AXIS")
      ->check(CLI::IsMember({"x", "y"}))
      ->expected(1)
      ->take_all();
}

}  // namespace weft::experiment
