// SPDX-License-Identifier: Apache-2.0
/// Names that have another meaning in the files that contain them: markup, code, formulas, control characters.
#include "cli/command.h"
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const char* const Script = "a</title></rect><script>document.title='pwned'</script><rect><title>";

class cli_hostile_names : public command_test {
 protected:
  cli_hostile_names() {
    // A script, a quote with an ampersand and the end of CDATA, a line break with SystemVerilog, a control character.
    write("t.yaml", std::string("format: weft-topology-1\nkind: \"x\\nassign y = 1; <b>\"\nrouters:\n  - {name: \"") +
                        Script +
                        "\", coordinates: [0, 0], ports: [local, \"e\\\"\\n`endif\"]}\n"
                        "  - {name: \"]]> & \\\"q\\\" \\\\\", coordinates: [1, 0], ports: [local, west, east]}\n"
                        "  - {name: \"n\\nmodule pwned; endmodule // \\x1b[31m\", coordinates: [2, 0]}\n"
                        "links: [{between: [0, 1]}, {between: [1, 2]}]\nnodes: [0, 1, 2]\n");
    write("n.yaml",
          "network: {topology: {kind: file, file: t.yaml}}\nworkload: {injection: {load: 0.1}}\n"
          "simulation: {level: engine, warmup: 100, measure: 500}\n");
  }
  int shell(const std::string& line) const {
    return std::system(("cd '" + m_directory.path().string() + "' && " + line).c_str());
  }
  /// Whether \p file is well-formed XML; true if Python is missing.
  bool is_xml(const std::string& file) const {
    return shell(
               "! command -v python3 >/dev/null || python3 -c 'import sys, xml.dom.minidom as m; "
               "m.parse(sys.argv[1])' " +
               file) == 0;
  }
};

TEST_F(cli_hostile_names, are_escaped_in_drawings_and_graphs) {
  ASSERT_EQ(weft({"topology", "n.yaml", "--svg", "x.svg", "--graphml", "x.graphml", "--graphviz", "x.dot", "--json",
                  "x.json"})
                .status,
            0);
  for (const char* const file : {"x.svg", "x.graphml"}) {
    EXPECT_TRUE(is_xml(file)) << file;
    EXPECT_THAT(read(file), AllOf(Not(HasSubstr("<script")), HasSubstr("&lt;/title&gt;&lt;/rect&gt;&lt;script&gt;"),
                                  HasSubstr("]]&gt; &amp; &quot;q&quot; \\"), HasSubstr("\\x1b[31m")))
        << file;
  }
  EXPECT_THAT(read("x.graphml"), HasSubstr("<port name=\"e&quot;&#10;`endif\"/>"));
  EXPECT_THAT(read("x.dot"), Not(HasSubstr("script"))) << "it names no router";
  EXPECT_EQ(json::parse(read("x.json"))["routers"][0]["name"], Script);
  // Reading the file returns the same names, as far as XML can represent them.
  write("back.yaml", "network: {topology: {kind: file, file: x.graphml}}\n");
  ASSERT_EQ(weft({"topology", "back.yaml", "--json", "y.json"}).status, 0);
  for (const int r : {0, 1})
    EXPECT_EQ(json::parse(read("y.json"))["routers"][r]["name"], json::parse(read("x.json"))["routers"][r]["name"]);
}

TEST_F(cli_hostile_names, stay_within_comments_in_systemverilog) {
  ASSERT_EQ(weft({"topology", "n.yaml", "--verilog", "rtl"}).status, 0);
  bool seen = false;
  for (const std::string& name : files_in("rtl")) {
    std::istringstream lines(read("rtl/" + name));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("pwned") == std::string::npos && line.find("assign y") == std::string::npos &&
          line.find("`endif") == std::string::npos && line.find("\"q\"") == std::string::npos)
        continue;
      seen = true;
      EXPECT_EQ(line.find_first_not_of(' '), line.find("//")) << name << ": " << line;
      EXPECT_NE(line.back(), '\\') << line;
    }
  }
  EXPECT_TRUE(seen);
}

TEST_F(cli_hostile_names, are_escaped_in_pages_and_pictures) {
  ASSERT_EQ(
      weft({"run", "n.yaml", "-q", "--set", "output.name=r</pre><script>alert(1)</script>`touch pwned`'", "-o", "d"})
          .status,
      2)
      << "a name must not be a path";
  ASSERT_EQ(weft({"run", "n.yaml", "-q", "--set", "output.name=r<b>`touch pwned`'@x{", "-o", "d"}).status, 0);
  ASSERT_EQ(weft({"report", "d", "-o", "page.html"}).status, 0);
  const std::string page = read("page.html");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>document")), Not(HasSubstr("r<b>")), HasSubstr("r&lt;b&gt;")));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 3u) << "the network's data, the colours and the page's own script";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"percentiles"}, {"network"}, {"histogram", "--title", "<i>`touch pwned`' & \"\n"}}) {
    std::vector<std::string> plot{"plot", more.front(), "d", "-o", "p.svg"};
    plot.insert(plot.end(), more.begin() + 1, more.end());
    const command_result r = weft(plot);
    if (r.status == 2 && r.err.find("gnuplot is missing") != std::string::npos) GTEST_SKIP() << r.err;
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(is_xml("p.svg")) << more.front();
    EXPECT_THAT(read("p.svg"), AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("<i>"))));
  }
  EXPECT_FALSE(std::filesystem::exists(m_directory / "pwned"));
}

