// SPDX-License-Identifier: Apache-2.0
/// The network as one SystemC module with TLM-2.0 sockets, to be placed between the initiators and the targets of a
/// virtual platform. docs/02_user/tlm.md shows an example; docs/03_reference/tlm.md describes phases, packets and
/// timing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tlm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/network_model.h"
#include "weft/tlm/address_map.h"
#include "weft/tlm/agenda.h"
#include "weft/tlm/blocking_caller.h"
#include "weft/tlm/chain.h"
#include "weft/tlm/contention.h"
#include "weft/tlm/engine_clock.h"
#include "weft/tlm/noc_socket.h"
#include "weft/tlm/parameters.h"
#include "weft/tlm/plane.h"
#include "weft/tlm/tag_table.h"

namespace weft::tlm2 {

template <unsigned BusWidth>
class noc_sockets;

/// The network without its sockets, whose type depends on the bus width. It reports these message types of sc_report:
/// - `/weft/noc/sockets`, error: two initiators or two targets at one node
/// - `/weft/noc/parameters`, error: an invalid parameter
/// - `/weft/noc/map`, error: address ranges that are invalid, overlap, or map to a node without a target; warning: a
///   target without an address range
/// - `/weft/noc/protocol`, warning: a module violates the base protocol; it gets an error response, or its call is
///   ignored
/// - `/weft/noc/extensions`, warning: an extension is not transported because its clone() returns null
/// - `/weft/noc/refused`, warning: the first transaction that was rejected for a given reason, with its initiator and
///   address; information at the end of the simulation: the number of transactions rejected for each reason
/// The simulation ends with sc_stop(), or with the destruction of the network if sc_stop() is not called.
class noc_base : public sc_core::sc_module {
  template <unsigned BusWidth>
  friend class noc_sockets;  // uses the protected functions

 public:
  ~noc_base() override;

  const noc_parameters& parameters() const { return m_parameters; }
  const address_map& map() const { return m_map; }
  node_id nodes() const { return static_cast<node_id>(m_nodes.size()); }

  /// Number of transactions that were accepted and are not finished.
  std::uint64_t in_flight() const { return m_in_flight; }
  /// Number of transactions that the network answered with an error instead of sending them.
  std::uint64_t refused() const;
  /// Number of requests of \p node that its NIC has not begun to inject, including those that wait for room in its
  /// queue.
  std::uint64_t requests_waiting(node_id node) const;
  /// Number of requests that have arrived at \p node and wait for its target.
  std::uint64_t requests_arrived(node_id node) const { return m_nodes[node].requests_arrived; }
  /// Number of responses of the target of \p node that its NIC has not begun to inject.
  std::uint64_t responses_waiting(node_id node) const;

  /// The network of requests, advanced to the present cycle; null in the loose mode.
  const network_model* request_network();
  /// The network of responses, advanced to the present cycle; null in the loose mode.
  const network_model* response_network();

  /// The latency that the loose mode uses for a transaction without byte enables, from the beginning of the request
  /// until it reaches the target.
  sc_core::sc_time request_estimate(node_id source, node_id destination, bool write, std::uint32_t length);
  /// The latency that the loose mode uses for a transaction without byte enables, from the beginning of the response
  /// until it reaches the initiator.
  sc_core::sc_time response_estimate(node_id source, node_id destination, bool write, std::uint32_t length);

  /// To be called when an initiator that uses nb_transport_fw() is reset: releases all outstanding non-blocking
  /// transactions of \p node. Requests that have not entered the network are withdrawn. The others reach their targets;
  /// their responses are discarded, and no more calls are made for them on the backward path. Threads that wait in
  /// b_transport() need no such call, because their reset or end has the same effect.
  void reset_initiator(node_id node);

  /// Traces in_flight, and for every node requests_waiting, requests_arrived and responses_waiting. Their names begin
  /// with \p name.
  void trace(sc_core::sc_trace_file* file, const std::string& name) const;

