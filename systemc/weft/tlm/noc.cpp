// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/noc.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "weft/core/network_model.h"
#include "weft/core/vc_classes.h"
#include "weft/tlm/noc_transactions.h"
#include "weft/topology/analysis/check.h"

namespace weft::tlm2 {

namespace {

constexpr const char* ParametersMessage = "/weft/noc/parameters";
constexpr const char* MapMessage = "/weft/noc/map";
constexpr const char* SocketsMessage = "/weft/noc/sockets";
constexpr const char* ProtocolMessage = "/weft/noc/protocol";
constexpr const char* RefusedMessage = "/weft/noc/refused";

[[noreturn]] void fail(const char* type, const std::string& text) {
  SC_REPORT_ERROR(type, text.c_str());
  throw std::invalid_argument(text);  // if the report handler does not throw on errors
}

noc_parameters checked(noc_parameters p) {
  try {
    if (p.nic.ejection_depth == 0) p.nic.ejection_depth = p.router.depth;
    check_parameters(p);
    if (p.graph.nodes.empty())
      throw std::invalid_argument("graph has no nodes; use a topology with nodes, such as that of make_grid()");
    check_structure(p.graph, vcs_of_class(p.router));
    const std::vector<channel_vc> cycle = find_dependency_cycle(p.graph, p.router);
    if (!cycle.empty())
      throw std::invalid_argument("packets can deadlock: their channels depend on each other in a cycle\n" +
                                  describe_cycle(p.graph, cycle));
  } catch (const std::invalid_argument& e) {
    fail(ParametersMessage, e.what());
  }
  return p;
}

address_map make_map(const noc_parameters& p) {
  try {
    return address_map(p.map, p.graph.nodes.size());
  } catch (const std::invalid_argument& e) {
    fail(MapMessage, e.what());
  }
}

std::string in_hex(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

std::string described(const ::tlm::tlm_generic_payload& t) {
  const char* const what = t.is_read() ? "a read" : t.is_write() ? "a write" : "a transaction";
  return what + (" of " + std::to_string(t.get_data_length())) + " bytes at " + in_hex(t.get_address());
}

}  // namespace

noc_base::noc_base(const sc_core::sc_module_name& name, noc_parameters parameters)
    : sc_module(name),
      m_parameters(checked(std::move(parameters))),
      m_format{m_parameters.payload_bits, m_parameters.max_packet_flits},
      m_map(make_map(m_parameters)),
      m_clock("clock", m_parameters.clock_period),
      m_agenda("agenda"),
      m_pool(std::make_unique<delivery_pool>()),
      m_request_pool(std::make_unique<request_pool>()),
      m_nodes(m_parameters.graph.nodes.size()) {
  for (const node_id node : m_parameters.blocking_targets) call_by_b_transport(node);
  if (m_parameters.contention)
    m_contention = std::make_unique<contention>(m_parameters.graph, m_parameters.contention_window);
  if (!is_cycle()) return;
  const auto make_plane = [this](message_kind kind) {
    return std::make_unique<plane>(
        kind, m_parameters, m_format,
        [this, kind](node_id source, node_id destination, message& m) { arrive(kind, source, destination, m); },
        [this] { schedule_update(); });
  };
  try {
    m_requests = make_plane(message_kind::Request);
    m_responses = make_plane(message_kind::Response);
  } catch (const std::invalid_argument& e) {
    fail(ParametersMessage, e.what());
  }
  for (plane* p : {m_requests.get(), m_responses.get()})
    if (p->driven() != nullptr) m_clock.add(*p->driven());
  m_clock.after_cycles([this] { after_cycles(); });
}

noc_base::~noc_base() {
  try {
    report_end();
  } catch (const sc_core::sc_report&) {  // warnings are configured to throw: it is too late for that
  }
}

void noc_base::before_end_of_elaboration() {
  const auto one_at_most = [this](int bound, node_id n, const char* what, const char* socket) {
    if (bound <= 1) return;
    fail(SocketsMessage, std::string(name()) + ": " + std::to_string(bound) + " " + what + " are bound to " + socket +
                             "[" + std::to_string(n) +
                             "], expected at most 1; give each a node of its own, or put a bus in front of the socket");
  };
  for (node_id n = 0; n < nodes(); ++n) {
    one_at_most(initiators_at(n), n, "initiators", "from_initiator");
    one_at_most(targets_at(n), n, "targets", "to_target");
  }
}

void noc_base::end_of_elaboration() {
  for (const mapped_range& r : m_map.mapped_ranges())
    if (targets_at(r.node) == 0)
      fail(MapMessage, std::string(name()) + ": the region at " + in_hex(r.base) + " lies at node " +
                           std::to_string(r.node) + ", which has no target; bind to_target[" + std::to_string(r.node) +
                           "] or remove the region");
  std::vector<bool> has_mapped_range(nodes());
  for (const mapped_range& r : m_map.mapped_ranges()) has_mapped_range[r.node] = true;
  for (node_id n = 0; n < nodes(); ++n)
    if (targets_at(n) > 0 && !has_mapped_range[n])
      report(MapMessage, n, "target",
             "no region is mapped to this node, so the target receives nothing; add one to `map`");
}

const network_model* noc_base::request_network() {
  m_clock.catch_up();
  return m_requests ? &m_requests->network() : nullptr;
}

const network_model* noc_base::response_network() {
  m_clock.catch_up();
  return m_responses ? &m_responses->network() : nullptr;
}

std::uint64_t noc_base::requests_waiting(node_id node) const {
  if (!is_cycle()) return m_nodes[node].to_inject.size();
  m_clock.catch_up();
  return m_nodes[node].to_inject.size() + m_requests->waiting(node);
}

std::uint64_t noc_base::responses_waiting(node_id node) const {
  if (!is_cycle()) return m_nodes[node].leaving.size();
  m_clock.catch_up();
  return m_nodes[node].leaving.size() + m_responses->waiting(node);
}

void noc_base::trace(sc_core::sc_trace_file* file, const std::string& name) const {
  m_traced = true;
  sc_core::sc_trace(file, m_in_flight, name + ".in_flight");
  for (std::size_t n = 0; n < m_nodes.size(); ++n) {
    const std::string node = name + ".node_" + std::to_string(n);
    sc_core::sc_trace(file, m_nodes[n].requests_waiting, node + ".requests_waiting");
    sc_core::sc_trace(file, m_nodes[n].requests_arrived, node + ".requests_arrived");
    sc_core::sc_trace(file, m_nodes[n].responses_waiting, node + ".responses_waiting");
  }
}

std::uint64_t noc_base::refused() const {
  std::uint64_t sum = 0;
  for (const auto& [rule, count] : m_refused) sum += count;
  return sum;
}

void noc_base::reject(node_id node, transaction& t, const refusal& why) {
  t.set_response_status(why.status);
  if (++m_refused[why.rule] > 1) return;
  report(RefusedMessage, node, "initiator",
         described(t) + " is rejected with " + t.get_response_string() + ": " + why.rule +
             " (the first transaction rejected for this reason; later ones are only counted)");
}

std::string noc_base::hint_for_stub(node_id node) const {
  if (m_nodes[node].caller != nullptr) return "";
  return "; if its nb_transport_fw() is a stub, name node " + std::to_string(node) +
         " in blocking_targets, so that the target is called by b_transport()";
}

void noc_base::end_of_simulation() { report_end(); }

void noc_base::report_end() {
  if (std::exchange(m_end_is_reported, true)) return;
  const auto inform = [this](const char* type, const std::string& text) {
    SC_REPORT_INFO(type, (std::string(name()) + text).c_str());
  };
  for (node_id n = 0; n < nodes(); ++n)
    if (m_nodes[n].at_request != nullptr && !m_nodes[n].has_answered && m_nodes[n].caller == nullptr)
      warn(n, "target", "it has never answered a BEGIN_REQ" + hint_for_stub(n));
  for (const auto& [rule, count] : m_refused)
    if (count > 1)
      inform(RefusedMessage,
             ": " + std::to_string(count) + " transactions in all were rejected for this reason: " + rule);
  for (node_id n = 0; n < nodes(); ++n)
    if (m_nodes[n].without_status > 1)
      inform(ProtocolMessage, ", target of node " + std::to_string(n) + ": " +
                                  std::to_string(m_nodes[n].without_status) + " responses in all had no status");
}

void noc_base::check_status(transaction& t, node_id node) {
  if (t.get_response_status() != ::tlm::TLM_INCOMPLETE_RESPONSE) return;
  t.set_response_status(m_parameters.lenient ? ::tlm::TLM_OK_RESPONSE : ::tlm::TLM_GENERIC_ERROR_RESPONSE);
  const bool may_be_stub = is_cycle() && m_nodes[node].caller == nullptr;
  // Many working targets do not set their status. A lenient network warns only about targets that may be stubs.
  if (m_parameters.lenient && !may_be_stub) return;
  if (++m_nodes[node].without_status > 1) return;
  warn(node, "target",
       "the response to " + described(t) + " has no status and " +
           (m_parameters.lenient ? "is taken as OK" : "becomes TLM_GENERIC_ERROR_RESPONSE; `lenient` takes it as OK") +
           " (the first such response of this target; later ones are only counted)" +
           (may_be_stub ? hint_for_stub(node) : ""));
}

void noc_base::warn(node_id node, const char* side, const std::string& text) const {
  report(ProtocolMessage, node, side, text);
}

void noc_base::report(const char* type, node_id node, const char* side, const std::string& text) const {
  const std::string whole = std::string(name()) + ", " + side + " of node " + std::to_string(node) + ": " + text;
  SC_REPORT_WARNING(type, whole.c_str());
}

}  // namespace weft::tlm2
