// SPDX-License-Identifier: Apache-2.0
// `weft codec`: hand-computed results, results of the recorded data, and invalid use.
#include "cli/command.h"
#include "support/recording.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class cli_codec : public command_test {
 protected:
  /// The results of one file.
  nlohmann::json metrics(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"codec", "--json", "-"});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out).at(0);
  }
};

/// The first codec with \p name, and with \p table if one is given.
nlohmann::json find(const nlohmann::json& file, const std::string& codec, const std::string& table = "") {
  for (const auto& c : file["codecs"])
    if (c["codec"] == codec && (table.empty() || c["table"] == table)) return c;
  ADD_FAILURE() << "no " << codec << " " << table;
  return {};
}

// By Table I of the paper, three words take 17 bits and one takes 35. The 128 bits become 86, which still need two
// flits of 64 bits.
TEST_F(cli_codec, reports_bits_and_flits_of_each_codec) {
  write("four.bin", as_bytes({1, 2, 3, 0xffffffff}));
  const auto file = metrics({"four.bin"});
  EXPECT_EQ(file["messages"], 1);
  EXPECT_EQ(file["words"], 4);
  EXPECT_EQ(file["raw_flits"], 2);
  const auto table = find(file, "fpc", "paper");
  EXPECT_EQ(table["bits"], 86);
  EXPECT_EQ(table["flits"], 2);
  EXPECT_DOUBLE_EQ(table["ratio"], 128. / 86);
  EXPECT_DOUBLE_EQ(table["packet_ratio"], 1);
  EXPECT_EQ(find(file, "fpc_classic")["bits"], 4 * 7);
  EXPECT_EQ(find(file, "fpc_classic")["flits"], 1);
}

// FPC codes the 40 zeros as five runs of 6 bits. Packets of one flit, which has 4 words, save nothing; packets of two
// flits save half.
TEST_F(cli_codec, splits_messages_into_packets) {
  write("zeros.bin", as_bytes(std::vector<std::uint32_t>(40, 0)));
  const auto classic = [this](const char* packet) {
    return find(metrics({"zeros.bin", "--words", "4", "--packet", packet}), "fpc_classic");
  };
  for (const char* const packet : {"1", "2", "10"}) EXPECT_EQ(classic(packet)["bits"], 30);
  EXPECT_EQ(classic("1")["flits"], 10);
  EXPECT_EQ(classic("2")["flits"], 5);
  EXPECT_EQ(classic("10")["flits"], 1);
}

TEST_F(cli_codec, tunes_run_lengths_and_accepts_given_run_lengths) {
  write("ints.bin", as_bytes({0, 1, 2, 4, 8, 16, 32, 64}));
  const auto file = metrics({"ints.bin", "--tune", "--runs", "32,31,30,29,28,27"});
  EXPECT_EQ(find(file, "fpc", "given")["bits"], 8 * 3 + 0 + 1 + 2 + 3 + 4 + 5 + 32 + 32);
  EXPECT_EQ(find(file, "fpc", "tuned")["runs"], nlohmann::json({31, 29, 28, 27, 26, 25}));
  EXPECT_EQ(find(file, "fpc", "tuned")["bits"], 8 * 3 + 1 + 1 + 3 + 3 + 4 + 5 + 6 + 7);
}

// The input consists of 1.0, 0.0, infinity and a denormal.
TEST_F(cli_codec, reports_truncation_error_of_doubles) {
  write("doubles.bin", recording({as_bytes({0, 0x3ff00000, 0, 0, 0, 0x7ff00000, 5, 0})}, 1));
  const auto file = metrics({"doubles.bin", "--cut", "20"});
  EXPECT_EQ(file["type"], "MPI_DOUBLE");
  EXPECT_EQ(file["application"], "by hand");
  const auto exact = file["codecs"][2], plain = file["codecs"][3];
  EXPECT_EQ(exact["exact"], true);
  EXPECT_EQ(exact["cut"], 20);
  EXPECT_EQ(exact["bits"], 4 * 44 + 3 + 20);
  EXPECT_EQ(plain["bits"], 4 * 44);
  for (const auto& c : {exact, plain}) {
    EXPECT_EQ(c["normals"], 1);
    EXPECT_EQ(c["worst_relative_error"], std::ldexp(1., 20 - 53));
    EXPECT_EQ(c["mean_relative_error"], std::ldexp(1., 20 - 53));
    EXPECT_EQ(c["specials"], 3);
  }
  EXPECT_EQ(exact["specials_kept"], 3);
  EXPECT_EQ(plain["specials_kept"], 0);
}

