#include "weft/tlm/noc.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "weft/core/network_model.h"
#include "weft/core/vc_classes.h"
#include "weft/tlm/data_type_extension.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/zero_load.h"

namespace weft::tlm {

namespace {

constexpr const char* ParametersMessage = "/weft/noc/parameters";
constexpr const char* MapMessage = "/weft/noc/map";
constexpr const char* ProtocolMessage = "/weft/noc/protocol";

/// Cycles around the flight of a message: a request at a clock edge is created at the next one, and is heard of at
/// the end of the cycle in which it arrives.
constexpr cycle_t EdgeCycles = 2;

[[noreturn]] void fail(const char* type, const std::string& text) {
  SC_REPORT_ERROR(type, text.c_str());
  throw std::invalid_argument(text);  // where errors are set not to throw
}

noc_parameters checked(noc_parameters p) {
  try {
    if (p.nic.ejection_depth == 0) p.nic.ejection_depth = p.router.depth;
    check_parameters(p);
    if (p.graph.nodes.empty()) throw std::invalid_argument("graph has no nodes; make_grid() makes one");
    check_structure(p.graph, vcs_of_class(p.router));
    const std::vector<channel_vc> cycle = find_dependency_cycle(p.graph, vcs_of_class(p.router));
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

std::string name_of(const ::tlm::tlm_phase& phase) {
  std::ostringstream text;
  text << phase;
  return text.str();
}

}  // namespace

struct noc_base::request {
  node_id node = 0;
  transaction* t = nullptr;
  const region* where = nullptr;
  sc_core::sc_event* done = nullptr;  ///< of a blocking call; null: non-blocking
  std::uint16_t tag = 0;
  message response{};
  bool ended = false;  ///< the initiator has seen the last of it
};

struct noc_base::delivery final : ::tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  node_id source = 0;
  node_id destination = 0;
  message what;
  bool request_ended = false;  ///< the target has said END_REQ
  bool responded = false;      ///< the target has said BEGIN_RESP
  bool completed = false;      ///< the target wants no END_RESP
};

class noc_base::delivery_pool final : public ::tlm::tlm_mm_interface {
 public:
  delivery* take() {
    if (m_free.empty()) {
      m_all.push_back(std::make_unique<delivery>(this));
      m_free.push_back(m_all.back().get());
    }
    delivery* const d = m_free.back();
    m_free.pop_back();
    d->request_ended = d->responded = d->completed = false;
    d->set_data_ptr(nullptr);  // those of the transaction before
    d->set_byte_enable_ptr(nullptr);
    d->acquire();
    return d;
  }

  void free(::tlm::tlm_generic_payload* t) override {
    t->reset();
    m_free.push_back(static_cast<delivery*>(t));
  }

