// SPDX-License-Identifier: Apache-2.0
/// Records receives, which have a source and a tag.
#pragma once

#include <utility>

#include "weft/mpi/recorder/calls.h"

namespace weft::recorder {

/// Returns the record of a receive, with the data that are known when the receive is posted.
trace_call receiving(mpi_function f, const buffer& into, int source, int tag, MPI_Comm comm, recording& r);

/// Records the beginning of a receive of \p type and gives it a request. \return false if its processes are not in the
/// trace
bool begin_receiving(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const call_times& times);

/// Records a completed receive of \p type. \return false if its processes are not in the trace
bool record_receive(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const MPI_Status& status,
                    const call_times& times);

/// Returns the request of a receive.
open_request waiting_receive(recording& r, mpi_function f, const buffer& into, MPI_Comm comm);

template <typename Call>
int receive(mpi_function f, const buffer& into, int from, int tag, MPI_Comm comm, MPI_Status* status, Call call) {
  recording& r = the_recording();
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  if (!r.on() || !is_real_rank(from)) return call(status);
  trace_call c;
  bool covered = true;
  return make_call(
      [&](const call_times& times) {
        c = receiving(f, into, from, tag, comm, r);
        covered = r.concurrent() ? begin_receiving(r, c, into.type, comm, times)
                                 : record_receive(r, c, into.type, comm, *used, times);
      },
      [&] { return call(used); },
      [&](int result, const call_times& times) {
        if (!covered) return;
        const bool came = result == MPI_SUCCESS;
        if (r.concurrent()) {
          trace_call end = end_of(c, result);
          if (came) put_arrival(end, r, comm, *used);
          r.record_completion(end, times);
        }
        if (came) truncate_received(r, f, comm, into, *used);
      });
}

template <typename Call>
int begin_receive(mpi_function f, const buffer& into, int from, int tag, MPI_Comm comm, MPI_Request* request,
                  Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_real_rank(from)) return call();
  trace_call c;
  return make_call(
      [&](const call_times& times) {
        c = receiving(f, into, from, tag, comm, r);
        begin_receiving(r, c, into.type, comm, times);
      },
      call,
      [&](int status, const call_times&) {
        if (status != MPI_SUCCESS || c.request == 0) return;
        open_request o = waiting_receive(r, f, into, comm);
        o.number = c.request;
        r.open(*request, std::move(o));
      });
}

}  // namespace weft::recorder
