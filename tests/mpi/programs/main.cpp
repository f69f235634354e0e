// SPDX-License-Identifier: Apache-2.0
#include "programs.h"
#include <cstdio>
#include <string>
#include <utility>

int main(int argc, char** argv) {
  using namespace weft::mpi_programs;
  using program = bool (*)(const place&, std::string&);
  const std::pair<const char*, program> programs[] = {{"integer_sort", integer_sort},
                                                      {"conjugate_gradient", conjugate_gradient},
                                                      {"fft_transpose", fft_transpose},
                                                      {"ant_colony", ant_colony},
                                                      {"halo_exchange", halo_exchange},
                                                      {"gradients", gradients},
                                                      {"all_calls", all_calls},
                                                      {"ping_pong", ping_pong},
                                                      {"killed", killed}};
  program chosen = nullptr;
  for (const auto& [name, function] : programs)
    if (argc == 2 && argv[1] == std::string(name)) chosen = function;
  if (chosen == nullptr) {
    std::fprintf(stderr, "mpi_programs NAME: there is no such program\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  place at;
  MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &at.ranks);
  std::string what;
  const int right = chosen(at, what) ? 1 : 0;
  if (right == 0) std::fprintf(stderr, "rank %d: %s is wrong\n", at.rank, what.c_str());
  int all_right = 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  return all_right != 0 ? 0 : 1;
}
