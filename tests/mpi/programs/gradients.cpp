// SPDX-License-Identifier: Apache-2.0
/// Fits a linear model to data distributed over the ranks: a nonblocking all-reduce sums the gradients, and all
/// ranks keep the same weights.
#include "programs.h"
#include <cmath>
#include <cstddef>
#include <vector>

namespace weft::mpi_programs {

bool gradients(const place& at, std::string& what) {
  constexpr std::size_t Weights = 256, Samples = 64;
  constexpr int Steps = 60;
  random_numbers reference(3), random(static_cast<std::uint64_t>(at.rank) + 21);
  std::vector<double> expected(Weights), weights(Weights, 0), x(Samples * Weights, 0), y(Samples, 0);
  for (double& w : expected) w = 2 * reference.uniform() - 1;
  // Each sample depends on a few of the weights.
  for (std::size_t s = 0; s < Samples; ++s)
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t i = (s * 4 + k) % Weights;
      x[s * Weights + i] = 0.5 + 0.5 * random.uniform();
      y[s] += x[s * Weights + i] * expected[i];
    }
  double first = 0, error = 0;
  for (int step = 0; step < Steps; ++step) {
    std::vector<double> gradient(Weights + 1, 0), sum(Weights + 1, 0);
    for (std::size_t s = 0; s < Samples; ++s) {
      double off = -y[s];
      for (std::size_t i = 0; i < Weights; ++i) off += weights[i] * x[s * Weights + i];
      for (std::size_t i = 0; i < Weights; ++i) gradient[i] += off * x[s * Weights + i];
      gradient[Weights] += off * off;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(gradient.data(), sum.data(), static_cast<int>(sum.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < Weights; ++i) weights[i] -= 0.3 * sum[i] / at.ranks;
    error = sum[Weights];
    if (step == 0) first = error;
  }
  what = "the model";
  if (!(error < first * 0.05)) return false;
  what = "a replica of the model";
  std::vector<double> others(Weights * static_cast<std::size_t>(at.ranks));
  MPI_Allgather(weights.data(), Weights, MPI_DOUBLE, others.data(), Weights, MPI_DOUBLE, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i] != others[i % Weights]) return false;
  return true;
}

}  // namespace weft::mpi_programs
