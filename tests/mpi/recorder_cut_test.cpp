// SPDX-License-Identifier: Apache-2.0
// Programs that run on cut values: which data the recorder cuts, at the sender and at the receiver.
#include "mpi/recorded_calls.h"
#include "mpi/recording.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "weft/core/lsb_cut.h"

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class mpi_recorder_cut : public recording_test {};

/// Of all doubles in the payload of a trace, those that the cut has not been at.
std::size_t uncut(const recorded_calls& trace, unsigned bits) {
  std::size_t found = 0;
  for (std::size_t rank = 0; rank < trace.calls.size(); ++rank)
    for (const trace_call& c : trace.calls[rank]) {
      const auto name = trace.names.find({static_cast<std::uint32_t>(rank), c.element});
      if (name == trace.names.end() || name->second != "MPI_DOUBLE") continue;
      for (std::size_t i = 0; i + 8 <= c.payload.size(); i += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, &c.payload[i], sizeof value);
        found += after_cut(value, bits, true) != value ? 1 : 0;
      }
    }
  return found;
}

TEST_F(mpi_recorder_cut, a_program_runs_on_cut_values) {
  ASSERT_EQ(record("conjugate_gradient", 4, Whole, "exact"), 0) << read("err");
  EXPECT_GT(uncut(recorded_calls(m_directory / "exact"), 8), 0u);
  // Few bits do not matter to its verification, many do.
  EXPECT_EQ(record("conjugate_gradient", 4, std::string(Whole) + " -x WEFT_MPI_CUT=8", "few"), 0) << read("err");
  EXPECT_EQ(uncut(recorded_calls(m_directory / "few"), 8), 0u);
  EXPECT_NE(record("conjugate_gradient", 4, "-x WEFT_MPI_CUT=48", "many"), 0);
  EXPECT_THAT(read("err"), HasSubstr("the solution is wrong"));
}

TEST_F(mpi_recorder_cut, rules_say_what_is_cut) {
  ASSERT_EQ(record("conjugate_gradient", 4,
                   std::string(Whole) + " -x 'WEFT_MPI_CUT=raw in MPI_Allreduce; 6 bits tag 1; 9 bits from 1'"),
            0)
      << read("err");
  recorded_calls all(m_directory / "t");
  /// Those of \p all that are of this kind.
  const auto only = [&all](call_kind kind, std::int64_t tag) {
    recorded_calls some = all;
    for (auto& calls : some.calls)
      calls.erase(std::remove_if(calls.begin(), calls.end(),
                                 [&](const trace_call& c) { return c.kind != kind || c.tag != tag; }),
                  calls.end());
    return some;
  };
  EXPECT_EQ(uncut(only(call_kind::Send, 1), 6), 0u);
  EXPECT_GT(uncut(only(call_kind::Send, 1), 9), 0u);
  EXPECT_EQ(uncut(only(call_kind::Send, 2), 9), 0u);
  EXPECT_GT(uncut(only(call_kind::Collective, 0), 6), 0u);
  EXPECT_EQ(figures()["cut_bits"], 9);
  EXPECT_EQ(figures()["cuts"], "raw in MPI_Allreduce; 6 bits tag 1; 9 bits from 1");
  EXPECT_THAT(weft({"trace", "t"}).out,
              HasSubstr("up to 9 bits of doubles cut at the sender by `raw in MPI_Allreduce; 6 bits tag 1; 9 bits from "
                        "1`, wall clock"));
}