 protected:
  using transaction = ::tlm::tlm_generic_payload;
  using phase_t = ::tlm::tlm_phase;
  using sync_t = ::tlm::tlm_sync_enum;

  /// \throws sc_core::sc_report for invalid parameters
  noc_base(const sc_core::sc_module_name& name, noc_parameters parameters);

  virtual ::tlm::tlm_fw_transport_if<>& bound_target(node_id node) = 0;
  virtual ::tlm::tlm_bw_transport_if<>& initiator(node_id node) = 0;
  /// Number of targets bound to the sockets of \p node.
  virtual int targets_at(node_id node) = 0;
  /// Number of initiators bound to the sockets of \p node.
  virtual int initiators_at(node_id node) = 0;
  /// Width in bytes of the socket that the initiator of \p node is bound to.
  virtual unsigned bus_bytes(node_id node) = 0;

  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void end_of_simulation() override;

  // The callbacks of the sockets
  void blocking(int node, transaction& t, sc_core::sc_time& delay);
  sync_t forward(int node, transaction& t, phase_t& phase, sc_core::sc_time& delay);
  sync_t backward(int node, transaction& t, phase_t& phase, sc_core::sc_time& delay);
  unsigned debug(int node, transaction& t);
  bool direct_memory(int node, transaction& t, ::tlm::tlm_dmi& dmi);
  void invalidate(int node, sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  /// A transaction, at its initiator.
  struct request;
  class request_pool;
  struct request_part;
  /// A transaction, at its target: a separate payload, built from the received message.
  struct delivery;
  class delivery_pool;

  /// Sequence numbers of requests between two nodes: the number of the next request that the initiator sends, and of
  /// the next request that the target gets. Both are stored at the initiator, so that they share a cache line.
  struct request_order {
    std::uint16_t next = 0, expected = 0;
  };

  /// The state of one node. The first three cache lines hold the data that every change at the node needs.
  struct alignas(64) node_state {
    // As a target
    chain<delivery> arrived;                         ///< waiting for END_REQ of the previous one
    chain<delivery> leaving;                         ///< waiting for room in the queue of the NIC; END_RESP is withheld
    delivery* at_request = nullptr;                  ///< between BEGIN_REQ and END_REQ
    std::unique_ptr<blocking_caller> caller;         ///< null: the target is called by nb_transport_fw()
    ::tlm::tlm_fw_transport_if<>* target = nullptr;  ///< null: not requested yet
    // As an initiator
    chain<request> to_inject;            ///< no room in the queue of the NIC; END_REQ is withheld
    chain<request> answered;             ///< waiting for END_RESP of the previous one
    std::uint64_t requests_arrived = 0;  ///< as a target, for tracing
    // As a target
    std::unordered_map<node_id, std::unordered_map<std::uint16_t, delivery*>> early;  ///< by source and order
    bool accepts_requests = true;
    bool got_request = false;   ///< a BEGIN_REQ was sent to it
    bool has_answered = false;  ///< it has answered a BEGIN_REQ
    bool goes_back = false;     ///< it has gone back in time, and was warned
    // As an initiator
    bool accepts_responses = true;
    std::uint16_t next_tag = 0;
    request* requesting = nullptr;      ///< between BEGIN_REQ and END_REQ
    request* responding = nullptr;      ///< between BEGIN_RESP and END_RESP
    tag_table<request_part> requests;   ///< messages in the network
    std::vector<request_order> orders;  ///< by destination; empty before its first request
    std::uint64_t outstanding = 0;      ///< its unfinished transactions
    /// Begin and end of a call of b_transport() in the loose mode, which returns before its simulated end.
    struct call {
      sc_core::sc_time begin, end;
    };
    std::vector<call> calls;
    std::uint64_t alongside = 0;       ///< number of these calls that overlap the beginning of the last one
    std::uint64_t without_status = 0;  ///< responses of its target without a status
    // For tracing
    std::uint64_t requests_waiting = 0;
    std::uint64_t responses_waiting = 0;
  };

  ::tlm::tlm_fw_transport_if<>& target(node_id node) {
    ::tlm::tlm_fw_transport_if<>*& known = m_nodes[node].target;
    if (known == nullptr) known = &bound_target(node);
    return *known;
  }
  bool is_cycle() const { return m_parameters.mode == timing::Cycle; }
  void begin_transaction(node_id initiator);
  void end_transaction(node_id initiator);
  void warn(node_id node, const char* side, const std::string& text) const;
  void report(const char* type, node_id node, const char* side, const std::string& text) const;
  /// The reason why a transaction is rejected. Without a rule the transaction is accepted.
  struct refusal {
    ::tlm::tlm_response_status status = ::tlm::TLM_OK_RESPONSE;
    const char* rule = nullptr;
  };
  /// Carries out a blocking transaction in the loose mode: adds its duration to \p delay.
  void annotate(node_id node, transaction& t, const mapped_range& where, sc_core::sc_time& delay);
  /// Counts the calls of other threads of the initiator that overlap a call which begins at \p begin.
  void count_calls(node_id node, const sc_core::sc_time& begin);
  /// Carries out a blocking transaction in the cycle mode: waits until the transaction is finished.
  void travel(node_id node, transaction& t, const mapped_range& where, sc_core::sc_time& delay);
  /// The initiator of \p r no longer waits for it, so its transaction may end. \p r is withdrawn, or continues with a
  /// copy of the transaction if a part of it has been sent.
  void abandon(request& r);
  /// Ends an abandoned request, whose response has arrived.
  void discard(request& r);
  refusal examine(const transaction& t, const mapped_range*& where) const;
  void reject(node_id node, transaction& t, const refusal& why);
  unsigned streaming_width(const transaction& t) const;
  void check_status(transaction& t, node_id node);
  /// Reports what is known only at the end of the simulation. Later calls report nothing.
  void report_end();
  std::uint64_t target_address(const mapped_range& r, std::uint64_t address) const;
  burst_part next_part(const transaction& t, std::uint32_t offset) const;
  message request_message(const transaction& t, const mapped_range& where, const burst_part& part) const;
  /// A response to a write or a read of \p length bytes, to compute its number of flits.
  message response_message(data_type type, bool write, std::uint32_t length) const;
  std::uint32_t flits_of(const message& m) const;
  /// The latency of a message of \p flits flits in an empty network.
  sc_core::sc_time estimate(node_id source, node_id destination, std::uint32_t flits);
  /// The latency of \p m. If waits are estimated, it includes the waits for other messages that leave at about \p
  /// start.
  sc_core::sc_time contended(node_id source, node_id destination, const message& m, const sc_core::sc_time& start);
  contention::moment moment_of(node_id initiator, const sc_core::sc_time& start) const;
  /// The estimated wait of a request at a target that serves it from \p start to \p end; zero if waits are not
  /// estimated.
  sc_core::sc_time wait_at_target(node_id initiator, node_id target, const sc_core::sc_time& start,
                                  const sc_core::sc_time& end);

  /// Sends \p m in the network for its kind. The contents of \p m may be moved away.
  void send(message_kind kind, node_id source, node_id destination, message& m);
  void arrive(message_kind kind, node_id source, node_id destination, message& m);
  void after_cycles();
  /// Whether a message of \p node waits for room in a queue of the NIC.
  static bool waits_for_room(const node_state& node) { return !node.to_inject.empty() || !node.leaving.empty(); }
  /// Called when a network that runs by itself has reported an event of the present time. Its other events of this time
  /// follow in the same delta cycle.
  void schedule_update();
  void pump(node_id node);
  void begin_request(request* r);
  request_order& order_between(node_id source, node_id destination);
  void inject_requests(node_id node);
  /// Presents arrived requests to the target of \p node. Returns true if the target has answered one by a response that
  /// begins immediately: this response must be sent before other requests are presented.
  bool present_requests(node_id node);
  /// Whether the target may get a request, because its response will find room. The result does not depend on the order
  /// of processes at the present time.
  bool has_room_for_response(const node_state& node) const;
  /// Calls the target with BEGIN_REQ. Returns false if the target supports only b_transport(): its socket has no
  /// callback for the call.
  bool call_target(node_id node, delivery& d, phase_t& phase, sc_core::sc_time& delay, sync_t& answer);
  void call_by_b_transport(node_id node);
  void call_blocking(node_id node);
  std::string hint_for_stub(node_id node) const;
  void inject_responses(node_id node);
  void present_responses(node_id node);
  void end_request(delivery* d);
  void begin_response(delivery* d);
  void queue_response(delivery* d);
  /// Clones the extensions of \p from into \p to.
  void send_extensions(transaction& from, delivery& to);
  /// Copies the extensions of \p from to those of the same kind in \p to.
  /// \return whether \p from has any extensions
  static bool return_extensions(const delivery& from, transaction& to);
  /// Releases \p d after moving the extensions that the target has added to the initiator's transaction.
  void release(delivery& d);
  void report_lost_extension(node_id node, const char* side, unsigned index, const ::tlm::tlm_extension_base& lost);
  void store_answer(request& r, std::uint32_t offset, const message& m) const;
  void complete(request& r) const;
  void end_response(request& r, const sc_core::sc_time& delay);
  void update_ready(node_id node);
  void wait_for_room(node_id node);

  const noc_parameters m_parameters;
  const packet_format m_format;
  address_map m_map;
  mutable engine_clock m_clock;  ///< calls that read the network advance it to the present cycle
  agenda m_agenda;
  std::unique_ptr<delivery_pool> m_pool;
  std::unique_ptr<request_pool> m_request_pool;
  std::unique_ptr<plane> m_requests, m_responses;  ///< null in the loose mode
  std::unique_ptr<contention> m_contention;        ///< null: not estimated
  std::vector<node_state> m_nodes;
  std::unordered_map<const transaction*, request*> m_by_transaction;  ///< of the non-blocking interface
  std::unordered_map<std::uint64_t, cycle_t> m_zero_load;             ///< of one flit, by source and destination
  std::vector<node_id> m_touched;  ///< nodes with arrivals in the cycles just simulated
  bool m_update_pending = false;   ///< and after_cycles() follows
  std::vector<node_id> m_moved;    ///< these nodes, and those with departures: being processed
  std::uint64_t m_in_flight = 0;
  mutable bool m_traced = false;                                 ///< queues are read in every cycle
  std::map<std::string, std::uint64_t> m_refused;                ///< by rule
  std::set<std::pair<unsigned, std::string>> m_lost_extensions;  ///< already reported: index and side
  bool m_end_is_reported = false;
};

/// The sockets of a network, with a width of \p BusWidth bits.
template <unsigned BusWidth>
class noc_sockets {
 public:
  using target_socket = noc_target_socket<BusWidth>;
  using initiator_socket = noc_initiator_socket<BusWidth>;

