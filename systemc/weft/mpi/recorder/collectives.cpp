// SPDX-License-Identifier: Apache-2.0
/// Collective functions, blocking and non-blocking. Parameters: s, n and t are the sent data, their count and their
/// type; r, m and u are the same for received data; at and into are displacements; c is the communicator.
#include "weft/mpi/recorder/collective_call.h"

namespace weft::recorder {

namespace {

bool in_place(const void* b) { return b == MPI_IN_PLACE; }

spread each(const void* base, int count, MPI_Datatype type) {
  spread s;
  s.base = base;
  s.count = count;
  s.type = type;
  return s;
}

spread make_spread(const void* base, const int* counts, const int* places, MPI_Datatype type) {
  spread s = each(base, 0, type);
  s.counts = counts;
  s.places = places;
  return s;
}

spread typed(const void* base, const int* counts, const int* places, const MPI_Datatype* types) {
  spread s = make_spread(base, counts, places, MPI_DATATYPE_NULL);
  s.types = types;
  return s;
}

spread far(const void* base, const int* counts, const MPI_Aint* places, const MPI_Datatype* types) {
  spread s = typed(base, counts, nullptr, types);
  s.far_places = places;
  return s;
}

void gathers(collective_call& call, const buffer& own, const spread& all, int root) {
  call.set_root(root);
  call.sends_whole(!in_place(own.base) ? own : call.own_part(all));
  if (call.is_root()) call.receives(all);
}

void scatters(collective_call& call, const spread& all, const buffer& own, int root) {
  call.set_root(root);
  if (call.is_root()) call.sends(all);
  if (!call.is_root()) call.receives_whole(own);
}

void gathers_for_all(collective_call& call, const buffer& own, const spread& all) {
  call.sends_whole(in_place(own.base) ? call.own_part(all) : own);
  call.receives(all);
}

void exchanges(collective_call& call, const spread& sent, const spread& received) {
  call.sends(in_place(sent.base) ? received : sent);
  call.receives(received);
}

void reduces(collective_call& call, const void* s, const buffer& result, MPI_Op op) {
  call.set_operation(op);
  call.sends_whole(in_place(s) ? result : buffer{const_cast<void*>(s), result.count, result.type});
  call.computes(result);
}

void reduces_to(collective_call& call, const void* s, const buffer& result, MPI_Op op, int root) {
  call.set_root(root);
  if (call.is_root()) return reduces(call, s, result, op);
  call.set_operation(op);
  call.sends_whole({const_cast<void*>(s), result.count, result.type});
}

void reduces_parts(collective_call& call, const void* s, void* r, const int* counts, int each_count, MPI_Datatype t,
                   MPI_Op op) {
  const auto count_of = [&](int member) { return counts != nullptr ? counts[member] : each_count; };
  int all = 0, first = 0;
  for (int i = 0; i < call.members(); ++i) {
    if (i == call.rank()) first = all;
    all += count_of(i);
  }
  const int own = count_of(call.rank());
  call.set_operation(op);
  call.sends_vector(buffer_of(in_place(s) ? r : s, all, t), first, own);
  call.computes(buffer_of(r, own, t));
  if (counts != nullptr) call.has_counts(counts, t);
}

}  // namespace

// WEFT_BOTH(function, parameters, arguments, description) defines the blocking and the non-blocking function.
#define WEFT_LIST(...) __VA_ARGS__
#define WEFT_BOTH(Number, Blocking, Starting, Parameters, Arguments, Description)                \
  int MPI_##Blocking(WEFT_LIST Parameters) {                                                     \
    return collect(                                                                              \
        mpi_function::Number, c, nullptr, [&](collective_call& call) { WEFT_LIST Description; }, \
        [&] { return PMPI_##Blocking(WEFT_LIST Arguments); });                                   \
  }                                                                                              \
  int MPI_##Starting(WEFT_LIST Parameters, MPI_Request* q) {                                     \
    return collect(                                                                              \
        mpi_function::Number, c, q, [&](collective_call& call) { WEFT_LIST Description; },       \
        [&] { return PMPI_##Starting(WEFT_LIST Arguments, q); });                                \
  }

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

WEFT_BOTH(Barrier, Barrier, Ibarrier, (MPI_Comm c), (c), (call.set_bytes(0, 0)))
WEFT_BOTH(Bcast, Bcast, Ibcast, (void* s, int n, MPI_Datatype t, int root, MPI_Comm c), (s, n, t, root, c),
          (call.broadcasts(buffer_of(s, n, t), root)))
WEFT_BOTH(Gather, Gather, Igather,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, int root, MPI_Comm c),
          (s, n, t, r, m, u, root, c), (gathers(call, buffer_of(s, n, t), each(r, m, u), root)))
WEFT_BOTH(Gatherv, Gatherv, Igatherv,
          (const void* s, int n, MPI_Datatype t, void* r, const int* m, const int* into, MPI_Datatype u, int root,
           MPI_Comm c),
          (s, n, t, r, m, into, u, root, c), (gathers(call, buffer_of(s, n, t), make_spread(r, m, into, u), root)))
WEFT_BOTH(Scatter, Scatter, Iscatter,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, int root, MPI_Comm c),
          (s, n, t, r, m, u, root, c), (scatters(call, each(s, n, t), buffer_of(r, m, u), root)))
WEFT_BOTH(Scatterv, Scatterv, Iscatterv,
          (const void* s, const int* n, const int* at, MPI_Datatype t, void* r, int m, MPI_Datatype u, int root,
           MPI_Comm c),
          (s, n, at, t, r, m, u, root, c), (scatters(call, make_spread(s, n, at, t), buffer_of(r, m, u), root)))
WEFT_BOTH(Allgather, Allgather, Iallgather,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, r, m, u, c),
          (gathers_for_all(call, buffer_of(s, n, t), each(r, m, u))))
