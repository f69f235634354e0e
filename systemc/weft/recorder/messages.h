// SPDX-License-Identifier: Apache-2.0
/// How receives of a source and a tag are told.
#pragma once

#include <utility>

#include "weft/recorder/calls.h"

namespace weft::recorder {

/// A receive as it is posted.
trace_call receiving(mpi_function f, const buffer& into, int source, int tag, MPI_Comm comm, recording& r);

/// The beginning of a receive of \p type, which gets a request. \return false if its processes are not covered
bool begin_receiving(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const call_times& times);

/// A receive of \p type that has ended. \return false if its processes are not covered
bool tell_receive(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const MPI_Status& status,
                  const call_times& times);

/// The request of a receive.
open_request waiting_receive(recording& r, mpi_function f, const buffer& into, MPI_Comm comm);

template <typename Call>
int receive(mpi_function f, const buffer& into, int from, int tag, MPI_Comm comm, MPI_Status* status, Call call) {
  recording& r = the_recording();
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  if (!r.on() || !is_somebody(from)) return call(status);
  trace_call c;
  bool covered = true;
  return make_call(
      [&](const call_times& times) {
        c = receiving(f, into, from, tag, comm, r);
        covered = r.concurrent() ? begin_receiving(r, c, into.type, comm, times)
                                 : tell_receive(r, c, into.type, comm, *used, times);
      },
      [&] { return call(used); },
      [&](int result, const call_times& times) {
        if (!covered) return;
        const bool came = result == MPI_SUCCESS;
        if (r.concurrent()) {
          trace_call end = end_of(c, result);
          if (came) put_arrival(end, r, comm, *used);
          r.tell_end(end, times);
        }
        if (came) cut_arrived(r, f, comm, into, *used);
      });
}

template <typename Call>
int begin_receive(mpi_function f, const buffer& into, int from, int tag, MPI_Comm comm, MPI_Request* request,
                  Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_somebody(from)) return call();
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
