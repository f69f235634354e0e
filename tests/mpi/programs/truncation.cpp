// SPDX-License-Identifier: Apache-2.0
/// Shows which doubles the recorder truncates with 30 bits from 16 bytes on: for each collective, and in persistent
/// receives. The test of the recorder has the expected values; change both together.
#include "programs.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "weft/core/lsb_cut.h"

namespace weft::mpi_programs {

namespace {

using doubles = std::vector<double>;
using numbers = std::vector<int>;

constexpr int Root = 1, Two = 2;  ///< two doubles are 16 bytes

bool is_cut(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return after_cut(bits, 30, true) == bits;
}

/// For each part of the given length: `c` all doubles are truncated, `-` none is, `?` some are.
std::string marks(const doubles& values, const numbers& parts) {
  std::string text;
  std::size_t at = 0;
  for (const int length : parts) {
    int cut = 0;
    for (int i = 0; i < length; ++i) cut += is_cut(values[at++]) ? 1 : 0;
    text += cut == 0 ? '-' : cut == length ? 'c' : '?';
  }
  return text;
}

/// \p count doubles that are not truncated.
doubles uncut(int count, int rank) {
  doubles values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1. / 3 + rank + static_cast<double>(i) / 7;
  return values;
}

int sum(const numbers& parts) { return std::accumulate(parts.begin(), parts.end(), 0); }

/// The start of each part.
numbers places(const numbers& parts) {
  numbers at(parts.size(), 0);
  std::partial_sum(parts.begin(), parts.end() - 1, at.begin() + 1);
  return at;
}

/// The same in bytes.
template <typename Number>
std::vector<Number> bytes(const numbers& parts) {
  std::vector<Number> at;
  for (const int place : places(parts)) at.push_back(static_cast<Number>(place) * Number{sizeof(double)});
  return at;
}

class truncation_table {
 public:
  truncation_table(const place& at, bool starts) : m_at(at), m_starts(starts) {}

  /// Runs a call that sends and receives parts of these lengths; \p call gets both buffers.
  template <typename Call>
  void row(const std::string& name, const numbers& sent, const numbers& got, Call call) {
    doubles from = uncut(sum(sent), m_at.rank), into = uncut(sum(got), 7);
    MPI_Request q = MPI_REQUEST_NULL;
    call(from.data(), into.data(), &q);
    if (m_starts) MPI_Wait(&q, MPI_STATUS_IGNORE);
    const std::string own = name + " " + std::to_string(m_at.rank) + " " + marks(from, sent) + "/" + marks(into, got);
    std::array<char, 48> line{};
    own.copy(line.data(), line.size() - 1);
    std::vector<char> all(line.size() * static_cast<std::size_t>(m_at.ranks));
    MPI_Gather(line.data(), static_cast<int>(line.size()), MPI_CHAR, all.data(), static_cast<int>(line.size()),
               MPI_CHAR, 0, MPI_COMM_WORLD);
    for (std::size_t rank = 0; m_at.rank == 0 && rank < static_cast<std::size_t>(m_at.ranks); ++rank)
      std::printf("%s\n", &all[rank * line.size()]);
  }

  bool starts() const { return m_starts; }
  int rank() const { return m_at.rank; }
  bool is_root() const { return m_at.rank == Root; }

