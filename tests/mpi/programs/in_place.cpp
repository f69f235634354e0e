// SPDX-License-Identifier: Apache-2.0
/// Collectives whose result replaces the input of a rank. All inputs of rank r are r + 1.
#include "programs.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace weft::mpi_programs {

bool in_place(const place& at, std::string& what) {
  const auto ranks = static_cast<std::size_t>(at.ranks);
  const double own = at.rank + 1;
  const double sum = at.ranks * (at.ranks + 1) / 2.;
  bool right = true;
  const auto expect = [&](bool condition, const char* of) {
    if (!condition) what = of;
    right = right && condition;
  };

  std::array<double, 8> vector{};
  vector.fill(own);
  MPI_Allreduce(MPI_IN_PLACE, vector.data(), 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(vector[7] == sum, "an all-reduce");

  vector.fill(own);
  MPI_Request q = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, vector.data(), 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  expect(vector[7] == sum, "a nonblocking all-reduce");

  vector.fill(own);
  if (at.rank == 0)
    MPI_Reduce(MPI_IN_PLACE, vector.data(), 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(vector.data(), nullptr, 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  expect(vector[7] == (at.rank == 0 ? sum : own), "a reduce");

  vector.fill(own);
  MPI_Scan(MPI_IN_PLACE, vector.data(), 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(vector[7] == own * (own + 1) / 2, "a scan");

  std::vector<double> parts(ranks, own);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
  expect(parts.back() == at.ranks, "an all-to-all");

  std::fill(parts.begin(), parts.end(), own);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, parts.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(parts.front() == sum, "a reduce-scatter");

  std::fill(parts.begin(), parts.end(), -1);
  parts[static_cast<std::size_t>(at.rank)] = own;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
  expect(parts.front() == 1 && parts.back() == at.ranks, "an all-gather");

  vector.fill(own);
  MPI_Sendrecv_replace(vector.data(), 8, MPI_DOUBLE, (at.rank + 1) % at.ranks, 0, (at.rank + at.ranks - 1) % at.ranks,
                       0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  expect(vector[0] == (at.rank + at.ranks - 1) % at.ranks + 1, "a send-receive with replacement");
  return right;
}

}  // namespace weft::mpi_programs
