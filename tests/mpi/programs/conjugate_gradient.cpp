// SPDX-License-Identifier: Apache-2.0
/// Conjugate gradients on a Laplacian divided by rows: neighbors exchange their border rows; dot products are
/// all-reduced.
#include "programs.h"
#include <cmath>
#include <cstddef>
#include <vector>

namespace weft::mpi_programs {

namespace {

constexpr int Side = 32;

using rows = std::vector<double>;  ///< of a rank, with a border row above and one below

/// Copies the neighbors' rows into the borders of \p x.
void exchange(const place& at, rows& x) {
  const int mine = Side / at.ranks;
  MPI_Request requests[4];
  int count = 0;
  double* const first = x.data();
  if (at.rank > 0) {
    MPI_Irecv(first, Side, MPI_DOUBLE, at.rank - 1, 1, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(first + Side, Side, MPI_DOUBLE, at.rank - 1, 2, MPI_COMM_WORLD, &requests[count++]);
  }
  if (at.rank + 1 < at.ranks) {
    MPI_Irecv(first + (mine + 1) * Side, Side, MPI_DOUBLE, at.rank + 1, 2, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(first + mine * Side, Side, MPI_DOUBLE, at.rank + 1, 1, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

rows times_matrix(const place& at, rows x) {
  exchange(at, x);
  const int mine = Side / at.ranks;
  rows y(x.size(), 0);
  for (int r = 1; r <= mine; ++r)
    for (int c = 0; c < Side; ++c) {
      const int i = r * Side + c;
      const auto value = [&x](int k) { return x[static_cast<std::size_t>(k)]; };
      y[static_cast<std::size_t>(i)] = 4.5 * value(i) - (c > 0 ? value(i - 1) : 0) - (c + 1 < Side ? value(i + 1) : 0) -
                                       value(i - Side) - value(i + Side);
    }
  return y;
}

double dot(const place& at, const rows& a, const rows& b) {
  double own = 0, all = 0;
  for (int i = Side; i < (Side / at.ranks + 1) * Side; ++i)
    own += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

}  // namespace

bool conjugate_gradient(const place& at, std::string& what) {
  const auto size = static_cast<std::size_t>((Side / at.ranks + 2) * Side);
  rows expected(size, 0);
  for (std::size_t i = Side; i + Side < size; ++i)
    expected[i] = 1 + 0.01 * static_cast<double>((i + static_cast<std::size_t>(at.rank)) % 13);
  rows x(size, 0), r = times_matrix(at, expected), p = r;
  double rr = dot(at, r, r);
  for (int step = 0; step < 100 && rr > 1e-20; ++step) {
    const rows q = times_matrix(at, p);
    const double alpha = rr / dot(at, p, q);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double before = rr;
    rr = dot(at, r, r);
    for (std::size_t i = 0; i < size; ++i) p[i] = r[i] + rr / before * p[i];
  }
  what = "the solution";
  for (std::size_t i = Side; i + Side < size; ++i)
    if (!(std::abs(x[i] - expected[i]) < 1e-7)) return false;
  return true;
}

}  // namespace weft::mpi_programs
