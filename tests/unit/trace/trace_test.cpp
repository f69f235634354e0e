// SPDX-License-Identifier: Apache-2.0
// Traces: what is written is read, whatever of it is left; what was changed is found.
#include "support/temporary_directory.h"
#include "trace_case.h"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include "weft/trace/checksum.h"
#include "weft/trace/trace_bytes.h"
#include "weft/trace/trace_reader.h"
#include "weft/trace/trace_writer.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Definitions, and one call of each kind.
void write_calls(trace_writer& w) {
  trace_communicator c{0, 0, {0, 1, 2}, {}};
  w.add(c);
  w.add(trace_communicator{1, 3, {2, 0}, {1}});
  w.add(trace_element{0, 8, data_type::Double, "MPI_DOUBLE"});
  w.add(send_of(24, "01234567"));
  trace_call r;
  r.kind = call_kind::Receive;
  r.function = mpi_function::Irecv;
  r.peer = AnyRank;
  r.tag = AnyTag;
  r.any_source = r.any_tag = true;
  r.bytes = std::uint64_t{1} << 40;
  r.request = 1;
  w.add(r);
  trace_call g;
  g.kind = call_kind::Collective;
  g.function = mpi_function::Gatherv;
  g.root = 1;
  g.send_bytes = 8;
  g.receives = {8, 16, 300};
  g.request = 2;
  w.add(g);
  trace_call n;
  n.kind = call_kind::Collective;
  n.function = mpi_function::NeighborAlltoallv;
  n.sends = {8};
  n.receives = {16, 24};
  n.to = {2};
  n.from = {0, 2};
  n.operation = mpi_operation::None;
  w.add(n);
  trace_call done;
  done.kind = call_kind::Completion;
  done.function = mpi_function::Waitall;
  done.completions = {{1, true, false, 2, 9, 64}, {2, false, true, AnyRank, AnyTag, 0}};
  w.add(done);
  trace_call put;
  put.kind = call_kind::Uncovered;
  put.function = mpi_function::Put;
  put.continues = true;
  w.add(put);
}

/// What version 3 has more: threads, and a call that is told as a beginning and an end.
void write_threads(trace_writer& w) {
  w.add_threads(2);
  trace_call r;
  r.kind = call_kind::Receive;
  r.function = mpi_function::Recv;
  r.peer = AnyRank;
  r.tag = AnyTag;
  r.any_source = r.any_tag = true;
  r.bytes = 32;
  r.request = 3;
  w.add(r);
  w.add_threads(5);
  trace_call done;
  done.kind = call_kind::Completion;
  done.function = mpi_function::Recv;
  done.continues = true;
  done.completions = {{3, true, false, 1, 4, 32}};
  w.add(done);
}

void write_some(trace_writer& w) {
  write_calls(w);
  write_threads(w);
}

bool equal(const trace_call& a, const trace_call& b) {
  return a.kind == b.kind && a.function == b.function && a.continues == b.continues && a.computing == b.computing &&
         a.inside == b.inside && a.communicator == b.communicator && a.element == b.element && a.request == b.request &&
         a.peer == b.peer && a.tag == b.tag && a.mode == b.mode && a.bytes == b.bytes && a.any_source == b.any_source &&
         a.any_tag == b.any_tag && a.completions == b.completions && a.root == b.root && a.operation == b.operation &&
         a.send_bytes == b.send_bytes && a.receive_bytes == b.receive_bytes && a.sends == b.sends &&
         a.receives == b.receives && a.to == b.to && a.from == b.from && a.payload == b.payload;
}

