// SPDX-License-Identifier: Apache-2.0
// The actions at each node after the networks have advanced: queues to the NICs, requests to targets, responses to
// initiators.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "weft/tlm/noc.h"
#include "weft/tlm/noc_transactions.h"

namespace weft::tlm2 {

namespace {

/// During its lifetime, sockets without a registered callback throw their error instead of printing it, and errors do
/// not end the simulation even if the platform limits their number.
class socket_error_guard {
 public:
  socket_error_guard() : m_limit(sc_core::sc_report_handler::stop_after(sc_core::SC_ERROR, -1)) {
    for (unsigned i = 0; i < Sockets; ++i)
      m_before[i] = sc_core::sc_report_handler::set_actions(Types[i], sc_core::SC_ERROR, sc_core::SC_THROW);
  }
  ~socket_error_guard() {
    for (unsigned i = 0; i < Sockets; ++i)
      sc_core::sc_report_handler::set_actions(Types[i], sc_core::SC_ERROR, m_before[i]);
    sc_core::sc_report_handler::stop_after(sc_core::SC_ERROR, m_limit);
  }
  socket_error_guard(const socket_error_guard&) = delete;
  socket_error_guard& operator=(const socket_error_guard&) = delete;

  static bool threw(const sc_core::sc_report& report) {
    return std::any_of(std::begin(Types), std::end(Types),
                       [&](const char* type) { return std::strcmp(type, report.get_msg_type()) == 0; });
  }

