// SPDX-License-Identifier: Apache-2.0
/// The page of `weft report`: its contents, and its behavior in a browser.
#include "cli/stored_results.h"
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class cli_report : public stored_results_test {
 protected:
  std::string page() {
    const command_result r = weft({"report", "results"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, "  wrote results/report.html\n");
    return read("results/report.html");
  }
};

TEST_F(cli_report, page_has_tables_configurations_and_available_plots) {
  const std::string html = page();
  for (const char* id :
       {"sweeps-latency-load", "sweeps-accepted-offered", "runs-breakdown", "runs-percentiles", "run-2-breakdown",
        "run-2-percentiles", "run-2-histogram", "run-2-sources", "run-2-network", "run-2-matrix",
        "run-2-matrix-latency", "run-2-accepted-time", "run-2-latency-time", "run-3-deadlock", "collective-1-steps"})
    EXPECT_THAT(html, HasSubstr(std::string("<figure class=\"picture\" id=\"") + id + "\">\n<svg")) << id;
  EXPECT_THAT(html, Not(HasSubstr("id=\"run-2-deadlock\"")));
  EXPECT_THAT(html, HasSubstr("<li>matrix: has no matrix.packets; set output.matrix: true"));  // for the deadlock
  EXPECT_THAT(html, HasSubstr("network.topology.shape: [3, 3]"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#run-2\">low</a>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"bad\">deadlock</span>"));
  EXPECT_THAT(html, HasSubstr("no flit moved from cycle"));
}

TEST_F(cli_report, page_is_self_contained_and_reproducible) {
  const std::string html = page();
  const std::regex address(R"re((?:src|href|xlink:href|url)\s*[=(]\s*["']?(?!#|data:)[^"'#\s)]+)re");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(html, found, address)) << found.str();
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_EQ(page(), html);
}

TEST_F(cli_report, shows_other_results_despite_damaged_ones) {
  write("results/cut.json", read("results/low.json").substr(0, 1000));
  const std::string low = read("results/low.json");
  write("results/odd.json", std::regex_replace(low, std::regex("\"channels\": *\\["), "\"channels\": [7,"));
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=idle", "--set", "workload.injection.load=0", "--set",
                  "output.interval=100"})
                .status,
            1);
  const command_result r = weft({"report", "results"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, AllOf(HasSubstr("results/cut.json: error: is not valid JSON; the file is damaged or incomplete\n"),
                           HasSubstr("results/odd.json: error: is not a valid result of `weft run`")));
  const std::string html = read("results/report.html");
  EXPECT_THAT(html, HasSubstr("results/cut.json: error: is not valid JSON"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#run-"));
  EXPECT_THAT(html, HasSubstr("latency-time: has no time_series.latency; no interval has a value"));
  EXPECT_EQ(weft({"plot", "latency-time", "results/idle.json"}).status, 2);
}

/// The page reports them next to a run without errors.
TEST_F(cli_report, skips_and_reports_damaged_tables_and_stores) {
  const std::string table = read("results/load.sweep.csv"), store = read("results/points.sqlite");
  std::string flipped = store;
  for (std::size_t at = flipped.find("{\"network\""); at != std::string::npos; at = flipped.find("{\"network\"", at))
    flipped[at] = '#';
  const std::vector<std::pair<std::string, std::string>> damaged = {{"x.sweep.csv", ""},
                                                                    {"x.curve.csv", "a,b\n1,2\n"},
                                                                    {"x.sweep.csv", table.substr(0, table.size() - 40)},
                                                                    {"x.sqlite", "foreign"},
                                                                    {"x.sqlite", ""},
                                                                    {"x.sqlite", store.substr(0, store.size() / 2)},
                                                                    {"x.sqlite", flipped}};
  for (const auto& [file, content] : damaged) {
    fs::remove_all(m_directory / "odd");
    write("odd/" + file, content);
    fs::copy_file(m_directory / "results/low.json", m_directory / "odd/low.json");
    const command_result r = weft({"report", "odd"});
    EXPECT_EQ(r.status, 2) << file << r.err;
    EXPECT_THAT(r.err, StartsWith("odd/" + file)) << content.size();
    EXPECT_THAT(r.err, HasSubstr(": error: "));
    EXPECT_THAT(read("odd/report.html"), AllOf(HasSubstr("<a href=\"#run-1\">low</a>"), HasSubstr("odd/" + file)));
    const command_result drawn = weft({"plot", "latency-load", "odd", "-o", "odd.svg"});
    EXPECT_EQ(drawn.status, 2);
    EXPECT_EQ(drawn.err, r.err);
    EXPECT_THAT(read("odd.svg"), StartsWith("<svg"));
  }
}

TEST_F(cli_report, accepts_sweeps_without_feasible_points) {
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "-o", "none"}).status, 0);
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "-o", "none", "--over", "network.router.vcs=99"}).status, 2);
  EXPECT_THAT(files_in("none"), ElementsAre("low.csv", "low.json", "points.sqlite"));
  const command_result r = weft({"report", "none"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(read("none/report.html"), HasSubstr("<a href=\"#run-1\">low</a>"));
  // A sweep that was stopped at its first points leaves this.
  write("none/low.sweep.csv", "network.router.vcs,name,outcome,error\n99,low,infeasible,too many\n");
  EXPECT_EQ(weft({"report", "none"}).status, 0);
  EXPECT_THAT(read("none/report.html"), HasSubstr("<span class=\"bad\">infeasible</span>"));
  EXPECT_THAT(weft({"plot", "latency-load", "none/points.sqlite", "-o", "x.svg"}).err,
              HasSubstr("none/points.sqlite: error: no point of the store has a result"));
}

TEST_F(cli_report, figures_omit_titles_generated_by_gnuplot) {
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("<title>$")));
  EXPECT_THAT(html, Not(HasSubstr("<title>run_")));
}

