// SPDX-License-Identifier: Apache-2.0
/// What tests of traces share: a visitor that keeps everything, a header and a send to write.
#pragma once

#include "support/temporary_directory.h"
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/trace/trace.h"
#include "weft/trace/trace_reader.h"

namespace weft {

/// What was read, as it came.
class everything final : public trace_visitor {
 public:
  void begin(const trace_header& h) override { headers.push_back(h); }
  void communicator(const trace_communicator& c) override { communicators.push_back(c); }
  void element(const trace_element& e) override { elements.push_back(e); }
  void call(const trace_call& c) override { calls.push_back(c); }
  void end(trace_ending how, std::uint64_t lost_bytes) override {
    endings.push_back(how);
    lost.push_back(lost_bytes);
  }

  std::vector<trace_header> headers;
  std::vector<trace_communicator> communicators;
  std::vector<trace_element> elements;
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
  h.clock = trace_clock::Processor;
  h.program = "lu.C.x";
  return h;
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
