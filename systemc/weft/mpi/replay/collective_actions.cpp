// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/collective_actions.h"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

constexpr std::uint64_t MostDoubling = 10'000;  ///< maximum number of bytes of an all-reduce by recursive doubling

/// Generates the actions of one rank. Its ranks are ranks in the communicator.
class action_writer {
 public:
  action_writer(const replay_collective& more, const std::vector<std::uint32_t>& members, std::uint32_t rank)
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
    if (m_rank != m_root) {
      receive(m_root);
    } else {
      for (std::size_t i = 0; i < size(); ++i)
        if (i != m_rank) send(i, to(i), at(i));
    }
    wait();
  }
  /// Each rank forwards around the ring what it received last.
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
    const std::size_t left_over = size() - power;  // so many pairs begin with one message and end with another
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
  /// Adds a reduce-scatter. \param whole bytes of the vector, of which each member gets its part
  void reduce_scatter(std::uint64_t whole) {
    for (std::size_t k = 1; k < size(); ++k) {
      receive(before(k));
      const reduced_part part = part_of(behind(k), whole);
      send(behind(k), part.bytes, part.at);
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
  /// Adds a neighborhood collective.
  /// \param to_all whether all neighbors get the same data
  /// \param also_nothing whether messages without data are sent
  void neighbours(bool to_all, std::uint32_t own, bool also_nothing) {
    std::uint64_t sent = 0;
    for (std::size_t i = 0; i < m_more.from.size(); ++i)
      if (m_more.from[i] != own && (also_nothing || from(i) > 0))
        m_actions.push_back({collective_action::kind::Receive, m_more.from[i], 0, 0, false});
    for (std::size_t i = 0; i < m_more.to.size(); ++i) {
      const std::uint64_t bytes = to(i);
      if (m_more.to[i] != own && (also_nothing || bytes > 0))
        m_actions.push_back({collective_action::kind::Send, m_more.to[i], bytes, to_all ? 0 : sent, false});
      sent += bytes;
    }
    wait();
  }

  /// Adds the actions of the direct order, in which each rank gets its data directly from the ranks that have them.
  /// \return whether \p f can be carried out in this way
  bool directly(mpi_function f, std::uint32_t own) {
    switch (f) {
      case mpi_function::Barrier:
        return false;
      case mpi_function::Allreduce:
      case mpi_function::Scan:
      case mpi_function::Exscan:
        return m_more.send_bytes == 0;
      case mpi_function::NeighborAllgather:
      case mpi_function::NeighborAllgatherv:
      case mpi_function::NeighborAlltoall:
      case mpi_function::NeighborAlltoallv:
      case mpi_function::NeighborAlltoallw:
        neighbours(gives_all_the_same(f), own, false);
        return true;
      default:
        for (std::size_t i = 0; i < size(); ++i) {
          if (i == m_rank) continue;
          const exchange with = exchange_with(i, f);
          if (with.taken > 0) receive(i);
          if (with.given > 0) send(i, with.given, with.at);
        }
        wait();
        return true;
    }
  }

  static bool gives_all_the_same(mpi_function f) {
    return f == mpi_function::NeighborAllgather || f == mpi_function::NeighborAllgatherv;
  }

  std::vector<collective_action> take() { return std::move(m_actions); }

 private:
  /// The data of this rank for another rank, with their offset in its payload, and the data of the other rank for this
  /// rank.
  struct exchange {
    std::uint64_t given = 0, at = 0, taken = 0;
  };
  exchange exchange_with(std::size_t i, mpi_function f) const {
    const bool is_root = m_rank == m_root, with_root = i == m_root;
    switch (f) {
      case mpi_function::Bcast:
        return {is_root ? m_more.send_bytes : 0, 0, with_root ? m_more.send_bytes : 0};
      case mpi_function::Reduce:
        return {with_root ? m_more.send_bytes : 0, 0, is_root ? m_more.send_bytes : 0};
      case mpi_function::Gather:
      case mpi_function::Gatherv:
        return {with_root ? m_more.send_bytes : 0, 0, is_root ? from(i) : 0};
      case mpi_function::Scatter:
      case mpi_function::Scatterv:
        if (is_root) return {to(i), at(i), 0};
        return {0, 0, with_root ? m_more.receive_bytes : 0};
      case mpi_function::Allgather:
      case mpi_function::Allgatherv:
        return {m_more.send_bytes, 0, from(i)};
      case mpi_function::ReduceScatter:
      case mpi_function::ReduceScatterBlock: {
        const reduced_part its = part_of(i, m_more.send_bytes);
        return {its.bytes, its.at, part_of(m_rank, m_more.send_bytes).bytes};
      }
      default:  // all-to-all
        return {to(i), at(i), from(i)};
    }
  }

  /// The part that member \p i gets of a vector that is reduced and scattered.
  struct reduced_part {
    std::uint64_t bytes = 0, at = 0;
  };
  reduced_part part_of(std::size_t i, std::uint64_t whole) const {
    if (m_more.receives.empty()) return {whole / size(), whole / size() * i};
    const auto part = m_more.receives.begin() + static_cast<std::ptrdiff_t>(i);
    return {*part, std::accumulate(m_more.receives.begin(), part, std::uint64_t{0})};
  }

  std::size_t size() const { return m_members.size(); }
  std::size_t behind(std::size_t far) const { return (m_rank + far) % size(); }
  std::size_t before(std::size_t far) const { return (m_rank + size() - far % size()) % size(); }
  std::uint64_t to(std::size_t i) const { return m_more.sends.empty() ? m_more.send_bytes : m_more.sends[i]; }
  std::uint64_t from(std::size_t i) const {
    return m_more.receives.empty() ? m_more.receive_bytes : m_more.receives[i];
  }
  /// Returns the offset of the part for member \p i in the payload.
  std::uint64_t at(std::size_t i) const {
    if (m_more.sends.empty()) return m_more.send_bytes * i;
    return std::accumulate(m_more.sends.begin(), m_more.sends.begin() + static_cast<std::ptrdiff_t>(i),
                           std::uint64_t{0});
  }

  /// Adds a reduction on a ring. The vector is split between whole elements, because ranks cannot add parts of an
  /// element.
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
    m_actions.push_back({collective_action::kind::Send, m_members[peer], bytes, payload_at, passes_on});
  }
  void receive(std::size_t peer) {
    m_actions.push_back({collective_action::kind::Receive, m_members[peer], 0, 0, false});
  }
  void wait() { m_actions.push_back({}); }

  const replay_collective& m_more;
  const std::vector<std::uint32_t>& m_members;
  const std::size_t m_rank;
  const std::size_t m_root;
  std::vector<collective_action> m_actions;
};

}  // namespace

bool joins_all(const replay_call& call, const replay_collective& more) {
  switch (call.function) {
    case mpi_function::Barrier:
      return true;
    case mpi_function::Allreduce:
    case mpi_function::Allgather:
    case mpi_function::Alltoall:
    case mpi_function::ReduceScatterBlock:
      return more.send_bytes > 0;
    default:
      return false;
  }
}

std::vector<collective_action> actions_of(const replay_call& call, const replay_collective& more,
                                          const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                          collective_order order) {
  action_writer w(more, members, rank);
  if (order == collective_order::Direct && w.directly(call.function, rank)) return w.take();
  switch (call.function) {
    case mpi_function::Barrier:
      w.barrier();
      break;
    case mpi_function::Bcast:
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
      w.neighbours(action_writer::gives_all_the_same(call.function), rank, true);
  }
  return w.take();
}

}  // namespace weft
