// SPDX-License-Identifier: Apache-2.0
/// Hand-written programs, and their replays on a 4x4 mesh.
#pragma once

#include "support/event_log.h"
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/observers.h"
#include "weft/engine/model.h"
#include "weft/mpi/replay/replay_traffic.h"
#include "weft/pin/model.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/grid.h"

namespace weft::replay_support {

/// Builds a program call by call.
class program_writer {
 public:
  explicit program_writer(std::uint32_t ranks) {
    m_program.ranks.resize(ranks);
    m_program.communicators.resize(1);
    for (std::uint32_t r = 0; r < ranks; ++r) m_program.communicators[0].members.push_back(r);
  }

  replay_call& add(std::uint32_t rank, call_kind kind, mpi_function f) {
    std::vector<replay_call>& calls = m_program.ranks[rank].calls;
    calls.emplace_back();
    calls.back().kind = kind;
    calls.back().function = f;
    calls.back().number = static_cast<std::uint32_t>(calls.size());
    return calls.back();
  }
  replay_call& send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, int tag = 0) {
    replay_call& c = add(from, call_kind::Send, mpi_function::Send);
    c.peer = static_cast<std::int32_t>(to);
    c.tag = tag;
    c.bytes = bytes;
    auto payload = std::make_shared<std::string>(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) (*payload)[i] = static_cast<char>(i * 31 + from * 7 + 1);
    c.payload = payload;
    return c;
  }
  replay_call& receive(std::uint32_t at, std::uint32_t from, int tag = 0) {
    replay_call& c = add(at, call_kind::Receive, mpi_function::Recv);
    c.peer = static_cast<std::int32_t>(from);
    c.tag = tag;
    return c;
  }
  void wait(std::uint32_t rank, const std::vector<std::uint32_t>& requests) {
    replay_rank& r = m_program.ranks[rank];
    replay_call& c = add(rank, call_kind::Completion, mpi_function::Waitall);
    c.more = static_cast<std::uint32_t>(r.ended.size());
    c.count = static_cast<std::uint32_t>(requests.size());
    r.ended.insert(r.ended.end(), requests.begin(), requests.end());
  }
  replay_call& collective(std::uint32_t rank, mpi_function f, const replay_collective& more) {
    replay_call& c = add(rank, call_kind::Collective, f);
    c.more = static_cast<std::uint32_t>(m_program.ranks[rank].collectives.size());
    m_program.ranks[rank].collectives.push_back(more);
    return c;
  }
  const replay_program& program() const { return m_program; }

 private:
  replay_program m_program;
};

struct played {
  bool finished = false;
  std::vector<std::string> unmatched;
  cycle_t makespan = 0;
  replay_path path;
  std::vector<replay_rank_metrics> ranks;  ///< of a program that did not end: until its last_time()
  cycle_t last_time = 0;
  std::uint64_t bytes = 0, changed = 0, sent_bytes = 0;
  std::string events;
};

inline topology mesh() {
  grid_parameters grid{{4, 4}};
  grid.options.vcs = 4;
  return make_grid(grid);
}
inline constexpr router_parameters Router{4, 8, 3};

inline replay_options options_for(const replay_program& program) {
  replay_options o;
  for (node_id n = 0; n < program.ranks.size(); ++n) o.nodes.push_back((n * 5) % 16);
  return o;
}

/// Replays \p program; \p also is an additional observer.
inline played play(const replay_program& program, const replay_options& options, bool at_pins = false,
                   const nic_parameters& nic = {}, network_observer* also = nullptr) {
  const topology graph = mesh();
  replay_traffic traffic(program, 16, options);
  event_log log(1, event_log::detail::Everything);
  observers observer{&traffic, &log, also};
  std::unique_ptr<network_model> model;
  if (at_pins) {
    pin::model_options pins;
    pins.payload_bits = options.payload_bits;
    model = pin::make_model(graph, Router, nic, pins, traffic, observer);
  } else {
    model = engine::make_model(graph, Router, nic, options.payload_bits, traffic, observer);
  }
  traffic.attach(*model);
  for (std::uint64_t moves = ~std::uint64_t{0}; !traffic.at_rest(); moves = traffic.moves()) {
    if (moves == traffic.moves() && model->now() > 1'000'000) break;  // it hangs; the caller's expectations report that
    model->run(100);
  }
  played p;
  p.finished = traffic.finished();
  p.unmatched = traffic.unmatched();
  p.makespan = traffic.makespan();
  if (p.finished) p.path = traffic.critical_path();
  p.last_time = traffic.last_time();
  p.ranks = p.finished ? traffic.ranks() : traffic.ranks_until(p.last_time);
  p.bytes = traffic.data_bytes();
  p.changed = traffic.changed_flits();
  for (const replay_rank_metrics& f : p.ranks) p.sent_bytes += f.bytes;
  p.events = log.text();
  return p;
}

inline void expect_whole(const played& p) {
  EXPECT_TRUE(p.finished);
  EXPECT_THAT(p.unmatched, ::testing::IsEmpty());
  EXPECT_EQ(p.bytes, p.sent_bytes);
  EXPECT_EQ(p.changed, 0u);
  EXPECT_EQ(p.path.computing + p.path.network, p.makespan);
  for (const replay_rank_metrics& f : p.ranks) EXPECT_EQ(f.computing + f.receiving + f.sending, f.end);
}

inline cycle_t alone(const replay_options& o, std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
  return zero_load_latency(mesh(), Router, o.nodes[from], o.nodes[to], flits);
}

}  // namespace weft::replay_support
