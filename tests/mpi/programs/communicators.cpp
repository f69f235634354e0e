// SPDX-License-Identifier: Apache-2.0
/// Programs that create communicators with equal members, some in a different order at each rank.
#include "programs.h"
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace weft::mpi_programs {

namespace {

/// Broadcasts \p count doubles from rank \p root. \return whether they arrived
bool broadcasts(MPI_Comm comm, int count, int root) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<double> values(static_cast<std::size_t>(count), rank == root ? count : 0);
  MPI_Bcast(values.data(), count, MPI_DOUBLE, root, comm);
  return values == std::vector<double>(values.size(), count);
}

/// Exchanges \p count doubles with the rank of the other group that has number \p rank there.
bool exchanges(MPI_Comm inter, int count, int rank) {
  std::vector<double> sent(static_cast<std::size_t>(count), count), came(sent.size());
  MPI_Sendrecv(sent.data(), count, MPI_DOUBLE, rank, 0, came.data(), count, MPI_DOUBLE, rank, 0, inter,
               MPI_STATUS_IGNORE);
  return came == sent;
}

/// A communicator of these ranks of the world; MPI_COMM_NULL at other ranks.
MPI_Comm of_ranks(MPI_Comm parent, std::initializer_list<int> ranks, const place& at, int tag) {
  bool member = false;
  for (const int r : ranks) member = member || r == at.rank;
  if (!member) return MPI_COMM_NULL;
  MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.begin(), &some);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create_group(parent, some, tag, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return made;
}

}  // namespace

bool copies(const place& at, std::string& what) {
  MPI_Comm first = MPI_COMM_NULL, second = MPI_COMM_NULL;
  std::array<MPI_Request, 2> both{};
  MPI_Comm_idup(MPI_COMM_WORLD, &first, &both[0]);
  MPI_Comm_idup(MPI_COMM_WORLD, &second, &both[1]);
  MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
  std::array<int, 3> came{at.rank, at.rank, at.rank};
  const int right = (at.rank + 1) % at.ranks, left = (at.rank + at.ranks - 1) % at.ranks;
  if (at.rank == 0) {
    MPI_Send(came.data(), 1, MPI_INT, right, 0, first);
    MPI_Send(came.data(), 2, MPI_INT, right, 0, second);
  } else if (at.rank == 1) {
    MPI_Irecv(came.data(), 2, MPI_INT, left, 0, second, &both[0]);
    MPI_Irecv(&came[2], 1, MPI_INT, left, 0, first, &both[1]);
    MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
  }
  MPI_Comm_free(&second);
  MPI_Comm_free(&first);
  what = "the received data";
  return at.rank != 1 || came == std::array<int, 3>{};
}

bool crossed_copies(const place& at, std::string& what) {
  std::array<MPI_Comm, 2> parents{};
  for (MPI_Comm& p : parents) MPI_Comm_dup(MPI_COMM_WORLD, &p);
  bool right = true;
  for (int generation = 0; generation < 2; ++generation) {
    std::array<MPI_Comm, 2> made{};
    std::array<MPI_Request, 2> both{};
    const std::size_t first = at.rank == 0 ? 0 : 1;
    for (const std::size_t i : {first, 1 - first}) MPI_Comm_idup(parents[i], &made[i], &both[i]);
    MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
    right = broadcasts(made[0], 10, 0) && broadcasts(made[1], 400, 1) && right;
    for (MPI_Comm& p : parents) MPI_Comm_free(&p);
    parents = made;
  }
  for (MPI_Comm& p : parents) MPI_Comm_free(&p);
  what = "the broadcast data";
  return right;
}