TEST_F(cli_hostile_names, are_not_formulas_in_tables) {
  ASSERT_EQ(weft({"sweep", "n.yaml", "-q", "--over", "simulation.seed=1,2", "--set", "output.name='=1+1'"}).status, 0);
  const std::string table = read("results/=1+1.sweep.csv");
  EXPECT_THAT(table, HasSubstr(",'=1+1,")) << table;
  EXPECT_THAT(weft({"export", "results/points.sqlite"}).out, HasSubstr(",'=1+1,"));
  // Weft itself reads the name.
  const command_result r = weft({"plot", "latency-load", "results/=1+1.sweep.csv", "-o", "p.svg"});
  if (r.status == 0) {
    EXPECT_THAT(read("p.svg"), Not(HasSubstr("'=1+1")));
  }
  ASSERT_EQ(weft({"run", "n.yaml", "-q", "--set", "output.name='@SUM(A1)'"}).status, 0);
  EXPECT_THAT(read("results/@SUM(A1).csv"), HasSubstr("\n'@SUM(A1),"));
  EXPECT_EQ(json::parse(read("results/@SUM(A1).json"))["name"], "@SUM(A1)");
  ASSERT_EQ(weft({"run", "n.yaml", "-q", "--set", "output.name=-5"}).status, 0);
  EXPECT_THAT(read("results/-5.csv"), HasSubstr("\n-5,")) << "a number is not a formula";
}

TEST_F(cli_hostile_names, are_printed_without_control_characters) {
  const std::string name = "a\nweft: error: fake\x1b[31m\a";
  const std::string set = "output.name=" + json(name).dump();
  write("kind.yaml",
        "format: weft-topology-1\nkind: \"k\\nweft: error: fake\\e[31m\\a\"\n"
        "routers: [{ports: [local, e]}, {ports: [local, w]}]\n"
        "links: [{between: [0, 1]}]\nnodes: [0, 1]\n");
  write("k.yaml",
        "network: {topology: {kind: file, file: kind.yaml}}\n"
        "workload: {injection: {load: 0.1}}\nsimulation: {level: engine, warmup: 100, measure: 500}\n");
  write("s.yaml", "network: {topology: {kind: mesh, shape: [2, 2]}}\n");
  write("c.yaml",
        "network: {topology: {shape: [4, 4]}}\n"
        "collective: {algorithm: network_coding, group: [2, 2]}\nsimulation: {level: engine}\n");
  write("l.json", "{\"format\": \"weft-links/1\", \"name\": " + json(name).dump() +
                      ", \"nodes\": 2, \"links\": [{\"from\": 0, \"to\": 1, \"bandwidth\": 1, \"both\": true}]}");
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"run", "k.yaml", "--set", set},
           {"topology", "k.yaml", "--set", set},
           {"schedule", "s.yaml", "--collective", "aab", "--set", set},
           {"collective", "c.yaml", "--set", set},
           {"forwarding", "--links", "l.json", "--collective", "allgather"},
           {"sweep", "k.yaml", "--over", "simulation.seed=1,2", "--set", set},
       }) {
    if (lacks(line.front())) continue;
    const command_result r = weft(line);
    EXPECT_EQ(r.status, 0) << line.front() << ": " << r.err;
    for (const std::string& text : {r.out, r.err}) {
      EXPECT_THAT(text, AllOf(Not(HasSubstr("\nweft: error")), Not(HasSubstr("\x1b")), Not(HasSubstr("\a"))))
          << line.front();
    }
    EXPECT_THAT(r.out, HasSubstr("a\\x0aweft: error: fake\\x1b[31m\\x07")) << line.front();
  }
  EXPECT_THAT(weft({"topology", "k.yaml"}).out, StartsWith("k: k\\x0aweft: error: fake\\x1b[31m\\x07, "));
}

TEST_F(cli_hostile_names, execute_nothing_in_a_job_script) {
  const std::string name = "a\ntouch pwned\n#$(touch pwned)`touch pwned`'";
  ASSERT_EQ(weft({"sweep", "n.yaml", "-q", "--over", "simulation.seed=1,2", "--slurm", "job.sh", "--tasks", "1",
                  "--set", "output.name=" + json(name).dump()})
                .status,
            0);
  EXPECT_EQ(shell("SLURM_ARRAY_TASK_ID=0 bash job.sh"), 0) << read("job.sh");
  EXPECT_FALSE(std::filesystem::exists(m_directory / "pwned"));
  EXPECT_THAT(weft({"export", "results/points.sqlite"}).out, HasSubstr("touch"));
}

}  // namespace
}  // namespace weft::cli
