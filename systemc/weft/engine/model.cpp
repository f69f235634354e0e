// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/model.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/calendar.h"
#include "weft/engine/base/travel_table.h"
#include "weft/engine/generic/generic_routers.h"
#include "weft/engine/nic/nic_context.h"
#include "weft/engine/nic/receive_path.h"
#include "weft/engine/nic/send_path.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/routers.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/zero_load.h"

namespace weft::engine {

namespace {

/// \tparam Routers routers, or generic_routers
template <typename Routers>
class model final : public driven_model {
 public:
  model(const topology& graph, const fabric_parameters& fabric, const router_parameters& router,
        const nic_parameters& nic, unsigned payload_bits, packet_source& source, network_observer& observer)
      : m_nics(graph, fabric, router, nic, payload_bits, source, observer),
        m_routers(m_nics.graph, fabric, m_nics.packets, m_nics.needs_waits, meters()),
        m_creations(graph.nodes.size()),
        m_send(m_nics, router, m_routers),
        m_receive(m_nics, router, nic, m_routers),
        m_accepts_by_class(nic.accepts_by_class),
        m_shallowest(nic.credits_for_router() == 0 ? router.depth : std::min(router.depth, nic.credits_for_router())),
        m_streams(!fabric.rules.cut_through && m_shallowest >= streaming_depth(fabric.stages, fabric.longest)) {
    for (node_id n = 0; n < graph.nodes.size(); ++n) m_creations.enter(n, source.next_creation(n));
    m_nics.packets.set_before_growth([this] { m_routers.complete(); });  // they read records of packets
  }

  void run(cycle_t cycles) override {
    if (!m_begun) begin();
    m_begun = m_running = true;
    for (const cycle_t end = m_nics.now + cycles; m_nics.now < end;) {
      if (is_idle()) {
        m_nics.now = m_creations.idle_until(m_nics.now + 1, end);
      } else {
        advance(std::min(end, m_nics.now + m_routers.lookahead()));
      }
      if (m_nics.busy == 0)
        m_nics.now = m_routers.advance_routers_only(m_nics.now, m_creations.idle_until(m_nics.now, end));
      begin();
    }
    m_running = false;
  }

  cycle_t now() const override { return m_nics.now; }

  std::uint64_t queued(node_id node) const override { return m_send.queued(node); }

  std::uint32_t received_in_window(node_id node) const override { return m_nics.received_in_window(node); }

  std::vector<channel_count> channel_counts() const override {
    return m_routers.channel_counts(m_nics.graph, m_nics.now);
  }

  std::vector<channel_activity> activity() const override {
    return m_nics.meters ? m_nics.meters->up_to(m_nics.now) : std::vector<channel_activity>();
  }

  std::vector<std::uint32_t> buffered() const override { return m_routers.buffered(m_nics.graph, m_nics.now); }

  std::vector<blocked_packet> blocked() const override { return m_routers.blocked(); }

  std::vector<blocked_packet> blocked_in_nics() const override {
    std::vector<blocked_packet> blocked;
    m_receive.add_rejected(blocked);
    m_send.add_blocked(blocked);
    return blocked;
  }

  void reschedule_source(node_id node) override {
    m_creations.remove(node);
    const cycle_t next = m_nics.source.next_creation(node);
    m_creations.enter(node, next == Never ? Never : std::max(next, m_nics.now + m_begun));
  }

  void set_ready(node_id node, bool ready) override {
    if (!m_receive.has_buffers())
      throw std::logic_error("set_ready() requires an ejection buffer; set nic.ejection_depth");
    m_receive.set_ready(node, ready, m_nics.now + m_running);
  }

  /// The engine moves a flit to the output of an ejector at the start of a cycle, where the hardware does so at the end
  /// of the cycle before. Between two runs, the present cycle has begun.
  void set_accepted(node_id node, class_set classes) override {
    if (!m_accepts_by_class) throw std::logic_error("set_accepted() requires nic_parameters::accepts_by_class");
    m_receive.set_accepted(node, blocks_of_classes(classes, m_nics.class_vcs), m_nics.now + 1 + m_running);
  }