WEFT_BOTH(Allgatherv, Allgatherv, Iallgatherv,
          (const void* s, int n, MPI_Datatype t, void* r, const int* m, const int* into, MPI_Datatype u, MPI_Comm c),
          (s, n, t, r, m, into, u, c), (gathers_for_all(call, buffer_of(s, n, t), make_spread(r, m, into, u))))
WEFT_BOTH(Alltoall, Alltoall, Ialltoall,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, r, m, u, c),
          (exchanges(call, each(s, n, t), each(r, m, u))))
WEFT_BOTH(Alltoallv, Alltoallv, Ialltoallv,
          (const void* s, const int* n, const int* at, MPI_Datatype t, void* r, const int* m, const int* into,
           MPI_Datatype u, MPI_Comm c),
          (s, n, at, t, r, m, into, u, c), (exchanges(call, make_spread(s, n, at, t), make_spread(r, m, into, u))))
WEFT_BOTH(Alltoallw, Alltoallw, Ialltoallw,
          (const void* s, const int* n, const int* at, const MPI_Datatype* t, void* r, const int* m, const int* into,
           const MPI_Datatype* u, MPI_Comm c),
          (s, n, at, t, r, m, into, u, c), (exchanges(call, typed(s, n, at, t), typed(r, m, into, u))))
WEFT_BOTH(Reduce, Reduce, Ireduce, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
          (s, r, n, t, op, root, c), (reduces_to(call, s, buffer_of(r, n, t), op, root)))
WEFT_BOTH(Allreduce, Allreduce, Iallreduce, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
          (s, r, n, t, op, c), (reduces(call, s, buffer_of(r, n, t), op)))
WEFT_BOTH(ReduceScatter, Reduce_scatter, Ireduce_scatter,
          (const void* s, void* r, const int* n, MPI_Datatype t, MPI_Op op, MPI_Comm c), (s, r, n, t, op, c),
          (reduces_parts(call, s, r, n, 0, t, op)))
WEFT_BOTH(ReduceScatterBlock, Reduce_scatter_block, Ireduce_scatter_block,
          (const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c), (s, r, n, t, op, c),
          (reduces_parts(call, s, r, nullptr, n, t, op)))
WEFT_BOTH(Scan, Scan, Iscan, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
          (s, r, n, t, op, c), (reduces(call, s, buffer_of(r, n, t), op)))
WEFT_BOTH(Exscan, Exscan, Iexscan, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
          (s, r, n, t, op, c), (reduces(call, s, buffer_of(r, n, t), op)))
WEFT_BOTH(NeighborAllgather, Neighbor_allgather, Ineighbor_allgather,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, r, m, u, c),
          (call.finds_neighbours(), gathers_for_all(call, buffer_of(s, n, t), each(r, m, u))))
WEFT_BOTH(NeighborAllgatherv, Neighbor_allgatherv, Ineighbor_allgatherv,
          (const void* s, int n, MPI_Datatype t, void* r, const int* m, const int* into, MPI_Datatype u, MPI_Comm c),
          (s, n, t, r, m, into, u, c),
          (call.finds_neighbours(), gathers_for_all(call, buffer_of(s, n, t), make_spread(r, m, into, u))))
WEFT_BOTH(NeighborAlltoall, Neighbor_alltoall, Ineighbor_alltoall,
          (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, r, m, u, c),
          (call.finds_neighbours(), exchanges(call, each(s, n, t), each(r, m, u))))
WEFT_BOTH(NeighborAlltoallv, Neighbor_alltoallv, Ineighbor_alltoallv,
          (const void* s, const int* n, const int* at, MPI_Datatype t, void* r, const int* m, const int* into,
           MPI_Datatype u, MPI_Comm c),
          (s, n, at, t, r, m, into, u, c),
          (call.finds_neighbours(), exchanges(call, make_spread(s, n, at, t), make_spread(r, m, into, u))))
WEFT_BOTH(NeighborAlltoallw, Neighbor_alltoallw, Ineighbor_alltoallw,
          (const void* s, const int* n, const MPI_Aint* at, const MPI_Datatype* t, void* r, const int* m,
           const MPI_Aint* into, const MPI_Datatype* u, MPI_Comm c),
          (s, n, at, t, r, m, into, u, c),
          (call.finds_neighbours(), exchanges(call, far(s, n, at, t), far(r, m, into, u))))

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

#undef WEFT_BOTH
#undef WEFT_LIST

}  // namespace weft::recorder
