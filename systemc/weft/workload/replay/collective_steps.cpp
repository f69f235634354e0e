// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/replay/collective_steps.h"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

constexpr std::uint64_t MostDoubling = 10'000;  ///< bytes of an all-reduce by recursive doubling

/// Writes down the steps of one rank; ranks in it are those of the communicator.
class step_writer {
 public:
  step_writer(const replay_collective& more, const std::vector<std::uint32_t>& members, std::uint32_t rank)
      : m_more(more),
        m_members(members),
        m_rank(static_cast<std::size_t>(std::find(members.begin(), members.end(), rank) - members.begin())),
        m_root(more.root == AnyRank ? 0
                                    : static_cast<std::size_t>(std::find(members.begin(), members.end(),
                                                                         static_cast<std::uint32_t>(more.root)) -
                                                               members.begin())) {}

  void barrier() {
    for (std::size_t far = 1; far < size(); far *= 2) {
      receive(before(far));
      send(behind(far), 0);
      wait();
    }
  }
  void broadcast(std::uint64_t bytes) {
    const std::size_t own = (m_rank + size() - m_root) % size();
    std::size_t bit = 1;
    while (bit < size() && (own & bit) == 0) bit *= 2;
    if (own != 0) {
      receive((own - bit + m_root) % size());
      wait();
    }
    for (bit /= 2; bit > 0; bit /= 2)
      if (own + bit < size()) send((own + bit + m_root) % size(), bytes, 0, own != 0);
    wait();
  }
  void broadcast_at_once(std::uint64_t bytes) {
    if (m_rank != m_root) return receive_of_root();
    for (std::size_t i = 0; i < size(); ++i)
      if (i != m_rank) send(i, bytes);
    wait();
  }
  void reduce(std::uint64_t bytes) {
    const std::size_t own = (m_rank + size() - m_root) % size();
    for (std::size_t bit = 1; bit < size(); bit *= 2) {
      if ((own & bit) != 0) {
        send((own - bit + m_root) % size(), bytes);
        return wait();
      }
      if (own + bit < size()) {
        receive((own + bit + m_root) % size());
        wait();
      }
    }
  }
  void gather() {
    if (m_rank != m_root) {
      send(m_root, m_more.send_bytes);
    } else {
      for (std::size_t i = 0; i < size(); ++i)
        if (i != m_rank) receive(i);
    }
    wait();
  }
  void scatter() {
    if (m_rank != m_root) return receive_of_root();
    for (std::size_t i = 0; i < size(); ++i)
      if (i != m_rank) send(i, to(i), at(i));
    wait();
  }
  /// What came last goes on around the ring.
  void all_gather() {
    for (std::size_t k = 0; k + 1 < size(); ++k) {
      receive(before(1));
      const std::size_t of = before(k);
      send(behind(1), k == 0 ? m_more.send_bytes : from(of), 0, k > 0);
      wait();
    }
  }
  void all_reduce(std::uint64_t bytes) {
    if (bytes > MostDoubling) return reduce_in_ring(bytes);
    std::size_t power = 1;
    while (2 * power <= size()) power *= 2;
    const std::size_t left_over = size() - power;  // so many pairs begin with one message and end with one
    std::size_t own = m_rank;
    if (m_rank < 2 * left_over) {
      if (m_rank % 2 != 0) {
        send(m_rank - 1, bytes);
        wait();
        receive(m_rank - 1);
        return wait();
      }
      receive(m_rank + 1);
      wait();
      own = m_rank / 2;
    } else {
      own = m_rank - left_over;
    }
    for (std::size_t bit = 1; bit < power; bit *= 2) {
      const std::size_t other = own ^ bit;
      const std::size_t peer = other < left_over ? 2 * other : other + left_over;
      receive(peer);
      send(peer, bytes);
      wait();
    }
    if (m_rank < 2 * left_over) {
      send(m_rank + 1, bytes);
      wait();
    }
  }
  void all_to_all() {
    for (std::size_t k = 1; k < size(); ++k) {
      receive(before(k));
      send(behind(k), to(behind(k)), at(behind(k)));
      wait();
    }
  }
  /// \p whole bytes of the vector; each gets its part of it.
  void reduce_scatter(std::uint64_t whole) {
    std::vector<std::uint64_t> parts = m_more.receives;
    if (parts.empty()) parts.assign(size(), whole / size());
    for (std::size_t k = 1; k < size(); ++k) {
      receive(before(k));
      const auto peer = static_cast<std::ptrdiff_t>(behind(k));
      send(behind(k), parts[behind(k)], std::accumulate(parts.begin(), parts.begin() + peer, std::uint64_t{0}));
      wait();
    }
  }
  void scan(std::uint64_t bytes) {
    if (m_rank > 0) {
      receive(m_rank - 1);
      wait();
    }
    if (m_rank + 1 < size()) {
      send(m_rank + 1, bytes);
      wait();
    }
  }
  /// \p to_all: the same goes to all neighbours.
  void neighbours(bool to_all, std::uint32_t own) {
    std::uint64_t sent = 0;
    for (const std::uint32_t peer : m_more.from)
      if (peer != own) m_steps.push_back({collective_step::kind::Receive, peer, 0, 0, false});
    for (std::size_t i = 0; i < m_more.to.size(); ++i) {
      const std::uint64_t bytes = m_more.sends.empty() ? m_more.send_bytes : m_more.sends[i];
      if (m_more.to[i] != own)
        m_steps.push_back({collective_step::kind::Send, m_more.to[i], bytes, to_all ? 0 : sent, false});
      sent += bytes;
    }
    wait();
  }