  cycle_t next_activity() const override {
    if (!m_begun || !is_idle()) return m_nics.now;
    return m_creations.next();
  }

  std::uint64_t flit_hops() const override { return m_routers.hops(); }

  void set_threads(unsigned count, std::uint64_t flits_each) override { m_routers.set_threads(count, flits_each); }

  std::optional<uncontended_crossing> predict(const packet& p) override {
    if (!m_begun || !is_idle() || !m_creations.empty() || p.created <= m_nics.now) return std::nullopt;
    if (m_nics.meters) return std::nullopt;  // they need every flit
    if ((!m_streams && p.flits > m_shallowest) || !m_receive.will_be_ready(p.destination)) return std::nullopt;
    if (!m_send.can_predict(p.message_class)) return std::nullopt;
    if (m_accepts_by_class && !(m_receive.will_accept(p.destination) >> p.message_class * m_nics.class_vcs & 1))
      return std::nullopt;
    const std::optional<travel> cost = travel_of(p);
    if (!cost) return std::nullopt;
    const cycle_t delivered = p.created + cost->cycles + p.flits - 1;
    return uncontended_crossing{delivered, delivered + m_routers.credit_drain_cycles(), cost->routers};
  }

  bool has_fixed_paths() const override { return m_routers.has_fixed_paths(); }

  void pass(const packet& p, const uncontended_crossing& crossing) override {
    const nic_port_vc from = m_send.next_of(p.source, p.message_class);
    const nic_port_vc to = with_head(p, [&](stored_flit head) { return m_routers.pass(from, head, p.flits); });
    m_send.note_passed(from);
    m_receive.note_passed(to);
    for (cycle_t arrives = crossing.delivered + 1 - p.flits; arrives <= crossing.delivered; ++arrives) {
      m_nics.received.move_to(arrives - 1);
      m_nics.received.add(to.port());
    }
    m_nics.now = crossing.at_rest;
    m_nics.received.move_to(m_nics.now);
  }

 private:
  channel_meters* meters() { return m_nics.meters ? &*m_nics.meters : nullptr; }

  bool is_idle() const { return m_nics.busy == 0 && m_routers.is_idle(m_nics.now); }

  /// Calls \p f with the head flit of \p p. The packet is in no NIC.
  template <typename F>
  auto with_head(const packet& p, F f) {
    if (!m_routers.needs_packets()) return f(stored_flit(0, p.destination, true, p.flits == 1));
    const packet_handle handle = m_nics.packets.add([&] { return p; }, m_nics.words);
    const auto result = f(stored_flit(handle, p.destination, true, p.flits == 1));
    m_nics.packets.remove(handle);
    return result;
  }

  std::optional<travel> travel_of(const packet& p) {
    if (const travel* const known = m_travels.find(p)) return *known;
    const nic_port_vc from = m_send.next_of(p.source, p.message_class);
    const auto cost = with_head(p, [&](stored_flit head) { return m_routers.predict(from, head); });
    if (!cost) return std::nullopt;
    const travel found{1 + m_nics.channels[from.port()].cycles + cost->cycles, cost->routers};
    if (m_routers.has_fixed_paths()) m_travels.enter(p, found);
    return found;
  }

  /// Begins the cycle: flits and credits that were sent arrive, and new packets are created.
  void begin() {
    const cycle_t now = m_nics.now;
    const auto count = [this](nic_port_vc nic) { m_nics.received.add(nic.port()); };
    const auto receive_credit = [this](nic_port_vc nic) { m_send.receive_credit(nic); };
    if (now != 0)
      m_nics.received.move_to(now - 1);  // flits on the wires now are counted as received in the previous
                                         // cycle
    m_routers.reach_nics(now, count, receive_credit);
    m_nics.received.move_to(now);
    m_creations.pop(now, [this](node_id node) { return m_send.create(node); });
  }