TEST_F(trace_format, what_is_written_is_read) {
  {
    trace_writer w(file("a"), header_of(1));
    write_some(w);
    w.finish();
  }
  everything e;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, e);
  ASSERT_EQ(parts.size(), 1u);
  const trace_header& h = parts[0];
  EXPECT_EQ(h.run, 77u);
  EXPECT_EQ(h.rank, 1u);
  EXPECT_EQ(h.ranks, 3u);
  EXPECT_EQ(h.started, -5);
  EXPECT_EQ(h.payload, trace_payload::Sampled);
  EXPECT_EQ(h.sample, 8u);
  EXPECT_EQ(h.cut, trace_cut::Receiver);
  EXPECT_EQ(h.cut_bits, 51);
  EXPECT_EQ(h.cuts, "raw tag 1; 51 bits");
  EXPECT_EQ(h.clock, trace_clock::Processor);
  EXPECT_EQ(h.program, "lu.C.x");
  ASSERT_EQ(e.communicators.size(), 2u);
  EXPECT_THAT(e.communicators[0].members, ElementsAre(0, 1, 2));
  EXPECT_THAT(e.communicators[1].members, ElementsAre(2, 0));
  EXPECT_THAT(e.communicators[1].peers, ElementsAre(1));
  EXPECT_EQ(e.communicators[1].ordinal, 3u);
  ASSERT_EQ(e.elements.size(), 1u);
  EXPECT_EQ(e.elements[0].name, "MPI_DOUBLE");
  EXPECT_EQ(e.elements[0].type, data_type::Double);
  EXPECT_EQ(e.elements[0].size, 8u);
  ASSERT_EQ(e.calls.size(), 8u);
  EXPECT_EQ(e.calls[0].payload, "01234567");
  EXPECT_EQ(e.calls[1].peer, AnyRank);
  EXPECT_EQ(e.calls[1].bytes, std::uint64_t{1} << 40);
  EXPECT_TRUE(e.calls[1].any_source && e.calls[1].any_tag);
  EXPECT_THAT(e.calls[2].receives, ElementsAre(8, 16, 300));
  EXPECT_THAT(e.calls[3].from, ElementsAre(0, 2));
  EXPECT_TRUE(e.calls[4].completions[0] == (trace_completion{1, true, false, 2, 9, 64}));
  EXPECT_TRUE(e.calls[4].completions[1].cancelled);
  EXPECT_TRUE(e.calls[5].continues);
  EXPECT_TRUE(e.calls[7].completions[0] == (trace_completion{3, true, false, 1, 4, 32}));
  EXPECT_TRUE(e.calls[7].continues);
  EXPECT_THAT(e.threads_so_far, ElementsAre(2, 5));
  EXPECT_THAT(e.endings, ElementsAre(trace_ending::Complete));
}

TEST_F(trace_format, a_long_payload_and_many_blocks) {
  std::string payload(300'000, ' ');
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>(i * 7 / 5);
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 5000; ++i) w.add(send_of(static_cast<std::uint64_t>(i)));
    for (int i = 0; i < 50; ++i) w.add(send_of(20'000), payload.data() + i, 20'000);
    w.add(send_of(payload.size()), payload.data(), payload.size());
    w.finish();
  }
  everything e;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, e);
  ASSERT_EQ(e.calls.size(), 5059u);
  EXPECT_EQ(e.calls[8 + 4321].bytes, 4321u);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(e.calls[5008 + i].payload, payload.substr(i, 20'000)) << i;
  EXPECT_EQ(e.calls.back().payload, payload);
}

TEST_F(trace_format, takes_no_more_room_than_it_has_bytes) {
  const std::string payload(1 << 20, 'x');
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 9; ++i) w.add(send_of(payload.size()), payload.data(), payload.size());
  }
  struct stat found {};
  ASSERT_EQ(stat(file("a").c_str(), &found), 0);
  EXPECT_GT(found.st_size, 9 << 20);
  EXPECT_LT(found.st_blocks * 512, found.st_size + (1 << 20));
}

/// Sums up what is read, a block at a time.
class counted final : public trace_visitor {
 public:
  void call(const trace_call& c) override {
    ++calls;
    bytes += c.payload.size();
  }
  std::uint64_t calls = 0, bytes = 0;
};

TEST_F(trace_format, a_long_trace_is_whole_though_the_cache_keeps_but_its_beginning) {
  std::string payload(1 << 20, 'x');
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 270; ++i) {
      payload.back() = static_cast<char>(i);
      w.add(send_of(payload.size()), payload.data(), payload.size());
    }
    w.finish();
    EXPECT_EQ(w.error(), 0);
  }
  counted all;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, all);
  EXPECT_EQ(all.calls, 8u + 270);
  EXPECT_EQ(all.bytes, 8u + 270 * payload.size());
  EXPECT_EQ(fs::file_size(file("a")) >> 20, 270u);
}

