// SPDX-License-Identifier: Apache-2.0
/// A collective as one rank calls it: what leaves the rank, what comes to it, what the trace is told.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/recorder/calls.h"

namespace weft::recorder {

/// Data for or of all members of a communicator: the same count for each, or counts and places for each.
struct spread {
  const void* base = nullptr;
  int count = 0;  ///< of each, without counts
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int* counts = nullptr;
  const int* places = nullptr;           ///< in extents of the type; in bytes with types
  const MPI_Aint* far_places = nullptr;  ///< in bytes
  const MPI_Datatype* types = nullptr;
};

class collective_call {
 public:
  collective_call(recording& r, mpi_function f, MPI_Comm comm);

  bool is_root() const { return m_rank == m_root; }
  void set_root(int root);
  void set_operation(MPI_Op op);
  void set_element(MPI_Datatype t) { m_type = t; }

  // What is sent and received, as the rules of each function have it. What stays in the rank is not cut: its own part
  // of what stands by member, what a root gathers or reduces of its own, all where it is alone.
  void sends_whole(const buffer& b);                       ///< all that this rank contributes
  void sends(const spread& s);                             ///< a part to each
  void sends_vector(const buffer& b, int first, int own);  ///< the same, its \p own from \p first on
  void receives_whole(const buffer& b);                    ///< from one other rank
  void receives(const spread& s);                          ///< a part from each
  void broadcasts(const buffer& b, int root);
  void computes(const buffer& b);  ///< the result of a reduction
  void set_bytes(std::uint64_t sent, std::uint64_t received);
  void has_counts(const int* counts, MPI_Datatype t);  ///< of parts of a vector, by member
  void finds_neighbours();

  // Of a buffer MPI_IN_PLACE.
  buffer own_part(const spread& s) const { return part(s, m_rank); }
  int members() const { return m_members; }
  int rank() const { return m_rank; }

  /// Before MPI works: cut of what leaves, copy of what is to be kept.
  void before();
  void tell(const call_times& times, bool with_request);
  /// When MPI has worked, with this result. \p request: what was begun, or null
  void after(const call_times& times, const MPI_Request* request, int status);

 private:
  buffer part(const spread& s, int i) const;
  bool is_scan() const { return m_call.function == mpi_function::Scan || m_call.function == mpi_function::Exscan; }
  bool goes_to_others() const;
  /// Parts of the data, in order, and the world rank that each is for or of.
  std::vector<std::pair<buffer, std::int64_t>> parts(const spread& s, const std::vector<int>& neighbours) const;
  void contributes_whole(const buffer& b);
  void contributes(const buffer& b);
  bool overwrites_payload() const;
  void cut(const buffer& b, trace_cut where);
  void cut_what_came();

  recording& m_recording;
  MPI_Comm m_comm;
  MPI_Datatype m_type = MPI_BYTE;
  trace_call m_call;
  int m_rank = 0;
  int m_members = 0;
  int m_root = -1;
  std::vector<int> m_to, m_from;  ///< of a neighbourhood: ranks, MPI_PROC_NULL beyond the edge of a grid
  std::vector<buffer> m_payload;  ///< all that it sends, its own part, too; parts that follow each other as one
  std::vector<buffer> m_leaving;  ///< what goes to others
  std::vector<buffer> m_coming;   ///< what comes from others
  std::vector<buffer> m_result;
  bool m_keeps = false;  ///< the payload is to be in the trace
  std::string m_kept;    ///< of it, what MPI overwrites
};

/// Makes a collective, with \p request if it does not block. \p describe says what is in it.
template <typename Describe, typename Call>
int collect(mpi_function f, MPI_Comm comm, const MPI_Request* request, Describe describe, Call call) {
  recording& r = the_recording();
  if (!r.on()) return call();
  std::unique_ptr<collective_call> told;
  bool covered = true;
  {
    const guard g(r.lock);
    const group_of& group = r.group(comm);
    covered = group.covered;
    if (!group.inter && covered) {
      told = std::make_unique<collective_call>(r, f, comm);
      describe(*told);
      told->before();
    }
  }
  return make_call(
      [&](const call_times& times) {
        if (!covered) {
          r.tell_others(f, times);
        } else if (!told) {
          r.tell_uncovered(mpi_function::IntercommCollective, times);
          r.say_uncut_between_groups(f);
        } else {
          told->tell(times, r.concurrent() || request != nullptr);
        }
      },
      call,
      [&](int status, const call_times& times) {
        if (told) told->after(times, request, status);
      });
}

}  // namespace weft::recorder