TEST_F(mpi_recorder_cut, the_cut_may_be_at_the_receiver) {
  // What is sent is exact, what arrives is not: heat that came over a border differs from that of one program alone.
  EXPECT_NE(record("halo_exchange", 4, std::string(Whole) + " -x WEFT_MPI_CUT=40 -x WEFT_MPI_CUT_AT=receiver"), 0);
  EXPECT_THAT(read("err"), HasSubstr("the heat is wrong"));
  EXPECT_GT(uncut(recorded_calls(m_directory / "t"), 40), 0u);
  EXPECT_EQ(figures()["cut_at"], "receiver");
  // Who sent its weights goes on with others than those who got them, unless the cut is at the sender.
  EXPECT_NE(record("gradients", 4, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=receiver", "other"), 0);
  EXPECT_THAT(read("err"), HasSubstr("a replica of the model is wrong"));
  EXPECT_EQ(record("gradients", 4, "-x WEFT_MPI_CUT=30", "same"), 0) << read("err");
}

TEST_F(mpi_recorder_cut, constants_are_sent_as_they_are) {
  ASSERT_EQ(record("constants", 2, std::string(Whole) + " -x WEFT_MPI_CUT=28"), 0) << read("err");
  EXPECT_THAT(read("err"), HasSubstr("MPI_Sendrecv sends from memory that cannot be written, so WEFT_MPI_CUT leaves"));
  // What arrives can be cut.
  EXPECT_NE(record("constants", 2, "-x WEFT_MPI_CUT=28 -x WEFT_MPI_CUT_AT=receiver", "r"), 0);
  EXPECT_THAT(read("err"), HasSubstr("a constant is wrong"));
}

/// Sent and received parts of a call at ranks 0, 1 and 2: `c` is cut, `-` is not.
struct cut_row {
  const char* function;
  std::array<const char*, 3> at_sender, at_receiver;
};

/// With 30 bits from 16 bytes on; `collective_cuts` says how many doubles each part has. The root is rank 1.
constexpr cut_row CutRows[] = {{"Bcast", {"/c", "/c", "/c"}, {"/c", "/-", "/c"}},
                               {"Gather", {"c/", "-/c-c", "c/"}, {"-/", "-/c-c", "-/"}},
                               {"Gather_in_place", {"c/", "-/c-c", "c/"}, {"-/", "-/c-c", "-/"}},
                               {"Gatherv", {"-/", "-/--c", "c/"}, {"-/", "-/--c", "-/"}},
                               {"Scatter", {"/c", "c-c/-", "/c"}, {"/c", "---/-", "/c"}},
                               {"Scatterv", {"/-", "--c/-", "/c"}, {"/-", "---/-", "/c"}},
                               {"Allgather", {"c/ccc", "c/ccc", "c/ccc"}, {"-/-cc", "-/c-c", "-/cc-"}},
                               {"Allgatherv", {"c/ccc", "c/ccc", "c/ccc"}, {"-/-cc", "-/c-c", "-/cc-"}},
                               {"Alltoall", {"-cc/-cc", "c-c/c-c", "cc-/cc-"}, {"---/-cc", "---/c-c", "---/cc-"}},
                               {"Alltoallv", {"---/-cc", "c-c/--c", "cc-/-c-"}, {"---/-cc", "---/c-c", "---/cc-"}},
                               {"Alltoallw", {"---/-cc", "c-c/--c", "cc-/-c-"}, {"---/-cc", "---/c-c", "---/cc-"}},
                               {"Reduce", {"c/-", "-/c", "c/-"}, {"-/-", "-/c", "-/-"}},
                               {"Allreduce", {"c/c", "c/c", "c/c"}, {"-/c", "-/c", "-/c"}},
                               {"Reduce_scatter", {"-cc/c", "c-c/c", "cc-/c"}, {"---/c", "---/c", "---/c"}},
                               {"Reduce_scatter_block", {"-cc/c", "c-c/c", "cc-/c"}, {"---/c", "---/c", "---/c"}},
                               {"Scan", {"c/c", "c/c", "-/c"}, {"-/-", "-/c", "-/c"}},
                               {"Exscan", {"c/-", "c/c", "-/c"}, {"-/-", "-/c", "-/c"}},
                               {"Neighbor_allgather", {"c/cc", "c/cc", "c/cc"}, {"-/cc", "-/cc", "-/cc"}},
                               {"Neighbor_allgatherv", {"-/cc", "c/-c", "c/c-"}, {"-/cc", "-/-c", "-/c-"}},
                               {"Neighbor_alltoall", {"cc/cc", "cc/cc", "cc/cc"}, {"--/cc", "--/cc", "--/cc"}},
                               {"Neighbor_alltoallv", {"-c/c-", "-c/c-", "-c/c-"}, {"--/c-", "--/c-", "--/c-"}},
                               {"Neighbor_alltoallw", {"-c/c-", "-c/c-", "-c/c-"}, {"--/c-", "--/c-", "--/c-"}}};

TEST_F(mpi_recorder_cut, reaches_of_each_collective_what_comes_from_others_and_is_long_enough) {
  for (const bool at_sender : {true, false}) {
    const std::string where = at_sender ? "sender" : "receiver";
    ASSERT_EQ(record("collective_cuts", 3, "-x 'WEFT_MPI_CUT=30 bits from 16' -x WEFT_MPI_CUT_AT=" + where, where), 0)
        << read("err");
    std::map<std::string, std::vector<std::string>>
        found;  // by function and rank: one that blocks and one that does not
    std::istringstream lines(read("out"));
    std::string function, rank, marks;
    while (lines >> function >> rank >> marks) found[function + " " + rank].push_back(marks);
    for (const cut_row& row : CutRows)
      for (std::size_t r = 0; r < 3; ++r) {
        const std::string name = std::string(row.function) + " " + std::to_string(r);
        const std::string expected = at_sender ? row.at_sender[r] : row.at_receiver[r];
        EXPECT_EQ(found[name], std::vector<std::string>(2, expected)) << name << " at the " << where;
        found.erase(name);
      }
    // What is left stays in a rank that is alone.
    EXPECT_EQ(found.size(), 3 * 11u);
    for (const auto& [name, both] : found)
      for (const std::string& one : both) EXPECT_EQ(one.find('c'), std::string::npos) << name << " at the " << where;
  }
}

TEST_F(mpi_recorder_cut, a_receive_is_of_the_function_that_started_it) {
  ASSERT_EQ(record("persistent_cuts", 2, "-x 'WEFT_MPI_CUT=30 bits in MPI_Startall' -x WEFT_MPI_CUT_AT=receiver"), 0)
      << read("err");
  EXPECT_EQ(read("out"), "-c-\n");
}

TEST_F(mpi_recorder_cut, reaches_data_at_absolute_addresses) {
  // What the root of a gather puts in stays in it.
  const std::string cut =
      "Send cccc\nSend cccc\nSend cccc\nSend cccc\nIsend cccc\nBcast cccc\nGather cccc----\nSsend_half_constant ";
  const std::string variables = std::string(Whole) + " -x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=";
  ASSERT_EQ(record("bottom_cuts", 2, variables + "sender", "s"), 0) << read("err");
  EXPECT_EQ(read("out"), cut + "----\n");
  EXPECT_THAT(read("err"), HasSubstr("MPI_Ssend sends from memory that cannot be written"));
  ASSERT_EQ(record("bottom_cuts", 2, variables + "receiver", "r"), 0) << read("err");
  EXPECT_EQ(read("out"), cut + "cccc\n");
}

TEST_F(mpi_recorder_cut, reaches_data_with_memory_between_them_that_is_not_mapped) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("hollow_cuts", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0) << read("err");
    EXPECT_EQ(read("out"), "cccc\n") << where;
    EXPECT_THAT(read("err"), Not(HasSubstr("cannot be written")));
  }
}

