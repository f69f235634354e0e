// SPDX-License-Identifier: Apache-2.0
// MPI programs under mpirun with the recorder: they still verify their results, and the trace contains their calls.
#include "mpi/recorded_calls.h"
#include "mpi/recording.h"
#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <tuple>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "weft/workload/message_file.h"

namespace weft::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class mpi_recorder : public recording_test {};

/// Expects that every sent message is received, in order within its pair, communicator and tag, with as many bytes.
/// \return the number of messages
std::size_t expect_all_received(const recorded_calls& trace) {
  using channel = std::tuple<std::size_t, std::int64_t, std::size_t, std::int64_t>;  // communicator, from, to, tag
  std::map<channel, std::deque<std::uint64_t>> sent;
  std::size_t messages = 0;
  for (std::size_t rank = 0; rank < trace.calls.size(); ++rank)
    for (const trace_call& c : trace.calls[rank])
      if (c.kind == call_kind::Send) {
        sent[{c.communicator, rank, c.peer, c.tag}].push_back(c.bytes);
        ++messages;
      }
  const auto receive = [&](const trace_call& c, std::size_t to, std::int64_t from, std::int64_t tag,
                           std::uint64_t bytes) {
    auto& waiting = sent[{c.communicator, from, to, tag}];
    ASSERT_FALSE(waiting.empty()) << "rank " << to << " received a message from " << from << " that was not sent";
    EXPECT_EQ(waiting.front(), bytes);
    waiting.pop_front();
  };
  for (std::size_t rank = 0; rank < trace.calls.size(); ++rank) {
    std::map<std::uint32_t, const trace_call*> posted;
    for (const trace_call& c : trace.calls[rank]) {
      if (c.kind == call_kind::Receive && c.request == 0) receive(c, rank, c.peer, c.tag, c.bytes);
      if (c.kind == call_kind::Receive) posted[c.request] = &c;
      for (const trace_completion& done : c.completions)
        if (done.received) receive(*posted.at(done.request), rank, done.source, done.tag, done.bytes);
    }
  }
  for (const auto& [where, left] : sent) EXPECT_TRUE(left.empty()) << "from " << std::get<1>(where);
  return messages;
}

class mpi_recorder_program : public mpi_recorder, public testing::WithParamInterface<const char*> {};

