// SPDX-License-Identifier: Apache-2.0
/// A two-dimensional Fourier transform and its inverse: transforms of rows, and transposes by all-to-all, after NAS FT.
/// A derived type stores received blocks in their places.
#include "programs.h"
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace weft::mpi_programs {

namespace {

using number = std::complex<double>;
constexpr int Side = 32;

/// Transforms Side numbers in place; \p sign -1 is the transform, +1 the inverse.
void transform(number* x, int sign) {
  for (int i = 1, j = 0; i < Side; ++i) {
    int bit = Side >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (int length = 2; length <= Side; length <<= 1) {
    const double angle = sign * 2 * std::acos(-1.0) / length;
    for (int i = 0; i < Side; i += length)
      for (int k = 0; k < length / 2; ++k) {
        const number odd = x[i + k + length / 2] * std::polar(1.0, angle * k), even = x[i + k];
        x[i + k] = even + odd;
        x[i + k + length / 2] = even - odd;
      }
  }
}

/// Each rank has Side / ranks rows.
void transpose(const place& at, std::vector<number>& grid) {
  const int mine = Side / at.ranks;
  // The data for rank r: the rows of this rank, the columns of r, column by column.
  std::vector<number> sent(grid.size()), received(grid.size());
  std::size_t k = 0;
  for (int r = 0; r < at.ranks; ++r)
    for (int column = 0; column < mine; ++column)
      for (int row = 0; row < mine; ++row) sent[k++] = grid[static_cast<std::size_t>(row * Side + r * mine + column)];
  MPI_Datatype block = MPI_DATATYPE_NULL, placed = MPI_DATATYPE_NULL;
  MPI_Type_vector(mine, mine, Side, MPI_C_DOUBLE_COMPLEX, &block);
  MPI_Type_create_resized(block, 0, mine * static_cast<MPI_Aint>(sizeof(number)), &placed);
  MPI_Type_commit(&placed);
  MPI_Alltoall(sent.data(), mine * mine, MPI_C_DOUBLE_COMPLEX, received.data(), 1, placed, MPI_COMM_WORLD);
  MPI_Type_free(&placed);
  MPI_Type_free(&block);
  grid.swap(received);
}

}  // namespace

bool fft_transpose(const place& at, std::string& what) {
  const int mine = Side / at.ranks;
  std::vector<number> grid(static_cast<std::size_t>(mine * Side));
  random_numbers random(static_cast<std::uint64_t>(at.rank) + 5);
  for (number& n : grid) n = {random.uniform(), random.uniform()};
  const std::vector<number> before = grid;
  for (const int sign : {-1, 1})
    for (int dimension = 0; dimension < 2; ++dimension) {
      for (int row = 0; row < mine; ++row) transform(grid.data() + row * Side, sign);
      transpose(at, grid);
    }
  what = "the transform";
  for (std::size_t i = 0; i < grid.size(); ++i)
    if (!(std::abs(grid[i] / double{Side * Side} - before[i]) < 1e-9)) return false;
  return true;
}

}  // namespace weft::mpi_programs
