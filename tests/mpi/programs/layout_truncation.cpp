// SPDX-License-Identifier: Apache-2.0
/// Shows which doubles the recorder truncates if they are not contiguous in memory. The test of the recorder has the
/// expected values; change both together.
#include "programs.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "weft/core/lsb_cut.h"

namespace weft::mpi_programs {

namespace {

using doubles = std::vector<double>;

/// For each double: `c` it is truncated, `-` it is not.
template <typename Values>
std::string marks(const Values& values) {
  std::string text;
  for (const double value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    text += after_cut(bits, 30, true) == bits ? 'c' : '-';
  }
  return text;
}

/// Two doubles on the heap and two on the stack, far from each other.
struct far_apart {
  doubles heap{1. / 3, 2. / 3};
  std::array<double, 2> stack{4. / 3, 5. / 3};
};
const std::array<double, 2> Constant{7. / 3, 8. / 3};

constexpr int Twos[] = {2, 2};
constexpr int Ways = 4;

/// A type with two doubles at each address; \p way selects the constructor.
MPI_Datatype type_of(const double* first, const double* second, int way) {
  const MPI_Datatype elements[] = {MPI_DOUBLE, MPI_DOUBLE};
  std::array<MPI_Aint, 2> at{};
  MPI_Get_address(first, &at[0]);
  MPI_Get_address(second, &at[1]);
  MPI_Datatype listed = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  if (way == 0) MPI_Type_create_hindexed(2, Twos, at.data(), MPI_DOUBLE, &type);
  if (way == 1) MPI_Type_create_hindexed_block(2, 2, at.data(), MPI_DOUBLE, &type);
  if (way == 2) MPI_Type_create_struct(2, Twos, at.data(), elements, &type);
  if (way == 3) {
    MPI_Type_create_hindexed(2, Twos, at.data(), MPI_DOUBLE, &listed);
    MPI_Type_create_resized(listed, 0, 64, &type);
    MPI_Type_free(&listed);
  }
  MPI_Type_commit(&type);
  return type;
}

}  // namespace

bool bottom_truncation(const place& at, std::string& what) {
  what = "the number of ranks, 2";
  if (at.ranks != 2) return false;
  MPI_Comm c = MPI_COMM_WORLD;
  const bool sends = at.rank == 0;
  /// \p call gets the type, which is relative to MPI_BOTTOM.
  const auto row = [&](const char* name, int way, auto call) {
    far_apart f;
    MPI_Datatype type = type_of(f.heap.data(), f.stack.data(), way);
    const std::string came = call(type);
    MPI_Type_free(&type);
    if (!sends) std::printf("%s %s\n", name, (came.empty() ? marks(f.heap) + marks(f.stack) : came).c_str());
  };
  for (int way = 0; way < Ways; ++way)
    row("Send", way, [&](MPI_Datatype t) {
      sends ? MPI_Send(MPI_BOTTOM, 1, t, 1, 0, c) : MPI_Recv(MPI_BOTTOM, 1, t, 0, 0, c, MPI_STATUS_IGNORE);
      return std::string();
    });
  row("Isend", 0, [&](MPI_Datatype t) {
    MPI_Request q = MPI_REQUEST_NULL;
    sends ? MPI_Isend(MPI_BOTTOM, 1, t, 1, 0, c, &q) : MPI_Irecv(MPI_BOTTOM, 1, t, 0, 0, c, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    return std::string();
  });
  row("Bcast", 0, [&](MPI_Datatype t) {
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, c);
    return std::string();
  });
  row("Gather", 0, [&](MPI_Datatype t) {
    doubles all(8);
    MPI_Gather(MPI_BOTTOM, 1, t, all.data(), 4, MPI_DOUBLE, 1, c);
    return marks(all);
  });
  row("Ssend_half_constant", 0, [&](MPI_Datatype t) {
    const doubles changing{1. / 3, 2. / 3};
    MPI_Datatype half = type_of(changing.data(), Constant.data(), 0);
    sends ? MPI_Ssend(MPI_BOTTOM, 1, half, 1, 0, c) : MPI_Recv(MPI_BOTTOM, 1, t, 0, 0, c, MPI_STATUS_IGNORE);
    MPI_Type_free(&half);
    return std::string();
  });
  return true;
}

bool part_truncation(const place& at, std::string& what) {
  what = "the number of ranks, 2";
  if (at.ranks != 2) return false;
  MPI_Datatype every_second = MPI_DATATYPE_NULL, three = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &every_second);
  MPI_Type_contiguous(3, MPI_DOUBLE, &three);
  for (MPI_Datatype* const type : {&every_second, &three}) {
    MPI_Type_commit(type);
    for (const int sent : {2, 5}) {
      const doubles from(5, 1. / 3);
      doubles into(10, 2. / 3);
      if (at.rank == 0) MPI_Send(from.data(), sent, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
      if (at.rank == 0) continue;
      MPI_Recv(into.data(), 2, *type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      std::printf("%s\n", marks(into).c_str());
    }
    MPI_Type_free(type);
  }
  return true;
}

bool hollow_truncation(const place& at, std::string& what) {
  what = "the number of ranks, 2";
  if (at.ranks != 2) return false;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  what = "memory with a hole";
  void* const pages = mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || munmap(static_cast<char*>(pages) + page, page) != 0) return false;
  auto* const first = static_cast<double*>(pages);
  double* const second = first + 2 * page / sizeof(double);
  for (int i = 0; i < 2; ++i) first[i] = second[i] = 1. / 3 + i;
  MPI_Datatype both = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(2, 2, static_cast<MPI_Aint>(2 * page), MPI_DOUBLE, &both);
  MPI_Type_commit(&both);
  if (at.rank == 0)
    MPI_Send(first, 1, both, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(first, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&both);
  if (at.rank == 1) std::printf("%s\n", marks(doubles{first[0], first[1], second[0], second[1]}).c_str());
  return true;
}

bool between_groups(const place& at, std::string& what) {
  what = "the number of ranks, 2";
  if (at.ranks != 2) return false;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - at.rank, 0, &between);
  MPI_Barrier(between);
  const double own = 1. / 3 + at.rank;
  double came = 0;
  for (int i = 0; i < 2; ++i) MPI_Allgather(&own, 1, MPI_DOUBLE, &came, 1, MPI_DOUBLE, between);
  MPI_Comm_free(&between);
  what = "data of the other group";
  return came == 1. / 3 + (1 - at.rank);
}

}  // namespace weft::mpi_programs
