// SPDX-License-Identifier: Apache-2.0
/// Writes the trace of a program of any size, for replay_speed.py: write_trace FOLDER KIND RANKS ROUNDS BYTES COMPUTING
///
/// | KIND | a round of each rank |
/// |---|---|
/// | exchange | MPI_Irecv from one rank and MPI_Isend to another, by a random permutation; MPI_Waitall |
/// | stream | odd ranks MPI_Recv from the rank before, which does MPI_Send: nothing stalls the senders |
/// | allreduce | MPI_Allreduce |
///
/// Messages have BYTES bytes without payload; a rank computes for COMPUTING nanoseconds before each round.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "weft/mpi/trace/trace_writer.h"

namespace {

using namespace weft;

struct options {
  std::string kind;
  std::uint32_t ranks = 2, rounds = 1;
  std::uint64_t bytes = 8, computing = 0;
};

/// Writes the part of one rank.
class rank_writer {
 public:
  rank_writer(const std::string& folder, std::uint32_t rank, const options& a)
      : m_rank(rank), m_options(a), m_writer(folder + "/rank." + std::to_string(rank), header(rank, a)) {
    trace_communicator world;
    world.members.resize(a.ranks);
    std::iota(world.members.begin(), world.members.end(), 0U);
    m_writer.add(world);
    m_writer.add(trace_element{0, 8, data_type::Double, "MPI_DOUBLE"});
  }

  void exchange(std::uint32_t to, std::uint32_t from) {
    trace_call receive = call(call_kind::Receive, mpi_function::Irecv, from);
    receive.computing = m_options.computing;
    receive.request = ++m_requests;
    m_writer.add(receive);
    trace_call send = call(call_kind::Send, mpi_function::Isend, to);
    send.request = ++m_requests;
    m_writer.add(send);
    trace_call wait = call(call_kind::Completion, mpi_function::Waitall, 0);
    wait.completions = {{m_requests - 1, true, false, from, 0, m_options.bytes}, {m_requests, false, false, 0, 0, 0}};
    m_writer.add(wait);
  }
  void stream() {
    const bool receives = m_rank % 2 == 1;
    trace_call c = call(receives ? call_kind::Receive : call_kind::Send,
                        receives ? mpi_function::Recv : mpi_function::Send, m_rank ^ 1U);
    c.computing = receives ? 0 : m_options.computing;
    m_writer.add(c);
  }
  void allreduce() {
    trace_call c = call(call_kind::Collective, mpi_function::Allreduce, 0);
    c.computing = m_options.computing;
    c.operation = mpi_operation::Sum;
    c.send_bytes = c.receive_bytes = m_options.bytes;
    m_writer.add(c);
  }
  /// \return whether the whole trace is in the file
  bool finish() {
    m_writer.finish();
    m_writer.flush();
    return m_writer.error() == 0;
  }

 private:
  static trace_header header(std::uint32_t rank, const options& a) {
    trace_header h;
    h.run = 1;
    h.rank = rank;
    h.ranks = a.ranks;
    h.program = a.kind;
    return h;
  }
  trace_call call(call_kind kind, mpi_function f, std::uint32_t peer) const {
    trace_call c;
    c.kind = kind;
    c.function = f;
    c.peer = peer;
    c.bytes = m_options.bytes;
    return c;
  }

  const std::uint32_t m_rank;
  const options& m_options;
  trace_writer m_writer;
  std::uint32_t m_requests = 0;
};

void write_rounds(const options& a, std::vector<std::unique_ptr<rank_writer>>& ranks) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> to(a.ranks), from(a.ranks);
  std::iota(to.begin(), to.end(), 0U);
  for (std::uint32_t round = 0; round < a.rounds; ++round) {
    for (std::uint32_t i = a.ranks - 1; i > 0; --i) std::swap(to[i], to[random() % (i + 1)]);
    for (std::uint32_t r = 0; r < a.ranks; ++r) from[to[r]] = r;
    for (std::uint32_t r = 0; r < a.ranks; ++r) {
      if (a.kind == "exchange") ranks[r]->exchange(to[r], from[r]);
      if (a.kind == "stream") ranks[r]->stream();
      if (a.kind == "allreduce") ranks[r]->allreduce();
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int i) { return std::strtoull(arguments[i], nullptr, 10); };
  options a;
  if (count == 7)
    a = {arguments[2], static_cast<std::uint32_t>(number(3)), static_cast<std::uint32_t>(number(4)), number(5),
         number(6)};
  const bool known = a.kind == "exchange" || a.kind == "allreduce" || (a.kind == "stream" && a.ranks % 2 == 0);
  if (!known || a.ranks < 2 || a.rounds < 1) {
    std::fputs(
        "usage: write_trace FOLDER exchange|stream|allreduce RANKS ROUNDS BYTES COMPUTING; stream needs an even "
        "number of ranks\n",
        stderr);
    return 2;
  }
  const std::string folder = arguments[1];
  std::filesystem::create_directories(folder);
  std::vector<std::unique_ptr<rank_writer>> ranks;
  for (std::uint32_t r = 0; r < a.ranks; ++r) ranks.push_back(std::make_unique<rank_writer>(folder, r, a));
  write_rounds(a, ranks);
  if (!std::all_of(ranks.begin(), ranks.end(), [](const auto& r) { return r->finish(); })) {
    std::perror(folder.c_str());
    return 1;
  }
  return 0;
}
