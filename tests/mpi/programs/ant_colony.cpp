// SPDX-License-Identifier: Apache-2.0
/// An ant colony for a traveling-salesman problem whose cities lie on a few columns like drilled holes (as in TSPLIB's
/// lin105). In every round all ranks get the best tour of all.
#include "programs.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace weft::mpi_programs {

namespace {

constexpr std::size_t Cities = 105;
using tour = std::vector<int>;

struct country {
  std::vector<double> distance, scent;

  country() : distance(Cities * Cities), scent(Cities * Cities, 1) {
    random_numbers random(105);
    std::vector<double> x(Cities), y(Cities);
    for (std::size_t i = 0; i < Cities; ++i) {
      x[i] = 63 + 350 * static_cast<double>(i % 9);
      y[i] = 71 + 20 * static_cast<double>(random.next() % 80);
    }
    for (std::size_t i = 0; i < Cities; ++i)
      for (std::size_t j = 0; j < Cities; ++j) distance[i * Cities + j] = 1 + std::hypot(x[i] - x[j], y[i] - y[j]);
  }

  double length(const tour& t) const {
    double sum = 0;
    for (std::size_t i = 0; i < Cities; ++i)
      sum += distance[static_cast<std::size_t>(t[i]) * Cities + static_cast<std::size_t>(t[(i + 1) % Cities])];
    return sum;
  }
};

tour walk(const country& c, random_numbers& random) {
  tour t(Cities);
  std::iota(t.begin(), t.end(), 0);
  std::swap(t[0], t[random.next() % Cities]);
  for (std::size_t i = 1; i < Cities; ++i) {
    // The most attractive of the remaining cities or, sometimes, a random one of them.
    const auto from = static_cast<std::size_t>(t[i - 1]);
    std::size_t best = i;
    double most = -1;
    for (std::size_t j = i; j < Cities; ++j) {
      const std::size_t way = from * Cities + static_cast<std::size_t>(t[j]);
      const double pull = c.scent[way] / (c.distance[way] * c.distance[way]) * (0.5 + random.uniform());
      if (pull > most) {
        most = pull;
        best = j;
      }
    }
    std::swap(t[i], t[best]);
  }
  return t;
}

}  // namespace

bool ant_colony(const place& at, std::string& what) {
  country c;
  random_numbers random(static_cast<std::uint64_t>(at.rank) + 11);
  struct {
    double length;
    int rank;
  } own{}, best{};
  tour mine = walk(c, random);
  double first = 0;
  for (int round = 0; round < 20; ++round) {
    for (int ant = 0; ant < 8; ++ant) {
      const tour t = walk(c, random);
      if (c.length(t) < c.length(mine)) mine = t;
    }
    own.length = c.length(mine);
    own.rank = at.rank;
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Bcast(mine.data(), Cities, MPI_INT, best.rank, MPI_COMM_WORLD);
    if (round == 0) first = best.length;
    for (double& s : c.scent) s *= 0.95;
    for (std::size_t i = 0; i < Cities; ++i)
      c.scent[static_cast<std::size_t>(mine[i]) * Cities + static_cast<std::size_t>(mine[(i + 1) % Cities])] += 1;
  }
  what = "the length of the tour";
  if (std::abs(c.length(mine) - best.length) > 1e-6 * best.length || best.length > first) return false;
  what = "the tour";
  std::sort(mine.begin(), mine.end());
  for (std::size_t i = 0; i < Cities; ++i)
    if (mine[i] != static_cast<int>(i)) return false;
  return true;
}

}  // namespace weft::mpi_programs