/// Bytes of a small trace of three blocks, the last of which ends it; \p write makes most of the first.
std::string three_blocks(const fs::path& file, void (&write)(trace_writer&) = write_some) {
  {
    trace_writer w(file.string(), header_of(1));
    write(w);
    w.flush();
    w.add(send_of(1));
    w.add(send_of(2));
    w.flush();
    w.finish();
  }
  return bytes_of(file);
}

TEST_F(trace_format, cut_off_anywhere_it_is_read_as_far_as_it_goes) {
  const std::string whole = three_blocks(file("a"));
  everything all;
  std::istringstream in(whole);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, all);
  std::size_t before = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::istringstream part(whole.substr(0, size));
    everything e;
    parts.clear();
    if (size < header_size()) {
      EXPECT_THROW(read_trace(part, "a", parts, e), input_error) << size;
      continue;
    }
    ASSERT_NO_THROW(read_trace(part, "a", parts, e)) << size;
    ASSERT_LE(before, e.calls.size()) << "more bytes, less calls";
    before = e.calls.size();
    for (std::size_t i = 0; i < e.calls.size(); ++i) ASSERT_TRUE(equal(e.calls[i], all.calls[i])) << size;
    ASSERT_EQ(e.endings.size(), 1u);
    EXPECT_NE(e.endings[0], trace_ending::Complete) << size;
    EXPECT_EQ(e.endings[0] == trace_ending::Truncated, e.lost[0] > 0);
  }
  EXPECT_EQ(before, all.calls.size());
}

TEST_F(trace_format, any_changed_bit_is_found) {
  const std::string whole = three_blocks(file("a"));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1u << (bit % 8)));
    std::istringstream in(bytes);
    everything e;
    std::vector<trace_header> parts;
    ASSERT_THROW(read_trace(in, "a", parts, e), input_error) << "byte " << bit / 8 << ", bit " << bit % 8;
  }
}

