// SPDX-License-Identifier: Apache-2.0
// Programs that run on truncated values: which data the recorder truncates, at the sender and at the receiver.
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

class mpi_recorder_truncation : public recording_test {};

/// Number of doubles in the payload of a trace that are not truncated.
std::size_t count_untruncated(const recorded_calls& trace, unsigned bits) {
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

TEST_F(mpi_recorder_truncation, program_computes_with_truncated_values) {
  ASSERT_EQ(record("conjugate_gradient", 4, Whole, "exact"), 0) << read("err");
  EXPECT_GT(count_untruncated(recorded_calls(m_directory / "exact"), 8), 0u);
  // The program's verification tolerates few truncated bits, but not many.
  EXPECT_EQ(record("conjugate_gradient", 4, std::string(Whole) + " -x WEFT_MPI_CUT=8", "few"), 0) << read("err");
  EXPECT_EQ(count_untruncated(recorded_calls(m_directory / "few"), 8), 0u);
  EXPECT_NE(record("conjugate_gradient", 4, "-x WEFT_MPI_CUT=48", "many"), 0);
  EXPECT_THAT(read("err"), HasSubstr("the solution is wrong"));
}

TEST_F(mpi_recorder_truncation, rules_select_the_messages_to_truncate) {
  ASSERT_EQ(record("conjugate_gradient", 4,
                   std::string(Whole) + " -x 'WEFT_MPI_CUT=raw in MPI_Allreduce; 6 bits tag 1; 9 bits from 1'"),
            0)
      << read("err");
  recorded_calls all(m_directory / "t");
  /// The calls of \p all of this kind.
  const auto only = [&all](call_kind kind, std::int64_t tag) {
    recorded_calls some = all;
    for (auto& calls : some.calls)
      calls.erase(std::remove_if(calls.begin(), calls.end(),
                                 [&](const trace_call& c) { return c.kind != kind || c.tag != tag; }),
                  calls.end());
    return some;
  };
  EXPECT_EQ(count_untruncated(only(call_kind::Send, 1), 6), 0u);
  EXPECT_GT(count_untruncated(only(call_kind::Send, 1), 9), 0u);
  EXPECT_EQ(count_untruncated(only(call_kind::Send, 2), 9), 0u);
  EXPECT_GT(count_untruncated(only(call_kind::Collective, 0), 6), 0u);
  EXPECT_EQ(metrics()["cut_bits"], 9);
  EXPECT_EQ(metrics()["cuts"], "raw in MPI_Allreduce; 6 bits tag 1; 9 bits from 1");
  EXPECT_THAT(weft({"trace", "t"}).out,
              HasSubstr("up to 9 bits of doubles cut at the sender by `raw in MPI_Allreduce; 6 bits tag 1; 9 bits from "
                        "1`, wall clock"));
}

TEST_F(mpi_recorder_truncation, can_be_applied_at_the_receiver) {
  // The sent values are exact, the received ones are not, so heat across a border differs from that of a single
  // process.
  EXPECT_NE(record("halo_exchange", 4, std::string(Whole) + " -x WEFT_MPI_CUT=40 -x WEFT_MPI_CUT_AT=receiver"), 0);
  EXPECT_THAT(read("err"), HasSubstr("the heat is wrong"));
  EXPECT_GT(count_untruncated(recorded_calls(m_directory / "t"), 40), 0u);
  EXPECT_EQ(metrics()["cut_at"], "receiver");
  // The sender of the weights continues with other values than the receivers, unless the sender truncates.
  EXPECT_NE(record("gradients", 4, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=receiver", "other"), 0);
  EXPECT_THAT(read("err"), HasSubstr("a replica of the model is wrong"));
  EXPECT_EQ(record("gradients", 4, "-x WEFT_MPI_CUT=30", "same"), 0) << read("err");
}

TEST_F(mpi_recorder_truncation, leaves_read_only_memory_unchanged_at_the_sender) {
  ASSERT_EQ(record("constants", 2, std::string(Whole) + " -x WEFT_MPI_CUT=28"), 0) << read("err");
  EXPECT_THAT(read("err"), HasSubstr("MPI_Sendrecv sends from memory that cannot be written, so WEFT_MPI_CUT does not "
                                     "truncate"));
  // Received values can be truncated.
  EXPECT_NE(record("constants", 2, "-x WEFT_MPI_CUT=28 -x WEFT_MPI_CUT_AT=receiver", "r"), 0);
  EXPECT_THAT(read("err"), HasSubstr("a constant is wrong"));
}

/// Sent and received parts of a call at ranks 0, 1 and 2: `c` is truncated, `-` is not.
struct truncation_row {
  const char* function;
  std::array<const char*, 3> at_sender, at_receiver;
};

/// With 30 bits from 16 bytes on; `collective_truncation` defines the number of doubles of each part. The root is rank
/// 1.
constexpr truncation_row TruncationRows[] = {
    {"Bcast", {"/c", "/c", "/c"}, {"/c", "/-", "/c"}},
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

TEST_F(mpi_recorder_truncation, truncates_long_remote_parts_of_collectives) {
  for (const bool at_sender : {true, false}) {
    const std::string where = at_sender ? "sender" : "receiver";
    ASSERT_EQ(
        record("collective_truncation", 3, "-x 'WEFT_MPI_CUT=30 bits from 16' -x WEFT_MPI_CUT_AT=" + where, where), 0)
        << read("err");
    std::map<std::string, std::vector<std::string>>
        found;  // by function and rank: one blocking call and one nonblocking call
    std::istringstream lines(read("out"));
    std::string function, rank, marks;
    while (lines >> function >> rank >> marks) found[function + " " + rank].push_back(marks);
    for (const truncation_row& row : TruncationRows)
      for (std::size_t r = 0; r < 3; ++r) {
        const std::string name = std::string(row.function) + " " + std::to_string(r);
        const std::string expected = at_sender ? row.at_sender[r] : row.at_receiver[r];
        EXPECT_EQ(found[name], std::vector<std::string>(2, expected)) << name << " at the " << where;
        found.erase(name);
      }
    // The remaining rows are calls in which a rank is alone.
    EXPECT_EQ(found.size(), 3 * 11u);
    for (const auto& [name, both] : found)
      for (const std::string& one : both) EXPECT_EQ(one.find('c'), std::string::npos) << name << " at the " << where;
  }
}

TEST_F(mpi_recorder_truncation, rules_match_a_receive_by_the_function_that_started_it) {
  ASSERT_EQ(record("persistent_truncation", 2, "-x 'WEFT_MPI_CUT=30 bits in MPI_Startall' -x WEFT_MPI_CUT_AT=receiver"),
            0)
      << read("err");
  EXPECT_EQ(read("out"), "-c-\n");
}

TEST_F(mpi_recorder_truncation, truncates_data_at_absolute_addresses) {
  // The root's own part of a gather does not leave it.
  const std::string cut =
      "Send cccc\nSend cccc\nSend cccc\nSend cccc\nIsend cccc\nBcast cccc\nGather cccc----\nSsend_half_constant ";
  const std::string variables = std::string(Whole) + " -x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=";
  ASSERT_EQ(record("bottom_truncation", 2, variables + "sender", "s"), 0) << read("err");
  EXPECT_EQ(read("out"), cut + "----\n");
  EXPECT_THAT(read("err"), HasSubstr("MPI_Ssend sends from memory that cannot be written"));
  ASSERT_EQ(record("bottom_truncation", 2, variables + "receiver", "r"), 0) << read("err");
  EXPECT_EQ(read("out"), cut + "cccc\n");
}

TEST_F(mpi_recorder_truncation, truncates_data_separated_by_unmapped_memory) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("hollow_truncation", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0)
        << read("err");
    EXPECT_EQ(read("out"), "cccc\n") << where;
    EXPECT_THAT(read("err"), Not(HasSubstr("cannot be written")));
  }
}

TEST_F(mpi_recorder_truncation, leaves_messages_to_spawned_programs_unchanged) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("spawns", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0) << read("err");
    EXPECT_THAT(read("err"),
                HasSubstr("libweft_mpi: rank 0: WEFT_MPI_CUT does not truncate the data that MPI_Send carries "
                          "between this program and processes that were spawned or joined, here"));
  }
}

