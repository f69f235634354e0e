// SPDX-License-Identifier: Apache-2.0
/// Store-and-forward schedules: prints rounds, proof and seconds for a list of problems as a Markdown table, next to
/// SCCL's seconds from schedule_marks.csv in WEFT_SHARED_DATA, if that is set. `bench_forwarding [TEXT]` prints only
/// the rows that contain TEXT.
#include "unit/schedule/networks.h"
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/solve.h"

namespace {

using namespace weft;
using namespace weft::schedule;

/// "dgx1", "ring:8", "mesh:4x4", "torus:8x8", "cube:4", "octagon", "xoctagon:16", "hring16".
link_graph graph_of(const std::string& name) {
  const std::string kind = name.substr(0, name.find(':'));
  const auto size = static_cast<std::uint32_t>(kind == name ? 8 : std::stoul(name.substr(kind.size() + 1)));
  if (kind == "dgx1") return dgx1();
  if (kind == "ring") return links_of(ring(size));
  if (kind == "mesh") return links_of(mesh({size, size}));
  if (kind == "torus") return links_of(torus({size, size}));
  if (kind == "cube") return links_of(hypercube(size));
  if (kind == "hring16") return links_of(h_rings({4, 4}));
  octagon_parameters p;
  p.routers = size;
  return links_of(make_octagon(p));
}

struct row {
  const char* graph;
  const char* collective;
  unsigned chunks;
  std::optional<std::size_t> steps, rounds;
};

const std::vector<row>& rows() {
  constexpr std::nullopt_t Any = std::nullopt;
  static const std::vector<row> all{
      {"dgx1", "allgather", 1, 2, 2},
      {"dgx1", "allgather", 2, 2, 3},
      {"dgx1", "allgather", 3, 2, 4},
      {"dgx1", "allgather", 4, 2, 5},
      {"dgx1", "allgather", 5, 2, 6},
      {"dgx1", "allgather", 6, 2, 7},
      {"dgx1", "allgather", 6, 3, 7},
      {"dgx1", "alltoall", 1, Any, Any},
      {"dgx1", "alltoall", 3, 2, 8},
      {"dgx1", "alltoall", 3, 8, 8},
      {"dgx1", "allreduce", 1, 4, 4},
      {"dgx1", "allreduce", 6, 6, 14},
      {"dgx1", "reduce-scatter", 6, 3, 7},
      {"dgx1", "broadcast", 6, 3, 3},
      {"dgx1", "scatter", 5, 2, 6},
      {"ring:8", "allgather", 1, Any, Any},
      {"ring:16", "allgather", 1, Any, Any},
      {"mesh:3x3", "allgather", 1, Any, Any},
      {"mesh:4x4", "allgather", 1, Any, Any},
      {"mesh:4x4", "allgather", 2, Any, Any},
      {"torus:4x4", "allgather", 1, Any, Any},
      {"xoctagon:16", "allgather", 1, Any, Any},
      {"hring16", "allgather", 1, Any, Any},
      {"cube:4", "allgather", 4, Any, Any},
      {"mesh:8x8", "allgather", 1, Any, Any},
      {"torus:8x8", "allgather", 1, Any, Any},
      {"cube:6", "allgather", 1, Any, Any},
      {"mesh:16x16", "allgather", 1, Any, Any},
      {"torus:16x16", "allgather", 1, Any, Any},
      {"ring:8", "alltoall", 1, Any, Any},
      {"octagon", "alltoall", 1, Any, Any},
      {"cube:3", "alltoall", 1, Any, Any},
      {"torus:3x3", "alltoall", 1, Any, Any},
      {"mesh:3x3", "alltoall", 1, Any, Any},
      {"torus:4x4", "alltoall", 1, Any, Any},
      {"cube:4", "alltoall", 1, Any, Any},
      {"mesh:4x4", "alltoall", 1, Any, Any},
      {"ring:16", "alltoall", 1, Any, Any},
      {"xoctagon:16", "alltoall", 1, Any, Any},
      {"hring16", "alltoall", 1, Any, Any},
      {"torus:8x8", "alltoall", 1, Any, Any},
      {"cube:6", "alltoall", 1, Any, Any},
      {"mesh:6x6", "alltoall", 1, Any, Any},
      {"mesh:8x8", "alltoall", 1, Any, Any},
  };
  return all;
}

/// SCCL's seconds by "topology,collective,C,S,R", also with "any" for S: of its fastest answer, else of its longest
/// attempt.
std::map<std::string, std::string> recorded() {
  std::map<std::string, std::pair<bool, double>> best;  // whether there was no answer, and seconds
  const char* folder = std::getenv("WEFT_SHARED_DATA");
  std::ifstream file(folder == nullptr ? "" : std::string(folder) + "/schedule_marks.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"SCCL ") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    const bool none = cells[6] == "no answer";
    const double seconds = std::stod(cells[7]);
    for (const std::string& steps : {cells[4], std::string("any")}) {
      const auto key = fmt::format("{},{},{},{},{}", cells[0], cells[1], cells[3], steps, cells[5]);
      const auto [at, fresh] = best.emplace(key, std::make_pair(none, seconds));
      const auto& [none_yet, so_far] = at->second;
      if (!fresh && (none != none_yet ? !none : none == (seconds > so_far))) at->second = {none, seconds};
    }
  }
  std::map<std::string, std::string> seconds;
  for (const auto& [key, value] : best)
    seconds[key] = fmt::format("{}{:.3g}", value.first ? "none in " : "", value.second);
  return seconds;
}

std::string number(const std::optional<std::size_t>& n) { return n ? std::to_string(*n) : "any"; }

std::string text_of(const forwarding_result& result) {
  if (result.answer == forwarding_result::status::Infeasible) return "infeasible | " + result.bound.reason;
  if (result.answer == forwarding_result::status::Unanswered) {
    return fmt::format("unanswered | at least {}: {}", result.bound.rounds, result.bound.reason);
  }
  return fmt::format("{} in {} steps | {}{}", result.found.rounds(), result.found.steps.size(),
                     result.optimal() ? "" : fmt::format("not proved, at least {}: ", result.bound.rounds),
                     result.bound.reason);
}

void print(const row& r, const std::map<std::string, std::string>& sccl) {
  const forwarding_problem p = make_forwarding(graph_of(r.graph), forwarding_collective_of(r.collective), r.chunks);
  forwarding_question q;
  q.steps = r.steps;
  q.rounds = r.rounds;
  const auto start = std::chrono::steady_clock::now();
  const forwarding_result result = solve_forwarding(p, q);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto beside = sccl.find(fmt::format("{},{},{},{},{}", r.graph, r.collective, r.chunks, number(r.steps),
                                            r.rounds.value_or(result.found.rounds())));
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.3f} | {} |\n", r.graph, r.collective, r.chunks, number(r.steps),
             number(r.rounds), text_of(result), result.method, seconds, beside == sccl.end() ? "" : beside->second);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string filter = argc > 1 ? argv[1] : "";
  const auto sccl = recorded();
  fmt::print("| network | collective | C | S | R | found | proof | method | s | SCCL, CPU s |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const row& r : rows()) {
    const std::string name = fmt::format("{} {}", r.graph, r.collective);
    if (name.find(filter) != std::string::npos) print(r, sccl);
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_forwarding: {}\n", error.what());
  return 1;
}
