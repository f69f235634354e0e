// SPDX-License-Identifier: Apache-2.0
/// The contents of a trace, prepared for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/mpi/trace/trace_reader.h"

namespace weft::cli {

/// All calls of a trace, by rank, and communicators independent of the rank.
class recorded_calls final : public trace_visitor {
 public:
  using communicator_key = std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::uint64_t>;

  explicit recorded_calls(const std::filesystem::path& trace) { read_trace(trace, *this); }

  void begin(const trace_header& h) override {
    calls.resize(h.ranks);
    m_rank = h.rank;
    m_known.clear();
  }
  void communicator(const trace_communicator& c) override {
    communicator_key key{c.members, c.peers, c.ordinal};
    if (!c.peers.empty() && c.peers < c.members) std::swap(std::get<0>(key), std::get<1>(key));
    m_known[c.id] = communicators.emplace(key, communicators.size()).first->second;
    recorded_by[key].push_back(m_rank);
  }
  void element(const trace_element& e) override { names[{m_rank, e.id}] = e.name; }
  void call(const trace_call& c) override {
    calls[m_rank].push_back(c);
    calls[m_rank].back().communicator = static_cast<std::uint32_t>(m_known[c.communicator]);
  }

  std::vector<std::vector<trace_call>> calls;
  std::map<communicator_key, std::size_t> communicators;  ///< of two groups, the smaller one is the first
  std::map<communicator_key, std::vector<std::uint32_t>> recorded_by;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> names;

 private:
  std::uint32_t m_rank = 0;
  std::map<std::uint32_t, std::size_t> m_known;
};

}  // namespace weft::cli
