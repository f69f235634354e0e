// SPDX-License-Identifier: Apache-2.0
#include "cli/stored_results.h"
#include <cstdlib>
#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class cli_plot : public stored_results_test {};

/// The data of each kind of plot, and the expected labels of its axes or scale.
struct drawn_kind {
  const char* name;
  std::vector<std::string> results;
  std::vector<const char*> says;
};

const std::vector<drawn_kind>& kinds() {
  static const std::vector<drawn_kind> all = {
      {"latency-load", {"results/load.sweep.csv"}, {"offered load, flits/node/cycle", "mean packet latency, cycles"}},
      {"accepted-offered", {"results"}, {"offered load, flits/node/cycle", "accepted load, flits/node/cycle"}},
      {"compressed-load", {"results/coded.json"}, {"offered load, flits/node/cycle", "share of all"}},
      {"traffics",
       {"results/mixed.json", "--y", "latency_p99"},
       {"offered load, flits/node/cycle", "latency_p99 of each traffic, cycles", ">data<", ">control<"}},
      {"curve",
       {"results/load.sweep.csv", "--x", "network.router.vcs", "--y", "latency_p99"},
       {"network.router.vcs", "latency_p99, cycles"}},
      {"pareto",
       {"results/load.sweep.csv", "--x", "latency_mean", "--y", "accepted", "--larger", "y"},
       {"latency_mean, cycles", "accepted, flits/node/cycle"}},
      {"breakdown",
       {"results/low.json", "results/high.json"},
       {"mean cycles of a packet", "source queue", "VC allocation", "credit wait", "serialisation"}},
      {"energy", {"results/coded.json"}, {"energy, nJ", "buffers", "VC allocation", "leakage"}},
      {"percentiles", {"results/low.json"}, {"packets that are at least as fast, %", "packet latency, cycles", "99.9"}},
      {"histogram", {"results/low.json"}, {"packet latency, cycles", "packets, % for each cycle of latency"}},
      {"sources", {"results/low.json"}, {"source, node", "accepted load, flits/node/cycle"}},
      {"network", {"results/low.json"}, {"utilisation, flits/cycle"}},
      {"matrix", {"results/low.json"}, {"source, node", "destination, node", "packets"}},
      {"matrix-latency", {"results/low.json"}, {"source, node", "destination, node", "cycles"}},
      {"accepted-time", {"results/low.json", "results/high.json"}, {"time, cycles", "accepted load, flits/node/cycle"}},
      {"latency-time", {"results/low.json"}, {"time, cycles", "mean packet latency, cycles"}},
      {"power-time", {"results/coded.json"}, {"time, cycles", "mean power, mW"}},
      {"compressed-time", {"results/coded.json"}, {"time, cycles", "share of all"}},
      {"steps", {"results/tree.json"}, {"time, cycles"}},
      {"ranks", {"replayed/message_list.json"}, {"cycles", "waiting for messages", "rank 3"}},
      {"deadlock", {"results/ring.json"}, {"a credit of"}},
  };
  return all;
}

TEST_F(cli_plot, every_kind_is_drawn_as_svg_and_png_with_units) {
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=coded", "--set", "nic.compression.mode=always",
                  "--set", "workload.payload=small_integers", "--set", "output.energy=asap7"})
                .status,
            0);
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=mixed", "--set",
                  "workload.traffics={data: {injection: 0.05}, control: {injection: 0.01}}"})
                .status,
            0);
  EXPECT_EQ(weft({"replay", WEFT_SOURCE_DIR "/examples/message_list.yaml", "-q", "-o", "replayed"}).status, 0);
  const std::string help = weft({"plot", "--help"}).out;
  const std::regex kind(R"(\n  ([a-z-]+) {2,}[a-z])");
  const std::string list = help.substr(help.find("Kinds:"));
  std::size_t listed = 0;
  for (std::sregex_iterator i(list.begin(), list.end(), kind), end; i != end; ++i) ++listed;
  EXPECT_EQ(listed, kinds().size());
  for (const drawn_kind& k : kinds()) {
    std::vector<std::string> arguments = {k.name};
    arguments.insert(arguments.end(), k.results.begin(), k.results.end());
    const std::string svg = drawn(arguments);
    EXPECT_THAT(svg, StartsWith("<svg")) << k.name;
    for (const char* words : k.says) EXPECT_THAT(svg, HasSubstr(words)) << k.name;
    arguments.insert(arguments.begin(), "plot");
    arguments.insert(arguments.end(), {"-o", "picture.png"});
    EXPECT_EQ(weft(arguments).status, 0) << k.name;
    EXPECT_THAT(read("picture.png"), StartsWith("\x89PNG")) << k.name;
  }
}