TEST_F(cli_report, names_are_escaped_in_the_page) {
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "-o", "odd", "--set", "output.name=a<b & \"c\""}).status, 0);
  EXPECT_EQ(weft({"report", "odd", "-o", "odd.html"}).status, 0);
  EXPECT_THAT(read("odd.html"), AllOf(HasSubstr("a&lt;b &amp; &quot;c&quot;</h2>"), Not(HasSubstr("a<b"))));
}

TEST_F(cli_report, shows_points_of_a_store_that_has_no_tables) {
  fs::create_directory(m_directory / "kept");
  fs::copy_file(m_directory / "results/points.sqlite", m_directory / "kept/points.sqlite");
  EXPECT_EQ(weft({"report", "kept"}).status, 0);
  const std::string of_store = read("kept/report.html");
  for (const char* figure : {"sweeps-latency-load", "sweeps-accepted-offered"})
    EXPECT_THAT(of_store, HasSubstr(std::string("id=\"") + figure + "\">\n<svg"));
  const std::regex row("<td[^>]*>(complete|saturated)</td>");
  EXPECT_EQ(std::distance(std::sregex_iterator(of_store.begin(), of_store.end(), row), std::sregex_iterator()), 8);
}

TEST_F(cli_report, shows_points_of_a_collective_sweep) {
  EXPECT_EQ(weft({"sweep", "tree.yaml", "-q", "-o", "played", "--over", "collective.length=1,4"}).status, 0);
  EXPECT_EQ(weft({"report", "played"}).status, 0);
  const std::string of_table = read("played/report.html");
  EXPECT_THAT(of_table, AllOf(HasSubstr("cycles</th>"), HasSubstr("length = 4")));
  fs::remove(m_directory / "played/tree.sweep.csv");
  EXPECT_EQ(weft({"report", "played"}).status, 0);
  EXPECT_THAT(read("played/report.html"), AllOf(HasSubstr("cycles</th>"), HasSubstr("length = 4")));
}

TEST_F(cli_report, shows_makespan_and_rank_activity_of_replays) {
  EXPECT_EQ(weft({"replay", WEFT_SOURCE_DIR "/examples/message_list.yaml", "-q", "-o", "replayed"}).status, 0);
  EXPECT_EQ(weft({"sweep", WEFT_SOURCE_DIR "/examples/message_list.yaml", "-q", "-o", "replayed", "--set",
                  "output.name=swept", "--over", "network.router.depth=4,8"})
                .status,
            0);
  EXPECT_EQ(weft({"report", "replayed"}).status, 0);
  const std::string html = read("replayed/report.html");
  for (const char* figure : {"replay-1-ranks", "replay-1-network"})
    EXPECT_THAT(html, HasSubstr(std::string("id=\"") + figure + "\">\n<svg"));
  const auto replay = nlohmann::json::parse(read("replayed/message_list.json"));
  const auto cell = [](const nlohmann::json& value) { return "<td>" + value.dump() + "</td>"; };
  EXPECT_THAT(html, HasSubstr(cell(replay.at("makespan")) + cell(replay.at("critical_path").at("computing")) +
                              cell(replay.at("critical_path").at("network"))));
  for (const auto& rank : replay.at("ranks"))
    EXPECT_THAT(html, HasSubstr(cell(rank.at("node")) + cell(rank.at("computing")) + cell(rank.at("receiving")) +
                                cell(rank.at("sending"))));
  EXPECT_THAT(html, HasSubstr("<a href=\"#replay-1\">message_list</a>"));
  EXPECT_THAT(html, HasSubstr("<h3>Replays</h3>"));  // for the sweep
  EXPECT_THAT(html, HasSubstr("<td class=\"text\">depth = 8</td><td class=\"text\">complete</td>"));
}

