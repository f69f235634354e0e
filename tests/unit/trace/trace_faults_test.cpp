// SPDX-License-Identifier: Apache-2.0
// The reader rejects what no recorder writes into a trace, and reads traces of older versions.
#include "trace_case.h"
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/mpi/trace/checksum.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_reader.h"
#include "weft/mpi/trace/trace_writer.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST_F(unit_trace_format, errors_name_file_byte_and_remedy) {
  const std::string whole = three_blocks(file("a"));
  EXPECT_THAT(fault_of("no trace at all"),
              AllOf(HasSubstr("a: byte 0: error: the file is not a trace"), HasSubstr("libweft_mpi.so")));
  EXPECT_THAT(fault_of(""), HasSubstr("a: byte 0: error: the file is not a trace"));
  EXPECT_THAT(fault_of(whole.substr(0, 20)), HasSubstr("ends within the header"));
  std::string bytes = whole;
  bytes[8] = 5;
  EXPECT_THAT(fault_of(bytes), HasSubstr("expected version 1 to 4 of the trace format, found 5; read it with the "
                                         "weft"));
  bytes[8] = 0;
  EXPECT_THAT(fault_of(bytes), HasSubstr("expected version 1 to 4 of the trace format, found 0"));
  bytes = whole;
  bytes[header_size() + 16] = '!';
  EXPECT_THAT(fault_of(bytes), AllOf(HasSubstr("a: byte 80: error: a block of"), HasSubstr("copy or record")));
  bytes = whole;
  bytes[header_size()] = 'X';
  EXPECT_THAT(fault_of(bytes), HasSubstr("a: byte 80: error: expected the start of a block"));
}

TEST_F(unit_trace_format, rejects_invalid_rules_in_the_header) {
  const std::string whole = three_blocks(file("a"));
  EXPECT_EQ(fault_of(header_with(whole, "raw tag 1", "raw tag 9")), "none");
  EXPECT_THAT(fault_of(header_with(whole, "51 bits", "52 bits")),
              AllOf(HasSubstr("a: byte 0: error: the header is damaged: '"), HasSubstr("0 to 51, got '52'")));
  const std::string length = std::string("\x12\0\0\0raw", 7);  // length of the truncation rules
  EXPECT_THAT(fault_of(header_with(whole, length, std::string("\x19\0\0\0raw", 7))),
              HasSubstr("the header is damaged: it ends within the truncation rules"));
  EXPECT_THAT(fault_of(header_with(whole, length, std::string("\0\0\0\0raw", 7))),
              HasSubstr("the header is damaged: it has a truncation point without rules, or rules without a truncation "
                        "point"));
}

void write_long_ordinal(trace_writer& w) {
  w.add(trace_communicator{0, std::uint64_t{1} << 63, {0, 1, 2}, {}});
  w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
}

TEST_F(unit_trace_format, version_3_has_32_bit_ordinals) {
  EXPECT_EQ(fault_of(of_version(3, three_blocks(file("a")))), "none");
  const std::string whole = three_blocks(file("a"), write_long_ordinal);
  everything read;
  std::vector<trace_header> parts;
  std::istringstream in(whole);
  read_trace(in, "a", parts, read);
  EXPECT_EQ(read.communicators.at(0).ordinal, std::uint64_t{1} << 63);
  EXPECT_THAT(fault_of(of_version(3, whole)),
              HasSubstr("the ordinal of a communicator is 9223372036854775808, expected at most 4294967295"));
}

TEST_F(unit_trace_format, version_2_is_read) {
  const std::string whole = three_blocks(file("a"), write_calls);
  everything written, read;
  std::vector<trace_header> parts;
  std::istringstream now(whole), then(of_version(2, whole));
  read_trace(now, "a", parts, written);
  parts.clear();
  read_trace(then, "a", parts, read);
  ASSERT_EQ(read.calls.size(), written.calls.size());
  EXPECT_EQ(parts[0].truncation_rules, "raw tag 1; 51 bits");
}

