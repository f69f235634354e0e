// SPDX-License-Identifier: Apache-2.0
/// What tests of traces share: a visitor that keeps everything, a header and a send to write.
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

#include "weft/trace/checksum.h"
#include "weft/trace/trace.h"
#include "weft/trace/trace_bytes.h"
#include "weft/trace/trace_reader.h"

namespace weft {

/// What was read, as it came.
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
  h.cut = trace_cut::Receiver;
  h.cut_bits = 51;
  h.cuts = "raw tag 1; 51 bits";
  h.clock = trace_clock::Processor;
  h.program = "lu.C.x";
  return h;
}

/// Bytes of that header.
inline std::size_t header_size() { return 56 + header_of(0).cuts.size() + header_of(0).program.size(); }

/// The header of a trace, with another text in place of \p old, well summed.
inline std::string header_with(const std::string& trace, const std::string& old, const std::string& text) {
  std::string bytes = trace.substr(0, header_size() - 4);
  bytes.replace(bytes.find(old), old.size(), text);
  append_fixed(bytes, checksum(bytes.data(), bytes.size()), 4);
  return bytes;
}

/// That trace, and its header says another version.
inline std::string of_version(char number, const std::string& trace) {
  return header_with(trace, std::string(TraceMagic) + '\3', std::string(TraceMagic) + number) +
         trace.substr(header_size());
}

/// The header of version 1 that tells of rank \p rank of \p ranks: without the rules of the cut.
inline std::string old_header(std::uint32_t rank, std::uint32_t ranks, const std::string& program) {
  std::string bytes(TraceMagic);
  for (const auto& [value, size] : {std::pair<std::uint64_t, unsigned>{1, 4},
                                    {52 + program.size(), 4},
                                    {77, 8},
                                    {rank, 4},
                                    {ranks, 4},
                                    {1'700'000'000'000'000'000, 8},
                                    {2, 1},   // all payload
                                    {1, 1},   // cut at the sender…
                                    {14, 1},  // …by so many bits at most
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

class trace_format : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return m_folder / name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
  }

  temporary_directory m_folder;
};

}  // namespace weft
