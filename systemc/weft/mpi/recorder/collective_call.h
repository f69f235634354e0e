// SPDX-License-Identifier: Apache-2.0
/// A collective call of one rank. It consists of the data that leave the rank, the data that arrive, and their record
/// in the trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/mpi/recorder/calls.h"

namespace weft::recorder {

/// Data for or from all members of a communicator. Either all members have the same count, or each has its own count
/// and displacement.
struct spread {
  const void* base = nullptr;
  int count = 0;  ///< count for each member if `counts` is null
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int* counts = nullptr;
  const int* places = nullptr;           ///< displacements in extents of the type or, if `types` is set, in bytes
  const MPI_Aint* far_places = nullptr;  ///< displacements in bytes
  const MPI_Datatype* types = nullptr;
};

class collective_call {
 public:
  collective_call(recording& r, mpi_function f, MPI_Comm comm);

  bool is_root() const { return m_rank == m_root; }
  void set_root(int root);
  void set_operation(MPI_Op op);
  void set_element(MPI_Datatype t) { m_type = t; }

  // The following functions describe the buffers of the call, according to the rules of each MPI function. Data that
  // stay in the rank are not truncated. These are the rank's part for itself, the data that a root contributes to its
  // own result, and everything if the rank is the only member.
  void sends_whole(const buffer& b);                       ///< the contribution of this rank as a whole
  void sends(const spread& s);                             ///< a separate part for each member
  void sends_vector(const buffer& b, int first, int own);  ///< a vector; \p own elements from \p first on stay here
  void receives_whole(const buffer& b);                    ///< the data from one other rank as a whole
  void receives(const spread& s);                          ///< a separate part from each member
  void broadcasts(const buffer& b, int root);
  void computes(const buffer& b);  ///< the result of a reduction
  void set_bytes(std::uint64_t sent, std::uint64_t received);
  void has_counts(const int* counts, MPI_Datatype t);  ///< counts of the parts of a vector, by member
  void finds_neighbours();

  // Returns the own part of data that are in place (MPI_IN_PLACE).
  buffer own_part(const spread& s) const { return part(s, m_rank); }
  int members() const { return m_members; }
  int rank() const { return m_rank; }

  /// Call before MPI works: truncates the data that leave, and copies payload that MPI will overwrite.
  void before();
  void record(const call_times& times, bool with_request);
  /// Call after MPI has worked.
  /// \param request the request that was started, or null
  /// \param status the result of MPI
  void after(const call_times& times, const MPI_Request* request, int status);

 private:
  buffer part(const spread& s, int i) const;
  bool is_scan() const { return m_call.function == mpi_function::Scan || m_call.function == mpi_function::Exscan; }
  bool goes_to_others() const;
  /// Returns the parts of the data in order, each with the world rank that sends or receives the part.
  std::vector<std::pair<buffer, std::int64_t>> parts(const spread& s, const std::vector<int>& neighbours) const;
  void contributes_whole(const buffer& b);
  void contributes(const buffer& b);
  bool overwrites_payload() const;
  void truncate(const buffer& b, truncation_point where);
  void truncate_incoming();

  recording& m_recording;
  MPI_Comm m_comm;
  MPI_Datatype m_type = MPI_BYTE;
  trace_call m_call;
  int m_rank = 0;
  int m_members = 0;
  int m_root = -1;
  std::vector<int> m_to, m_from;  ///< for neighborhoods: the neighbors; MPI_PROC_NULL beyond the edge of a grid
  std::vector<buffer> m_payload;  ///< everything that the rank sends, also to itself; adjacent parts are merged
  std::vector<buffer> m_leaving;  ///< data for other ranks
  std::vector<buffer> m_coming;   ///< data from other ranks
  std::vector<buffer> m_result;
  bool m_keeps = false;  ///< whether the payload is to be stored in the trace
  std::string m_kept;    ///< the payload that MPI overwrites
};

/// Makes a collective call and records it.
/// \param request the request of a non-blocking call, otherwise null
/// \param describe describes the data of the call
template <typename Describe, typename Call>
int collect(mpi_function f, MPI_Comm comm, const MPI_Request* request, Describe describe, Call call) {
  recording& r = the_recording();
  if (!r.on()) return call();
  std::unique_ptr<collective_call> recorded;
  bool covered = true;
  {
    const guard g(r.lock);
    const group_of& group = r.group(comm);
    covered = group.covered;
    if (!group.inter && covered) {
      recorded = std::make_unique<collective_call>(r, f, comm);
      describe(*recorded);
      recorded->before();
    }
  }
  return make_call(
      [&](const call_times& times) {
        if (!covered) {
          r.record_other_processes(f, times);
        } else if (!recorded) {
          r.record_uncovered(mpi_function::IntercommCollective, times);
          r.warn_not_truncated_between_groups(f);
        } else {
          recorded->record(times, r.concurrent() || request != nullptr);
        }
      },
      call,
      [&](int status, const call_times& times) {
        if (recorded) recorded->after(times, request, status);
      });
}

}  // namespace weft::recorder