 private:
  /// Message types of passthrough_target_socket and multi_passthrough_target_socket.
  static constexpr const char* Types[] = {"/OSCI_TLM-2/passthrough_socket", "/OSCI_TLM-2/multi_socket"};
  static constexpr unsigned Sockets = 2;
  const int m_limit;
  sc_core::sc_actions m_before[Sockets];
};

}  // namespace

void noc_base::after_cycles() {
  m_moved.clear();
  m_moved.swap(m_touched);
  for (plane* p : {m_requests.get(), m_responses.get()}) {
    for (const node_id n : p->sent_from())
      if (m_traced || waits_for_room(m_nodes[n])) m_moved.push_back(n);
    p->clear_sent();
  }
  std::sort(m_moved.begin(), m_moved.end());
  m_moved.erase(std::unique(m_moved.begin(), m_moved.end()), m_moved.end());
  for (const node_id n : m_moved) pump(n);
}

void noc_base::schedule_update() {
  if (std::exchange(m_update_pending, true)) return;
  m_agenda.schedule(sc_core::SC_ZERO_TIME, [this] {
    m_update_pending = false;
    after_cycles();
  });
}

void noc_base::pump(node_id n) {
  if (is_cycle()) m_clock.catch_up();
  inject_requests(n);
  do {
    inject_responses(n);
  } while (present_requests(n));
  present_responses(n);
  update_ready(n);
  wait_for_room(n);
  node_state& node = m_nodes[n];
  node.requests_arrived = node.arrived.size();
  if (!m_traced) return;
  node.requests_waiting = requests_waiting(n);
  node.responses_waiting = responses_waiting(n);
}

void noc_base::wait_for_room(node_id n) {
  if (!is_cycle() || !waits_for_room(m_nodes[n])) return;
  if (!m_nodes[n].to_inject.empty()) m_requests->watch(n);
  if (!m_nodes[n].leaving.empty()) m_responses->watch(n);
  m_clock.schedule_next();
}

void noc_base::update_ready(node_id n) {
  if (!is_cycle()) return;
  node_state& node = m_nodes[n];
  const auto update = [&](plane& p, bool& is_ready, std::size_t waiting) {
    const bool ready = waiting < m_parameters.receive_depth;
    if (ready != is_ready) p.network().set_ready(n, ready);
    is_ready = ready;
  };
  update(*m_requests, node.accepts_requests, node.arrived.size());
  update(*m_responses, node.accepts_responses, node.answered.size());
}

void noc_base::begin_request(request* r) {
  if (r->abandoned) return m_request_pool->release(*r);
  r->begun = true;
  m_nodes[r->node].to_inject.push_back(r);
  pump(r->node);
}

noc_base::request_order& noc_base::order_between(node_id source, node_id destination) {
  std::vector<request_order>& orders = m_nodes[source].orders;
  if (orders.empty()) orders.resize(nodes());
  return orders[destination];
}

void noc_base::inject_requests(node_id n) {
  node_state& node = m_nodes[n];
  const auto has_room = [&] {
    return node.requests.size() < Tags && (!is_cycle() || m_requests->waiting(n) < m_parameters.queue_depth);
  };
  while (!node.to_inject.empty() && has_room()) {
    request& r = *node.to_inject.front();
    const burst_part part = next_part(*r.t, r.sent);
    while (node.requests.find(node.next_tag) != nullptr)
      node.next_tag = static_cast<std::uint16_t>((node.next_tag + 1) % Tags);
    node.requests.enter(node.next_tag, {&r, part.offset});
    message m = request_message(*r.t, *r.where, part);
    m.tag = node.next_tag;
    node.next_tag = static_cast<std::uint16_t>((node.next_tag + 1) % Tags);
    std::uint16_t& order = order_between(n, r.where->node).next;
    m.order = order;
    order = static_cast<std::uint16_t>((order + 1) % Orders);
    ++r.open;
    r.sent += part.length;
    const bool whole = part.is_last;
    if (whole) node.to_inject.pop_front();
    send(message_kind::Request, n, r.where->node, m);
    if (!whole || r.blocking || r.abandoned) continue;
    node.requesting = nullptr;
    phase_t phase = ::tlm::END_REQ;
    sc_core::sc_time delay;
    if (initiator(n).nb_transport_bw(*r.t, phase, delay) == ::tlm::TLM_COMPLETED)
      warn(n, "initiator", "END_REQ is answered by TLM_COMPLETED; expected TLM_ACCEPTED");
  }
}

// Calls of a target at the same time have no order, so END_REQ of one request counts before BEGIN_RESP of another: a
// response occupies a slot from the next time on, except one that ends its own request.
bool noc_base::has_room_for_response(const node_state& node) const {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  unsigned occupied = 0;
  for (const delivery* d = node.leaving.front(); d != nullptr; d = d->next)
    occupied += !d->request_ended || d->response_began < now;
  return occupied < m_parameters.receive_depth;
}

bool noc_base::present_requests(node_id n) {
  node_state& node = m_nodes[n];
  while (node.at_request == nullptr && !node.arrived.empty() && has_room_for_response(node)) {
    delivery* const d = node.arrived.pop_front();
    node.at_request = d;
    d->at_target_of = this;
    phase_t phase = ::tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    sync_t answer = ::tlm::TLM_ACCEPTED;
    if (node.caller == nullptr && !call_target(n, *d, phase, delay, answer)) call_by_b_transport(n);
    if (node.caller != nullptr) {
      d->responded = d->completed = true;  // there is no call for it on the backward path
      node.caller->start();
      continue;
    }
    if (answer == ::tlm::TLM_ACCEPTED) continue;
    node.has_answered = true;
    if (d->responded || (answer == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ && d->request_ended)) {
      warn(n, "target", "BEGIN_REQ is answered a second time, by its return value");
    } else if (answer == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ) {
      d->request_ended = true;
      m_agenda.schedule(delay, [this, d] { end_request(d); });
    } else if (answer == ::tlm::TLM_COMPLETED || phase == ::tlm::BEGIN_RESP) {
      d->responded = true;
      d->completed = answer == ::tlm::TLM_COMPLETED;
      if (delay == sc_core::SC_ZERO_TIME) {
        queue_response(d);
        return true;
      }
      m_agenda.schedule(delay, [this, d] { begin_response(d); });
    } else {
      warn(n, "target", "BEGIN_REQ is answered by TLM_UPDATED and " + name_of(phase));
    }
  }
  return false;
}

bool noc_base::call_target(node_id n, delivery& d, phase_t& phase, sc_core::sc_time& delay, sync_t& answer) {
  // Behind a bus any request may reach a different target, so every request is checked. Only the first request is
  // guarded, because the guard costs more than the call.
  std::optional<socket_error_guard> guard;
  if (!std::exchange(m_nodes[n].got_request, true)) guard.emplace();
  try {
    answer = target(n).nb_transport_fw(d, phase, delay);
    return true;
  } catch (const sc_core::sc_report& e) {
    if (!socket_error_guard::threw(e)) throw;
    return false;
  }
}

void noc_base::call_by_b_transport(node_id n) {
  if (m_nodes[n].caller == nullptr)
    m_nodes[n].caller = std::make_unique<blocking_caller>([this, n] { call_blocking(n); });
}

void noc_base::call_blocking(node_id n) {
  delivery* const d = m_nodes[n].at_request;
  sc_core::sc_time delay;
  try {
    target(n).b_transport(*d, delay);
  } catch (const sc_core::sc_unwind_exception&) {  // another process resets or kills this thread
    d->set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    m_agenda.schedule(sc_core::SC_ZERO_TIME, [this, d] { begin_response(d); });
    throw;
  } catch (...) {
    request& r = *m_nodes[d->source].requests.find(d->what.tag)->whole;
    if (!r.blocking || r.abandoned) throw;  // no thread waits that could catch it
    if (r.thrown == nullptr) r.thrown = std::current_exception();
    d->set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    delay = sc_core::SC_ZERO_TIME;
  }
  m_agenda.schedule(delay, [this, d] { begin_response(d); });
}

void noc_base::end_request(delivery* d) {
  node_state& node = m_nodes[d->destination];
  if (node.at_request == d) node.at_request = nullptr;
  pump(d->destination);
}

void noc_base::begin_response(delivery* d) {
  queue_response(d);
  pump(d->destination);
}

void noc_base::queue_response(delivery* d) {
  node_state& node = m_nodes[d->destination];
  if (node.at_request == d) node.at_request = nullptr;
  d->response_began = sc_core::sc_time_stamp();
  node.leaving.push_back(d);
}

void noc_base::inject_responses(node_id n) {
  node_state& node = m_nodes[n];
  while (!node.leaving.empty() && (!is_cycle() || m_responses->waiting(n) < m_parameters.queue_depth)) {
    delivery* const d = node.leaving.pop_front();
    check_status(*d, n);
    const bool is_extended = return_extensions(*d, *m_nodes[d->source].requests.find(d->what.tag)->whole->t);
    message m;
    m.kind = message_kind::Response;
    m.type = d->what.type;
    m.write = d->what.write;
    m.tag = d->what.tag;
    m.length = d->what.length;
    m.status = static_cast<std::uint8_t>(d->is_response_ok() ? 0 : -d->get_response_status());
    m.dmi_allowed = d->is_dmi_allowed();
    if (!m.write && m.status == 0) {
      if (d->completed)
        m.data.swap(d->what.data);  // the target no longer uses it
      else
        m.data = d->what.data;
    }
    send(message_kind::Response, n, d->source, m);
    if (!d->completed) {
      phase_t phase = ::tlm::END_RESP;
      sc_core::sc_time delay;
      target(n).nb_transport_fw(*d, phase, delay);
    }
    d->at_target_of = nullptr;
    d->is_bare = !is_extended && d->completed && d->get_ref_count() == 1;
    d->is_bare ? d->release() : release(*d);
  }
}

void noc_base::present_responses(node_id n) {
  node_state& node = m_nodes[n];
  if (node.answered.empty() || node.responding != nullptr) return;
  request* const r = node.answered.pop_front();
  node.responding = r;
  complete(*r);
  phase_t phase = ::tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  const sync_t answer = initiator(n).nb_transport_bw(*r->t, phase, delay);
  if (answer == ::tlm::TLM_ACCEPTED || node.responding != r) return;  // it may have called reset_initiator()
  if (r->ended)
    warn(n, "initiator", "BEGIN_RESP is answered a second time, by its return value");
  else if (answer == ::tlm::TLM_COMPLETED || phase == ::tlm::END_RESP)
    end_response(*r, delay);
  else
    warn(n, "initiator", "BEGIN_RESP is answered by TLM_UPDATED and " + name_of(phase));
}

void noc_base::store_answer(request& r, std::uint32_t offset, const message& m) const {
  transaction& t = *r.t;
  --r.open;
  r.dmi_allowed &= m.dmi_allowed;
  if (r.status == 0) r.status = m.status;
  if (m.write || m.status != 0 || r.abandoned) return;
  const unsigned char* const enables = t.get_byte_enable_ptr();
  for (std::uint32_t i = 0; i < m.length; ++i)
    if (enables == nullptr || enables[(offset + i) % t.get_byte_enable_length()] == TLM_BYTE_ENABLED)
      t.get_data_ptr()[offset + i] = m.data[i];
}

void noc_base::complete(request& r) const {
  r.t->set_dmi_allowed(r.dmi_allowed && m_parameters.allow_dmi);
  r.t->set_response_status(r.status == 0 ? ::tlm::TLM_OK_RESPONSE
                                         : static_cast<::tlm::tlm_response_status>(-static_cast<int>(r.status)));
}

void noc_base::end_response(request& r, const sc_core::sc_time& delay) {
  r.ended = true;
  m_by_transaction.erase(r.t);
  end_transaction(r.node);
  m_agenda.schedule(delay, [this, &r] {
    node_state& node = m_nodes[r.node];
    node.responding = nullptr;
    const node_id n = r.node;
    m_request_pool->release(r);
    pump(n);
  });
  r.t->release();
}

}  // namespace weft::tlm2
