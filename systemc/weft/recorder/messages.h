// SPDX-License-Identifier: Apache-2.0
/// How receives of a source and a tag are told.
#pragma once

#include <utility>

#include "weft/recorder/calls.h"

namespace weft::recorder {

/// A receive as it is posted.
trace_call receiving(mpi_function f, const buffer& into, int source, int tag, MPI_Comm comm, recording& r);

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
  call_times times;
  const int result = call(used);
  times.returned();
  const guard g(r.lock);
  if (result != MPI_SUCCESS) return result;
  trace_call c = receiving(f, into, from, tag, comm, r);
  if (tell_receive(r, c, into.type, comm, *used, times)) cut_arrived(r, f, comm, into, *used);
  return result;
}

template <typename Call>
int begin_receive(mpi_function f, const buffer& into, int from, int tag, MPI_Comm comm, MPI_Request* request,
                  Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_somebody(from)) return call();
  call_times times;
  const int status = call();
  times.returned();
  if (status != MPI_SUCCESS) return status;
  const guard g(r.lock);
  trace_call c = receiving(f, into, from, tag, comm, r);
  if (!r.begin_telling(c, comm, into.type, times)) return status;
  open_request o = waiting_receive(r, f, into, comm);
  o.number = c.request = r.next_request();
  r.tell(c);
  r.open(*request, std::move(o));
  return status;
}

}  // namespace weft::recorder