 private:
  const place m_at;
  const bool m_starts;
};

// Selects the blocking or the nonblocking function. `t`, `s`, `r`, `q`: table, buffers and request.
#define WEFT_CALL(Blocking, Starting, ...)                                            \
  [&](double* s, double* r, MPI_Request* q) {                                         \
    static_cast<void>(s);                                                             \
    static_cast<void>(r);                                                             \
    return t.starts() ? MPI_##Starting(__VA_ARGS__, q) : MPI_##Blocking(__VA_ARGS__); \
  }

void gathers_and_scatters(truncation_table& t, MPI_Comm c) {
  const MPI_Datatype d = MPI_DOUBLE;
  const numbers even{Two, Two, Two}, uneven{1, 2, 3}, none, at = places(uneven);
  const int own = t.rank() + 1;
  t.row("Bcast", none, {Two}, WEFT_CALL(Bcast, Ibcast, r, Two, d, Root, c));
  t.row("Gather", {Two}, t.is_root() ? even : none, WEFT_CALL(Gather, Igather, s, Two, d, r, Two, d, Root, c));
  t.row("Gather_in_place", {Two}, t.is_root() ? even : none,
        WEFT_CALL(Gather, Igather, t.is_root() ? MPI_IN_PLACE : s, Two, d, r, Two, d, Root, c));
  t.row("Gatherv", {own}, t.is_root() ? uneven : none,
        WEFT_CALL(Gatherv, Igatherv, s, own, d, r, uneven.data(), at.data(), d, Root, c));
  t.row("Scatter", t.is_root() ? even : none, {Two}, WEFT_CALL(Scatter, Iscatter, s, Two, d, r, Two, d, Root, c));
  t.row("Scatterv", t.is_root() ? uneven : none, {own},
        WEFT_CALL(Scatterv, Iscatterv, s, uneven.data(), at.data(), d, r, own, d, Root, c));
  t.row("Allgather", {Two}, even, WEFT_CALL(Allgather, Iallgather, s, Two, d, r, Two, d, c));
  t.row("Allgatherv", {own}, uneven, WEFT_CALL(Allgatherv, Iallgatherv, s, own, d, r, uneven.data(), at.data(), d, c));
}

void exchanges(truncation_table& t, MPI_Comm c) {
  const MPI_Datatype d = MPI_DOUBLE;
  // Rank r sends r + 1 doubles to every rank, so every rank receives 1, 2 and 3.
  const numbers even{Two, Two, Two}, gives(3, t.rank() + 1), gets{1, 2, 3}, from = places(gives), into = places(gets);
  const numbers from_byte = bytes<int>(gives), into_byte = bytes<int>(gets);
  const std::vector<MPI_Datatype> types(3, d);
  t.row("Alltoall", even, even, WEFT_CALL(Alltoall, Ialltoall, s, Two, d, r, Two, d, c));
  t.row("Alltoallv", gives, gets,
        WEFT_CALL(Alltoallv, Ialltoallv, s, gives.data(), from.data(), d, r, gets.data(), into.data(), d, c));
  t.row("Alltoallw", gives, gets,
        WEFT_CALL(Alltoallw, Ialltoallw, s, gives.data(), from_byte.data(), types.data(), r, gets.data(),
                  into_byte.data(), types.data(), c));
}

void reductions(truncation_table& t, MPI_Comm c) {
  const MPI_Datatype d = MPI_DOUBLE;
  const MPI_Op op = MPI_SUM;
  const numbers even{Two, Two, Two}, uneven{1, 2, 3};
  t.row("Reduce", {Two}, {Two}, WEFT_CALL(Reduce, Ireduce, s, r, Two, d, op, Root, c));
  t.row("Allreduce", {Two}, {Two}, WEFT_CALL(Allreduce, Iallreduce, s, r, Two, d, op, c));
  t.row("Reduce_scatter", uneven, {t.rank() + 1},
        WEFT_CALL(Reduce_scatter, Ireduce_scatter, s, r, uneven.data(), d, op, c));
  t.row("Reduce_scatter_block", even, {Two},
        WEFT_CALL(Reduce_scatter_block, Ireduce_scatter_block, s, r, Two, d, op, c));
  t.row("Scan", {Two}, {Two}, WEFT_CALL(Scan, Iscan, s, r, Two, d, op, c));
  t.row("Exscan", {Two}, {Two}, WEFT_CALL(Exscan, Iexscan, s, r, Two, d, op, c));
}

/// \param c a ring: each rank has the previous and the next one as neighbors
void neighbourhoods(truncation_table& t, MPI_Comm c) {
  const MPI_Datatype d = MPI_DOUBLE;
  const int own = t.rank() + 1;
  const numbers even{Two, Two}, ranks{(t.rank() + 2) % 3 + 1, (t.rank() + 1) % 3 + 1}, at = places(ranks);
  // One double to the previous rank, two to the next one.
  const numbers gives{1, 2}, gets{2, 1}, from = places(gives), into = places(gets);
  const std::vector<MPI_Aint> from_byte = bytes<MPI_Aint>(gives), into_byte = bytes<MPI_Aint>(gets);
  const std::vector<MPI_Datatype> types(2, d);
  t.row("Neighbor_allgather", {Two}, even, WEFT_CALL(Neighbor_allgather, Ineighbor_allgather, s, Two, d, r, Two, d, c));
  t.row("Neighbor_allgatherv", {own}, ranks,
        WEFT_CALL(Neighbor_allgatherv, Ineighbor_allgatherv, s, own, d, r, ranks.data(), at.data(), d, c));
  t.row("Neighbor_alltoall", even, even, WEFT_CALL(Neighbor_alltoall, Ineighbor_alltoall, s, Two, d, r, Two, d, c));
  t.row("Neighbor_alltoallv", gives, gets,
        WEFT_CALL(Neighbor_alltoallv, Ineighbor_alltoallv, s, gives.data(), from.data(), d, r, gets.data(), into.data(),
                  d, c));
  t.row("Neighbor_alltoallw", gives, gets,
        WEFT_CALL(Neighbor_alltoallw, Ineighbor_alltoallw, s, gives.data(), from_byte.data(), types.data(), r,
                  gets.data(), into_byte.data(), types.data(), c));
}

/// Calls in which a rank is alone. \param ring a grid of this rank alone, which is its own neighbor
void alone(truncation_table& t, MPI_Comm ring) {
  const MPI_Comm c = MPI_COMM_SELF;
  const MPI_Datatype d = MPI_DOUBLE;
  const MPI_Op op = MPI_SUM;
  const numbers two{Two};
  t.row("alone_Bcast", {}, two, WEFT_CALL(Bcast, Ibcast, r, Two, d, 0, c));
  t.row("alone_Gather", two, two, WEFT_CALL(Gather, Igather, s, Two, d, r, Two, d, 0, c));
  t.row("alone_Scatter", two, two, WEFT_CALL(Scatter, Iscatter, s, Two, d, r, Two, d, 0, c));
  t.row("alone_Allgather", two, two, WEFT_CALL(Allgather, Iallgather, s, Two, d, r, Two, d, c));
  t.row("alone_Alltoall", two, two, WEFT_CALL(Alltoall, Ialltoall, s, Two, d, r, Two, d, c));
  t.row("alone_Reduce", two, two, WEFT_CALL(Reduce, Ireduce, s, r, Two, d, op, 0, c));
  t.row("alone_Allreduce", two, two, WEFT_CALL(Allreduce, Iallreduce, s, r, Two, d, op, c));
  t.row("alone_Reduce_scatter", two, two, WEFT_CALL(Reduce_scatter, Ireduce_scatter, s, r, two.data(), d, op, c));
  t.row("alone_Scan", two, two, WEFT_CALL(Scan, Iscan, s, r, Two, d, op, c));
  t.row("alone_Exscan", two, two, WEFT_CALL(Exscan, Iexscan, s, r, Two, d, op, c));
  t.row("alone_Neighbor_allgather", two, {Two, Two},
        WEFT_CALL(Neighbor_allgather, Ineighbor_allgather, s, Two, d, r, Two, d, ring));
}

#undef WEFT_CALL

}  // namespace

bool persistent_truncation(const place& at, std::string& what) {
  what = "the number of ranks, 2";
  if (at.ranks != 2) return false;
  doubles values = uncut(Two, at.rank);
  MPI_Request q = MPI_REQUEST_NULL;
  if (at.rank == 0)
    MPI_Send_init(values.data(), Two, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &q);
  else
    MPI_Recv_init(values.data(), Two, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &q);
  std::string all;
  for (const bool by_startall : {false, true, false}) {
    by_startall ? MPI_Startall(1, &q) : MPI_Start(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    all += marks(values, {Two});
  }
  MPI_Request_free(&q);
  if (at.rank == 1) std::printf("%s\n", all.c_str());
  return true;
}

bool collective_truncation(const place& at, std::string& what) {
  what = "the number of ranks, 3";
  if (at.ranks != 3) return false;
  const int around = 1, one = 1;
  MPI_Comm ring = MPI_COMM_NULL, lone = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &at.ranks, &around, 0, &ring);
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &around, 0, &lone);
  for (const bool starts : {false, true}) {
    truncation_table t(at, starts);
    gathers_and_scatters(t, MPI_COMM_WORLD);
    exchanges(t, MPI_COMM_WORLD);
    reductions(t, MPI_COMM_WORLD);
    neighbourhoods(t, ring);
    alone(t, lone);
  }
  MPI_Comm_free(&lone);
  MPI_Comm_free(&ring);
  return true;
}

}  // namespace weft::mpi_programs
