// SPDX-License-Identifier: Apache-2.0
/// The start and end of the program, and functions that create and free communicators.
#include "weft/mpi/recorder/calls.h"

namespace weft::recorder {

namespace {

/// Registers a new communicator made from \p parent.
int made(int status, MPI_Comm parent, const MPI_Comm* comm, int tag = NoTag) {
  recording& r = the_recording();
  if (status != MPI_SUCCESS || !r.on() || *comm == MPI_COMM_NULL) return status;
  const guard g(r.lock);
  r.add_group(parent, *comm, tag);
  return status;
}

template <typename Handle>
void remove(Handle handle) {
  recording& r = the_recording();
  if (!r.on()) return;
  const guard g(r.lock);
  r.remove(handle);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS) the_recording().start();
  return status;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) the_recording().start();
  return status;
}
int MPI_Finalize() {
  the_recording().stop(true);
  return PMPI_Finalize();
}
int MPI_Abort(MPI_Comm comm, int code) {
  the_recording().stop(false);
  return PMPI_Abort(comm, code);
}

int MPI_Comm_dup(MPI_Comm c, MPI_Comm* n) { return made(PMPI_Comm_dup(c, n), c, n); }
int MPI_Comm_dup_with_info(MPI_Comm c, MPI_Info i, MPI_Comm* n) { return made(PMPI_Comm_dup_with_info(c, i, n), c, n); }
int MPI_Comm_idup(MPI_Comm c, MPI_Comm* n, MPI_Request* q) {
  const int status = PMPI_Comm_idup(c, n, q);
  recording& r = the_recording();
  if (status != MPI_SUCCESS || !r.on()) return status;
  const guard g(r.lock);
  r.open_group(c, n, *q);
  return status;
}
int MPI_Comm_split(MPI_Comm c, int colour, int key, MPI_Comm* n) {
  return made(PMPI_Comm_split(c, colour, key, n), c, n);
}
int MPI_Comm_split_type(MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm* n) {
  return made(PMPI_Comm_split_type(c, type, key, i, n), c, n);
}
int MPI_Comm_create(MPI_Comm c, MPI_Group g, MPI_Comm* n) { return made(PMPI_Comm_create(c, g, n), c, n); }
int MPI_Comm_create_group(MPI_Comm c, MPI_Group g, int tag, MPI_Comm* n) {
  return made(PMPI_Comm_create_group(c, g, tag, n), c, n, tag);
}
int MPI_Cart_create(MPI_Comm c, int d, const int* sides, const int* rings, int reorder, MPI_Comm* n) {
  return made(PMPI_Cart_create(c, d, sides, rings, reorder, n), c, n);
}
int MPI_Cart_sub(MPI_Comm c, const int* kept, MPI_Comm* n) { return made(PMPI_Cart_sub(c, kept, n), c, n); }
int MPI_Graph_create(MPI_Comm c, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* n) {
  return made(PMPI_Graph_create(c, nodes, index, edges, reorder, n), c, n);
}
int MPI_Dist_graph_create(MPI_Comm c, int count, const int* nodes, const int* degrees, const int* targets,
                          const int* weights, MPI_Info i, int reorder, MPI_Comm* n) {
  return made(PMPI_Dist_graph_create(c, count, nodes, degrees, targets, weights, i, reorder, n), c, n);
}
int MPI_Dist_graph_create_adjacent(MPI_Comm c, int in, const int* from, const int* in_weights, int out, const int* to,
                                   const int* out_weights, MPI_Info i, int reorder, MPI_Comm* n) {
  return made(PMPI_Dist_graph_create_adjacent(c, in, from, in_weights, out, to, out_weights, i, reorder, n), c, n);
}
int MPI_Intercomm_create(MPI_Comm c, int leader, MPI_Comm peers, int their_leader, int tag, MPI_Comm* n) {
  return made(PMPI_Intercomm_create(c, leader, peers, their_leader, tag, n), MPI_COMM_NULL, n, tag);
}
int MPI_Intercomm_merge(MPI_Comm c, int high, MPI_Comm* n) { return made(PMPI_Intercomm_merge(c, high, n), c, n); }
int MPI_Comm_free(MPI_Comm* c) {
  remove(*c);
  return PMPI_Comm_free(c);
}
int MPI_Comm_disconnect(MPI_Comm* c) {
  remove(*c);
  return PMPI_Comm_disconnect(c);
}
int MPI_Type_free(MPI_Datatype* t) {
  remove(*t);
  return PMPI_Type_free(t);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
