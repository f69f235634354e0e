// SPDX-License-Identifier: Apache-2.0
/// Probes. A matched one decides which message is received, whatever the order in which the program takes them; so it
/// is told as the receive, and MPI_Mrecv() as a completion of no request. Others take time alone.
#include <unordered_map>

#include "weft/recorder/messages.h"

namespace weft::recorder {

namespace {

/// Communicators of messages that were probed, are in the trace and were not received.
std::unordered_map<MPI_Message, MPI_Comm>& probed() {
  static std::unordered_map<MPI_Message, MPI_Comm> messages;
  return messages;
}

/// MPI_COMM_NULL for a message that is not in the trace, such as one of nobody.
MPI_Comm take_probed(MPI_Message message) {
  recording& r = the_recording();
  const guard g(r.lock);
  const auto found = probed().find(message);
  if (found == probed().end()) return MPI_COMM_NULL;
  MPI_Comm comm = found->second;
  probed().erase(found);
  return comm;
}

/// A probe with the status of what it found. \p found: whether it found something, null if it waits for that
template <typename Call>
int probe(mpi_function f, int from, int tag, MPI_Comm comm, const int* found, const MPI_Message* message,
          MPI_Status* status, Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_somebody(from)) return call(status);
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  call_times times;
  const int result = call(used);
  times.returned();
  const guard g(r.lock);
  if (result != MPI_SUCCESS) return result;
  if (found != nullptr && *found == 0) return r.pass(times), result;
  trace_call c = receiving(f, {}, from, tag, comm, r);
  if (tell_receive(r, c, MPI_BYTE, comm, *used, times)) probed()[*message] = comm;
  return result;
}

/// A probe that receives nothing.
template <typename Call>
int look(Call call) {
  recording& r = the_recording();
  if (!r.on()) return call();
  call_times times;
  const int result = call();
  times.returned();
  const guard g(r.lock);
  r.pass(times);
  return result;
}

/// \p call receives a message that was probed; \p received is called if it has, and with the trace's lock.
template <typename Call, typename Received>
int take(mpi_function f, Call call, Received received) {
  recording& r = the_recording();
  call_times times;
  const int result = call();
  times.returned();
  if (result != MPI_SUCCESS) return result;
  const guard g(r.lock);
  trace_call c;
  c.kind = call_kind::Completion;
  c.function = f;
  if (r.begin_telling(c, MPI_COMM_WORLD, MPI_BYTE, times)) r.tell(c);
  received(r);
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Probe(int from, int tag, MPI_Comm c, MPI_Status* s) {
  return look([&] { return PMPI_Probe(from, tag, c, s); });
}
int MPI_Iprobe(int from, int tag, MPI_Comm c, int* flag, MPI_Status* s) {
  return look([&] { return PMPI_Iprobe(from, tag, c, flag, s); });
}
int MPI_Mprobe(int from, int tag, MPI_Comm c, MPI_Message* m, MPI_Status* s) {
  return probe(mpi_function::Mprobe, from, tag, c, nullptr, m, s,
               [&](MPI_Status* own) { return PMPI_Mprobe(from, tag, c, m, own); });
}
int MPI_Improbe(int from, int tag, MPI_Comm c, int* flag, MPI_Message* m, MPI_Status* s) {
  return probe(mpi_function::Improbe, from, tag, c, flag, m, s,
               [&](MPI_Status* own) { return PMPI_Improbe(from, tag, c, flag, m, own); });
}
int MPI_Mrecv(void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Status* s) {
  MPI_Comm comm = take_probed(*m);
  if (comm == MPI_COMM_NULL) return PMPI_Mrecv(b, n, t, m, s);
  MPI_Status own;
  MPI_Status* const used = s == MPI_STATUS_IGNORE ? &own : s;
  return take(
      mpi_function::Mrecv, [&] { return PMPI_Mrecv(b, n, t, m, used); },
      [&](recording& r) { cut_arrived(r, mpi_function::Mrecv, comm, buffer_of(b, n, t), *used); });
}
int MPI_Imrecv(void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Request* q) {
  MPI_Comm comm = take_probed(*m);
  if (comm == MPI_COMM_NULL) return PMPI_Imrecv(b, n, t, m, q);
  return take(
      mpi_function::Imrecv, [&] { return PMPI_Imrecv(b, n, t, m, q); },
      [&](recording& r) {
        open_request o = waiting_receive(r, mpi_function::Imrecv, buffer_of(b, n, t), comm);
        o.told = true;
        r.open(*q, std::move(o));
      });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
