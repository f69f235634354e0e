// SPDX-License-Identifier: Apache-2.0
/// Helpers of the wrapped MPI functions, which measure a call, carry it out through PMPI, and record it. A wrapper has
/// C linkage, so it replaces the MPI function of its name although it is declared in this namespace.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "weft/mpi/recorder/recording.h"

namespace weft::recorder {

/// Makes \p call. \p record records its beginning with the lock held: after success or, if threads may call MPI
/// concurrently, before the call. \p end is called last, with the lock held and with the result of MPI.
template <typename Record, typename Call, typename End>
int make_call(Record record, Call call, End end) {
  recording& r = the_recording();
  call_times times;
  if (r.concurrent()) {
    const guard g(r.lock);
    record(times);
  }
  const int status = call();
  times.returned();
  const guard g(r.lock);
  if (r.concurrent())
    r.pass(times);
  else if (status == MPI_SUCCESS)
    record(times);
  end(status, times);
  return status;
}

/// Records the completion of requests. The constructor takes the requests out of the recording while MPI works. This is
/// necessary because MPI may reuse a freed handle for a new request of another thread before this thread holds the lock
/// again.
class completions {
 public:
  completions(mpi_function f, int count, const MPI_Request* requests);

  /// Returns the statuses, which MPI fills in.
  MPI_Status* statuses() { return m_statuses.data(); }
  /// Records that request \p i has ended with \p status.
  void ended(int i, const MPI_Status& status);
  /// Records that all requests have ended with the statuses in statuses().
  void all_ended();
  /// Records the completion. Call it after the last ended(). Copies the statuses to \p to, the program's array, unless
  /// the program ignores them. Requests that have not ended return to the recording.
  void record(MPI_Status* to, int count);

  call_times times;

 private:
  std::vector<recording::open_requests::node_type> m_open;  ///< empty if the request is not recorded or has ended
  std::vector<MPI_Status> m_statuses;
  trace_call m_call;
  bool m_recorded = false;  ///< whether a request for a message from a matched probe has ended
};

/// Whether \p rank is a rank and not MPI_PROC_NULL.
constexpr bool is_real_rank(int rank) { return rank != MPI_PROC_NULL; }

/// Returns the source, tag and length of the message that \p status describes.
trace_completion arrival(recording& r, MPI_Comm comm, const MPI_Status& status);

/// Returns the end of a call that was recorded as \p begun, with its request. If the call failed, no message was sent
/// or received.
trace_call end_of(const trace_call& begun, int status);
/// Records in \p end that its last request has received the message that \p status describes.
void put_arrival(trace_call& end, recording& r, MPI_Comm comm, const MPI_Status& status);

/// Truncates the message that \p f received in \p into.
void truncate_received(recording& r, mpi_function f, MPI_Comm comm, buffer into, const MPI_Status& status);

}  // namespace weft::recorder