TEST_F(cli_report, does_not_overwrite_its_inputs) {
  const std::string before = read("results/points.sqlite");
  for (const char* file : {"results/low.json", "results/low.events", "results/points.sqlite"})
    EXPECT_THAT(weft({"report", "results", "-o", file}).err,
                HasSubstr(std::string("-o ") + file + ": error: would overwrite RESULTS "));
  EXPECT_EQ(read("results/points.sqlite"), before);
  EXPECT_EQ(weft({"report", "results", "-o", "results/other.html"}).status, 0);
  EXPECT_EQ(weft({"report", "results", "-o", "results/other.html"}).status, 0);
}

TEST_F(cli_report, rejects_directory_without_results) {
  fs::create_directory(m_directory / "empty");
  const command_result empty = weft({"report", "empty"});
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.err, HasSubstr("report empty: error: has no results"));
  const command_result missing = weft({"report", "nowhere"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("report nowhere: error: expected a directory"));
}

TEST_F(cli_report, rejects_malformed_event_log) {
  write("results/low.events", "cycle kind node vc packet sequence\n1 inject 0 0 0 0\n1 leave\n");
  const command_result r = weft({"report", "results"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("results/low.events:3: error: expected cycle, inject or eject"));
}

// ---------------------------------------------------------------------------------------------------------------------
// In a browser

constexpr const char* Browser = "chromium";

bool has_browser() { return std::system("command -v chromium >/dev/null 2>&1") == 0; }

/// Uses the controls of the page and puts the names of those that fail into its title.
constexpr const char* Driver = R"js(<script>
"use strict";
const failed = [];
const check = (what, holds) => { if (!holds) failed.push(what); };
const set = (control, value, event) => { control.value = value; control.dispatchEvent(new Event(event)); };
const click = (target) => target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const colours = (view, kind, property) => [...view.querySelectorAll(kind)].map((e) => e.style[property]).join();

for (const svg of document.querySelectorAll("figure.picture > svg, .map > svg")) {
  const box = svg.getBoundingClientRect();
  check(`${svg.parentElement.id} is seen`, box.width > 100 && box.height > 100);
}
check("18 figures or more", document.querySelectorAll("figure.picture > svg").length >= 18);

const [plain, view, ring] = document.querySelectorAll(".view");
const side = view.querySelector(".side"), slider = view.querySelector("[name=time]");
const clock = view.querySelector("output");
check("four intervals", slider.max === "4");
check("the whole window first", clock.textContent === "whole window");
const links = colours(view, ".link", "stroke"), routers = colours(view, ".router", "fill");
set(slider, 2, "input");
check("the slider shows the time", clock.textContent === "cycles 400 to 800");
check("links change with time", colours(view, ".link", "stroke") !== links);
check("routers change with time", colours(view, ".router", "fill") !== routers);
const by_utilisation = colours(view, ".router", "fill");
set(view.querySelector("[name=by]"), "occupancy", "change");
check("routers by occupancy", colours(view, ".router", "fill") !== by_utilisation);
click(view.querySelectorAll(".router")[4]);
check("a router's flits", /router 4 .*flits buffered, those on .*, on average: [0-9.]+/.test(side.textContent));
check("a router's ports", side.querySelectorAll("table")[0].rows.length === 6);
const texts = (row) => [...row.cells].map((cell) => cell.textContent);
const queues = () => [...side.querySelector(".queues").tBodies[0].rows].map(texts);
const recorded = JSON.parse(view.querySelector("script").textContent).queues;
const of_router = recorded.inputs.filter((input) => input.router === 4);
const shows = (at) => of_router.every((input, k) => input.flits.every((values, vc) =>
  Math.abs(at(values) - Number(queues()[k][2 + vc])) < 0.0051));
check("a router's queues", shows((values) => values[1]) && of_router.length === 5);
check("the sources of queues", queues()[0].slice(0, 2).join() === "+x,router 5, -x" && queues()[4][1] === "node 4");
check("their sums", Math.abs(queues()[0].slice(2, -1).reduce((a, b) => a + Number(b), 0) - queues()[0].at(-1)) < 0.03);
set(slider, 4, "input");
check("queues change with time", shows((values) => values[3]) && !shows((values) => values[1]));
set(slider, 0, "input");
check("the mean of the window, which begins in the second interval",
      shows(([, a, b, c]) => (a + b + c) / 3) && !shows((values) => values.reduce((a, b) => a + b, 0) / 4));
check("queues over time", side.querySelectorAll(".history rect").length === 5 * 4);
set(slider, 2, "input");
check("the slider marks the time", side.querySelectorAll(".history rect").length === 5 * 4 + 1);
const by_occupancy = colours(view, ".router", "fill");
set(view.querySelector("[name=by]"), "queues", "change");
check("routers by queues", colours(view, ".router", "fill") !== by_occupancy);
check("the scale of queues", /routers: flits in queues/.test(view.querySelector(".key").textContent));
click(view.querySelectorAll(".link")[0]);
check("a link's metrics", /router 0 .* -> router .*flits in the window/.test(side.textContent));
const packet = view.querySelector("[name=packet]");
set(packet, packet.value, "change");
check("a packet's delays", /Packet \d+.*waited for others/.test(side.textContent));
check("a packet's path", view.querySelectorAll(".over .path").length > 0);
set(packet, 999999999, "change");
check("an unknown packet", /not among those of this page/.test(side.textContent));
const svg = view.querySelector(".map svg"), whole = svg.getAttribute("viewBox");
svg.dispatchEvent(new WheelEvent("wheel", {deltaY: -1, clientX: 200, clientY: 400, cancelable: true}));
check("the wheel zooms", svg.viewBox.baseVal.width < Number(whole.split(" ")[2]));
svg.dispatchEvent(new MouseEvent("dblclick"));
check("a double click shows all", Math.abs(svg.viewBox.baseVal.width - Number(whole.split(" ")[2])) < 0.1);
click(plain.querySelectorAll(".router")[4]);
check("the view without queues shows a note", plain.querySelector(".queues") === null &&
      plain.querySelector("[value=queues]") === null && /No queues: output.queues/.test(plain.textContent));
check("the deadlock is shown", /Deadlock: a ring of \d+ packets/.test(ring.textContent));
check("the ring is drawn", ring.querySelectorAll(".over .wait").length >= 2);
check("no time series, no slider", ring.querySelector("[name=time]").disabled);

const saved = {}, shown = colours(view, ".link", "stroke");
HTMLAnchorElement.prototype.click = function () { saved[this.download] = this.href; };
click(view.querySelector("[name=svg]"));
click(view.querySelector("[name=png]"));

click(view.querySelector("[name=play]"));
setTimeout(() => {
  const drawing = new DOMParser().parseFromString(
    decodeURIComponent((saved["low-network.svg"] || ",").split(",").slice(1).join(",")), "image/svg+xml");
  check("the view is saved as SVG", colours(drawing, ".link", "stroke") === shown && shown !== "");
  check("with its scales", /flits\/cycle/.test(drawing.documentElement.textContent));
  check("the view is saved as PNG", /^data:image\/png;base64,.{2000}/.test(saved["low-network.png"]));
  check("play goes through the intervals", slider.value === "4");
  document.title = failed.length === 0 ? "all holds" : "failed: " + failed.join("; ");
}, 3000);
</script>
)js";