TEST_F(cli_plot, places_legend_of_20_series_beside_the_plot) {
  std::string table =
      "workload.injection.load,network.router.vcs,name,outcome,offered,latency_mean,latency_half_width\n";
  for (int s = 0; s < 20; ++s)
    for (const char* load : {"0.1", "0.2", "0.3"})
      table += std::string(load) + "," + std::to_string(s + 1) + ",many,complete," + load + "," +
               std::to_string(20 + s) + "," + (s == 0 ? "1.5" : "") + "\n";
  write("many.sweep.csv", table);
  const std::string svg = drawn({"latency-load", "many.sweep.csv"});
  const std::regex entry(R"(translate\(([0-9.]+),([0-9.]+)\)[^>]*>\s*<text>([^<]*vcs = [0-9]+)<)");
  std::size_t entries = 0;
  double last = 0;
  for (std::sregex_iterator i(svg.begin(), svg.end(), entry), end; i != end; ++i, ++entries) {
    EXPECT_GT(std::stod((*i)[1]), 92 + 540.0) << (*i)[3];  // the right edge of the plot
    EXPECT_GT(std::stod((*i)[2]), last + 10) << (*i)[3];   // below the previous one
    last = std::stod((*i)[2]);
  }
  EXPECT_EQ(entries, 20u);
  std::smatch size;
  ASSERT_TRUE(std::regex_search(svg, size, std::regex(R"re(height="([0-9]+)")re")));
  EXPECT_LT(last, std::stod(size[1]));
  EXPECT_THAT(svg, HasSubstr("fill-opacity"));  // the band of the one series that has intervals
}

TEST_F(cli_plot, legend_shows_sweep_names_or_given_labels) {
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "--set", "output.name=torus", "--set", "network.topology.kind=torus",
                  "--over", "workload.injection.load=0.05,0.2"})
                .status,
            0);
  const std::string svg = drawn({"latency-load", "results/load.sweep.csv", "results/torus.sweep.csv"});
  for (const char* label : {">load: vcs = 1<", ">load: vcs = 4<", ">torus<"}) EXPECT_THAT(svg, HasSubstr(label));
  const std::string named = drawn({"latency-load", "results/torus.sweep.csv", "results/load.sweep.csv", "--title",
                                   "Mesh & torus", "--label", "ring", "--label", "one", "--label", "four"});
  EXPECT_THAT(named, AllOf(HasSubstr("<title>Mesh &amp; torus</title>"), HasSubstr(">ring<"), HasSubstr(">one<"),
                           HasSubstr(">four<"), Not(HasSubstr("vcs ="))));
}

TEST_F(cli_plot, draws_the_same_plot_from_store_and_table_of_a_sweep) {
  EXPECT_THAT(drawn({"latency-load", "results/points.sqlite"}), AllOf(HasSubstr(">vcs = 1<"), HasSubstr(">vcs = 4<")));
  EXPECT_THAT(drawn({"breakdown", "results/points.sqlite"}), HasSubstr("serialisation"));
  write("none.sqlite", "no store");
  rejects({"latency-load", "none.sqlite"}, "none.sqlite: error: ");
}

TEST_F(cli_plot, sweep_plots_latency_and_accepted_load_with_one_legend) {
  const std::string svg = read("results/load.sweep.svg");
  EXPECT_THAT(svg, AllOf(HasSubstr("mean packet latency, cycles"), HasSubstr("accepted load, flits/node/cycle")));
  EXPECT_EQ(svg.find(">vcs = 4</text>"), svg.rfind(">vcs = 4</text>"));
  EXPECT_NE(svg.find(">vcs = 4</text>"), std::string::npos);
}

TEST_F(cli_plot, draws_curves_from_runs_in_json) {
  for (const char* load : {"0.1", "0.2"})
    for (const char* vcs : {"1", "4"})
      EXPECT_EQ(
          weft({"run", "low.yaml", "-q", "-o", "runs", "--set", std::string("workload.injection=") + load, "--set",
                std::string("network.router.vcs=") + vcs, "--set", std::string("output.name=l") + load + "v" + vcs})
              .status,
          0);
  EXPECT_THAT(drawn({"latency-load", "runs"}), AllOf(HasSubstr(">vcs = 1<"), HasSubstr(">vcs = 4<")));
}

