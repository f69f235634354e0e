// SPDX-License-Identifier: Apache-2.0
/// Point-to-point messages: blocking, with a request, and persistent.
#include <utility>

#include "weft/mpi/recorder/messages.h"

namespace weft::recorder {

trace_call receiving(mpi_function f, const buffer& into, int source, int tag, MPI_Comm comm, recording& r) {
  trace_call c;
  c.kind = call_kind::Receive;
  c.function = f;
  c.any_source = source == MPI_ANY_SOURCE;
  c.any_tag = tag == MPI_ANY_TAG;
  c.peer = c.any_source ? AnyRank : r.group(comm).world(source);
  c.tag = c.any_tag ? AnyTag : tag;
  c.bytes = r.bytes(into);
  return c;
}

bool begin_receiving(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const call_times& times) {
  if (!r.fill_in(c, comm, type, times)) return false;
  c.request = r.next_request();
  r.record(c);
  return true;
}

bool record_receive(recording& r, trace_call& c, MPI_Datatype type, MPI_Comm comm, const MPI_Status& status,
                    const call_times& times) {
  if (!r.fill_in(c, comm, type, times)) return false;
  const trace_completion came = arrival(r, comm, status);
  c.peer = came.source;
  c.tag = came.tag;
  c.bytes = came.bytes;
  r.record(c);
  return true;
}

open_request waiting_receive(recording& r, mpi_function f, const buffer& into, MPI_Comm comm) {
  open_request o;
  o.receives = true;
  o.communicator = comm;
  if (r.truncates(truncation_point::Receiver))
    o.arrived = [&r, f, into, comm](const MPI_Status& status) { truncate_received(r, f, comm, into, status); };
  return o;
}

namespace {

trace_call sending(mpi_function f, send_mode mode, int tag) {
  trace_call c;
  c.kind = call_kind::Send;
  c.function = f;
  c.mode = mode;
  c.tag = tag;
  return c;
}

/// Truncates data at the sender before MPI reads the data.
void truncate_sent(mpi_function f, const buffer& sent, int to, int tag, MPI_Comm comm) {
  recording& r = the_recording();
  if (!r.on() || !r.truncates(truncation_point::Sender)) return;
  const guard g(r.lock);
  if (r.leaves(comm, to)) r.truncate(sent, f, tag, r.bytes(sent));
}

void record_with_payload(recording& r, const trace_call& c, const buffer& sent) {
  if (r.keeps_payload())
    r.record(c, {sent});
  else
    r.record(c);
}

/// Records a send.
/// \param with_request whether the send gets a request; a send with processes that are not in the trace gets none
void record_send(recording& r, trace_call& c, const buffer& sent, int to, MPI_Comm comm, const call_times& times,
                 bool with_request) {
  if (!r.fill_in(c, comm, sent.type, times)) return;
  if (with_request) c.request = r.next_request();
  c.peer = r.group(comm).world(to);
  c.bytes = r.bytes(sent);
  record_with_payload(r, c, sent);
}

template <typename Call>
int send(mpi_function f, send_mode mode, const buffer& sent, int to, int tag, MPI_Comm comm, Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_real_rank(to)) return call();
  truncate_sent(f, sent, to, tag, comm);
  trace_call c = sending(f, mode, tag);
  return make_call([&](const call_times& times) { record_send(r, c, sent, to, comm, times, r.concurrent()); }, call,
                   [&](int status, const call_times& times) {
                     if (c.request != 0) r.record_completion(end_of(c, status), times);
                   });
}

template <typename Call>
int begin_send(mpi_function f, send_mode mode, const buffer& sent, int to, int tag, MPI_Comm comm, MPI_Request* request,
               Call call) {
  recording& r = the_recording();
  if (!r.on() || !is_real_rank(to)) return call();
  truncate_sent(f, sent, to, tag, comm);
  trace_call c = sending(f, mode, tag);
  return make_call([&](const call_times& times) { record_send(r, c, sent, to, comm, times, true); }, call,
                   [&](int status, const call_times&) {
                     if (status != MPI_SUCCESS || c.request == 0) return;
                     open_request o;
                     o.number = c.request;
                     o.communicator = comm;
                     r.open(*request, std::move(o));
                   });
}

/// Registers a persistent request, which is recorded when it is started.
void keep(recording& r, trace_call c, const buffer& data, MPI_Comm comm, MPI_Request request) {
  open_request o = c.kind == call_kind::Receive ? waiting_receive(r, c.function, data, comm) : open_request{};
  o.communicator = comm;
  o.sent = data;
  o.persistent = std::make_shared<trace_call>(std::move(c));
  r.open(request, std::move(o));
}

template <typename Call>
int init_send(send_mode mode, const buffer& sent, int to, int tag, MPI_Comm comm, MPI_Request* request, Call call) {
  recording& r = the_recording();
  const int status = call();
  if (!r.on() || !is_real_rank(to) || status != MPI_SUCCESS) return status;
  const guard g(r.lock);
  trace_call c = sending(mpi_function::Start, mode, tag);
  c.peer = r.group(comm).world(to);
  keep(r, std::move(c), sent, comm, *request);
  return status;
}

/// Records the start of persistent requests.
void record_started(mpi_function f, int count, const MPI_Request* requests, const call_times& times) {
  recording& r = the_recording();
  bool first = true;
  for (int i = 0; i < count; ++i) {
    open_request* const o = r.find(requests[i]);
    if (o == nullptr || !o->persistent) continue;
    trace_call c = *o->persistent;
    c.function = f;
    if (!r.fill_in(c, o->communicator, o->sent.type, times)) continue;
    if (!std::exchange(first, false)) {
      c.continues = true;
      c.computing = c.inside = 0;
    }
    o->number = c.request = r.next_request();
    c.bytes = r.bytes(o->sent);
    if (o->receives) o->arrived = waiting_receive(r, f, o->sent, o->communicator).arrived;
    if (c.kind == call_kind::Send)
      record_with_payload(r, c, o->sent);
    else
      r.record(c);
  }
}

int start(mpi_function f, int count, MPI_Request* requests) {
  recording& r = the_recording();
  const auto call = [&] { return f == mpi_function::Start ? PMPI_Start(requests) : PMPI_Startall(count, requests); };
  if (!r.on()) return call();
  if (r.truncates(truncation_point::Sender)) {
    const guard g(r.lock);
    for (int i = 0; i < count; ++i)
      if (open_request* const o = r.find(requests[i]))
        if (o->persistent && o->persistent->kind == call_kind::Send && r.group(o->communicator).covered &&
            o->persistent->peer != r.rank())
          r.truncate(o->sent, f, o->persistent->tag, r.bytes(o->sent));
  }
  return make_call([&](const call_times& times) { record_started(f, count, requests, times); }, call,
                   [](int, const call_times&) {});
}

/// The two parts of MPI_Sendrecv(): a send and a receive that begin together, and their end.
struct exchanged {
  mpi_function function;
  buffer sent;
  int to, tag;
  buffer into;
  int from, its_tag;
  MPI_Comm communicator;

