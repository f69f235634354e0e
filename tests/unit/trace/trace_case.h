// SPDX-License-Identifier: Apache-2.0
/// Shared parts of the tests of traces: a visitor that stores everything, and sample contents.
#pragma once

#include "support/temporary_directory.h"
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/mpi/trace/checksum.h"
#include "weft/mpi/trace/trace.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_reader.h"
#include "weft/mpi/trace/trace_writer.h"

namespace weft {

/// Stores everything that the reader finds, in its order.
class everything final : public trace_visitor {
 public:
  void begin(const trace_header& h) override { headers.push_back(h); }
  void communicator(const trace_communicator& c) override { communicators.push_back(c); }
  void element(const trace_element& e) override { elements.push_back(e); }
  void threads(std::uint32_t so_far) override { threads_so_far.push_back(so_far); }
  void call(const trace_call& c) override { calls.push_back(c); }
  void end(trace_ending how, std::uint64_t lost_bytes) override {
    endings.push_back(how);
    lost.push_back(lost_bytes);
  }

  std::vector<trace_header> headers;
  std::vector<trace_communicator> communicators;
  std::vector<trace_element> elements;
  std::vector<std::uint32_t> threads_so_far;
  std::vector<trace_call> calls;
  std::vector<trace_ending> endings;
  std::vector<std::uint64_t> lost;
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline trace_header header_of(std::uint32_t rank, std::uint32_t ranks = 3) {
  trace_header h;
  h.run = 77;
  h.rank = rank;
  h.ranks = ranks;
  h.started = -5;
  h.payload = trace_payload::Sampled;
  h.sample = 8;
  h.cut = truncation_point::Receiver;
  h.cut_bits = 51;
  h.truncation_rules = "raw tag 1; 51 bits";
  h.clock = trace_clock::Processor;
  h.program = "lu.C.x";
  return h;
}

/// Number of bytes of that header.
inline std::size_t header_size() { return 56 + header_of(0).truncation_rules.size() + header_of(0).program.size(); }

/// The header of a trace with \p text in place of \p old, and a correct checksum.
inline std::string header_with(const std::string& trace, const std::string& old, const std::string& text) {
  std::string bytes = trace.substr(0, header_size() - 4);
  bytes.replace(bytes.find(old), old.size(), text);
  append_fixed(bytes, checksum(bytes.data(), bytes.size()), 4);
  return bytes;
}

/// \p trace with version \p number in its header.
inline std::string of_version(char number, const std::string& trace) {
  return header_with(trace, std::string(TraceMagic) + char{TraceVersion}, std::string(TraceMagic) + number) +
         trace.substr(header_size());
}

/// A header of version 1 for rank \p rank of \p ranks: it has no truncation rules.
inline std::string old_header(std::uint32_t rank, std::uint32_t ranks, const std::string& program) {
  std::string bytes(TraceMagic);
  for (const auto& [value, size] : {std::pair<std::uint64_t, unsigned>{1, 4},
                                    {52 + program.size(), 4},
                                    {77, 8},
                                    {rank, 4},
                                    {ranks, 4},
                                    {1'700'000'000'000'000'000, 8},
                                    {2, 1},   // all payload
                                    {1, 1},   // truncation at the sender…
                                    {14, 1},  // …of at most so many bits
                                    {0, 1},   // wall clock
                                    {1, 4}})
    append_fixed(bytes, value, size);
  bytes += program;
  append_fixed(bytes, checksum(bytes.data(), bytes.size()), 4);
  return bytes;
}

inline trace_call send_of(std::uint64_t bytes, const std::string& payload = {}) {
  trace_call c;
  c.function = mpi_function::Send;
  c.peer = 2;
  c.tag = 5;
  c.bytes = bytes;
  c.computing = 1000;
  c.inside = 20;
  c.payload = payload;
  return c;
}

/// The beginning of a receive that accepts any message.
inline trace_call receive_of_any(mpi_function f, std::uint64_t bytes, std::uint32_t request) {
  trace_call c;
  c.kind = call_kind::Receive;
  c.function = f;
  c.peer = AnyRank;
  c.tag = AnyTag;
  c.any_source = c.any_tag = true;
  c.bytes = bytes;
  c.request = request;
  return c;
}

/// Definitions, and one call of each kind.
inline void write_calls(trace_writer& w) {
  trace_communicator c{0, 0, {0, 1, 2}, {}};
  w.add(c);
  w.add(trace_communicator{1, 3, {2, 0}, {1}});
  w.add(trace_element{0, 8, data_type::Double, "MPI_DOUBLE"});
  w.add(send_of(24, "01234567"));
  w.add(receive_of_any(mpi_function::Irecv, std::uint64_t{1} << 40, 1));
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

/// What only version 3 and later have: threads, and a call in two records, one for its beginning and one for its end.
inline void write_threads(trace_writer& w) {
  w.add_threads(2);
  w.add(receive_of_any(mpi_function::Recv, 32, 3));
  w.add_threads(5);
  trace_call done;
  done.kind = call_kind::Completion;
  done.function = mpi_function::Recv;
  done.continues = true;
  done.completions = {{3, true, false, 1, 4, 32}};
  w.add(done);
}

inline void write_some(trace_writer& w) {
  write_calls(w);
  write_threads(w);
}

inline bool equal(const trace_call& a, const trace_call& b) {
  return a.kind == b.kind && a.function == b.function && a.continues == b.continues && a.computing == b.computing &&
         a.inside == b.inside && a.communicator == b.communicator && a.element == b.element && a.request == b.request &&
         a.peer == b.peer && a.tag == b.tag && a.mode == b.mode && a.bytes == b.bytes && a.any_source == b.any_source &&
         a.any_tag == b.any_tag && a.completions == b.completions && a.root == b.root && a.operation == b.operation &&
         a.send_bytes == b.send_bytes && a.receive_bytes == b.receive_bytes && a.sends == b.sends &&
         a.receives == b.receives && a.to == b.to && a.from == b.from && a.payload == b.payload;
}

/// Bytes of a small trace of three blocks, the last of which ends it; \p write fills most of the first.
inline std::string three_blocks(const std::filesystem::path& file, void (&write)(trace_writer&) = write_some) {
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

class unit_trace_format : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return m_folder / name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
  }

  temporary_directory m_folder;
};

}  // namespace weft