  /// Advances to the beginning of cycle \p end. Nodes are processed first, because everything that reaches them in
  /// these cycles is already in flight. Other threads may simulate the routers at the same time.
  void advance(cycle_t end) {
    const cycle_t first = m_nics.now;
    m_routers.start(first, end);
    try {
      advance_nodes(end);
    } catch (...) {
      m_routers.abandon();
      throw;
    }
    m_routers.advance(first, end);
  }
  [[gnu::noinline]] void advance_nodes(cycle_t end) {
    for (;;) {
      m_receive.advance();
      m_send.advance();
      if (++m_nics.now == end) break;
      begin();
    }
  }

  nic_context m_nics;
  Routers m_routers;
  calendar m_creations;
  send_path<Routers> m_send;
  receive_path<Routers> m_receive;
  bool m_begun = false;    ///< whether the present cycle has begun
  bool m_running = false;  ///< whether run() is active
  const bool m_accepts_by_class;
  const unsigned m_shallowest;  ///< minimum depth of a buffer, in flits
  const bool m_streams;         ///< whether packets that are longer than a buffer can stream through it without a pause
  travel_table m_travels;       ///< travel times of predicted packets on fixed paths
};

void check_size(const topology& graph) {
  if (graph.nodes.size() >= 1U << 20) throw std::invalid_argument("the engine supports fewer than 1,048,576 nodes");
  if (graph.routers.size() >= 1U << 24)
    throw std::invalid_argument("the engine supports fewer than 16,777,216 routers");
}

/// The parameters of the fabric, after a check of all parameters of the network.
fabric_parameters checked_fabric(const topology& graph, const router_parameters& router, const nic_parameters& nic) {
  check_parameters(graph, router, nic);
  check_size(graph);
  return {graph, router, nic};
}

}  // namespace

bool is_accelerated(const router_parameters& router, const nic_parameters& nic) {
  const output_vc_rules rules = output_vc_rules_of(router);
  const bool plain_vcs = !rules.after_tail_credit && !rules.busy_when_full && !rules.prefer_empty;
  return router.vc_allocator == allocator_parameters() && router.switch_allocator == allocator_parameters() &&
         router.speculation == speculation_kind::None && router.priority == priority_kind::None &&
         !router.lookahead_routing && router.flow != flow_control::StoreAndForward && !router.hold_switch &&
         router.input_speedup == 1 && !shares_buffer(router) && plain_vcs && nic.ejection_credits == 0;
}

std::unique_ptr<driven_model> make_model(const topology& graph, const router_parameters& router,
                                         const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                         network_observer& observer) {
  if (!is_accelerated(router, nic) || has_narrow_channels(graph))
    return make_generic_model(graph, router, nic, payload_bits, source, observer);
  const fabric_parameters fabric = checked_fabric(graph, router, nic);
  // The first variant fits common routers, which have five ports of three or four VCs.
  if (routers<32, 2>::fits(fabric))
    return std::make_unique<model<routers<32, 2>>>(graph, fabric, router, nic, payload_bits, source, observer);
  if (routers<64, -1>::fits(fabric))
    return std::make_unique<model<routers<64, -1>>>(graph, fabric, router, nic, payload_bits, source, observer);
  return std::make_unique<model<routers<256, -1>>>(graph, fabric, router, nic, payload_bits, source, observer);
}

std::unique_ptr<driven_model> make_generic_model(const topology& graph, const router_parameters& router,
                                                 const nic_parameters& nic, unsigned payload_bits,
                                                 packet_source& source, network_observer& observer) {
  const fabric_parameters fabric = checked_fabric(graph, router, nic);
  return std::make_unique<model<generic_routers>>(graph, fabric, router, nic, payload_bits, source, observer);
}

}  // namespace weft::engine