TEST_F(cli_codec, does_not_truncate_integers) {
  write("ints.bin", recording({as_bytes({1, 2})}, 0));
  const command_result r = weft({"codec", "ints.bin"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, StartsWith("ints.bin: 1 message of MPI_INT, 8 bytes (by hand)\n"));
  EXPECT_THAT(r.out, HasSubstr("\n  FPC, Table I {18,17,16,15,14,13}               1.882       1.000\n"));
  EXPECT_THAT(r.out, HasSubstr("\n  FPC, classic                                   4.571       1.000\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("LSB-cut")));
  EXPECT_THAT(r.out, Not(HasSubstr("as words")));
}

TEST_F(cli_codec, reports_trailing_bytes_that_fill_no_word) {
  write("odd.bin", "12345");
  const command_result r = weft({"codec", "odd.bin"});
  EXPECT_THAT(r.out, StartsWith("odd.bin: 1 message of unknown type, 5 bytes\n"));
  EXPECT_THAT(r.out, EndsWith("\n  Left out: 1 byte behind the last whole word of a message.\n"));
  EXPECT_EQ(metrics({"odd.bin"})["bytes_left_out"], 1);
}

TEST_F(cli_codec, accepts_several_files_and_writes_json) {
  write("a.bin", "1234");
  write("b.bin", "5678");
  EXPECT_EQ(weft({"codec", "a.bin", "b.bin", "--json", "codec.json"}).out, "");
  const auto list = nlohmann::json::parse(read("codec.json"));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1]["file"], "b.bin");
}

TEST_F(cli_codec, rejects_invalid_input_before_printing_anything) {
  write("good.bin", "1234");
  write("empty.bin", "");
  write("short.bin", recording({"1234"}).substr(0, 130));
  const auto expect = [this](const std::vector<std::string>& arguments, const std::string& message) {
    std::vector<std::string> all{"codec", "good.bin"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const command_result r = weft(all);
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, StartsWith(message));
  };
  const std::string runs =
      ": error: expected six run lengths in descending order, from 32 to 1, such as 18,17,16,15,14,13\n";
  expect({"missing.bin"}, "weft codec: error: missing.bin: cannot be opened: No such file or directory\n");
  expect({"short.bin"}, "weft codec: error: short.bin: byte 130: the file ends within record 0\n");
  expect({"empty.bin"}, "weft codec: error: empty.bin has no word of payload; choose a file of 4 bytes or more\n");
  for (const std::string bad : {"", "1,2", "18,17,16,15,14,14", "33,17,16,15,14,13", "18,17,16,15,14,13,12",
                                "18,17,16,15,14,x", "18;17;16;15;14;13", "288,17,16,15,14,13", "-1,17,16,15,14,13"})
    expect({"--runs=" + bad}, bad.empty() ? "weft: error" : "--runs " + bad + runs);
  expect({"--cut", "52"}, "weft: error: --cut: Value 52 not in range 0 to 51\n");
  expect({"--words", "3"}, "weft: error: --words: 3 not in {1,2,4,8}\n");
  expect({"--packet", "0"}, "weft: error: --packet: Value 0 not in range");
  expect({"--json", "good.bin/x"}, "--json good.bin/x: error: ");
  EXPECT_EQ(weft({"codec"}).status, 2);
}

// The expected ratios were measured with other programs on the same files.
TEST_F(cli_codec, reproduces_known_ratios_of_recorded_data) {
  struct row {
    const char* name;
    double table, classic, tuned;
    std::vector<int> runs;
  };
  for (const row& expected : {row{"is.S.2", 1.882, 1.706, 2.403, {32, 28, 25, 23, 22, 21}},
                              row{"aco.lin105.2", 1.882, 2.973, 3.579, {29, 28, 27, 26, 25, 18}},
                              row{"cg.S.2", 0.914, 0.914, 0.940, {6, 5, 4, 3, 2, 1}},
                              row{"lammps.melt.2", 1.114, 1.388, 1.377, {32, 6, 4, 3, 2, 1}}}) {
    const std::string path = WEFT_SHARED_DATA "/payload/" + std::string(expected.name) + ".bin.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    SCOPED_TRACE(expected.name);
    const auto file = metrics({"--tune", path});
    EXPECT_EQ(file["application"], expected.name);
    const auto rounded = [](const nlohmann::json& c) { return std::round(c["ratio"].get<double>() * 1000) / 1000; };
    EXPECT_EQ(rounded(find(file, "fpc", "paper")), expected.table);
    EXPECT_EQ(rounded(find(file, "fpc_classic")), expected.classic);
    EXPECT_EQ(rounded(find(file, "fpc", "tuned")), expected.tuned);
    EXPECT_EQ(find(file, "fpc", "tuned")["runs"], nlohmann::json(expected.runs));
    if (file["type"] != "MPI_DOUBLE") continue;
    const auto exact = find(file, "lsb_cut");
    EXPECT_EQ(exact["specials_kept"], exact["specials"]);
    EXPECT_LE(exact["worst_relative_error"], std::ldexp(1., 28 - 53));
    const auto plain = file["codecs"].back();
    EXPECT_EQ(plain["exact"], false);
    EXPECT_DOUBLE_EQ(plain["ratio"], 64. / 36);
  }
}

}  // namespace
}  // namespace weft::cli
