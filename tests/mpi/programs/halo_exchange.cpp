// SPDX-License-Identifier: Apache-2.0
/// Jacobi steps of heat in a plate: blocks on a grid of ranks, which exchange their borders by persistent requests;
/// columns use a derived type. Rank 0 repeats the computation alone and compares.
#include "programs.h"
#include <cmath>
#include <cstddef>
#include <vector>

namespace weft::mpi_programs {

namespace {

constexpr int Side = 32, Steps = 20;
using plate = std::vector<double>;

/// One step on a block of \p rows rows and \p columns columns with a border.
void step(const plate& from, plate& to, int rows, int columns) {
  const int width = columns + 2;
  for (int r = 1; r <= rows; ++r)
    for (int c = 1; c <= columns; ++c) {
      const auto i = static_cast<std::size_t>(r * width + c), w = static_cast<std::size_t>(width);
      to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - w] + from[i + w]);
    }
}

double start_value(int row, int column) { return ((row * 7 + column * 13) % 31) / 31.0; }

plate alone() {
  plate a((Side + 2) * (Side + 2), 0), b = a;
  for (int r = 0; r < Side; ++r)
    for (int c = 0; c < Side; ++c) a[static_cast<std::size_t>((r + 1) * (Side + 2) + c + 1)] = start_value(r, c);
  for (int s = 0; s < Steps; ++s) {
    step(a, b, Side, Side);
    a.swap(b);
  }
  return a;
}

}  // namespace

bool halo_exchange(const place& at, std::string& what) {
  int sides[2] = {0, 0}, rings[2] = {0, 0}, here[2] = {0, 0};
  MPI_Dims_create(at.ranks, 2, sides);
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, rings, 0, &grid);
  MPI_Cart_coords(grid, at.rank, 2, here);
  const int rows = Side / sides[0], columns = Side / sides[1], width = columns + 2;
  plate a(static_cast<std::size_t>((rows + 2) * width), 0), b = a;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      a[static_cast<std::size_t>((r + 1) * width + c + 1)] = start_value(here[0] * rows + r, here[1] * columns + c);

  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, width, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  int up = 0, down = 0, left = 0, right = 0;
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  std::vector<MPI_Request> requests(8);
  const auto place_of = [&a, width](int r, int c) { return a.data() + r * width + c; };
  MPI_Send_init(place_of(1, 1), columns, MPI_DOUBLE, up, 0, grid, &requests[0]);
  MPI_Recv_init(place_of(rows + 1, 1), columns, MPI_DOUBLE, down, 0, grid, &requests[1]);
  MPI_Send_init(place_of(rows, 1), columns, MPI_DOUBLE, down, 1, grid, &requests[2]);
  MPI_Recv_init(place_of(0, 1), columns, MPI_DOUBLE, up, 1, grid, &requests[3]);
  MPI_Send_init(place_of(1, 1), 1, column, left, 2, grid, &requests[4]);
  MPI_Recv_init(place_of(1, columns + 1), 1, column, right, 2, grid, &requests[5]);
  MPI_Send_init(place_of(1, columns), 1, column, right, 3, grid, &requests[6]);
  MPI_Recv_init(place_of(1, 0), 1, column, left, 3, grid, &requests[7]);
  for (int s = 0; s < Steps; ++s) {
    MPI_Startall(8, requests.data());
    MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE);
    step(a, b, rows, columns);
    for (int r = 1; r <= rows; ++r)
      for (int c = 1; c <= columns; ++c) *place_of(r, c) = b[static_cast<std::size_t>(r * width + c)];
  }
  for (MPI_Request& q : requests) MPI_Request_free(&q);
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);

  what = "the heat";
  const plate expected = alone();
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int row = here[0] * rows + r + 1, its_column = here[1] * columns + c + 1;
      if (!(std::abs(*place_of(r + 1, c + 1) - expected[static_cast<std::size_t>(row * (Side + 2) + its_column)]) <
            1e-9))
        return false;
    }
  return true;
}

}  // namespace weft::mpi_programs