  sc_core::sc_vector<target_socket> from_initiator;  ///< of node n: to be bound to by its initiator
  sc_core::sc_vector<initiator_socket> to_target;    ///< of node n: to be bound to its target

  /// \p suffix: appended to the names of the sockets
  explicit noc_sockets(noc_base& network, const std::string& suffix = "")
      : from_initiator(("from_initiator" + suffix).c_str(), network.nodes()),
        to_target(("to_target" + suffix).c_str(), network.nodes()) {
    for (int n = 0; n < static_cast<int>(network.nodes()); ++n) {
      const auto i = static_cast<std::size_t>(n);
      from_initiator[i].register_b_transport(&network, &noc_base::blocking, n);
      from_initiator[i].register_nb_transport_fw(&network, &noc_base::forward, n);
      from_initiator[i].register_transport_dbg(&network, &noc_base::debug, n);
      from_initiator[i].register_get_direct_mem_ptr(&network, &noc_base::direct_memory, n);
      to_target[i].register_nb_transport_bw(&network, &noc_base::backward, n);
      to_target[i].register_invalidate_direct_mem_ptr(&network, &noc_base::invalidate, n);
    }
  }

  int targets_at(node_id node) { return to_target[node].get_base_port().bind_count(); }
  int initiators_at(node_id node) { return from_initiator[node].get_base_port().bind_count(); }
};

/// The network with sockets of \p BusWidth bits, a power of two, at least 8. All sockets bound to them must have the
/// same width. The width affects only the timing in DMI descriptors (docs/03_reference/tlm.md), because messages count
/// bytes.
template <unsigned BusWidth>
class basic_noc final : public noc_base, public noc_sockets<BusWidth> {
  static_assert(BusWidth >= 8 && (BusWidth & (BusWidth - 1)) == 0,
                "weft: the bus width of a socket must be a power of two, at least 8");

