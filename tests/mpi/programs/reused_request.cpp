// SPDX-License-Identifier: Apache-2.0
/// A thread that starts a receive and a send when MPI_Waitall() of another thread has freed its requests, but before
/// the recorder has processed that call: the new requests have the same handles. To time this, the program overrides
/// PMPI_Waitall(), which the recorder calls.
#include "programs.h"
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <dlfcn.h>

namespace {

/// Called by PMPI_Waitall() when requests are freed.
std::function<void()>& freed() {
  static std::function<void()> call;
  return call;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the name
extern "C" int PMPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  using function = int (*)(int, MPI_Request*, MPI_Status*);
  static const auto of_mpi = reinterpret_cast<function>(dlsym(RTLD_NEXT, "PMPI_Waitall"));
  const int result = of_mpi(count, requests, statuses);
  if (freed()) freed()();
  return result;
}

namespace weft::mpi_programs {

namespace {

/// A message of the rank to itself, in flight.
struct message {
  explicit message(const place& at, int number) : sent(number) {
    MPI_Irecv(&came, 1, MPI_INT, at.rank, number, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(&sent, 1, MPI_INT, at.rank, number, MPI_COMM_WORLD, &both[1]);
  }

  int sent = 0, came = -1;
  std::array<MPI_Request, 2> both{};
};

}  // namespace

bool reused_request(const place& at, std::string& what) {
  constexpr int Times = 20;
  int reused = 0, wrong = 0;
  for (int i = 0; i < Times; ++i) {
    message first(at, 2 * i);
    const std::array<MPI_Request, 2> handles = first.both;
    std::unique_ptr<message> second;
    freed() = [&] { std::thread([&] { second = std::make_unique<message>(at, 2 * i + 1); }).join(); };
    MPI_Waitall(2, first.both.data(), MPI_STATUSES_IGNORE);
    freed() = nullptr;
    for (MPI_Request q : second->both) reused += std::count(handles.begin(), handles.end(), q) > 0 ? 1 : 0;
    MPI_Waitall(2, second->both.data(), MPI_STATUSES_IGNORE);
    wrong += first.came == first.sent && second->came == second->sent ? 0 : 1;
  }
  what = wrong > 0 ? "a message of a thread" : "the handle of a new request, which is that of none before,";
  return wrong == 0 && reused > 0;
}

}  // namespace weft::mpi_programs