class cli_report_browser : public cli_report {
 protected:
  /// The browser's output for \p html: the document once its scripts have run, and the console on standard error.
  command_result browsed(const std::string& html) {
    write("page.html", html);
    const std::string command = "HOME=" + m_directory.path().string() + " timeout 300 " + Browser +
                                " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --enable-logging=stderr"
                                " --user-data-dir=" +
                                (m_directory / "profile").string() + " --virtual-time-budget=20000 --dump-dom file://" +
                                (m_directory / "page.html").string() + " 2>" + (m_directory / "console").string();
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::string out;
    std::array<char, 4096> block{};
    for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
      out.append(block.data(), got);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out, read("console")};
  }

  static std::string with_script(std::string html, const std::string& script) {
    return html.insert(html.rfind("</body>"), script);
  }
};

TEST_F(cli_report_browser, shows_all_figures_and_all_controls_work) {
  if (!has_browser()) GTEST_SKIP() << "no browser: install the Debian package chromium";
  const command_result r = browsed(with_script(page(), Driver));
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("<title>all holds</title>"));
  EXPECT_THAT(r.err, Not(HasSubstr("CONSOLE")));
}

TEST_F(cli_report_browser, detects_script_errors) {
  if (!has_browser()) GTEST_SKIP() << "no browser: install the Debian package chromium";
  EXPECT_THAT(browsed(with_script(page(), "<script>missing();</script>")).err, HasSubstr("CONSOLE"));
}

}  // namespace
}  // namespace weft::cli
