// SPDX-License-Identifier: Apache-2.0
/// Receives of matched probes, whose messages know their communicator only at the probe.
#include <unordered_map>

#include "weft/recorder/messages.h"

namespace weft::recorder {

namespace {

/// Communicators of messages that were probed and not received.
std::unordered_map<MPI_Message, MPI_Comm>& probed() {
  static std::unordered_map<MPI_Message, MPI_Comm> messages;
  return messages;
}

void note_probed(MPI_Message message, MPI_Comm comm) {
  recording& r = the_recording();
  if (!r.on() || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
  const guard g(r.lock);
  probed()[message] = comm;
}

/// MPI_COMM_NULL for a message of nobody.
MPI_Comm take_probed(MPI_Message message) {
  recording& r = the_recording();
  const guard g(r.lock);
  const auto found = probed().find(message);
  if (found == probed().end()) return MPI_COMM_NULL;
  MPI_Comm comm = found->second;
  probed().erase(found);
  return comm;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Mprobe(int from, int tag, MPI_Comm c, MPI_Message* m, MPI_Status* s) {
  const int status = PMPI_Mprobe(from, tag, c, m, s);
  if (status == MPI_SUCCESS) note_probed(*m, c);
  return status;
}
int MPI_Improbe(int from, int tag, MPI_Comm c, int* flag, MPI_Message* m, MPI_Status* s) {
  const int status = PMPI_Improbe(from, tag, c, flag, m, s);
  if (status == MPI_SUCCESS && *flag != 0) note_probed(*m, c);
  return status;
}
int MPI_Mrecv(void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Status* s) {
  MPI_Comm comm = take_probed(*m);
  return receive(mpi_function::Mrecv, buffer_of(b, n, t), comm == MPI_COMM_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE,
                 MPI_ANY_TAG, comm, s, [&](MPI_Status* own) { return PMPI_Mrecv(b, n, t, m, own); });
}
int MPI_Imrecv(void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Request* q) {
  MPI_Comm comm = take_probed(*m);
  return begin_receive(mpi_function::Imrecv, buffer_of(b, n, t), comm == MPI_COMM_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE,
                       MPI_ANY_TAG, comm, q, [&] { return PMPI_Imrecv(b, n, t, m, q); });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