TEST_F(mpi_recorder_truncation, truncates_derived_types_that_are_received_in_part) {
  ASSERT_EQ(record("part_truncation", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=receiver"), 0) << read("err");
  EXPECT_EQ(read("out"), "c-c-------\nc-c-cc-c--\ncc--------\nccccc-----\n");
}

TEST_F(mpi_recorder_truncation, leaves_collectives_between_groups_unchanged) {
  for (const std::string where : {"sender", "receiver"}) {
    ASSERT_EQ(record("between_groups", 2, "-x WEFT_MPI_CUT=30 -x WEFT_MPI_CUT_AT=" + where, where), 0) << read("err");
    const std::string notice =
        "WEFT_MPI_CUT does not truncate the data that MPI_Allgather carries between two groups, here";
    const std::string err = read("err");
    std::size_t notices = 0;
    for (std::size_t at = err.find(notice); at != std::string::npos; at = err.find(notice, at + 1)) ++notices;
    EXPECT_EQ(notices, 2u) << err;  // one per rank
  }
}

TEST_F(mpi_recorder_truncation, rejects_rules_that_match_nothing) {
  const auto rejected = [this](const std::string& variables, const std::string& why) {
    EXPECT_EQ(record_alone(variables), 2) << variables;
    EXPECT_THAT(read("err"), HasSubstr("libweft_mpi: rank 0: WEFT_MPI_CUT=" + why));
  };
  rejected(
      "WEFT_MPI_CUT='8 bits in MPI_Recv'",
      "8 bits in MPI_Recv: '8 bits in MPI_Recv' matches no message: the sender truncates, so name the function that "
      "sends");
  rejected("WEFT_MPI_CUT='4 bits in MPI_Recv; 8 bits in MPI_Isend' WEFT_MPI_CUT_AT=receiver",
           "4 bits in MPI_Recv; 8 bits in MPI_Isend: '8 bits in MPI_Isend' matches no message: the receiver truncates, "
           "so name the function that receives");
  rejected(
      "WEFT_MPI_CUT='8 bits of double; raw of double_complex; 4 bits tag 1'",
      "8 bits of double; raw of double_complex; 4 bits tag 1: '4 bits tag 1' matches no message: '8 bits of double' "
      "and 'raw of double_complex' before it together match them all");
  rejected("WEFT_MPI_CUT='8 bits; 4 bits tag 1'",
           "8 bits; 4 bits tag 1: '4 bits tag 1' matches no message: '8 bits' before");
}

}  // namespace
}  // namespace weft::cli