TEST_F(cli_plot, error_for_missing_data_names_the_key_to_set) {
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=plain", "--set", "output.matrix=false", "--set",
                  "output.interval=none", "--set", "output.breakdown=false"})
                .status,
            0);
  rejects({"breakdown", "results/plain.json"},
          "plot breakdown: error: no point has a latency breakdown; set output.breakdown: true in its configuration");
  rejects({"matrix", "results/plain.json"},
          "results/plain.json: error: has no matrix.packets; set output.matrix: true in its configuration and run it "
          "again");
  rejects({"accepted-time", "results/plain.json"}, "has no time_series; set output.interval: CYCLES");
  rejects({"compressed-time", "results/plain.json"}, "has no compression.over_time; set nic.compression.mode");
  rejects({"deadlock", "results/plain.json"}, "has no ring of waiting packets; the run did not end in a deadlock");
}

TEST_F(cli_plot, rejects_unsuitable_inputs) {
  rejects({"latancy-load", "results"},
          "plot latancy-load: error: unknown kind of picture; did you mean 'latency-load'?");
  rejects({"pie", "results"}, "expected one of latency-load, ");
  rejects(
      {"percentiles", "results/load.sweep.csv"},
      "results/load.sweep.csv: error: is a table of metrics, but this kind needs complete results; expected the store");
  rejects({"percentiles", "results/tree.json"},
          "plot percentiles: error: needs complete results; expected NAME.json of");
  rejects({"network", "results/low.json", "results/high.json"},
          "plot network: error: draws one result, got 2; select with --where from workload.injection.load=0.1,0.3\n");
  rejects({"steps", "results/low.json"}, "draws one collective");
  rejects({"latency-load", "nowhere.json"}, "nowhere.json: error: ");
  rejects({"latency-load", "low.yaml"}, "low.yaml: error: expected a result of `weft run`");
  rejects({"network", "results/low.json", "--join", "a.csv"}, "draws no columns of a table; leave --join out");
  rejects({"latency-load", "results/load.sweep.csv", "--label", "a"},
          "expected 2 labels, one for each series of the picture, got 1");
  for (const char* const kind : {"network", "matrix", "breakdown", "steps"})
    rejects({kind, "results/low.json", "--label", "a"}, "has no legend, so --label does not apply");
  rejects({"latency-load", "results", "--x", "seed"}, "has fixed axes");
  rejects({"latency-load", "results", "--larger", "x"}, "--larger applies only to pareto");
  rejects({"curve", "results", "--x", "offered"}, "this kind of picture needs --y COLUMN");
  rejects({"curve", "results", "--x", "offered", "--y", "latancy_mean"},
          "--y latancy_mean: error: the results have no such column or key; did you mean 'latency_mean'?");
  rejects({"curve", "results", "--x", "offered", "--y", "outcome"}, "has no numeric value at any point");
  write("short.csv", "outcome,offered\ncomplete,0.1\ncomplete\n");
  rejects({"latency-load", "short.csv"}, "short.csv:3: error: expected 2 fields, as in the header, got 1");
  write("other.csv", "a,b\n1,2\n");
  rejects({"latency-load", "other.csv"},
          "expected a table of `weft sweep`, `weft curve` or `weft saturation`, with columns 'outcome' and 'offered', "
          "'cycles', 'makespan' or 'saturation_low'");
  write("open.csv", "outcome,offered\n\"complete,0.1\n");
  rejects({"latency-load", "open.csv"}, "open.csv:2: error: a quoted field has no closing quote");
  EXPECT_THAT(weft({"plot", "latency-load", "results", "-o", "a.pdf"}).err,
              HasSubstr("-o a.pdf: error: expected a file that ends in .svg or .png"));
}

TEST_F(cli_plot, pareto_front_uses_means_over_seeds) {
  write(
      "seeds.sweep.csv",
      "network.router.vcs,simulation.seed,name,outcome,offered,latency_mean,accepted\n"
      "1,1,x,complete,0.4,20,0.10\n1,2,x,complete,0.4,40,0.20\n2,1,x,complete,0.4,30,0.30\n2,2,x,complete,0.4,26,0.34\n"
      "4,1,x,complete,0.4,25,0.31\n4,2,x,saturated,0.4,90,0.40\n");
  const std::string svg =
      drawn({"pareto", "seeds.sweep.csv", "--x", "latency_mean", "--y", "accepted", "--larger", "y"});
  EXPECT_THAT(svg, AllOf(HasSubstr(">1: vcs = 2<"), Not(HasSubstr(">2: ")), Not(HasSubstr("seed"))));
}

