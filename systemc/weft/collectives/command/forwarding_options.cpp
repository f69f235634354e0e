// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/forwarding_options.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"

namespace weft::experiment {

namespace {

using schedule::forwarding_collective;

constexpr const char* Alltoallv = "alltoallv";

/// The names that `--collective` accepts.
const std::vector<std::pair<const char*, forwarding_collective>>& collectives() {
  static const auto All = [] {
    std::vector<std::pair<const char*, forwarding_collective>> all;
    for (const auto what :
         {forwarding_collective::Allgather, forwarding_collective::Alltoall, forwarding_collective::Broadcast,
          forwarding_collective::Scatter, forwarding_collective::Gather, forwarding_collective::Reduce,
          forwarding_collective::ReduceScatter, forwarding_collective::Allreduce})
      all.emplace_back(schedule::name_of(what), what);
    all.emplace_back(Alltoallv, forwarding_collective::Custom);
    return all;
  }();
  return All;
}

void add_question(CLI::App& command, forwarding_command_options& o) {
  add_file_option(command, "--links", o.links, "the network, as weft-links/1 or JSON of SCCL's tools");
  command.add_option("--known", o.known, "the name of a known network: dgx1")
      ->type_name("NAME")
      ->check(CLI::IsMember({"dgx1"}));
  command
      .add_option("--ports", o.ports,
                  "maximum number of chunks that a node sends, and that it receives, in a round; default: limited only "
                  "by its links")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 20));
  command
      .add_option("--collective", o.collective,
                  "allgather, alltoall, broadcast, scatter, gather, reduce, reduce-scatter, allreduce or alltoallv")
      ->type_name("NAME");
  command.add_option("--root", o.root, "root of broadcast, scatter, gather and reduce; default 0")->type_name("NODE");
  add_file_option(command, "--counts", o.counts,
                  "for alltoallv: JSON file with the numbers of chunks from node to node, one list for each sender");
  command
      .add_option("--chunks", o.chunks,
                  "number of chunks C per node or pair; default 1; with --frontier, the largest number to try")
      ->type_name("C")
      ->check(CLI::Range(1u, 1u << 20));
  command.add_option("--steps", o.steps, "maximum number of steps S; default: the number of rounds")
      ->type_name("S")
      ->check(CLI::Range(1u, 1u << 20));
  command.add_option("--rounds", o.rounds, "maximum number of rounds R; default: the fewest possible")
      ->type_name("R")
      ->check(CLI::Range(1u, 1u << 20));
  command.add_flag("--frontier", o.frontier, "find the fewest rounds per chunk for each number of steps");
}

void add_effort(CLI::App& command, forwarding_command_options& o) {
  command.add_option("--seconds", o.seconds, "time limit of the search in seconds; default 60; 0 does not use CaDiCaL")
      ->type_name("N")
      ->check(number_between(0, 1e9));
  command
      .add_option("--conflicts", o.conflicts,
                  "maximum number of conflicts of CaDiCaL for each form of a problem; default 100000")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 30));
  add_seed(command, o.in);
}

void add_files(CLI::App& command, forwarding_command_options& o) {
  add_file_option(command, "-o,--output", o.output,
                  "write the algorithm as JSON of SCCL's tools; - for standard output")
      ->excludes("--frontier");
  CLI::Option* const chakra =
      add_file_option(command, "--chakra", o.chakra, "write execution traces, PREFIX.0.json for node 0, and so on")
          ->type_name("PREFIX")
          ->excludes("--frontier");
  command.add_option("--bytes", o.bytes, "size of a chunk in the traces, in bytes; default 1048576")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 30))
      ->needs(chakra);
  add_file_option(command, "--proof", o.proof,
                  "write the last refutation of CaDiCaL, as FILE.cnf and FILE.drat for drat-trim")
      ->excludes("--frontier");
  add_file_option(
      command, "--ccsched", o.ccsched,
      "write the algorithm in steps as ccsched/1, for weft schedule and weft collective on the network of CONFIG")
      ->needs("CONFIG")
      ->excludes("--frontier");
  CLI::Option* const check =
      add_file_option(command, "--check", o.check, "only check the algorithm in FILE; - for standard input");
  for (const char* const other : {"--output", "--ccsched", "--proof", "--frontier", "--chunks", "--steps", "--rounds",
                                  "--seconds", "--conflicts", "--seed"})
    check->excludes(other);
  command.get_option("--frontier")->excludes("--rounds");
}

}  // namespace

configuration forwarding_command_options::load() const {
  if (!in.file.empty()) return in.load();
  if (!in.sets.empty()) fail("--set " + in.sets.front(), "needs a configuration file, CONFIG");
  std::vector<setting> settings;
  if (in.seed) settings.push_back({"simulation.seed", *in.seed, "--seed " + *in.seed});
  return parse_configuration("", "weft forwarding", settings);
}

forwarding_collective collective_of(const forwarding_command_options& o) {
  std::vector<std::string> names;
  for (const auto& [name, what] : collectives()) {
    if (o.collective == name) return what;
    names.emplace_back(name);
  }
  const std::string expected = fmt::format("expected one of {}", fmt::join(names, ", "));
  if (o.collective.empty()) fail("weft forwarding", "--collective is missing; " + expected);
  fail(o.collective_option(), expected + did_you_mean(o.collective, names));
}

bool has_root(forwarding_collective what) {
  return what == forwarding_collective::Broadcast || what == forwarding_collective::Scatter ||
         what == forwarding_collective::Gather || what == forwarding_collective::Reduce;
}

void reject_unused_options(const forwarding_command_options& o, forwarding_collective what) {
  if (!o.proof.empty() && o.seconds == 0)
    fail("--proof " + o.proof, "has no effect with --seconds 0, because no solver runs");
  if (o.root && !has_root(what))
    fail(fmt::format("--root {}", *o.root),
         "has no effect unless --collective is broadcast, scatter, gather or reduce");
  if (!o.counts.empty() && !o.is_alltoallv())
    fail("--counts " + o.counts, "has no effect unless --collective is alltoallv");
  if (!o.is_alltoallv()) return;
  if (o.counts.empty()) fail(o.collective_option(), "needs --counts FILE, the number of chunks from node to node");
  if (o.chunks)
    fail(fmt::format("--chunks {}", *o.chunks), "has no effect with alltoallv; --counts gives the number of chunks");
  if (o.frontier) fail("--frontier", "cannot be combined with alltoallv, whose number of chunks is given by --counts");
}

void add_forwarding_options(CLI::App& command, forwarding_command_options& o) {
  add_question(command, o);
  add_effort(command, o);
  add_files(command, o);
}

}  // namespace weft::experiment
