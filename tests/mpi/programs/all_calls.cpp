// SPDX-License-Identifier: Apache-2.0
/// Calls every function that the recorder supports at least once and checks the values. The test of the recorder
/// counts these calls in the trace; change both together.
#include "programs.h"
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace weft::mpi_programs {

namespace {

using numbers = std::vector<int>;

/// Rank r's message to its right neighbor is {r, r + 1}.
class neighbours {
 public:
  neighbours(const place& at, MPI_Comm comm)
      : m_right((at.rank + 1) % at.ranks), m_left((at.rank + at.ranks - 1) % at.ranks), m_comm(comm) {
    m_sent = {at.rank, at.rank + 1};
  }

  bool blocking() {
    using function = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
    std::vector<char> room(4096);
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
    bool right = true;
    for (const function send : {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend}) {
      MPI_Request q = MPI_REQUEST_NULL;
      MPI_Irecv(m_got.data(), 2, MPI_INT, m_left, 5, m_comm, &q);
      MPI_Barrier(m_comm);  // the receive is posted, as MPI_Rsend() requires
      send(m_sent.data(), 2, MPI_INT, m_right, 5, m_comm);
      right &= ended(q);
    }
    void* old = nullptr;
    int size = 0;
    MPI_Buffer_detach(&old, &size);
    return right;
  }

  bool with_request() {
    using function = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    std::vector<char> room(4096);
    MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
    bool right = true;
    for (const function send : {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend}) {
      MPI_Request q[2];
      MPI_Irecv(m_got.data(), 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, m_comm, &q[0]);
      MPI_Barrier(m_comm);
      send(m_sent.data(), 2, MPI_INT, m_right, 6, m_comm, &q[1]);
      MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
      right &= arrived();
    }
    for (const function init : {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init}) {
      MPI_Request q[2];
      MPI_Recv_init(m_got.data(), 2, MPI_INT, m_left, 7, m_comm, &q[0]);
      init(m_sent.data(), 2, MPI_INT, m_right, 7, m_comm, &q[1]);
      for (int times = 0; times < 2; ++times) {
        MPI_Start(&q[0]);
        MPI_Barrier(m_comm);
        MPI_Start(&q[1]);
        int done = 0, indices[2], all = 0;
        for (; all < 2; all += done) MPI_Waitsome(2, q, &done, indices, MPI_STATUSES_IGNORE);
        right &= arrived();
      }
      MPI_Request_free(&q[0]);
      MPI_Request_free(&q[1]);
    }
    void* old = nullptr;
    int size = 0;
    MPI_Buffer_detach(&old, &size);
    return right;
  }

  bool completions() {
    bool right = true;
    for (int way = 0; way < 5; ++way) {
      MPI_Request q[2];
      MPI_Status s[2];
      MPI_Irecv(m_got.data(), 4, MPI_INT, m_left, 8, m_comm, &q[0]);
      MPI_Isend(m_sent.data(), 2, MPI_INT, m_right, 8, m_comm, &q[1]);
      int flag = 0, index = 0, done = 0, all = 0, indices[2];
      if (way == 0)
        for (int i = 0; i < 2; ++i) MPI_Waitany(2, q, &index, s);
      if (way == 1)
        for (int i = 0; i < 2; i += flag) MPI_Testany(2, q, &index, &flag, s);
      if (way == 2)
        while (flag == 0) MPI_Testall(2, q, &flag, s);
      if (way == 3)
        for (; all < 2; all += done) MPI_Testsome(2, q, &done, indices, s);
      if (way == 4)
        for (int i = 0; i < 2; ++i)
          for (flag = 0; flag == 0;) MPI_Test(&q[i], &flag, &s[i]);
      right &= arrived();
    }
    return right;
  }

  bool exchanges() {
    MPI_Sendrecv(m_sent.data(), 2, MPI_INT, m_right, 9, m_got.data(), 4, MPI_INT, m_left, 9, m_comm, MPI_STATUS_IGNORE);
    bool right = arrived();
    m_got = {m_sent[0], m_sent[1], 0, 0};
    MPI_Sendrecv_replace(m_got.data(), 2, MPI_INT, m_right, 10, m_left, 10, m_comm, MPI_STATUS_IGNORE);
    right &= arrived();
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Message m = MPI_MESSAGE_NULL;
    MPI_Status s;
    MPI_Isend(m_sent.data(), 2, MPI_INT, m_right, 11, m_comm, &q);
    MPI_Mprobe(m_left, 11, m_comm, &m, &s);
    MPI_Mrecv(m_got.data(), 2, MPI_INT, &m, &s);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    right &= arrived();
    MPI_Isend(m_sent.data(), 2, MPI_INT, m_right, 12, m_comm, &q);
    for (int flag = 0; flag == 0;) MPI_Improbe(MPI_ANY_SOURCE, 12, m_comm, &flag, &m, &s);
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Imrecv(m_got.data(), 2, MPI_INT, &m, &r);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    right &= ended(r);
    MPI_Send(m_sent.data(), 2, MPI_INT, MPI_PROC_NULL, 1, m_comm);  // no rank receives it, and the trace does not
                                                                    // contain it
    return right;
  }

 private:
  bool arrived() {
    const bool right = m_got[0] == m_left && m_got[1] == m_left + 1;
    m_got.assign(4, -1);
    return right;
  }
  bool ended(MPI_Request q) {
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    return arrived();
  }

  int m_right, m_left;
  MPI_Comm m_comm;
  numbers m_sent, m_got = numbers(4, -1);
};

bool collectives(const place& at) {
  const auto n = static_cast<std::size_t>(at.ranks);
  const MPI_Comm c = MPI_COMM_WORLD;
  numbers own(n, at.rank), all(n, -1), one(n, 1), places(n);
  std::iota(places.begin(), places.end(), 0);
  bool right = true;
  const auto everybody = [&] {
    for (std::size_t i = 0; i < n; ++i) right &= all[i] == static_cast<int>(i);
    all.assign(n, -1);
  };
  int mine = -1;
  MPI_Gather(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, 0, c);
  MPI_Scatter(all.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, c);
  right &= mine == at.rank;
  MPI_Gatherv(own.data(), 1, MPI_INT, all.data(), one.data(), places.data(), MPI_INT, 0, c);
  MPI_Scatterv(all.data(), one.data(), places.data(), MPI_INT, &mine, 1, MPI_INT, 0, c);
  right &= mine == at.rank;
  MPI_Allgather(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, c);
  everybody();
  all[static_cast<std::size_t>(at.rank)] = at.rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT, c);
  everybody();
  MPI_Allgatherv(own.data(), 1, MPI_INT, all.data(), one.data(), places.data(), MPI_INT, c);
  everybody();
  MPI_Alltoall(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, c);
  everybody();
  MPI_Alltoallv(own.data(), one.data(), places.data(), MPI_INT, all.data(), one.data(), places.data(), MPI_INT, c);
  everybody();
  std::vector<MPI_Datatype> types(n, MPI_INT);
  numbers bytes = places;
  for (int& b : bytes) b *= 4;
  MPI_Alltoallw(own.data(), one.data(), bytes.data(), types.data(), all.data(), one.data(), bytes.data(), types.data(),
                c);
  everybody();
  const int sum = at.ranks * (at.ranks - 1) / 2;
  MPI_Reduce_scatter(own.data(), &mine, one.data(), MPI_INT, MPI_SUM, c);
  right &= mine == sum;
  MPI_Reduce_scatter_block(own.data(), &mine, 1, MPI_INT, MPI_SUM, c);
  right &= mine == sum;
  MPI_Scan(own.data(), &mine, 1, MPI_INT, MPI_SUM, c);
  right &= mine == at.rank * (at.rank + 1) / 2;
  MPI_Exscan(own.data(), &mine, 1, MPI_INT, MPI_SUM, c);
  right &= at.rank == 0 || mine == at.rank * (at.rank - 1) / 2;
  mine = at.rank;
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MAX, c);
  right &= mine == at.ranks - 1;
  MPI_Reduce(own.data(), &mine, 1, MPI_INT, MPI_PROD, 0, c);
  MPI_Request q[2];
  MPI_Ibcast(&mine, 1, MPI_INT, 0, c, &q[0]);
  MPI_Ibarrier(c, &q[1]);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  return right && mine == 0;
}

