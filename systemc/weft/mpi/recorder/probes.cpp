// SPDX-License-Identifier: Apache-2.0
/// Probes. A matched probe determines which message is received, whatever the order in which the program receives the
/// messages. Therefore the probe is recorded as the receive, and MPI_Mrecv() as a completion without a request. For all
/// other probes, only the time is recorded.
#include <unordered_map>

#include "weft/mpi/recorder/messages.h"

namespace weft::recorder {

namespace {

/// The communicators of probed messages that are in the trace and have not been received.
std::unordered_map<MPI_Message, MPI_Comm>& probed() {
  static std::unordered_map<MPI_Message, MPI_Comm> messages;
  return messages;
}

/// Returns and removes the communicator of a probed message; MPI_COMM_NULL for a message that is not in the trace, such
/// as a message from MPI_PROC_NULL.
MPI_Comm take_probed(MPI_Message message) {
  recording& r = the_recording();
  const guard g(r.lock);
  const auto found = probed().find(message);
  if (found == probed().end()) return MPI_COMM_NULL;
  MPI_Comm comm = found->second;
  probed().erase(found);
  return comm;
}

/// A probe with the status of the message that it found.
/// \param found whether the probe found a message; null if the probe blocks until it has found one
template <typename Call>
int probe(mpi_function f, int from, int tag, MPI_Comm comm, const int* found, const MPI_Message* message,
          MPI_Status* status, Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_real_rank(from)) return call(status);
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  call_times times;
  const int result = call(used);
  times.returned();
  const guard g(r.lock);
  if (result != MPI_SUCCESS) return result;
  if (found != nullptr && *found == 0) return r.pass(times), result;
  trace_call c = receiving(f, {}, from, tag, comm, r);
  if (record_receive(r, c, MPI_BYTE, comm, *used, times)) probed()[*message] = comm;
  return result;
}

/// A probe that receives no message.
template <typename Call>
int probe_only(Call call) {
  recording& r = the_recording();
  if (!r.on()) return call();
  call_times times;
  const int result = call();
  times.returned();
  const guard g(r.lock);
  r.pass(times);
  return result;
}

/// Makes \p call, which receives a probed message. If it succeeds, calls \p received with the lock of the trace held.
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
  if (r.fill_in(c, MPI_COMM_WORLD, MPI_BYTE, times)) r.record(c);
  received(r);
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Probe(int from, int tag, MPI_Comm c, MPI_Status* s) {
  return probe_only([&] { return PMPI_Probe(from, tag, c, s); });
}
int MPI_Iprobe(int from, int tag, MPI_Comm c, int* flag, MPI_Status* s) {
  return probe_only([&] { return PMPI_Iprobe(from, tag, c, flag, s); });
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
      [&](recording& r) { truncate_received(r, mpi_function::Mrecv, comm, buffer_of(b, n, t), *used); });
}
int MPI_Imrecv(void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Request* q) {
  MPI_Comm comm = take_probed(*m);
  if (comm == MPI_COMM_NULL) return PMPI_Imrecv(b, n, t, m, q);
  return take(
      mpi_function::Imrecv, [&] { return PMPI_Imrecv(b, n, t, m, q); },
      [&](recording& r) {
        open_request o = waiting_receive(r, mpi_function::Imrecv, buffer_of(b, n, t), comm);
        o.recorded = true;
        r.open(*q, std::move(o));
      });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
