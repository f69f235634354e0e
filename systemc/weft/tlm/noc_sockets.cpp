// SPDX-License-Identifier: Apache-2.0
// The callbacks of the sockets: blocking and non-blocking transport, debug, direct memory; initiators first, then
// targets.
#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "weft/tlm/noc.h"
#include "weft/tlm/noc_transactions.h"

namespace weft::tlm2 {

namespace {

/// Restores address and length of a transaction; if its target throws, also everything else that the target may have
/// set.
class restored_range {
 public:
  explicit restored_range(::tlm::tlm_generic_payload& t)
      : m_t(t),
        m_address(t.get_address()),
        m_length(t.get_data_length()),
        m_status(t.get_response_status()),
        m_dmi_allowed(t.is_dmi_allowed()) {}
  ~restored_range() {
    m_t.set_address(m_address);
    m_t.set_data_length(m_length);
    if (std::uncaught_exceptions() == m_exceptions) return;
    m_t.set_response_status(m_status);
    m_t.set_dmi_allowed(m_dmi_allowed);
  }
  restored_range(const restored_range&) = delete;
  restored_range& operator=(const restored_range&) = delete;

 private:
  ::tlm::tlm_generic_payload& m_t;
  const std::uint64_t m_address;
  const unsigned m_length;
  const ::tlm::tlm_response_status m_status;
  const bool m_dmi_allowed;
  const int m_exceptions = std::uncaught_exceptions();
};

}  // namespace

void noc_base::blocking(int n, transaction& t, sc_core::sc_time& delay) {
  const auto node = static_cast<node_id>(n);
  const mapped_range* where = nullptr;
  t.set_dmi_allowed(false);
  if (const refusal why = examine(t, where); why.rule != nullptr) return reject(node, t, why);
  const std::uint64_t address = t.get_address();
  const ::tlm::tlm_response_status status = t.get_response_status();
  const sc_core::sc_time local = sc_core::sc_time_stamp() + delay;
  begin_transaction(node);
  try {
    if (is_cycle())
      travel(node, t, *where, delay);
    else
      annotate(node, t, *where, delay);
  } catch (...) {  // the target throws, or the thread is reset or killed
    if (!is_cycle()) end_transaction(node);
    t.set_address(address);
    t.set_response_status(status);
    t.set_dmi_allowed(false);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    delay = local > now ? local - now : sc_core::SC_ZERO_TIME;
    throw;
  }
}

void noc_base::annotate(node_id node, transaction& t, const mapped_range& where, sc_core::sc_time& delay) {
  const std::uint64_t address = t.get_address();
  const auto now = [&] { return sc_core::sc_time_stamp() + delay; };
  const sc_core::sc_time begin = now();
  count_calls(node, begin);
  const message outgoing = request_message(t, where, next_part(t, 0));
  delay += contended(node, where.node, outgoing, begin);
  t.set_address(target_address(where, address));
  const sc_core::sc_time arrival = now();
  target(where.node).b_transport(t, delay);
  t.set_address(address);
  if (now() < arrival && !std::exchange(m_nodes[where.node].goes_back, true))
    warn(where.node, "target",
         "b_transport() ends before it began, because it overwrites its delay, which contains the time of the network; "
         "add to it instead. Later cases are not reported.");
  check_status(t, where.node);
  delay += wait_at_target(node, where.node, arrival, now());
  const message answer = response_message(outgoing.type, !t.is_read() || !t.is_response_ok(), t.get_data_length());
  delay += contended(where.node, node, answer, now());
  // An initiator that ignores its delays may call again and again at the same time.
  constexpr std::size_t MostCalls = 64;
  if (m_contention != nullptr && m_nodes[node].calls.size() < MostCalls) m_nodes[node].calls.push_back({begin, now()});
  t.set_dmi_allowed(t.is_dmi_allowed() && m_parameters.allow_dmi);
  end_transaction(node);
}

void noc_base::count_calls(node_id node, const sc_core::sc_time& begin) {
  node_state& state = m_nodes[node];
  const auto is_over = [&](const node_state::call& c) { return c.end <= begin; };
  state.calls.erase(std::remove_if(state.calls.begin(), state.calls.end(), is_over), state.calls.end());
  const auto runs = [&](const node_state::call& c) { return c.begin <= begin; };
  state.alongside = static_cast<std::uint64_t>(std::count_if(state.calls.begin(), state.calls.end(), runs));
}

void noc_base::travel(node_id node, transaction& t, const mapped_range& where, sc_core::sc_time& delay) {
  request& r = m_request_pool->acquire(node, t, where);
  r.blocking = true;
  if (r.done == nullptr) r.done = std::make_unique<sc_core::sc_event>();
  m_agenda.schedule(delay, [this, &r] { begin_request(&r); });
  try {
    while (!r.answered) sc_core::wait(*r.done);
    if (r.thrown != nullptr) std::rethrow_exception(r.thrown);
  } catch (...) {
    abandon(r);
    throw;
  }
  m_request_pool->release(r);
  delay = sc_core::SC_ZERO_TIME;
  end_transaction(node);
}

void noc_base::abandon(request& r) {
  r.abandoned = true;
  if (r.has_left() && !r.answered) {
    r.kept = std::make_unique<kept_transaction>(*r.t);
    r.t = &r.kept->payload;
    return;
  }
  end_transaction(r.node);
  if (!r.begun) return;  // begin_request() releases it
  node_state& node = m_nodes[r.node];
  if (!r.answered)
    node.to_inject.remove(&r);
  else if (r.blocking)
    r.done->cancel();
  else if (node.responding == &r)
    node.responding = nullptr;
  else
    node.answered.remove(&r);
  m_agenda.schedule(sc_core::SC_ZERO_TIME, [this, n = r.node] { pump(n); });
  m_request_pool->release(r);
}

void noc_base::discard(request& r) {
  const std::exception_ptr thrown = r.thrown;
  end_transaction(r.node);
  m_request_pool->release(r);
  if (thrown != nullptr) std::rethrow_exception(thrown);  // no thread waits that could catch it
}

void noc_base::reset_initiator(node_id node) {
  std::vector<request*> own;
  for (const auto& [t, r] : m_by_transaction)
    if (r->node == node) own.push_back(r);
  m_nodes[node].requesting = nullptr;
  for (request* const r : own) {
    transaction& t = *r->t;
    m_by_transaction.erase(&t);
    abandon(*r);
    t.release();
  }
}

void noc_base::begin_transaction(node_id initiator) {
  ++m_in_flight;
  ++m_nodes[initiator].outstanding;
}

void noc_base::end_transaction(node_id initiator) {
  --m_in_flight;
  --m_nodes[initiator].outstanding;
}

::tlm::tlm_sync_enum noc_base::forward(int n, transaction& t, phase_t& phase, sc_core::sc_time& delay) {
  const auto node = static_cast<node_id>(n);
  node_state& state = m_nodes[node];
  const auto known = m_by_transaction.find(&t);
  if (phase == ::tlm::END_RESP) {
    if (known == m_by_transaction.end() || known->second != state.responding) {
      warn(node, "initiator", "END_RESP of a transaction that has no response");
      return known == m_by_transaction.end() ? ::tlm::TLM_COMPLETED : ::tlm::TLM_ACCEPTED;
    }
    end_response(*known->second, delay);
    return ::tlm::TLM_COMPLETED;
  }
  if (phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP) {
    warn(node, "initiator", name_of(phase) + " on the forward path; it is ignored");
    return ::tlm::TLM_ACCEPTED;
  }
  if (phase != ::tlm::BEGIN_REQ) return ::tlm::TLM_ACCEPTED;  // an ignorable extended phase
  if (known != m_by_transaction.end()) {
    warn(node, "initiator", "BEGIN_REQ of a transaction that is under way; it is ignored");
    return ::tlm::TLM_ACCEPTED;
  }
  const mapped_range* where = nullptr;
  t.set_dmi_allowed(false);
  refusal why = examine(t, where);
  if (why.rule == nullptr && state.requesting != nullptr)
    why = {::tlm::TLM_GENERIC_ERROR_RESPONSE, "BEGIN_REQ comes before END_REQ of the previous request"};
  if (why.rule == nullptr && !t.has_mm())
    why = {::tlm::TLM_GENERIC_ERROR_RESPONSE, "it comes by nb_transport_fw() and has no memory manager"};
  if (why.rule != nullptr) {
    reject(node, t, why);
    return ::tlm::TLM_COMPLETED;
  }
  request* const r = &m_request_pool->acquire(node, t, *where);
  t.acquire();
  begin_transaction(node);
  m_by_transaction.emplace(&t, r);
  state.requesting = r;
  m_agenda.schedule(delay, [this, r] { begin_request(r); });
  return ::tlm::TLM_ACCEPTED;
}

unsigned noc_base::debug(int, transaction& t) {
  const std::uint64_t address = t.get_address();
  const mapped_range* const where = m_map.find(address);
  if (where == nullptr) return 0;
  const restored_range as_it_was(t);
  const unsigned length = t.get_data_length();
  const std::uint64_t left = last_of(*where) - address;
  if (length > 0 && length - 1 > left) t.set_data_length(static_cast<unsigned>(left + 1));
  t.set_address(target_address(*where, address));
  return target(where->node).transport_dbg(t);
}

bool noc_base::direct_memory(int n, transaction& t, ::tlm::tlm_dmi& dmi) {
  dmi.init();
  const std::uint64_t address = t.get_address();
  const mapped_range* const where = m_map.find(address);
  if (!m_parameters.allow_dmi || where == nullptr) {
    const address_range range = m_parameters.allow_dmi ? m_map.gap(address) : address_range{0, ~std::uint64_t{0}};
    dmi.set_start_address(range.first);
    dmi.set_end_address(range.last);
    dmi.allow_read_write();  // for a denied request, the access that is denied
    return false;
  }
  const restored_range as_it_was(t);
  t.set_address(target_address(*where, address));
  bool granted = target(where->node).get_direct_mem_ptr(t, dmi);
  const std::uint64_t base = target_address(*where, where->base), end = base + (where->size - 1);
  const std::uint64_t first = std::max<std::uint64_t>(dmi.get_start_address(), base);
  const std::uint64_t last = std::min<std::uint64_t>(dmi.get_end_address(), end);
  if (first > last) granted = false;
  if (!granted && dmi.is_none_allowed()) dmi.allow_read_write();
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
  dmi.set_start_address(where->base + (first - base));
  dmi.set_end_address(where->base + (last - base));
  const auto node = static_cast<node_id>(n);
  const unsigned bytes = bus_bytes(node);
  const auto per_byte = [&](bool write) {
    return (request_estimate(node, where->node, write, bytes) + response_estimate(node, where->node, write, bytes)) /
           static_cast<double>(bytes);
  };
  dmi.set_read_latency(dmi.get_read_latency() + per_byte(false));
  dmi.set_write_latency(dmi.get_write_latency() + per_byte(true));
  return granted;
}

::tlm::tlm_sync_enum noc_base::backward(int n, transaction& t, phase_t& phase, sc_core::sc_time& delay) {
  const auto node = static_cast<node_id>(n);
  auto* const d = dynamic_cast<delivery*>(&t);
  if (d == nullptr || d->at_target_of != this || d->destination != node) {
    warn(node, "target", name_of(phase) + " of a transaction that is not at this target");
    return ::tlm::TLM_COMPLETED;
  }
  m_nodes[node].has_answered = true;
  if (phase == ::tlm::END_REQ) {
    if (d->request_ended || d->responded) {
      warn(node, "target", "END_REQ after the request has ended; it is ignored");
      return ::tlm::TLM_ACCEPTED;
    }
    d->request_ended = true;
    m_agenda.schedule(delay, [this, d] { end_request(d); });
  } else if (phase == ::tlm::BEGIN_RESP) {
    if (d->responded) {
      warn(node, "target", "BEGIN_RESP a second time; it is ignored");
      return ::tlm::TLM_ACCEPTED;
    }
    d->responded = true;
    m_agenda.schedule(delay, [this, d] { begin_response(d); });
  } else if (phase == ::tlm::BEGIN_REQ || phase == ::tlm::END_RESP) {
    warn(node, "target", name_of(phase) + " on the backward path; it is ignored");
  }
  return ::tlm::TLM_ACCEPTED;
}

void noc_base::invalidate(int n, sc_dt::uint64 first, sc_dt::uint64 last) {
  if (!m_parameters.allow_dmi) return;  // no initiator holds a pointer
  for (const mapped_range& r : m_map.mapped_ranges()) {
    if (r.node != static_cast<node_id>(n)) continue;
    const std::uint64_t base = target_address(r, r.base), end = base + (r.size - 1);
    const std::uint64_t from = std::max<std::uint64_t>(first, base), to = std::min<std::uint64_t>(last, end);
    if (from > to) continue;
    for (node_id i = 0; i < nodes(); ++i)
      if (initiators_at(i) > 0) initiator(i).invalidate_direct_mem_ptr(r.base + (from - base), r.base + (to - base));
  }
}

}  // namespace weft::tlm2