  bool sends() const { return is_real_rank(to); }
  bool receives() const { return is_real_rank(from); }
};

/// Records the beginning of an exchange.
/// \param payload payload for the trace; null: none
/// \return the end of the call, without the received message; it ends nothing if the processes are not in the trace
trace_call begin_exchange(recording& r, const exchanged& x, const buffer* payload, const call_times& times) {
  trace_call end;
  end.kind = call_kind::Completion;
  end.function = x.function;
  end.continues = true;
  trace_call c = sending(x.function, send_mode::Standard, x.tag);
  if (!r.fill_in(c, x.communicator, x.sends() ? x.sent.type : x.into.type, times)) return end;
  end.inside = std::exchange(c.inside, 0);
  if (x.sends()) {
    c.peer = r.group(x.communicator).world(x.to);
    c.bytes = r.bytes(x.sent);
    c.request = r.next_request();
    if (payload != nullptr)
      r.record(c, {*payload});
    else
      r.record(c);
    end.completions.emplace_back();
    end.completions.back().request = c.request;
  }
  if (x.receives()) {
    trace_call second = receiving(x.function, x.into, x.from, x.its_tag, x.communicator, r);
    second.communicator = c.communicator;
    second.element = r.type(x.into.type).element;
    second.continues = x.sends();
    second.computing = x.sends() ? 0 : c.computing;
    second.request = r.next_request();
    r.record(second);
    end.completions.emplace_back();
    end.completions.back().request = second.request;
  }
  return end;
}

template <typename Call>
int exchange(const exchanged& x, MPI_Status* status, Call call) {
  recording& r = the_recording();
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  if (!r.on() || (!x.sends() && !x.receives())) return call(status);
  buffer payload = x.sent;
  std::string kept;  // copy of the data if the send and receive buffers overlap
  bool keeps = false;
  if (x.sends()) {
    truncate_sent(x.function, x.sent, x.to, x.tag, x.communicator);
    const guard g(r.lock);
    keeps = r.keeps_payload();
    if (keeps && x.sent.base == x.into.base) {
      kept = r.packed({x.sent});
      payload = {kept.data(), kept.size(), MPI_BYTE};
    }
  }
  trace_call end;
  return make_call([&](const call_times& times) { end = begin_exchange(r, x, keeps ? &payload : nullptr, times); },
                   [&] { return call(used); },
                   [&](int result, const call_times& times) {
                     if (end.completions.empty()) return;
                     const bool came = result == MPI_SUCCESS && x.receives();
                     if (came) put_arrival(end, r, x.communicator, *used);
                     r.record_completion(end, times);
                     if (came) truncate_received(r, x.function, x.communicator, x.into, *used);
                   });
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int MPI_Send(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return send(mpi_function::Send, send_mode::Standard, buffer_of(b, n, t), to, tag, c,
              [&] { return PMPI_Send(b, n, t, to, tag, c); });
}
int MPI_Bsend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return send(mpi_function::Bsend, send_mode::Buffered, buffer_of(b, n, t), to, tag, c,
              [&] { return PMPI_Bsend(b, n, t, to, tag, c); });
}
int MPI_Ssend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return send(mpi_function::Ssend, send_mode::Synchronous, buffer_of(b, n, t), to, tag, c,
              [&] { return PMPI_Ssend(b, n, t, to, tag, c); });
}
int MPI_Rsend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return send(mpi_function::Rsend, send_mode::Ready, buffer_of(b, n, t), to, tag, c,
              [&] { return PMPI_Rsend(b, n, t, to, tag, c); });
}
int MPI_Isend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return begin_send(mpi_function::Isend, send_mode::Standard, buffer_of(b, n, t), to, tag, c, q,
                    [&] { return PMPI_Isend(b, n, t, to, tag, c, q); });
}
int MPI_Ibsend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return begin_send(mpi_function::Ibsend, send_mode::Buffered, buffer_of(b, n, t), to, tag, c, q,
                    [&] { return PMPI_Ibsend(b, n, t, to, tag, c, q); });
}
int MPI_Issend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return begin_send(mpi_function::Issend, send_mode::Synchronous, buffer_of(b, n, t), to, tag, c, q,
                    [&] { return PMPI_Issend(b, n, t, to, tag, c, q); });
}
int MPI_Irsend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return begin_send(mpi_function::Irsend, send_mode::Ready, buffer_of(b, n, t), to, tag, c, q,
                    [&] { return PMPI_Irsend(b, n, t, to, tag, c, q); });
}
int MPI_Recv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s) {
  return receive(mpi_function::Recv, buffer_of(b, n, t), from, tag, c, s,
                 [&](MPI_Status* own) { return PMPI_Recv(b, n, t, from, tag, c, own); });
}
int MPI_Irecv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* q) {
  return begin_receive(mpi_function::Irecv, buffer_of(b, n, t), from, tag, c, q,
                       [&] { return PMPI_Irecv(b, n, t, from, tag, c, q); });
}
int MPI_Sendrecv(const void* b, int n, MPI_Datatype t, int to, int tag, void* into, int most, MPI_Datatype type,
                 int from, int its_tag, MPI_Comm c, MPI_Status* s) {
  return exchange(
      {mpi_function::Sendrecv, buffer_of(b, n, t), to, tag, buffer_of(into, most, type), from, its_tag, c}, s,
      [&](MPI_Status* own) { return PMPI_Sendrecv(b, n, t, to, tag, into, most, type, from, its_tag, c, own); });
}
int MPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int to, int tag, int from, int its_tag, MPI_Comm c,
                         MPI_Status* s) {
  const buffer both = buffer_of(b, n, t);
  return exchange({mpi_function::SendrecvReplace, both, to, tag, both, from, its_tag, c}, s,
                  [&](MPI_Status* own) { return PMPI_Sendrecv_replace(b, n, t, to, tag, from, its_tag, c, own); });
}
int MPI_Send_init(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return init_send(send_mode::Standard, buffer_of(b, n, t), to, tag, c, q,
                   [&] { return PMPI_Send_init(b, n, t, to, tag, c, q); });
}
int MPI_Bsend_init(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return init_send(send_mode::Buffered, buffer_of(b, n, t), to, tag, c, q,
                   [&] { return PMPI_Bsend_init(b, n, t, to, tag, c, q); });
}
int MPI_Ssend_init(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return init_send(send_mode::Synchronous, buffer_of(b, n, t), to, tag, c, q,
                   [&] { return PMPI_Ssend_init(b, n, t, to, tag, c, q); });
}
int MPI_Rsend_init(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* q) {
  return init_send(send_mode::Ready, buffer_of(b, n, t), to, tag, c, q,
                   [&] { return PMPI_Rsend_init(b, n, t, to, tag, c, q); });
}
int MPI_Recv_init(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* q) {
  recording& r = the_recording();
  const int status = PMPI_Recv_init(b, n, t, from, tag, c, q);
  if (!r.on() || !is_real_rank(from) || status != MPI_SUCCESS) return status;
  const guard g(r.lock);
  const buffer into = buffer_of(b, n, t);
  keep(r, receiving(mpi_function::Start, into, from, tag, c, r), into, c, *q);
  return status;
}
int MPI_Start(MPI_Request* q) { return start(mpi_function::Start, 1, q); }
int MPI_Startall(int n, MPI_Request* q) { return start(mpi_function::Startall, n, q); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

}  // namespace weft::recorder