  std::vector<collective_step> take() { return std::move(m_steps); }

 private:
  std::size_t size() const { return m_members.size(); }
  std::size_t behind(std::size_t far) const { return (m_rank + far) % size(); }
  std::size_t before(std::size_t far) const { return (m_rank + size() - far % size()) % size(); }
  std::uint64_t to(std::size_t i) const { return m_more.sends.empty() ? m_more.send_bytes : m_more.sends[i]; }
  std::uint64_t from(std::size_t i) const {
    return m_more.receives.empty() ? m_more.receive_bytes : m_more.receives[i];
  }
  /// Where the part for member \p i begins in the payload.
  std::uint64_t at(std::size_t i) const {
    if (m_more.sends.empty()) return m_more.send_bytes * i;
    return std::accumulate(m_more.sends.begin(), m_more.sends.begin() + static_cast<std::ptrdiff_t>(i),
                           std::uint64_t{0});
  }

  /// Parts of whole elements: an element that two ranks had half of each could not be added.
  void reduce_in_ring(std::uint64_t bytes) {
    const std::uint64_t elements = (bytes + m_more.element - 1) / m_more.element;
    const std::uint64_t part = (elements + size() - 1) / size() * m_more.element;
    for (std::size_t k = 0; k < 2 * (size() - 1); ++k) {
      const std::uint64_t begin = std::min(bytes, part * before(k));
      receive(before(1));
      send(behind(1), std::min(part, bytes - begin), begin);
      wait();
    }
  }
  void send(std::size_t peer, std::uint64_t bytes, std::uint64_t payload_at = 0, bool passes_on = false) {
    m_steps.push_back({collective_step::kind::Send, m_members[peer], bytes, payload_at, passes_on});
  }
  void receive_of_root() {
    receive(m_root);
    wait();
  }
  void receive(std::size_t peer) { m_steps.push_back({collective_step::kind::Receive, m_members[peer], 0, 0, false}); }
  void wait() { m_steps.push_back({}); }

  const replay_collective& m_more;
  const std::vector<std::uint32_t>& m_members;
  const std::size_t m_rank;
  const std::size_t m_root;
  std::vector<collective_step> m_steps;
};

}  // namespace

std::vector<collective_step> steps_of(const replay_call& call, const replay_collective& more,
                                      const replay_communicator& in, std::uint32_t rank) {
  step_writer w(more, in.members, rank);
  switch (call.function) {
    case mpi_function::Barrier:
      w.barrier();
      break;
    case mpi_function::Bcast:
      if (in.of_threads)
        w.broadcast_at_once(more.send_bytes);
      else
        w.broadcast(more.send_bytes);
      break;
    case mpi_function::Gather:
    case mpi_function::Gatherv:
      w.gather();
      break;
    case mpi_function::Scatter:
    case mpi_function::Scatterv:
      w.scatter();
      break;
    case mpi_function::Allgather:
    case mpi_function::Allgatherv:
      w.all_gather();
      break;
    case mpi_function::Alltoall:
    case mpi_function::Alltoallv:
    case mpi_function::Alltoallw:
      w.all_to_all();
      break;
    case mpi_function::Reduce:
      if (in.of_threads)
        w.gather();
      else
        w.reduce(more.send_bytes);
      break;
    case mpi_function::Allreduce:
      w.all_reduce(more.send_bytes);
      break;
    case mpi_function::ReduceScatter:
    case mpi_function::ReduceScatterBlock:
      w.reduce_scatter(more.send_bytes);
      break;
    case mpi_function::Scan:
    case mpi_function::Exscan:
      w.scan(more.send_bytes);
      break;
    default:
      w.neighbours(
          call.function == mpi_function::NeighborAllgather || call.function == mpi_function::NeighborAllgatherv, rank);
  }
  return w.take();
}

}  // namespace weft