bool copying_threads(const place& at, std::string& what) {
  constexpr int Times = 100, Threads = 2;
  std::array<MPI_Comm, Threads> own{}, halves{};
  for (std::size_t t = 0; t < Threads; ++t) {
    MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
    MPI_Comm_split(own[t], at.rank % 2, at.rank, &halves[t]);
  }
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  std::array<bool, Threads> right{true, true};
  const auto works = [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    const int count = thread == 0 ? 10 : 400;
    random_numbers late(static_cast<std::uint64_t>(at.rank * Threads + thread));
    const auto repeat = [&](auto make_and_use) {
      for (int i = 0; i < Times; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(late.next() % 500));
        MPI_Comm made = MPI_COMM_NULL;
        right[t] = make_and_use(&made) && right[t];
        MPI_Comm_free(&made);
      }
    };
    repeat([&](MPI_Comm* made) {
      MPI_Comm_dup(own[t], made);
      return broadcasts(*made, count, thread);
    });
    repeat([&](MPI_Comm* made) {
      MPI_Comm_create_group(MPI_COMM_WORLD, all, thread, made);
      return broadcasts(*made, count + 1, thread);
    });
    repeat([&](MPI_Comm* made) {
      MPI_Intercomm_create(halves[t], 0, own[t], 1 - at.rank % 2, thread, made);
      return exchanges(*made, count + 2, at.rank / 2);
    });
  };
  std::thread other([&] { works(1); });
  works(0);
  other.join();
  MPI_Group_free(&all);
  for (std::size_t t = 0; t < Threads; ++t) {
    MPI_Comm_free(&halves[t]);
    MPI_Comm_free(&own[t]);
  }
  what = "data of a thread";
  return right == std::array<bool, Threads>{true, true};
}

bool all_makings(const place& at, std::string& what) {
  MPI_Comm world = MPI_COMM_WORLD;
  std::vector<MPI_Comm> made;
  made.reserve(32);
  const auto add = [&made] { return made.push_back(MPI_COMM_NULL), &made.back(); };
  MPI_Request q = MPI_REQUEST_NULL;
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(world, add());
  MPI_Comm_dup_with_info(world, MPI_INFO_NULL, add());
  MPI_Comm_idup(world, add(), &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, at.rank, MPI_INFO_NULL, add());
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(world, &all);
  MPI_Comm_create(world, all, add());
  MPI_Group_free(&all);
  const int sides[] = {2, 2}, rings[] = {0, 1}, kept[] = {0, 1};
  MPI_Cart_create(world, 2, sides, rings, 0, add());
  MPI_Comm grid = made.back();
  MPI_Cart_sub(grid, kept, add());
  const int index[] = {1, 2, 3, 4}, edges[] = {1, 0, 3, 2};
  MPI_Graph_create(world, 4, index, edges, 0, add());
  const int next = (at.rank + 1) % at.ranks, last = (at.rank + at.ranks - 1) % at.ranks;
  MPI_Dist_graph_create_adjacent(world, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, add());

  // Communicators with equal members, whose parents differ only in other members.
  for (const int tag : {7, 7, 8}) made.push_back(of_ranks(world, {0, 1, 2}, at, tag));
  made.push_back(of_ranks(world, {0, 1, 3}, at, 7));
  for (const std::size_t parent : {made.size() - 4, made.size() - 1})
    made.push_back(of_ranks(made[parent], {0, 1}, at, 0));

  // Copies of a copy that was freed; the next copy may reuse its handle.
  for (int i = 0; i < 2; ++i) {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_dup(world, &parent);
    MPI_Comm_dup(parent, add());
    MPI_Comm_free(&parent);
  }
  bool right = true;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] != MPI_COMM_NULL) right = broadcasts(made[i], static_cast<int>(i) + 1, 0) && right;

  MPI_Comm_split(world, at.rank % 2, at.rank, add());
  MPI_Comm half = made.back();
  std::vector<MPI_Comm> inter(5);
  for (const std::size_t i : {0, 1, 2}) MPI_Intercomm_create(half, 0, world, 1 - at.rank % 2, i < 2 ? 3 : 4, &inter[i]);
  MPI_Comm_dup(inter[0], &inter[3]);
  MPI_Comm_split(inter[0], 0, at.rank, &inter[4]);
  for (std::size_t i = 0; i < inter.size(); ++i)
    right = exchanges(inter[i], static_cast<int>(i) + 1, at.rank / 2) && right;
  for (const std::size_t i : {0, 0, 1}) {
    MPI_Intercomm_merge(inter[i], at.rank % 2, add());
    right = broadcasts(made.back(), static_cast<int>(made.size()), 0) && right;
  }
  made.insert(made.end(), inter.begin(), inter.end());
  for (MPI_Comm& c : made)
    if (c != MPI_COMM_NULL) MPI_Comm_free(&c);
  what = "data sent in a communicator";
  return right;
}

}  // namespace weft::mpi_programs