bool neighbourhoods(const place& at) {
  const int ring = 1;
  MPI_Comm c = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &at.ranks, &ring, 0, &c);
  const int left = (at.rank + at.ranks - 1) % at.ranks, right = (at.rank + 1) % at.ranks;
  numbers own(2, at.rank), all(2, -1), one(2, 1), places{0, 1};
  bool good = true;
  const auto both = [&] {
    good &= all[0] == left && all[1] == right;
    all.assign(2, -1);
  };
  MPI_Neighbor_allgather(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, c);
  both();
  MPI_Neighbor_allgatherv(own.data(), 1, MPI_INT, all.data(), one.data(), places.data(), MPI_INT, c);
  both();
  MPI_Neighbor_alltoall(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, c);
  both();
  MPI_Neighbor_alltoallv(own.data(), one.data(), places.data(), MPI_INT, all.data(), one.data(), places.data(), MPI_INT,
                         c);
  both();
  const std::vector<MPI_Datatype> types(2, MPI_INT);
  const std::vector<MPI_Aint> bytes{0, 4};
  MPI_Neighbor_alltoallw(own.data(), one.data(), bytes.data(), types.data(), all.data(), one.data(), bytes.data(),
                         types.data(), c);
  both();
  MPI_Comm_free(&c);
  return good;
}

/// Rank 0 puts a number into the memory of the last rank.
bool one_sided(const place& at) {
  int memory = -1, sent = 42;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (at.rank == 0) MPI_Put(&sent, 1, MPI_INT, at.ranks - 1, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  return memory == (at.rank == at.ranks - 1 ? 42 : -1);
}

}  // namespace

bool all_calls(const place& at, std::string& what) {
  MPI_Comm turned = MPI_COMM_NULL, again = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -at.rank, &turned);
  MPI_Comm_dup(turned, &again);
  place in_turned = at;
  MPI_Comm_rank(again, &in_turned.rank);
  neighbours n(in_turned, again);
  const bool right = (what = "blocking", n.blocking()) && (what = "with requests", n.with_request()) &&
                     (what = "completions", n.completions()) && (what = "exchanges", n.exchanges()) &&
                     (what = "collectives", collectives(at)) && (what = "neighbourhoods", neighbourhoods(at)) &&
                     (what = "one-sided", one_sided(at));
  MPI_Comm_free(&again);
  MPI_Comm_free(&turned);
  return right;
}

}  // namespace weft::mpi_programs
