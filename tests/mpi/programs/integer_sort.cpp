// SPDX-License-Identifier: Apache-2.0
/// Sorts integers by buckets, a range of buckets per rank, after NAS IS.
#include "programs.h"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace weft::mpi_programs {

bool integer_sort(const place& at, std::string& what) {
  constexpr int Keys = 4096, Range = 1 << 11, Buckets = 64;
  const auto ranks = static_cast<std::size_t>(at.ranks);
  random_numbers random(static_cast<std::uint64_t>(at.rank) + 1);
  std::vector<int> keys(Keys);
  for (int& k : keys) k = static_cast<int>((random.next() % Range + random.next() % Range) / 2);

  // Assigns whole buckets to ranks such that each rank has about as many keys.
  std::vector<int> sizes(Buckets, 0), total(Buckets, 0);
  const auto bucket_of = [](int key) { return static_cast<std::size_t>(key) * Buckets / Range; };
  for (const int k : keys) ++sizes[bucket_of(k)];
  MPI_Allreduce(sizes.data(), total.data(), Buckets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::vector<int> owner(Buckets, 0);
  long seen = 0;
  for (std::size_t b = 0; b < Buckets; ++b) {
    owner[b] = static_cast<int>(seen / Keys);
    seen += total[b];
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> to(ranks, 0), from(ranks, 0), to_at(ranks, 0), from_at(ranks, 0);
  for (const int k : keys) ++to[static_cast<std::size_t>(owner[bucket_of(k)])];
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::partial_sum(to.begin(), to.end() - 1, to_at.begin() + 1);
  std::partial_sum(from.begin(), from.end() - 1, from_at.begin() + 1);
  std::vector<int> sorted(static_cast<std::size_t>(from.back() + from_at.back()));
  MPI_Alltoallv(keys.data(), to.data(), to_at.data(), MPI_INT, sorted.data(), from.data(), from_at.data(), MPI_INT,
                MPI_COMM_WORLD);
  std::sort(sorted.begin(), sorted.end());

  // The last key goes to the next rank, none of whose keys may be smaller.
  what = "the order";
  int last = sorted.empty() ? -1 : sorted.back(), before = -1;
  const int next = at.rank + 1 < at.ranks ? at.rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&last, 1, MPI_INT, next, 7, &before, 1, MPI_INT, at.rank > 0 ? at.rank - 1 : MPI_PROC_NULL, 7,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!sorted.empty() && sorted.front() < before) return false;
  what = "the number of keys";
  const long count = static_cast<long>(sorted.size());
  long all = 0;
  MPI_Reduce(&count, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  return at.rank != 0 || all == long{Keys} * at.ranks;
}

}  // namespace weft::mpi_programs