std::string fault_of(const std::string& bytes) {
  std::istringstream in(bytes);
  everything e;
  std::vector<trace_header> parts;
  try {
    read_trace(in, "a", parts, e);
  } catch (const input_error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(trace_format, errors_name_file_byte_and_remedy) {
  const std::string whole = three_blocks(file("a"));
  EXPECT_THAT(fault_of("no trace at all"),
              AllOf(HasSubstr("a: byte 0: error: is no trace"), HasSubstr("libweft_mpi.so")));
  EXPECT_THAT(fault_of(""), HasSubstr("a: byte 0: error: is no trace"));
  EXPECT_THAT(fault_of(whole.substr(0, 20)), HasSubstr("ends within the header"));
  std::string bytes = whole;
  bytes[8] = 4;
  EXPECT_THAT(fault_of(bytes), HasSubstr("expected version 1 to 3 of the trace format, found 4: read it by the weft"));
  bytes[8] = 0;
  EXPECT_THAT(fault_of(bytes), HasSubstr("expected version 1 to 3 of the trace format, found 0"));
  bytes = whole;
  bytes[header_size() + 16] = '!';
  EXPECT_THAT(fault_of(bytes), AllOf(HasSubstr("a: byte 80: error: a block of"), HasSubstr("copy or record")));
  bytes = whole;
  bytes[header_size()] = 'X';
  EXPECT_THAT(fault_of(bytes), HasSubstr("a: byte 80: error: expected the start of a block"));
}

TEST_F(trace_format, rules_of_a_header_are_rules) {
  const std::string whole = three_blocks(file("a"));
  EXPECT_EQ(fault_of(header_with(whole, "raw tag 1", "raw tag 9")), "none");
  EXPECT_THAT(fault_of(header_with(whole, "51 bits", "52 bits")),
              AllOf(HasSubstr("a: byte 0: error: the header is damaged: '"), HasSubstr("0 to 51, got '52'")));
  const std::string length = std::string("\x12\0\0\0raw", 7);  // of the rules
  EXPECT_THAT(fault_of(header_with(whole, length, std::string("\x19\0\0\0raw", 7))),
              HasSubstr("the header is damaged: it ends within the rules of the cut"));
  EXPECT_THAT(fault_of(header_with(whole, length, std::string("\0\0\0\0raw", 7))),
              HasSubstr("the header is damaged: it tells of a cut without rules, or of rules without a cut"));
}

TEST_F(trace_format, version_2_is_read) {
  const std::string whole = three_blocks(file("a"), write_calls);
  everything written, read;
  std::vector<trace_header> parts;
  std::istringstream now(whole), then(of_version(2, whole));
  read_trace(now, "a", parts, written);
  parts.clear();
  read_trace(then, "a", parts, read);
  ASSERT_EQ(read.calls.size(), written.calls.size());
  EXPECT_EQ(parts[0].cuts, "raw tag 1; 51 bits");
}

TEST_F(trace_format, version_1_is_read) {
  const std::string whole = three_blocks(file("a"), write_calls);
  everything written, read;
  std::vector<trace_header> parts;
  std::istringstream now(whole), then(old_header(1, 3, "lu.C.x") + whole.substr(header_size()));
  read_trace(now, "a", parts, written);
  parts.clear();
  read_trace(then, "a", parts, read);
  ASSERT_EQ(read.calls.size(), written.calls.size());
  for (std::size_t i = 0; i < read.calls.size(); ++i) EXPECT_TRUE(equal(read.calls[i], written.calls[i])) << i;
  EXPECT_THAT(read.endings, ElementsAre(trace_ending::Complete));
  EXPECT_EQ(parts[0].program, "lu.C.x");
  EXPECT_EQ(parts[0].cut, trace_cut::Sender);
  EXPECT_EQ(parts[0].cut_bits, 14);
  EXPECT_EQ(parts[0].cuts, "");
  EXPECT_THAT(fault_of(of_version(1, whole)), HasSubstr("the name of the program has a zero byte"));
  for (std::size_t size = 0; size < 58; ++size)
    EXPECT_NE(fault_of(old_header(1, 3, "lu.C.x").substr(0, size)), "none") << size;
}

/// A trace of one block with this content, well summed.
std::string with_content(const fs::path& file, const std::string& content) {
  { trace_writer w(file.string(), header_of(0)); }
  std::string bytes = bytes_of(file), block("WBLK");
  append_fixed(block, content.size(), 4);
  append_fixed(block, checksum(content.data(), content.size()), 4);
  append_fixed(block, checksum(block.data(), block.size()), 4);
  return bytes + block + content;
}

TEST_F(trace_format, records_that_contradict_themselves_are_found) {
  const std::string comm("\1\0\0\1\0\3\0", 7), element("\2\0\4\1\1i", 6);
  const std::string send("\3\0\0\0\0\0\4\0\0\4\0\0", 12);  // to rank 2
  const auto fault = [this](const std::string& content) { return fault_of(with_content(file("a"), content)); };
  EXPECT_EQ(fault(comm + element + send), "none");
  EXPECT_THAT(fault(comm + send), HasSubstr("element 0 was not told before"));
  EXPECT_THAT(fault(element + send), HasSubstr("communicator 0 was not told before"));
  EXPECT_THAT(fault(comm + comm), HasSubstr("communicator 0 is there twice"));
  EXPECT_THAT(fault(element + element), HasSubstr("element 0 is there twice"));
  EXPECT_THAT(fault(std::string("\1\0\0\1\0\4\0", 7)), HasSubstr("has ranks 0 to 4 of 3 ranks"));
  EXPECT_THAT(fault("\x0a"), HasSubstr("expected a record of kind 1 to 9, found 10"));
  EXPECT_EQ(fault("\x09\2\x09\7"), "none");
  EXPECT_EQ(fault("\x09\2"), "none");
  EXPECT_THAT(fault_of(of_version(2, with_content(file("a"), "\x09\2"))),
              HasSubstr("a number of threads stands in a trace of version 2, which has none"));
  EXPECT_THAT(fault("\x09\1"), HasSubstr("1 threads follow 1"));
  EXPECT_THAT(fault("\x09\3\x09\3"), HasSubstr("3 threads follow 3"));
  EXPECT_THAT(fault("\x09\x80"), HasSubstr("the block ends within the number of threads"));
  EXPECT_THAT(fault(comm + element + send.substr(0, 9)), HasSubstr("the block ends within"));
  std::string far = send;
  far[6] = 6;  // rank 3
  EXPECT_THAT(fault(comm + element + far), HasSubstr("the rank of a message is 3, expected 0 to 2"));
  std::string recv = send;
  recv[1] = 4;
  EXPECT_THAT(fault(comm + element + recv), HasSubstr("MPI_Recv is not a send"));
  EXPECT_THAT(fault(std::string("\5\x10\0\0\0\1\1\0", 8)), HasSubstr("request 1 ends, which is not open"));
  std::string second = send;
  second[10] = 2;
  EXPECT_THAT(fault(comm + element + second), HasSubstr("request 2 follows request 0"));
  std::string probe = send;
  probe[1] = static_cast<char>(mpi_function::Mprobe);
  EXPECT_THAT(fault(comm + element + probe), HasSubstr("MPI_Mprobe is not a send"));
  std::string begun = send;
  begun[10] = 1;
  EXPECT_EQ(fault(comm + element + begun + std::string("\5\0\1\0\0\1\1\0", 8)), "none");
  EXPECT_THAT(fault(comm + element + begun + std::string("\5\0\0\0\0\1\1\0", 8)),
              HasSubstr("MPI_Send ends without having begun"));
  EXPECT_THAT(fault(std::string("\5\x0c\0\0\0\0", 6)), HasSubstr("MPI_Irecv is not a completion"));
  EXPECT_THAT(fault("\x08\x05"), HasSubstr("the end tells of 5 calls, 0 are there"));
  EXPECT_THAT(fault(std::string("\x08\0", 2) + comm), HasSubstr("behind the end of its rank"));
  EXPECT_THAT(fault("\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), HasSubstr("has more than 64 bits"));
}

TEST_F(trace_format, a_matched_probe_receives_and_what_takes_its_message_ends_no_request) {
  {
    trace_writer w(file("a"), header_of(0));
    w.add(trace_communicator{0, 0, {0, 1, 2}, {}});
    w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
    trace_call probe;
    probe.kind = call_kind::Receive;
    probe.function = mpi_function::Improbe;
    probe.peer = 2;
    w.add(probe);
    trace_call taken;
    taken.kind = call_kind::Completion;
    for (const mpi_function f : {mpi_function::Mrecv, mpi_function::Imrecv, mpi_function::Wait}) {
      taken.function = f;
      w.add(taken);
    }
    probe.function = mpi_function::Mrecv;  // as it was told before probes were
    w.add(probe);
    w.finish();
  }
  EXPECT_EQ(fault_of(bytes_of(file("a"))), "none");
}

RC_GTEST_PROP(trace_random, numbers_survive, ()) {
  const auto value = *rc::gen::arbitrary<std::int64_t>();
  const auto bytes = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 62);
  const temporary_directory folder;
  const fs::path name = folder / "a.trace";
  {
    trace_writer w(name.string(), header_of(0));
    w.add(trace_communicator{0, 0, {0, 1, 2}, {}});
    w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
    trace_call c = send_of(bytes);
    c.computing = static_cast<std::uint64_t>(value);
    c.tag = value & 0x7fffffff;
    w.add(c);
    w.finish();
  }
  everything e;
  std::ifstream in(name, std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, name.string(), parts, e);
  RC_ASSERT(e.calls.size() == 1u);
  RC_ASSERT(e.calls[0].computing == static_cast<std::uint64_t>(value));
  RC_ASSERT(e.calls[0].bytes == bytes);
  RC_ASSERT(e.calls[0].tag == (value & 0x7fffffff));
}

}  // namespace
}  // namespace weft