 public:
  basic_noc(const sc_core::sc_module_name& name, const noc_parameters& parameters)
      : noc_base(name, parameters), noc_sockets<BusWidth>(static_cast<noc_base&>(*this)) {}

 private:
  using sockets = noc_sockets<BusWidth>;
  ::tlm::tlm_fw_transport_if<>& bound_target(node_id node) override { return *sockets::to_target[node].operator->(); }
  ::tlm::tlm_bw_transport_if<>& initiator(node_id node) override { return *sockets::from_initiator[node].operator->(); }
  int targets_at(node_id node) override { return sockets::targets_at(node); }
  int initiators_at(node_id node) override { return sockets::initiators_at(node); }
  unsigned bus_bytes(node_id) override { return BusWidth / 8; }
};

/// The network with sockets of 32 and of 64 bits. The initiator of a node is bound to a socket of either width, and so
/// is its target. Messages transport bytes, so initiators and targets of different widths can communicate.
class mixed_noc final : public noc_base {
 public:
  mixed_noc(const sc_core::sc_module_name& name, const noc_parameters& parameters) : noc_base(name, parameters) {}

  noc_sockets<32> bits_32{*this, "_32"};
  noc_sockets<64> bits_64{*this, "_64"};

 private:
  ::tlm::tlm_fw_transport_if<>& bound_target(node_id node) override {
    if (bits_32.targets_at(node) > 0) return *bits_32.to_target[node].operator->();
    return *bits_64.to_target[node].operator->();
  }
  ::tlm::tlm_bw_transport_if<>& initiator(node_id node) override {
    if (bits_32.initiators_at(node) > 0) return *bits_32.from_initiator[node].operator->();
    return *bits_64.from_initiator[node].operator->();
  }
  int targets_at(node_id node) override { return bits_32.targets_at(node) + bits_64.targets_at(node); }
  int initiators_at(node_id node) override { return bits_32.initiators_at(node) + bits_64.initiators_at(node); }
  unsigned bus_bytes(node_id node) override { return bits_32.initiators_at(node) > 0 ? 4 : 8; }
};

using noc = basic_noc<64>;
using noc_32 = basic_noc<32>;

/// Calls noc_base::trace() under the name that SystemC uses for such functions.
inline void sc_trace(sc_core::sc_trace_file* file, const noc_base& network, const std::string& name) {
  network.trace(file, name);
}

}  // namespace weft::tlm2

namespace weft {
template <unsigned BusWidth>
using basic_noc = tlm2::basic_noc<BusWidth>;
using mixed_noc = tlm2::mixed_noc;
using noc = tlm2::noc;
using noc_32 = tlm2::noc_32;
}  // namespace weft