TEST_P(mpi_recorder_program, computes_correctly_and_is_recorded_completely) {
  ASSERT_EQ(record(GetParam(), 4, Whole), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  ASSERT_EQ(trace.calls.size(), 4u);
  expect_all_received(trace);
  // All ranks of a communicator call its collectives in the same order.
  std::vector<std::vector<mpi_function>> order(4);
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (const trace_call& c : trace.calls[rank]) {
      if (c.kind == call_kind::Collective) order[rank].push_back(c.function);
      EXPECT_TRUE(c.kind != call_kind::Send || c.payload.size() == c.bytes);
    }
  EXPECT_FALSE(order[0].empty());
  for (const auto& other : order) EXPECT_EQ(other, order[0]);
  const nlohmann::json f = metrics();
  for (const auto& rank : f["ranks"]) EXPECT_EQ(rank["ending"], "complete");
  EXPECT_EQ(f["not_covered"], nlohmann::json::object());
  EXPECT_EQ(f["program"], "mpi_programs");
}

INSTANTIATE_TEST_SUITE_P(, mpi_recorder_program,
                         testing::Values("integer_sort", "conjugate_gradient", "fft_transpose", "ant_colony",
                                         "halo_exchange", "gradients"),
                         [](const testing::TestParamInfo<const char*>& program) { return std::string(program.param); });

TEST_F(mpi_recorder, every_supported_mpi_function_is_recorded) {
  ASSERT_EQ(record("all_calls", 4, Whole), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  // World and self of four ranks, the reversed one, its copy, the ring.
  EXPECT_EQ(trace.communicators.size(), 1u + 4 + 2 + 1);
  // In the reversed communicator the right neighbor of rank r is r - 1.
  EXPECT_EQ(expect_all_received(trace), 4u * (4 + 4 + 4 * 2 + 5 + 4));
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (const trace_call& c : trace.calls[rank])
      if (c.kind == call_kind::Send) {
        EXPECT_EQ(c.peer, static_cast<std::int64_t>((rank + 3) % 4));
        int sent = 0;
        std::memcpy(&sent, c.payload.data(), sizeof sent);
        EXPECT_EQ(sent, 3 - static_cast<int>(rank));
      }
  const nlohmann::json f = metrics();
  for (std::size_t i = 0; i < MpiFunctionNames.size() && is_recorded(static_cast<mpi_function>(i)); ++i)
    EXPECT_TRUE(f["calls"].contains(MpiFunctionNames[i]) || MpiFunctionNames[i] == std::string("MPI_Startall") ||
                MpiFunctionNames[i] == std::string("MPI_Recv"))
        << MpiFunctionNames[i];
  EXPECT_EQ(f["not_covered"], nlohmann::json({{"MPI_Put", 1}}));
  EXPECT_EQ(f["calls"]["MPI_Isend"], nlohmann::json({{"calls", 32}, {"bytes", 256}}));
  EXPECT_EQ(f["calls"]["MPI_Sendrecv"], nlohmann::json({{"calls", 4}, {"bytes", 32}}));
  EXPECT_EQ(f["calls"]["MPI_Start"], nlohmann::json({{"calls", 64}, {"bytes", 256}}));
  EXPECT_EQ(f["calls"]["MPI_Irecv"], nlohmann::json({{"calls", 52}, {"bytes", 0}}));
  EXPECT_THAT(weft({"trace", "t"}).out, ContainsRegex("MPI_Isend +32 +256\n"));
  EXPECT_EQ(f["calls"]["MPI_Alltoallw"], nlohmann::json({{"calls", 4}, {"bytes", 64}}));
  EXPECT_EQ(f["calls"]["MPI_Scatterv"], nlohmann::json({{"calls", 4}, {"bytes", 16}}));
  EXPECT_EQ(f["calls"]["MPI_Neighbor_alltoallw"], nlohmann::json({{"calls", 4}, {"bytes", 32}}));
}

TEST_F(mpi_recorder, matched_probes_may_be_received_in_any_order) {
  ASSERT_EQ(record("crossed_probes", 2), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  EXPECT_EQ(expect_all_received(trace), 4u);
  std::vector<std::string> received;  // by the calls of rank 1 except the last one of main()
  for (const trace_call& c : trace.calls[1]) received.emplace_back(name_of(c.function));
  EXPECT_THAT(received, ElementsAre("MPI_Mprobe", "MPI_Improbe", "MPI_Mprobe", "MPI_Improbe", "MPI_Imrecv", "MPI_Wait",
                                    "MPI_Imrecv", "MPI_Wait", "MPI_Mrecv", "MPI_Mrecv", "MPI_Allreduce"));
  write("mesh.yaml", "network: {topology: {kind: mesh, shape: [2, 2]}}\nsimulation: {level: engine}\n");
  for (const char* const eager : {"0", "4096"})
    EXPECT_EQ(
        weft({"replay", "mesh.yaml", "--trace", "t", "-q", "--set", std::string("workload.replay.eager=") + eager})
            .status,
        0);
}

TEST_F(mpi_recorder, probing_does_not_count_as_computing_time) {
  ASSERT_EQ(record("slow_probes", 1, "-x WEFT_MPI_CLOCK=cpu"), 0) << read("err");
  std::uint64_t computing = 0;
  std::vector<std::string> waited;
  const recorded_calls trace(m_directory / "t");
  for (const trace_call& c : trace.calls[0]) {
    if (c.inside >= 10'000'000) waited.emplace_back(name_of(c.function));
    computing += c.computing;
  }
  EXPECT_THAT(waited, ElementsAre("MPI_Recv", "MPI_Isend", "MPI_Send"));  // the calls after the slow ones
  EXPECT_LT(computing, 10'000'000u);
}

TEST_F(mpi_recorder, records_the_spawning_program_but_no_spawned_program) {
  ASSERT_EQ(record("spawns", 2, Whole), 0) << read("err");
  EXPECT_THAT(read("err"), HasSubstr("libweft_mpi: mpi_programs: a spawned program is neither recorded nor truncated"));
  const recorded_calls trace(m_directory / "t");
  ASSERT_EQ(trace.calls.size(), 2u);
  const nlohmann::json f = metrics();
  for (const auto& rank : f["ranks"]) EXPECT_EQ(rank["ending"], "complete");
  // Three messages each way at rank 0, and a broadcast in both programs.
  EXPECT_EQ(f["not_covered"],
            nlohmann::json({{"MPI_Comm_spawn", 2}, {"calls with processes that were spawned or joined", 3 + 3 + 2}}));
  EXPECT_EQ(f["calls"], nlohmann::json({{"MPI_Allreduce", {{"calls", 2}, {"bytes", 8}}}}));  // of main()
}

TEST_F(mpi_recorder, records_every_call_of_concurrent_threads) {
  ASSERT_EQ(record("threads", 4), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  EXPECT_EQ(expect_all_received(trace), 4u * 3 * 300);
  const nlohmann::json f = metrics();
  for (const char* const call : {"MPI_Irecv", "MPI_Isend", "MPI_Waitall"})
    EXPECT_EQ(f["calls"][call]["calls"], 3600) << call;
  for (const auto& rank : f["ranks"]) EXPECT_EQ(rank["threads"], 3 + 1);  // and main()
}

TEST_F(mpi_recorder, orders_calls_of_threads_by_start_and_end) {
  ASSERT_EQ(record("waiting_threads", 2, Whole), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  EXPECT_EQ(expect_all_received(trace), 2u + 2 * 2);
  const nlohmann::json f = metrics();
  EXPECT_EQ(f["ranks"][0]["threads"], 2);
  EXPECT_EQ(f["ranks"][1]["threads"], 1);
  EXPECT_EQ(f["ranks"][0]["calls"], 2 + 2 * 2 + 1);  // the last one is of main()
  EXPECT_THAT(weft({"trace", "t"}).out, HasSubstr("Rank 0: 2 threads called MPI; a replay keeps the order of their"));
  // The trace has the begin of a call before the call is done, and its end when it is.
  const std::vector<trace_call>& calls = trace.calls[0];
  const auto place_of = [&calls](call_kind kind, mpi_function of) {
    return std::find_if(calls.begin(), calls.end(),
                        [&](const trace_call& c) { return c.kind == kind && c.function == of; }) -
           calls.begin();
  };
  const auto began = place_of(call_kind::Send, mpi_function::Sendrecv),
             between = place_of(call_kind::Send, mpi_function::Ssend),
             ended = place_of(call_kind::Completion, mpi_function::Sendrecv);
  EXPECT_LT(began, between);
  EXPECT_LT(between, ended);
  ASSERT_LT(static_cast<std::size_t>(ended), calls.size());
  EXPECT_TRUE(calls[static_cast<std::size_t>(ended)].continues);
}

TEST_F(mpi_recorder, supports_request_handles_freed_by_another_thread) {
  ASSERT_EQ(record("reused_request", 1), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  EXPECT_EQ(expect_all_received(trace), 2u * 20);
  std::size_t ended = 0;
  for (const trace_call& c : trace.calls[0])
    if (c.function == mpi_function::Waitall) ended += c.completions.size();
  EXPECT_EQ(ended, 4u * 20);
}

TEST_F(mpi_recorder, distinguishes_copies_of_a_communicator) {
  ASSERT_EQ(record("copies", 2), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  EXPECT_EQ(expect_all_received(trace), 2u);
  EXPECT_EQ(trace.communicators.size(), 1u + 2 + 2);  // the world, each rank alone, the copies
}

TEST_F(mpi_recorder, records_in_place_data_before_it_is_overwritten) {
  ASSERT_EQ(record("in_place", 4, Whole), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  ASSERT_EQ(trace.calls.size(), 4u);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    std::size_t values = 0;
    for (const trace_call& c : trace.calls[rank]) {
      if (c.function == mpi_function::Allreduce && c.payload.size() == sizeof(int)) continue;  // of main()
      for (std::size_t i = 0; i + 8 <= c.payload.size(); i += 8, ++values) {
        double value = 0;
        std::memcpy(&value, &c.payload[i], sizeof value);
        EXPECT_EQ(value, static_cast<double>(rank) + 1) << name_of(c.function);
      }
    }
    EXPECT_EQ(values, 4 * 8u + 4 + 4 + 1 + 8);
  }
}

TEST_F(mpi_recorder, records_no_neighbors_beyond_the_edge_of_a_grid) {
  ASSERT_EQ(record("open_grid", 4, Whole), 0) << read("err");
  EXPECT_EQ(metrics()["calls"]["MPI_Neighbor_alltoall"], nlohmann::json({{"calls", 4}, {"bytes", 6 * 32}}));
  const recorded_calls trace(m_directory / "t");
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (const trace_call& c : trace.calls[rank])
      if (c.function == mpi_function::NeighborAlltoall) {
        const bool at_end = rank == 0 || rank == 3;
        EXPECT_EQ(c.to.size(), at_end ? 1u : 2u);
        EXPECT_EQ(c.to, c.from);
        EXPECT_EQ(c.payload.size(), at_end ? 32u : 64u);
      }
}

TEST_F(mpi_recorder, a_killed_program_leaves_a_trace) {
  EXPECT_NE(record("killed", 3), 0);
  const nlohmann::json f = metrics();
  ASSERT_EQ(f["ranks"].size(), 3u);
  for (const auto& rank : f["ranks"]) {
    EXPECT_NE(rank["ending"], "complete");
    EXPECT_GT(rank["calls"], 18'000);  // of 20,001; a block holds about 850
    EXPECT_LE(rank["calls"], 20'001);
  }
  EXPECT_THAT(weft({"trace", "t"}).out, AllOf(HasSubstr("Rank 1 did not reach MPI_Finalize"),
                                              HasSubstr(" message bytes "), HasSubstr(" collective bytes ")));
}

TEST_F(mpi_recorder, trace_of_a_hanging_program_has_all_its_calls) {
  // The test ends it when both files have grown, which needs no call.
  run("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; timeout 300 mpirun --oversubscribe -n 2"
      " -x LD_PRELOAD=" WEFT_RECORDER " -x WEFT_MPI_TRACE=t " WEFT_MPI_PROGRAMS
      " hangs & p=$!; "
      "until [ \"$(grep -l MPI_INT t/rank.00000 t/rank.00001 | wc -l)\" = 2 ] || ! kill -0 $p; do sleep 0.05; done; "
      "kill $p; wait $p;");
  const nlohmann::json f = metrics();
  for (const auto& rank : f["ranks"]) EXPECT_EQ(rank["ending"], "not ended");
  EXPECT_EQ(f["calls"], nlohmann::json::parse(R"({"MPI_Bcast": {"calls": 2, "bytes": 4}})"));
}

TEST_F(mpi_recorder, memory_use_does_not_grow_with_run_time) {
  ASSERT_EQ(record("long_run", 1, Whole), 0) << read("err");
  EXPECT_EQ(metrics()["payload"]["MPI_CHAR"]["bytes"], 20'000 * 1024);
}

TEST_F(mpi_recorder, reports_types_and_compressibility) {
  ASSERT_EQ(record("halo_exchange", 4, Whole), 0) << read("err");
  const nlohmann::json f = metrics();
  // Columns are a derived type of doubles: 20 steps, 4 borders of 16 doubles between 4 blocks, both ways.
  EXPECT_EQ(f["types"]["MPI_DOUBLE"], nlohmann::json({{"number", 160}, {"bytes", 160 * 16 * 8}}));
  EXPECT_EQ(f["message_sizes"], nlohmann::json::parse(R"([{"from":128,"messages":160,"bytes":20480}])"));
  EXPECT_EQ(f["pairs"].size(), 8u);
  EXPECT_NEAR(f["payload"]["MPI_DOUBLE"]["lsb_cut_ratio"].get<double>(), 64. / 36, 0.05);
  EXPECT_GT(f["payload"]["MPI_DOUBLE"]["tuned_ratio"], 0.9);
}

TEST_F(mpi_recorder, trace_command_exports_payload_as_recording) {
  ASSERT_EQ(record("integer_sort", 4, Whole), 0) << read("err");
  const command_result r = weft({"trace", "--recording", "r.bin", "t"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "");
  const recorded_calls trace(m_directory / "t");
  std::vector<std::string> sent;
  for (const auto& calls : trace.calls)
    for (const trace_call& c : calls)
      if (!c.payload.empty()) sent.push_back(c.payload);
  const message_file recording = read_messages(m_directory / "r.bin");
  EXPECT_EQ(recording.application, "mpi_programs");
  ASSERT_EQ(recording.messages.size(), sent.size());
  ASSERT_GT(sent.size(), 4u);
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(recording.messages[i].bytes, sent[i]) << i;
  // For one type, the codecs have the same results for the recording and for the trace.
  EXPECT_EQ(weft({"trace", "--recording", "i.bin", "--type", "MPI_INT", "t"}).status, 0);
  const nlohmann::json codecs = nlohmann::json::parse(weft({"codec", "--json", "-", "i.bin"}).out);
  EXPECT_EQ(codecs[0]["type"], "MPI_INT");
  EXPECT_LT(codecs[0]["messages"], recording.messages.size());
  EXPECT_EQ(codecs[0]["codecs"][0]["ratio"], metrics()["payload"]["MPI_INT"]["table_ratio"]);
}

TEST_F(mpi_recorder, exporting_a_recording_requires_payload) {
  ASSERT_EQ(record("ping_pong", 2), 0) << read("err");
  const command_result r = weft({"trace", "--recording", "r.bin", "t"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("t has no payload; record it again with WEFT_MPI_PAYLOAD=whole"));
  EXPECT_FALSE(std::filesystem::exists(m_directory / "r.bin"));
  EXPECT_EQ(weft({"trace", "--type", "MPI_INT", "t"}).status, 2);
  ASSERT_EQ(record("halo_exchange", 2, Whole, "h"), 0) << read("err");
  EXPECT_THAT(weft({"trace", "--recording", "r.bin", "--type", "MPI_FLOAT", "h"}).err,
              HasSubstr("--type: error: expected a type with payload (MPI_DOUBLE or MPI_INT), got 'MPI_FLOAT'"));
}

TEST_F(mpi_recorder, records_the_payload_of_a_sample_of_messages) {
  ASSERT_EQ(record("ping_pong", 2, "-x WEFT_MPI_PAYLOAD=10 -x WEFT_MPI_CLOCK=cpu"), 0) << read("err");
  const recorded_calls trace(m_directory / "t");
  std::size_t kept = 0, messages = 0;
  for (const auto& calls : trace.calls)
    for (const trace_call& c : calls)
      if (c.kind == call_kind::Send) {
        ++messages;
        EXPECT_TRUE(c.payload.empty() || c.payload.size() == 1024);
        kept += c.payload.empty() ? 0 : 1;
      }
  EXPECT_EQ(messages, 100u);
  EXPECT_EQ(kept, 10u);
  EXPECT_EQ(metrics()["clock"], "cpu");
}

TEST_F(mpi_recorder, invalid_settings_end_the_program) {
  for (const auto& [variable, message] :
       {std::pair<std::string, std::string>{"WEFT_MPI_PAYLOAD=some", "expected none, whole, or N"},
        {"WEFT_MPI_CUT=52", "0 to 51"},
        {"WEFT_MPI_CUT='raw; 7 bits of int'", "LSB-cut supports only double"},
        {"WEFT_MPI_CUT_AT=middle", "expected sender or receiver"},
        {"WEFT_MPI_CLOCK=sun", "expected wall or cpu"},
        {"WEFT_MPI_CUTS=8", "WEFT_MPI_CUTS: unknown variable; expected one of WEFT_MPI_TRACE, "},
        {"WEFT_MPI_CUT_AT=receiver", "has no effect without WEFT_MPI_CUT"},
        {"WEFT_MPI_TRACE=/dev/null/folder", "Not a directory"}}) {
    EXPECT_EQ(record_alone(variable), 2) << variable;
    EXPECT_THAT(read("err"), AllOf(HasSubstr("libweft_mpi: rank 0: "), HasSubstr(message)));
  }
  write("full/a", "");
  EXPECT_EQ(record_alone("WEFT_MPI_TRACE=full"), 2);
  EXPECT_THAT(read("err"), HasSubstr("WEFT_MPI_TRACE: full: exists and is not empty"));
}

TEST_F(mpi_recorder, creates_parent_directories) {
  ASSERT_EQ(record("ping_pong", 2, "", "new/and/deep"), 0) << read("err");
  EXPECT_TRUE(std::filesystem::exists(m_directory.path() / "new/and/deep/rank.00001"));
}

TEST_F(mpi_recorder, trace_command_rejects_damaged_traces) {
  ASSERT_EQ(record("ping_pong", 2), 0) << read("err");
  const auto rejected = [this](const std::string& trace, const std::string& message) {
    const command_result r = weft({"trace", trace});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  rejected("missing", "missing: error: cannot be opened: No such file or directory");
  rejected("out", "out: byte 0: error: the file is not a trace");
  const std::string first = read("t/rank.00000"), second = read("t/rank.00001");
  EXPECT_EQ(weft({"trace", "t", "--json", "t/rank.00001"}).status, 2);
  EXPECT_EQ(read("t/rank.00001"), second);
  // Concatenated into one file it is the same trace; a file that is cut off is still a trace.
  write("both", first + second);
  EXPECT_EQ(metrics("both")["calls"], metrics()["calls"]);
  write("short", first + second.substr(0, second.size() - 1));
  EXPECT_EQ(metrics("short")["ranks"][1]["ending"], "cut off");
  // A program that is killed before its first calls are written leaves only the headers.
  const std::size_t header = 56 + std::string("mpi_programs").size();
  write("headers", first.substr(0, header) + second.substr(0, header));
  EXPECT_THAT(weft({"trace", "headers"}).out,
              HasSubstr("No call was recorded: the program ended before its first calls were written."));
  std::string damaged = second;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 4);
  write("t/rank.00001", damaged);
  rejected("t", "rank.00001: byte ");
  std::filesystem::remove(m_directory / "t/rank.00001");
  rejected("t", "t: error: the folder has no file of rank 1 of 2; copy all files of the run");
}

}  // namespace
}  // namespace weft::cli