TEST_F(cli_plot, labels_runs_of_equal_name_by_file) {
  fs::create_directory(m_directory / "same");
  json run = json::parse(read("results/low.json"));
  for (const char* const file : {"same/first.json", "same/second.json"}) write(file, run.dump());
  for (const char* const key : {"vcs", "depth", "stages"}) run["configuration"]["network"]["router"][key] = 3;
  run["configuration"]["simulation"]["warmup"] = 123;
  write("same/third.json", run.dump());
  const std::string svg = drawn({"percentiles", "same"});
  EXPECT_THAT(svg, AllOf(HasSubstr(">first<"), HasSubstr(">second<"), HasSubstr(">third<"), Not(HasSubstr("vcs ="))));
  EXPECT_EQ(weft({"report", "same"}).status, 0);
  EXPECT_THAT(read("same/report.html"),
              AllOf(HasSubstr("<a href=\"#run-2\">second</a>"), HasSubstr("<h2 id=\"run-3\">third</h2>")));
}

TEST_F(cli_plot, long_labels_and_titles_stay_within_the_picture) {
  const auto size_of = [](const std::string& svg) {
    std::smatch size;
    EXPECT_TRUE(std::regex_search(svg, size, std::regex(R"re(width="([0-9]+)" height="([0-9]+)")re")));
    return std::pair(std::stod(size[1]), std::stod(size[2]));
  };
  std::string words;
  for (int i = 0; i < 40; ++i) words += "word" + std::to_string(i) + " ";
  for (const char* const kind : {"percentiles", "network", "matrix", "breakdown"}) {
    const std::string svg = drawn({kind, "results/low.json", "--title", words});
    EXPECT_THAT(svg, AllOf(HasSubstr(">word0 word1 "), Not(HasSubstr("word0 word1 word2 word3 word4 word5 word6 word7 "
                                                                     "word8 word9 word10 word11 word12 word13 word14 "
                                                                     "word15 word16 word17 word18 word19 word20<"))))
        << kind;
    EXPECT_GT(size_of(svg).second, size_of(drawn({kind, "results/low.json"})).second + 30) << kind;
  }
  const std::string labelled =
      drawn({"percentiles", "results/low.json", "results/high.json", "--label", words, "--label", "b"});
  EXPECT_LT(size_of(labelled).first, 1500);
  EXPECT_GT(size_of(labelled).first, 632 + 72 * 9);  // room for its letters, to the right of the plot
  EXPECT_THAT(labelled, HasSubstr("…<"));
}

TEST_F(cli_plot, error_explains_why_data_is_missing) {
  fs::create_directory(m_directory / "empty");
  rejects({"latency-load", "empty"},
          "plot latency-load empty: error: has no results: expected NAME.json of `weft run`");
  rejects({"latency-load", "results/tree.json"}, "no point of these results has offered; expected runs or sweeps");
  EXPECT_EQ(weft({"run", "ring.yaml", "-q", "--set", "output.breakdown=true"}).status, 1);
  rejects({"breakdown", "results/ring.json"},
          "no point has a latency breakdown; no measured packet arrived where output.breakdown is true");
}

TEST_F(cli_plot, ignores_user_gnuplot_settings_and_tmpdir) {
  const std::string usual = drawn({"latency-load", "results"});
  write(".gnuplot", "set logscale y 7\nset border 0\n");
  const char* const home = std::getenv("HOME");
  const std::string before = home ? home : "";
  setenv("HOME", m_directory.path().c_str(), 1);
  setenv("TMPDIR", "/nowhere", 1);
  EXPECT_EQ(drawn({"latency-load", "results"}), usual);
  unsetenv("TMPDIR");
  home ? setenv("HOME", before.c_str(), 1) : unsetenv("HOME");
}

TEST_F(cli_plot, commands_in_names_and_titles_are_not_executed) {
  for (const char* const name : {"a`touch BACK`", "b'; system 'touch QUOTE"})
    EXPECT_EQ(weft({"run", "low.yaml", "-q", "-o", "odd", "--set", std::string("output.name=\"") + name + "\""}).status,
              0);
  for (const char* const kind : {"histogram", "breakdown", "latency-time"}) {
    const command_result r = weft({"plot", kind, "odd", "--title", "`touch TITLE`", "-o", "-"});
    EXPECT_EQ(r.status, 0) << kind << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("`touch TITLE`"), HasSubstr("a`touch BACK`"))) << kind;
  }
  for (const char* const file : {"BACK", "QUOTE", "TITLE"}) EXPECT_FALSE(fs::exists(m_directory / file)) << file;
}

