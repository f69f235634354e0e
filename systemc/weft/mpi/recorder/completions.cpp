// SPDX-License-Identifier: Apache-2.0
/// Functions that complete requests.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "weft/mpi/recorder/calls.h"

namespace weft::recorder {

trace_completion arrival(recording& r, MPI_Comm comm, const MPI_Status& status) {
  trace_completion came;
  came.received = true;
  came.source = r.group(comm).world(status.MPI_SOURCE);
  came.tag = status.MPI_TAG;
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  came.bytes = bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  return came;
}

trace_call end_of(const trace_call& begun, int status) {
  trace_call c;
  c.kind = call_kind::Completion;
  c.function = begun.function;
  c.continues = true;
  c.completions.emplace_back();
  c.completions.back().request = begun.request;
  c.completions.back().cancelled = status != MPI_SUCCESS;
  return c;
}

void put_arrival(trace_call& end, recording& r, MPI_Comm comm, const MPI_Status& status) {
  const std::uint32_t request = end.completions.back().request;
  end.completions.back() = arrival(r, comm, status);
  end.completions.back().request = request;
}

void truncate_received(recording& r, mpi_function f, MPI_Comm comm, buffer into, const MPI_Status& status) {
  if (!r.truncates(truncation_point::Receiver) || r.group(comm).world(status.MPI_SOURCE) == r.rank()) return;
  const std::uint64_t came = arrival(r, comm, status).bytes, one = r.type(into.type).size;
  if (one == 0) return;
  into.count = (came + one - 1) / one;  // the last item may be incomplete
  r.truncate_first(came, into, f, status.MPI_TAG, came);
}

completions::completions(mpi_function f, int count, const MPI_Request* requests)
    : m_statuses(static_cast<std::size_t>(std::max(count, 0))) {
  m_call.kind = call_kind::Completion;
  m_call.function = f;
  recording& r = the_recording();
  const guard g(r.lock);
  for (std::size_t i = 0; i < m_statuses.size(); ++i) m_open.push_back(r.take(requests[i]));
  r.pass(times);
}

void completions::ended(int i, const MPI_Status& status) {
  recording& r = the_recording();
  auto& taken = m_open[static_cast<std::size_t>(i)];
  if (taken.empty()) return;
  if (taken.mapped().made) {
    taken.mapped().made();
    taken = {};
    return;
  }
  if (taken.mapped().recorded) {
    if (taken.mapped().arrived) taken.mapped().arrived(status);
    m_recorded = true;
    taken = {};
    return;
  }
  if (taken.mapped().number == 0) return;
  open_request* const o = &taken.mapped();
  trace_completion done;
  int cancelled = 0;
  PMPI_Test_cancelled(&status, &cancelled);
  if (o->receives && cancelled == 0) {
    done = arrival(r, o->communicator, status);
    if (o->arrived) o->arrived(status);
  } else if (o->arrived) {
    o->arrived(status);  // a collective
  }
  done.request = o->number;
  done.cancelled = cancelled != 0;
  m_call.completions.push_back(done);
  o->number = 0;
  if (!o->persistent) taken = {};
}

void completions::all_ended() {
  for (std::size_t i = 0; i < m_statuses.size(); ++i) ended(static_cast<int>(i), m_statuses[i]);
}

void completions::record(MPI_Status* to, int count) {
  if (to != MPI_STATUSES_IGNORE && to != MPI_STATUS_IGNORE) std::copy_n(m_statuses.begin(), std::max(count, 0), to);
  recording& r = the_recording();
  for (auto& taken : m_open)
    if (!taken.empty()) r.put_back(std::move(taken));
  if (m_call.completions.empty() && !m_recorded) return r.pass(times);
  if (r.fill_in(m_call, MPI_COMM_WORLD, MPI_BYTE, times)) r.record(m_call);
}

namespace {

/// Implements the functions that complete any number of their requests.
/// \param call makes the call with the recorder's statuses
/// \param end calls \p ended for each completed request, and returns the number of statuses for the program
template <typename Call, typename End>
int complete(mpi_function f, int count, MPI_Request* requests, MPI_Status* statuses, Call call, End end) {
  recording& r = the_recording();
  if (!r.on()) return call(statuses);
  completions ended(f, count, requests);
  const int result = call(count > 0 ? ended.statuses() : statuses);
  ended.times.returned();
  const guard g(r.lock);
  const int ended_count = result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS ? end(ended) : 0;
  ended.record(statuses, count > 0 ? ended_count : 0);
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Wait(MPI_Request* q, MPI_Status* s) {
  return complete(
      mpi_function::Wait, 1, q, s, [&](MPI_Status* own) { return PMPI_Wait(q, own); },
      [](completions& c) { return c.all_ended(), 1; });
}
int MPI_Test(MPI_Request* q, int* flag, MPI_Status* s) {
  return complete(
      mpi_function::Test, 1, q, s, [&](MPI_Status* own) { return PMPI_Test(q, flag, own); },
      [&](completions& c) { return *flag != 0 ? (c.all_ended(), 1) : 0; });
}
int MPI_Waitall(int n, MPI_Request* q, MPI_Status* s) {
  return complete(
      mpi_function::Waitall, n, q, s, [&](MPI_Status* own) { return PMPI_Waitall(n, q, own); },
      [&](completions& c) { return c.all_ended(), n; });
}
int MPI_Testall(int n, MPI_Request* q, int* flag, MPI_Status* s) {
  return complete(
      mpi_function::Testall, n, q, s, [&](MPI_Status* own) { return PMPI_Testall(n, q, flag, own); },
      [&](completions& c) { return *flag != 0 ? (c.all_ended(), n) : 0; });
}
int MPI_Waitany(int n, MPI_Request* q, int* index, MPI_Status* s) {
  return complete(
      mpi_function::Waitany, n, q, s, [&](MPI_Status* own) { return PMPI_Waitany(n, q, index, own); },
      [&](completions& c) {
        if (*index != MPI_UNDEFINED) c.ended(*index, *c.statuses());
        return 1;
      });
}
int MPI_Testany(int n, MPI_Request* q, int* index, int* flag, MPI_Status* s) {
  return complete(
      mpi_function::Testany, n, q, s, [&](MPI_Status* own) { return PMPI_Testany(n, q, index, flag, own); },
      [&](completions& c) {
        if (*flag != 0 && *index != MPI_UNDEFINED) c.ended(*index, *c.statuses());
        return *flag != 0 ? 1 : 0;
      });
}
int MPI_Waitsome(int n, MPI_Request* q, int* done, int* indices, MPI_Status* s) {
  return complete(
      mpi_function::Waitsome, n, q, s, [&](MPI_Status* own) { return PMPI_Waitsome(n, q, done, indices, own); },
      [&](completions& c) {
        const int ended = *done == MPI_UNDEFINED ? 0 : *done;
        for (int i = 0; i < ended; ++i) c.ended(indices[i], c.statuses()[i]);
        return ended;
      });
}
int MPI_Testsome(int n, MPI_Request* q, int* done, int* indices, MPI_Status* s) {
  return complete(
      mpi_function::Testsome, n, q, s, [&](MPI_Status* own) { return PMPI_Testsome(n, q, done, indices, own); },
      [&](completions& c) {
        const int ended = *done == MPI_UNDEFINED ? 0 : *done;
        for (int i = 0; i < ended; ++i) c.ended(indices[i], c.statuses()[i]);
        return ended;
      });
}
int MPI_Request_free(MPI_Request* q) {
  recording& r = the_recording();
  if (r.on()) {
    const guard g(r.lock);
    r.close(*q);
  }
  return PMPI_Request_free(q);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
