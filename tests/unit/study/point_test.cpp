// SPDX-License-Identifier: Apache-2.0
#include "weft/study/point.h"

#include "support/temporary_directory.h"
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>

#include "weft/simulation/processors.h"
#include "weft/simulation/run.h"
#include "weft/study/sha256.h"
#include "weft/topology/generators/grid.h"

namespace weft::experiment {
namespace {

std::string id(const std::string& text, const std::filesystem::path& file = "a.yaml") {
  return id_of(parse_configuration(text, file));
}

TEST(unit_study_point, sha256_gives_the_digests_of_the_standard) {
  // Examples of NIST for FIPS 180-4.
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(unit_study_point, id_is_the_same_for_equal_simulations) {
  const std::string plain = id("workload: {pattern: transpose}");
  EXPECT_EQ(plain, id("workload: {pattern: {kind: transpose}}\nnetwork: {router: {vcs: 4}}"));
  EXPECT_EQ(plain, id("workload: {pattern: transpose}\noutput: {name: other, directory: there, csv: false}", "b.yaml"));
  EXPECT_EQ(plain, id("workload: {pattern: transpose}\nsweep: {over: {network.router.vcs: [1]}}"));
  EXPECT_NE(plain, id("workload: {pattern: tornado}"));
  EXPECT_NE(plain, id("workload: {pattern: transpose}\nsimulation: {seed: 2}"));
}

TEST(unit_study_point, id_does_not_depend_on_the_number_of_threads) {
  EXPECT_EQ(id("simulation: {level: engine}"), id("simulation: {level: engine, threads: 7}"));
  EXPECT_EQ(id("simulation: {level: engine}"), id("simulation: {level: engine, threads: auto}"));
  EXPECT_NE(id("simulation: {level: engine}"), id("simulation: {level: pin}"));
}

TEST(unit_study_point, runs_at_the_same_time_share_the_processors) {
  const topology large = make_grid({{32, 32}});
  configuration c = parse_configuration("simulation: {level: engine, threads: 7}", "a.yaml");
  EXPECT_EQ(find_threads(c, large), 7u);
  c.simulation.threads.reset();
  const unsigned alone = find_threads(c, large);
  EXPECT_EQ(alone, std::min(usable_processors(), 4u));
  EXPECT_EQ(find_threads(c, make_grid({{16, 16}})), 1u);
  c.simulation.runs_at_once = usable_processors();
  EXPECT_EQ(find_threads(c, large), 1u);
  c.simulation.runs_at_once = 100'000;
  EXPECT_EQ(find_threads(c, large), 1u);
}

TEST(unit_study_point, id_depends_on_file_contents_not_names) {
  const temporary_directory directory;
  const auto list = [&](const char* name, const char* content) {
    std::ofstream(directory / name) << content;
    return id(std::string("workload: {packet_list: ") + name + "}", directory / "a.yaml");
  };
  const std::string first = list("one.txt", "0 0 0 1 4\n");
  EXPECT_EQ(first, list("two.txt", "0 0 0 1 4\n"));
  EXPECT_NE(first, list("one.txt", "0 0 0 1 5\n"));
}

TEST(unit_study_point, result_round_trips_as_text) {
  const point_result r{"complete", "", "a,b\n1,\"2,3\"\n", "{\"a\": [1]}"};
  const point_result back = unpacked(packed(r));
  EXPECT_EQ(back.outcome, r.outcome);
  EXPECT_EQ(back.csv, r.csv);
  EXPECT_EQ(back.json, r.json);
  EXPECT_EQ(unpacked("").outcome, "failed");
  EXPECT_EQ(unpacked("[\"comp").outcome, "failed");
}

TEST(unit_study_point, only_reproducible_outcomes_are_final) {
  for (const char* const outcome : {"complete", "saturated", "deadlock", "infeasible"})
    EXPECT_TRUE(is_final({outcome, "", "", ""})) << outcome;
  for (const char* const outcome : {"interrupted", "failed"}) EXPECT_FALSE(is_final({outcome, "", "", ""})) << outcome;
  for (const char* const outcome : {"complete", "saturated", "infeasible"})
    EXPECT_FALSE(is_failure({outcome, "", "", ""})) << outcome;
  for (const char* const outcome : {"deadlock", "not_drained", "failed"})
    EXPECT_TRUE(is_failure({outcome, "", "", ""})) << outcome;
}

}  // namespace
}  // namespace weft::experiment