TEST_F(mpi_recorder_cut, what_goes_to_other_programs_is_left_as_it_is) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("spawns", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0) << read("err");
    EXPECT_THAT(read("err"), HasSubstr("libweft_mpi: rank 0: WEFT_MPI_CUT leaves what MPI_Send carries between this "
                                       "program and processes that were spawned or joined as it is"));
  }
}

TEST_F(mpi_recorder_cut, reaches_what_came_of_a_type_that_was_not_filled) {
  ASSERT_EQ(record("part_cuts", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=receiver"), 0) << read("err");
  EXPECT_EQ(read("out"), "c-c-------\nc-c-cc-c--\ncc--------\nccccc-----\n");
}

TEST_F(mpi_recorder_cut, collectives_between_groups_are_left_as_they_are) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("between_groups", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0) << read("err");
    const std::string notice = "WEFT_MPI_CUT leaves what MPI_Allgather carries between two groups as it is";
    const std::string err = read("err");
    std::size_t notices = 0;
    for (std::size_t at = err.find(notice); at != std::string::npos; at = err.find(notice, at + 1)) ++notices;
    EXPECT_EQ(notices, 2u) << err;  // one a rank
  }
}

TEST_F(mpi_recorder_cut, rules_that_fit_nothing_are_refused) {
  const auto refused = [this](const std::string& variables, const std::string& why) {
    EXPECT_EQ(record_alone(variables), 2) << variables;
    EXPECT_THAT(read("err"), HasSubstr("libweft_mpi: rank 0: WEFT_MPI_CUT=" + why));
  };
  refused("WEFT_MPI_CUT='8 bits in MPI_Recv'",
          "8 bits in MPI_Recv: '8 bits in MPI_Recv' fits no message: its function is the one that sends it");
  refused(
      "WEFT_MPI_CUT='4 bits in MPI_Recv; 8 bits in MPI_Isend' WEFT_MPI_CUT_AT=receiver",
      "4 bits in MPI_Recv; 8 bits in MPI_Isend: '8 bits in MPI_Isend' fits no message: its function is the one that "
      "receives it");
  refused(
      "WEFT_MPI_CUT='8 bits of double; raw of double_complex; 4 bits tag 1'",
      "8 bits of double; raw of double_complex; 4 bits tag 1: '4 bits tag 1' fits no message: '8 bits of double' and "
      "'raw of double_complex' before it do together");
  refused("WEFT_MPI_CUT='8 bits; 4 bits tag 1'",
          "8 bits; 4 bits tag 1: '4 bits tag 1' fits no message: '8 bits' before");
}

}  // namespace
}  // namespace weft::cli
