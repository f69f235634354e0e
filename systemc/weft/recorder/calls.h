// SPDX-License-Identifier: Apache-2.0
/// What the wrapped functions share: a call is measured, made by PMPI, and told.
///
/// A wrapper has the C linkage of the function that it stands for, in this namespace: it is that function.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "weft/recorder/recording.h"

namespace weft::recorder {

/// Makes \p call. What it begins is told by \p tell, with the lock: when it has gone well, or before, where threads may
/// call at once. \p end is called last, with the lock and what MPI returned.
template <typename Tell, typename Call, typename End>
int make_call(Tell tell, Call call, End end) {
  recording& r = the_recording();
  call_times times;
  if (r.concurrent()) {
    const guard g(r.lock);
    tell(times);
  }
  const int status = call();
  times.returned();
  const guard g(r.lock);
  if (r.concurrent())
    r.pass(times);
  else if (status == MPI_SUCCESS)
    tell(times);
  end(status, times);
  return status;
}

/// Begins to tell of requests that may have ended. They are out of the recording while MPI works, since a handle that
/// MPI frees may be that of another thread's new request before this one holds the lock again.
class completions {
 public:
  completions(mpi_function f, int count, const MPI_Request* requests);

  /// Where MPI puts what became of them.
  MPI_Status* statuses() { return m_statuses.data(); }
  /// MPI said that request \p i, whose status is \p status, has ended.
  void ended(int i, const MPI_Status& status);
  /// All of them, with the statuses in statuses().
  void all_ended();
  /// After the last one; statuses go to \p to, the program's, unless it ignores them. What has not ended goes back.
  void tell(MPI_Status* to, int count);

  call_times times;

 private:
  std::vector<recording::open_requests::node_type> m_open;  ///< empty: none of ours, or it has ended
  std::vector<MPI_Status> m_statuses;
  trace_call m_call;
  bool m_told = false;  ///< a request of a matched probe's message has ended
};

/// Whether \p rank is one that data go to: not MPI_PROC_NULL.
constexpr bool is_somebody(int rank) { return rank != MPI_PROC_NULL; }

/// Who sent what \p status tells of, its tag and its length.
trace_completion arrival(recording& r, MPI_Comm comm, const MPI_Status& status);

/// The end of a call that was told as \p begun, with its request; where it failed, nothing came or went.
trace_call end_of(const trace_call& begun, int status);
/// Its last request has received what \p status tells of.
void put_arrival(trace_call& end, recording& r, MPI_Comm comm, const MPI_Status& status);

/// Cuts what came by a message to \p into, which \p f received.
void cut_arrived(recording& r, mpi_function f, MPI_Comm comm, buffer into, const MPI_Status& status);

}  // namespace weft::recorder