TEST_F(cli_plot, error_names_damaged_result) {
  fs::create_directory(m_directory / "damaged");
  json damaged = json::parse(read("results/low.json"));
  damaged.erase("nodes");
  damaged["channels"] = "none";
  write("damaged/low.json", damaged.dump());
  const std::string place = "damaged/low.json: error: is not a valid result of `weft run` or `weft collective`: ";
  for (const auto& call : std::vector<std::vector<std::string>>{{"plot", "network", "damaged/low.json", "-o", "x.svg"},
                                                                {"report", "damaged"}}) {
    const command_result r = weft(call);
    EXPECT_EQ(r.status, 2) << call[0];
    EXPECT_THAT(r.err, StartsWith(place)) << call[0];
  }
  damaged["name"] = 5;
  write("damaged/low.json", damaged.dump());
  EXPECT_THAT(weft({"plot", "histogram", "damaged/low.json", "-o", "x.svg"}).err, HasSubstr("expected a result of"));
}

TEST_F(cli_plot, does_not_overwrite_its_inputs) {
  const std::string before = read("results/low.json");
  std::filesystem::create_symlink("results/low.json", m_directory / "link.svg");
  for (const char* results : {"results", "results/low.json"}) {
    const command_result r = weft({"plot", "percentiles", results, "-o", "link.svg"});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err, "-o link.svg: error: would overwrite RESULTS results/low.json, which is read\n");
  }
  EXPECT_EQ(read("results/low.json"), before);
}

TEST_F(cli_plot, join_option_adds_columns_of_another_table_by_key) {
  EXPECT_EQ(weft({"saturation", "low.yaml", "-q", "--width", "0.4", "--set", "output.name=load", "--over",
                  "network.router.vcs=1,2,4"})
                .status,
            0);
  write("area.csv", "area,network.router.vcs\n100,1.0\n200,2\n400,4\n800,8\n");
  const std::string svg = drawn({"pareto", "results/load.saturation.csv", "--join", "area.csv", "--x", "area", "--y",
                                 "saturation_low", "--larger", "y"});
  EXPECT_THAT(svg, AllOf(HasSubstr(">area<"), HasSubstr(">saturation_low, flits/node/cycle<"), HasSubstr("vcs = 1")));
  const auto rejected = [this](const char* text, const std::string& message) {
    write("bad.csv", text);
    rejects({"pareto", "results/load.sweep.csv", "--join", "bad.csv", "--x", "area", "--y", "accepted"}, message);
  };
  rejected("area,vcs\n1,2\n", "bad.csv: error: expected columns that are keys, such as network.router.vcs");
  rejected("area,network.router.vcs\n1,2\n3,2\n",
           "bad.csv:3: error: has the same keys as line 2; remove one of the lines");
  rejected("area,network.router.vcs\n1,16\n", "bad.csv: error: matches no point of these results");
  rejected("accepted,network.router.vcs\n1,4\n", "bad.csv: error: column 'accepted' also exists in the results");
}

TEST_F(cli_plot, bits_option_multiplies_the_load_by_the_flit_width) {
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "--set", "output.name=wide", "--over", "network.flit.payload_bits=64,256",
                  "--over", "workload.injection.load=0.1,0.3"})
                .status,
            0);
  const std::string flits = drawn({"accepted-offered", "results/wide.sweep.csv"});
  const std::string bits = drawn({"accepted-offered", "results/wide.sweep.csv", "--bits"});
  EXPECT_THAT(flits, AllOf(HasSubstr("offered load, flits/node/cycle"), Not(HasSubstr("> 80<"))));
  EXPECT_THAT(bits, AllOf(HasSubstr("offered load, bits/node/cycle"), HasSubstr("accepted load, bits/node/cycle"),
                          HasSubstr("> 80<")));  // 0.3 flits of 256 bits
  rejects({"latency-load", "results/load.sweep.csv", "--bits"},
          "--bits: error: not every point has network.flit.payload_bits");
  rejects({"percentiles", "results/low.json", "--bits"}, "--bits applies only to latency-load and accepted-offered");
}

TEST_F(cli_plot, reports_missing_gnuplot) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", m_directory.path().c_str(), 1);
  const command_result r = weft({"plot", "latency-load", "results", "-o", "picture.svg"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("gnuplot is missing; install the Debian package gnuplot-nox"));
}

}  // namespace
}  // namespace weft::cli
