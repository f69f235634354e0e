// SPDX-License-Identifier: Apache-2.0
#include "programs.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

namespace {

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

/// WEFT_PROGRAM_TIMES: number of repetitions of the program; each rank then prints their processor time.
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
                                                      {"to_itself", to_itself},
                                                      {"killed", killed},
                                                      {"in_place", in_place},
                                                      {"collective_truncation", collective_truncation},
                                                      {"persistent_truncation", persistent_truncation},
                                                      {"bottom_truncation", bottom_truncation},
                                                      {"part_truncation", part_truncation},
                                                      {"between_groups", between_groups},
                                                      {"crossed_probes", crossed_probes},
                                                      {"threads", threads},
                                                      {"waiting_threads", waiting_threads},
                                                      {"reused_request", reused_request},
                                                      {"slow_probes", slow_probes},
                                                      {"spawns", spawns},
                                                      {"spawned", spawned},
                                                      {"hollow_truncation", hollow_truncation},
                                                      {"constants", constants},
                                                      {"copies", copies},
                                                      {"crossed_copies", crossed_copies},
                                                      {"copying_threads", copying_threads},
                                                      {"all_makings", all_makings},
                                                      {"open_grid", open_grid},
                                                      {"leaked_receive", leaked_receive},
                                                      {"cancelled_receives", cancelled_receives},
                                                      {"long_run", long_run},
                                                      {"hangs", hangs},
                                                      {"head_on", head_on}};
  program chosen = nullptr;
  for (const auto& [name, function] : programs)
    if (argc == 2 && argv[1] == std::string(name)) chosen = function;
  if (chosen == nullptr) {
    std::fprintf(stderr, "mpi_programs NAME: there is no such program\n");
    return 2;
  }
  if (chosen == threads || chosen == waiting_threads || chosen == reused_request || chosen == copying_threads) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  place at;
  MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &at.ranks);
  std::string what;
  const char* const times = std::getenv("WEFT_PROGRAM_TIMES");
  const double began = processor_seconds();
  int right = 1;
  for (int i = times != nullptr ? std::atoi(times) : 1; i > 0 && right == 1; --i) right = chosen(at, what) ? 1 : 0;
  if (times != nullptr) std::printf("rank %d: %.6f seconds\n", at.rank, processor_seconds() - began);
  if (right == 0) std::fprintf(stderr, "rank %d: %s is wrong\n", at.rank, what.c_str());
  int all_right = 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  return all_right != 0 ? 0 : 1;
}