 private:
  std::vector<std::unique_ptr<delivery>> m_all;
  std::vector<delivery*> m_free;
};

noc_base::noc_base(const sc_core::sc_module_name& name, noc_parameters parameters)
    : sc_module(name),
      m_parameters(checked(std::move(parameters))),
      m_format{m_parameters.payload_bits, m_parameters.max_packet_flits},
      m_map(make_map(m_parameters)),
      m_clock("clock", m_parameters.clock_period),
      m_agenda("agenda"),
      m_pool(std::make_unique<delivery_pool>()),
      m_nodes(m_parameters.graph.nodes.size()) {
  if (!is_cycle()) return;
  const auto make_plane = [this](direction way) {
    return std::make_unique<plane>(way, m_parameters.graph, m_parameters.router, m_parameters.nic, m_format,
                                   [this, way](node_id source, node_id destination, message m) {
                                     arrive(way, source, destination, std::move(m));
                                   });
  };
  try {
    m_requests = make_plane(direction::Request);
    m_responses = make_plane(direction::Response);
  } catch (const std::invalid_argument& e) {
    fail(ParametersMessage, e.what());
  }
  m_clock.add(m_requests->model());
  m_clock.add(m_responses->model());
  m_clock.after_cycles([this] { after_cycles(); });
}

noc_base::~noc_base() {
  for (const auto& entry : m_by_transaction) delete entry.second;
}

void noc_base::end_of_elaboration() {
  for (const region& r : m_map.regions())
    if (!has_target(r.node))
      fail(MapMessage, std::string(name()) + ": the region at " + in_hex(r.base) + " lies at node " +
                           std::to_string(r.node) + ", which has no target; bind to_target[" + std::to_string(r.node) +
                           "] or take the region out");
}

const network_model* noc_base::request_network() {
  m_clock.catch_up();
  return m_requests ? &m_requests->model() : nullptr;
}

const network_model* noc_base::response_network() {
  m_clock.catch_up();
  return m_responses ? &m_responses->model() : nullptr;
}

void noc_base::trace(sc_core::sc_trace_file* file, const std::string& name) const {
  sc_core::sc_trace(file, m_in_flight, name + ".in_flight");
  for (std::size_t n = 0; n < m_nodes.size(); ++n) {
    const std::string node = name + ".node_" + std::to_string(n);
    sc_core::sc_trace(file, m_nodes[n].requests_waiting, node + ".requests_waiting");
    sc_core::sc_trace(file, m_nodes[n].requests_arrived, node + ".requests_arrived");
    sc_core::sc_trace(file, m_nodes[n].responses_waiting, node + ".responses_waiting");
  }
}

void noc_base::warn(node_id node, const char* side, const std::string& text) const {
  const std::string whole = std::string(name()) + ", " + side + " of node " + std::to_string(node) + ": " + text;
  SC_REPORT_WARNING(ProtocolMessage, whole.c_str());
}

// ---------------------------------------------------------------------------------------------------------------------
// Transactions and messages

::tlm::tlm_response_status noc_base::examine(const transaction& t, const region*& where) const {
  if (!t.is_read() && !t.is_write()) return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (t.get_data_length() == 0 || t.get_data_length() > MaxLength || t.get_streaming_width() == 0)
    return ::tlm::TLM_BURST_ERROR_RESPONSE;
  if (t.get_data_ptr() == nullptr) return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (const unsigned char* const enables = t.get_byte_enable_ptr(); enables != nullptr) {
    const unsigned used = std::min(t.get_byte_enable_length(), t.get_data_length());
    const auto valid = [](unsigned char e) { return e == TLM_BYTE_ENABLED || e == TLM_BYTE_DISABLED; };
    if (used == 0 || !std::all_of(enables, enables + used, valid)) return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  where = m_map.find(t.get_address());
  const std::uint64_t last = std::min(t.get_streaming_width(), t.get_data_length()) - 1;
  if (where == nullptr || last_of(*where) - t.get_address() < last) return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return ::tlm::TLM_OK_RESPONSE;
}

std::uint64_t noc_base::target_address(const region& r, std::uint64_t address) const {
  return m_parameters.translate ? address - r.base : address;
}

message noc_base::request_message(const transaction& t, const region& where) const {
  message m;
  const auto* const extension = t.get_extension<data_type_extension>();
  const bool has_enables = t.get_byte_enable_ptr() != nullptr;
  m.type = travelling_type(extension != nullptr ? extension->type : data_type::Other, t.get_data_length(), has_enables);
  m.write = t.is_write();
  m.length = t.get_data_length();
  m.address = target_address(where, t.get_address());
  m.streaming_width = std::min(t.get_streaming_width(), m.length);
  if (has_enables) {
    const unsigned char* const enables = t.get_byte_enable_ptr();
    m.byte_enables.assign(enables, enables + std::min(t.get_byte_enable_length(), m.length));
  }
  if (m.write) m.data.assign(t.get_data_ptr(), t.get_data_ptr() + m.length);
  return m;
}

sc_core::sc_time noc_base::estimate(node_id source, node_id destination, const message& m) {
  const auto [at, is_new] = m_zero_load.try_emplace(std::uint64_t{source} << 32 | destination);
  if (is_new) at->second = zero_load_latency(m_parameters.graph, m_parameters.router.pipeline, source, destination, 1);
  return m_clock.begin_of(EdgeCycles + at->second + count_flits(m, m_format) - 1);
}

sc_core::sc_time noc_base::request_estimate(node_id source, node_id destination, bool write, std::uint32_t length) {
  message m;
  m.write = write;
  m.length = m.streaming_width = length;
  if (write) m.data.resize(length);
  return estimate(source, destination, m);
}

sc_core::sc_time noc_base::response_estimate(node_id source, node_id destination, bool write, std::uint32_t length) {
  message m;
  m.way = direction::Response;
  m.write = write;
  m.length = length;
  if (!write) m.data.resize(length);
  return estimate(destination, source, m);
}

void noc_base::send(direction way, node_id source, node_id destination, message m) {
  if (is_cycle()) {
    plane& p = way == direction::Request ? *m_requests : *m_responses;
    p.send(m_clock.next_cycle(), source, destination, m);
    m_clock.wake();
    return;
  }
  const sc_core::sc_time delay = estimate(source, destination, m);
  m_agenda.after(delay, [this, way, source, destination, m = std::move(m)]() mutable {
    arrive(way, source, destination, std::move(m));
    pump(destination);
  });
}

void noc_base::arrive(direction way, node_id source, node_id destination, message m) {
  node_state& node = m_nodes[destination];
  m_touched.push_back(destination);
  if (way == direction::Response) {
    request& r = *node.requests.at(m.tag);
    r.response = std::move(m);
    if (r.done == nullptr) return node.answered.push_back(&r);
    complete(r);
    r.done->notify(sc_core::SC_ZERO_TIME);
    return;
  }

  delivery* const d = m_pool->take();
  d->deep_copy_from(*m_nodes[source].requests.at(m.tag)->t);  // for its extensions, which travel along without flits
  d->source = source;
  d->destination = destination;
  d->what = std::move(m);
  message& what = d->what;
  if (!what.write) what.data.assign(what.length, 0);
  d->set_command(what.write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
  d->set_address(what.address);
  d->set_data_ptr(what.data.data());
  d->set_data_length(what.length);
  d->set_streaming_width(what.streaming_width);
  d->set_byte_enable_ptr(what.byte_enables.empty() ? nullptr : what.byte_enables.data());
  d->set_byte_enable_length(static_cast<unsigned>(what.byte_enables.size()));
  d->set_dmi_allowed(false);
  d->set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);

  // Packets may overtake each other; requests between two nodes do not.
  auto& early = node.early[source];
  std::uint16_t& expected = node.expected_order[source];
  early.emplace(what.order, d);
  for (auto at = early.find(expected); at != early.end(); at = early.find(expected)) {
    node.arrived.push_back(at->second);
    early.erase(at);
    expected = static_cast<std::uint16_t>((expected + 1) % Orders);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Progress

void noc_base::after_cycles() {
  std::vector<node_id> nodes = std::exchange(m_touched, {});
  for (plane* p : {m_requests.get(), m_responses.get()}) {
    const std::vector<node_id> sent = p->take_sent();
    nodes.insert(nodes.end(), sent.begin(), sent.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const node_id n : nodes) pump(n);
}

void noc_base::pump(node_id n) {
  inject_requests(n);
  inject_responses(n);
  present_requests(n);
  present_responses(n);
  update_ready(n);
  node_state& node = m_nodes[n];
  node.requests_waiting = node.to_inject.size() + (is_cycle() ? m_requests->waiting(n) : 0);
  node.requests_arrived = node.arrived.size();
  node.responses_waiting = node.leaving.size() + (is_cycle() ? m_responses->waiting(n) : 0);
}

void noc_base::update_ready(node_id n) {
  if (!is_cycle()) return;
  node_state& node = m_nodes[n];
  const auto update = [&](plane& p, bool& is_ready, std::size_t waiting) {
    const bool ready = waiting < m_parameters.receive_depth;
    if (ready != is_ready) p.model().set_ready(n, ready);
    is_ready = ready;
  };
  update(*m_requests, node.takes_requests, node.arrived.size());
  update(*m_responses, node.takes_responses, node.answered.size());
}

void noc_base::inject_requests(node_id n) {
  node_state& node = m_nodes[n];
  const auto has_room = [&] {
    return node.requests.size() < Tags && (!is_cycle() || m_requests->waiting(n) < m_parameters.queue_depth);
  };
  while (!node.to_inject.empty() && has_room()) {
    request& r = *node.to_inject.front();
    node.to_inject.pop_front();
    while (node.requests.count(node.next_tag) > 0)
      node.next_tag = static_cast<std::uint16_t>((node.next_tag + 1) % Tags);
    r.tag = node.next_tag;
    node.next_tag = static_cast<std::uint16_t>((node.next_tag + 1) % Tags);
    node.requests.emplace(r.tag, &r);
    message m = request_message(*r.t, *r.where);
    m.tag = r.tag;
    std::uint16_t& order = node.next_order[r.where->node];
    m.order = order;
    order = static_cast<std::uint16_t>((order + 1) % Orders);
    send(direction::Request, n, r.where->node, std::move(m));
    if (r.done != nullptr) continue;
    node.requesting = nullptr;
    phase_t phase = ::tlm::END_REQ;
    sc_core::sc_time delay;
    if (initiator(n).nb_transport_bw(*r.t, phase, delay) == ::tlm::TLM_COMPLETED)
      warn(n, "initiator", "END_REQ is answered by TLM_COMPLETED; expected TLM_ACCEPTED");
  }
}

void noc_base::present_requests(node_id n) {
  node_state& node = m_nodes[n];
  while (node.at_request == nullptr && !node.arrived.empty() && node.leaving.size() < m_parameters.receive_depth) {
    delivery* const d = node.arrived.front();
    node.arrived.pop_front();
    node.at_request = d;
    m_at_targets.insert(d);
    phase_t phase = ::tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const sync_t answer = target(n).nb_transport_fw(*d, phase, delay);
    if (answer == ::tlm::TLM_ACCEPTED) continue;
    if (d->responded || (answer == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ && d->request_ended)) {
      warn(n, "target", "BEGIN_REQ is answered a second time, by its return value");
    } else if (answer == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ) {
      d->request_ended = true;
      m_agenda.after(delay, [this, n, d] { end_request(n, d); });
    } else if (answer == ::tlm::TLM_COMPLETED || phase == ::tlm::BEGIN_RESP) {
      d->responded = true;
      d->completed = answer == ::tlm::TLM_COMPLETED;
      m_agenda.after(delay, [this, d] { begin_response(d); });
    } else {
      warn(n, "target", "BEGIN_REQ is answered by TLM_UPDATED and " + name_of(phase));
    }
  }
}

void noc_base::end_request(node_id n, delivery* d) {
  if (m_nodes[n].at_request == d) m_nodes[n].at_request = nullptr;
  pump(n);
}

void noc_base::begin_response(delivery* d) {
  node_state& node = m_nodes[d->destination];
  if (node.at_request == d) node.at_request = nullptr;
  node.leaving.push_back(d);
  pump(d->destination);
}

void noc_base::inject_responses(node_id n) {
  node_state& node = m_nodes[n];
  while (!node.leaving.empty() && (!is_cycle() || m_responses->waiting(n) < m_parameters.queue_depth)) {
    delivery* const d = node.leaving.front();
    node.leaving.pop_front();
    if (d->get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE) {
      warn(n, "target", "a response has no status; the initiator gets TLM_GENERIC_ERROR_RESPONSE");
      d->set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    m_nodes[d->source].requests.at(d->what.tag)->t->update_extensions_from(*d);
    message m;
    m.way = direction::Response;
    m.type = d->what.type;
    m.write = d->what.write;
    m.tag = d->what.tag;
    m.length = d->what.length;
    m.status = static_cast<std::uint8_t>(d->is_response_ok() ? 0 : -d->get_response_status());
    m.dmi_allowed = d->is_dmi_allowed();
    if (!m.write && m.status == 0) m.data = d->what.data;
    send(direction::Response, n, d->source, std::move(m));
    if (!d->completed) {
      phase_t phase = ::tlm::END_RESP;
      sc_core::sc_time delay;
      target(n).nb_transport_fw(*d, phase, delay);
    }
    m_at_targets.erase(d);
    d->release();
  }
}

void noc_base::present_responses(node_id n) {
  node_state& node = m_nodes[n];
  if (node.responding != nullptr || node.answered.empty()) return;
  request* const r = node.answered.front();
  node.answered.pop_front();
  node.responding = r;
  complete(*r);
  phase_t phase = ::tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  const sync_t answer = initiator(n).nb_transport_bw(*r->t, phase, delay);
  if (answer == ::tlm::TLM_ACCEPTED) return;
  if (r->ended)
    warn(n, "initiator", "BEGIN_RESP is answered a second time, by its return value");
  else if (answer == ::tlm::TLM_COMPLETED || phase == ::tlm::END_RESP)
    end_response(*r, delay);
  else
    warn(n, "initiator", "BEGIN_RESP is answered by TLM_UPDATED and " + name_of(phase));
}

void noc_base::complete(request& r) {
  transaction& t = *r.t;
  const message& m = r.response;
  t.set_dmi_allowed(m.dmi_allowed && m_parameters.allow_dmi);
  t.set_response_status(m.status == 0 ? ::tlm::TLM_OK_RESPONSE
                                      : static_cast<::tlm::tlm_response_status>(-static_cast<int>(m.status)));
  if (m.write || m.status != 0) return;
  const unsigned char* const enables = t.get_byte_enable_ptr();
  for (std::uint32_t i = 0; i < m.length; ++i)
    if (enables == nullptr || enables[i % t.get_byte_enable_length()] == TLM_BYTE_ENABLED)
      t.get_data_ptr()[i] = m.data[i];
}

void noc_base::end_response(request& r, const sc_core::sc_time& delay) {
  r.ended = true;
  m_by_transaction.erase(r.t);
  --m_in_flight;
  m_agenda.after(delay, [this, &r] {
    node_state& node = m_nodes[r.node];
    node.responding = nullptr;
    node.requests.erase(r.tag);
    const node_id n = r.node;
    delete &r;
    pump(n);
  });
  r.t->release();
}

// ---------------------------------------------------------------------------------------------------------------------
// What initiators call

void noc_base::blocking(int n, transaction& t, sc_core::sc_time& delay) {
  const auto node = static_cast<node_id>(n);
  const region* where = nullptr;
  t.set_dmi_allowed(false);
  if (const auto status = examine(t, where); status != ::tlm::TLM_OK_RESPONSE) return t.set_response_status(status);
  if (!is_cycle()) {
    ++m_in_flight;
    const std::uint64_t address = t.get_address();
    delay += estimate(node, where->node, request_message(t, *where));
    t.set_address(target_address(*where, address));
    target(where->node).b_transport(t, delay);
    t.set_address(address);
    if (t.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE) {
      warn(where->node, "target", "a response has no status; the initiator gets TLM_GENERIC_ERROR_RESPONSE");
      t.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    delay += response_estimate(node, where->node, t.is_write() || !t.is_response_ok(), t.get_data_length());
    t.set_dmi_allowed(t.is_dmi_allowed() && m_parameters.allow_dmi);
    --m_in_flight;
    return;
  }
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event done;
  request r;
  r.node = node;
  r.t = &t;
  r.where = where;
  r.done = &done;
  ++m_in_flight;
  m_nodes[node].to_inject.push_back(&r);
  m_agenda.after(sc_core::SC_ZERO_TIME, [this, node] { pump(node); });
  sc_core::wait(done);
  m_nodes[node].requests.erase(r.tag);
  --m_in_flight;
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
    warn(node, "initiator", name_of(phase) + " on the forward path; it is passed over");
    return ::tlm::TLM_ACCEPTED;
  }
  if (phase != ::tlm::BEGIN_REQ) return ::tlm::TLM_ACCEPTED;  // an extended phase that can be ignored
  if (known != m_by_transaction.end()) {
    warn(node, "initiator", "BEGIN_REQ of a transaction that is under way; it is passed over");
    return ::tlm::TLM_ACCEPTED;
  }
  const region* where = nullptr;
  t.set_dmi_allowed(false);
  ::tlm::tlm_response_status status = examine(t, where);
  if (state.requesting != nullptr) {
    warn(node, "initiator", "BEGIN_REQ before END_REQ of the request before; it is refused");
    status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  } else if (!t.has_mm()) {
    warn(node, "initiator", "nb_transport_fw() of a transaction without a memory manager; it is refused");
    status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (status != ::tlm::TLM_OK_RESPONSE) {
    t.set_response_status(status);
    return ::tlm::TLM_COMPLETED;
  }
  auto* const r = new request;
  r->node = node;
  r->t = &t;
  r->where = where;
  t.acquire();
  ++m_in_flight;
  m_by_transaction.emplace(&t, r);
  state.requesting = r;
  m_agenda.after(delay, [this, r, node] {
    m_nodes[node].to_inject.push_back(r);
    pump(node);
  });
  return ::tlm::TLM_ACCEPTED;
}

unsigned noc_base::debug(int, transaction& t) {
  const std::uint64_t address = t.get_address();
  const region* const where = m_map.find(address);
  if (where == nullptr) return 0;
  const unsigned length = t.get_data_length();
  const std::uint64_t left = last_of(*where) - address;
  if (length > 0 && length - 1 > left) t.set_data_length(static_cast<unsigned>(left + 1));
  t.set_address(target_address(*where, address));
  const unsigned done = target(where->node).transport_dbg(t);
  t.set_address(address);
  t.set_data_length(length);
  return done;
}

bool noc_base::direct_memory(int n, transaction& t, ::tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.allow_read_write();  // of a refusal: what is refused
  const std::uint64_t address = t.get_address();
  const region* const where = m_map.find(address);
  if (!m_parameters.allow_dmi || where == nullptr) {
    const address_range range = m_parameters.allow_dmi ? m_map.gap(address) : address_range{0, ~std::uint64_t{0}};
    dmi.set_start_address(range.first);
    dmi.set_end_address(range.last);
    return false;
  }
  t.set_address(target_address(*where, address));
  bool granted = target(where->node).get_direct_mem_ptr(t, dmi);
  t.set_address(address);
  const std::uint64_t base = target_address(*where, where->base), end = base + (where->size - 1);
  const std::uint64_t first = std::max<std::uint64_t>(dmi.get_start_address(), base);
  const std::uint64_t last = std::min<std::uint64_t>(dmi.get_end_address(), end);
  if (first > last) {
    dmi.allow_none();
    granted = false;
  }
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
  dmi.set_start_address(where->base + (first - base));
  dmi.set_end_address(where->base + (last - base));
  const auto node = static_cast<node_id>(n);
  const unsigned bytes = bus_bytes();
  const auto per_byte = [&](bool write) {
    return (request_estimate(node, where->node, write, bytes) + response_estimate(node, where->node, write, bytes)) /
           static_cast<double>(bytes);
  };
  dmi.set_read_latency(dmi.get_read_latency() + per_byte(false));
  dmi.set_write_latency(dmi.get_write_latency() + per_byte(true));
  return granted;
}

// ---------------------------------------------------------------------------------------------------------------------
// What targets call

::tlm::tlm_sync_enum noc_base::backward(int n, transaction& t, phase_t& phase, sc_core::sc_time& delay) {
  const auto node = static_cast<node_id>(n);
  if (m_at_targets.count(&t) == 0 || static_cast<delivery&>(t).destination != node) {
    warn(node, "target", name_of(phase) + " of a transaction that is not with this target");
    return ::tlm::TLM_COMPLETED;
  }
  auto* const d = static_cast<delivery*>(&t);
  if (phase == ::tlm::END_REQ) {
    if (d->request_ended || d->responded) {
      warn(node, "target", "END_REQ after the request has ended; it is passed over");
      return ::tlm::TLM_ACCEPTED;
    }
    d->request_ended = true;
    m_agenda.after(delay, [this, node, d] { end_request(node, d); });
  } else if (phase == ::tlm::BEGIN_RESP) {
    if (d->responded) {
      warn(node, "target", "BEGIN_RESP a second time; it is passed over");
      return ::tlm::TLM_ACCEPTED;
    }
    d->responded = true;
    m_agenda.after(delay, [this, d] { begin_response(d); });
  } else if (phase == ::tlm::BEGIN_REQ || phase == ::tlm::END_RESP) {
    warn(node, "target", name_of(phase) + " on the backward path; it is passed over");
  }
  return ::tlm::TLM_ACCEPTED;
}

void noc_base::invalidate(int n, sc_dt::uint64 first, sc_dt::uint64 last) {
  if (!m_parameters.allow_dmi) return;  // nobody has a pointer
  for (const region& r : m_map.regions()) {
    if (r.node != static_cast<node_id>(n)) continue;
    const std::uint64_t base = target_address(r, r.base), end = base + (r.size - 1);
    const std::uint64_t from = std::max<std::uint64_t>(first, base), to = std::min<std::uint64_t>(last, end);
    if (from > to) continue;
    for (node_id i = 0; i < nodes(); ++i)
      if (has_initiator(i)) initiator(i).invalidate_direct_mem_ptr(r.base + (from - base), r.base + (to - base));
  }
}

}  // namespace weft::tlm