TEST_F(unit_trace_format, version_1_is_read) {
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
  EXPECT_EQ(parts[0].cut, truncation_point::Sender);
  EXPECT_EQ(parts[0].cut_bits, 14);
  EXPECT_EQ(parts[0].truncation_rules, "");
  EXPECT_THAT(fault_of(of_version(1, whole)), HasSubstr("the name of the program in the header has a zero byte"));
  for (std::size_t size = 0; size < 58; ++size)
    EXPECT_NE(fault_of(old_header(1, 3, "lu.C.x").substr(0, size)), "none") << size;
}

/// A trace of one block with this content and a correct checksum.
std::string with_content(const fs::path& file, const std::string& content) {
  { trace_writer w(file.string(), header_of(0)); }
  std::string bytes = bytes_of(file), block("WBLK");
  append_fixed(block, content.size(), 4);
  append_fixed(block, checksum(content.data(), content.size()), 4);
  append_fixed(block, checksum(block.data(), block.size()), 4);
  return bytes + block + content;
}

TEST_F(unit_trace_format, detects_contradictory_records) {
  const std::string comm("\1\0\0\1\0\3\0", 7), element("\2\0\4\1\1i", 6);
  const std::string send("\3\0\0\0\0\0\4\0\0\4\0\0", 12);  // to rank 2
  const auto fault = [this](const std::string& content) { return fault_of(with_content(file("a"), content)); };
  EXPECT_EQ(fault(comm + element + send), "none");
  EXPECT_THAT(fault(comm + send), HasSubstr("element 0 is not defined"));
  EXPECT_THAT(fault(element + send), HasSubstr("communicator 0 is not defined"));
  EXPECT_THAT(fault(comm + comm), HasSubstr("communicator 0 is defined twice"));
  EXPECT_THAT(fault(element + element), HasSubstr("element 0 is defined twice"));
  EXPECT_THAT(fault(std::string("\1\0\0\1\0\4\0", 7)), HasSubstr("has ranks 0 to 4, but the run has 3 ranks"));
  EXPECT_THAT(fault("\x0a"), HasSubstr("expected a record of kind 1 to 9, found 10"));
  EXPECT_EQ(fault("\x09\2\x09\7"), "none");
  EXPECT_EQ(fault("\x09\2"), "none");
  EXPECT_THAT(fault_of(of_version(2, with_content(file("a"), "\x09\2"))),
              HasSubstr("a number of threads does not belong in a trace of version 2"));
  EXPECT_THAT(fault("\x09\1"), HasSubstr("the number of threads is 1, expected more than 1"));
  EXPECT_THAT(fault("\x09\3\x09\3"), HasSubstr("the number of threads is 3, expected more than 3"));
  EXPECT_THAT(fault("\x09\x80"), HasSubstr("the block ends within the number of threads"));
  EXPECT_THAT(fault(comm + element + send.substr(0, 9)), HasSubstr("the block ends within"));
  std::string far = send;
  far[6] = 6;  // rank 3
  EXPECT_THAT(fault(comm + element + far), HasSubstr("the rank of a message is 3, expected 0 to 2"));
  std::string recv = send;
  recv[1] = 4;
  EXPECT_THAT(fault(comm + element + recv), HasSubstr("MPI_Recv is not a send"));
  EXPECT_THAT(fault(std::string("\5\x10\0\0\0\1\1\0", 8)), HasSubstr("request 1 ends but is not open"));
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
  EXPECT_THAT(fault("\x08\x05"), HasSubstr("the end record counts 5 calls, but the trace has 0"));
  EXPECT_THAT(fault(std::string("\x08\0", 2) + comm), HasSubstr("follows the end of its rank"));
  EXPECT_THAT(fault("\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), HasSubstr("has more than 64 bits"));
}

TEST_F(unit_trace_format, accepts_matched_probes_and_their_receives) {
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
    probe.function = mpi_function::Mrecv;  // as it was recorded before probes were supported
    w.add(probe);
    w.finish();
  }
  EXPECT_EQ(fault_of(bytes_of(file("a"))), "none");
}

}  // namespace
}  // namespace weft
