// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/lazy_model.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace weft::engine {

namespace {

/// A layer between an engine and its source and observer. It keeps an isolated packet out of the engine and predicts
/// its delivery; if the packet does not stay isolated, the layer passes it to the engine. While there are no other
/// packets, the engine lags behind, and packets that have crossed the network wait in a list.
class lazy_model final : public driven_model, private packet_source, private network_observer {
 public:
  lazy_model(const topology& graph, const router_parameters& router, const nic_parameters& nic, unsigned payload_bits,
             packet_source& source, network_observer& observer)
      : m_source(source),
        m_observer(observer),
        m_event_interest(observer.event_interest()),
        m_needs_payload(observer.needs_payload()),
        m_engine(make_model(graph, router, nic, payload_bits, *this, *this)) {}

  void run(cycle_t cycles) override {
    m_now += cycles;
    if (!m_isolated) {
      if (!m_rests) simulate();
      return;
    }
    notify();
    if (m_isolated && m_isolated->crossing.at_rest <= m_now) put_by();
  }

  cycle_t now() const override { return m_now; }

  void set_threads(unsigned count, std::uint64_t flits_each) override { m_engine->set_threads(count, flits_each); }

  cycle_t next_activity() const override {
    if (m_isolated) return m_isolated->delivered ? Never : m_isolated->crossing.delivered;
    return m_rests ? Never : m_engine->next_activity();
  }

  void reschedule_source(node_id node) override {
    if (m_isolated) catch_up();
    const cycle_t next = m_source.next_creation(node);
    if (!m_rests || next <= m_now) return resume_simulation(node);
    if (next == Never) return;
    m_held = m_source.pop(node);
    std::optional<uncontended_crossing> crossing;
    if (m_held->more == 0 && m_source.next_creation(node) == Never) crossing = predict(*m_held);
    if (!crossing) return resume_simulation(node);
    m_isolated = isolated_packet{*m_held, *crossing};
    m_held.reset();
  }

  void set_ready(node_id node, bool ready) override {
    if (m_isolated && m_isolated->what.destination == node) catch_up();
    m_engine->set_ready(node, ready);
  }

  void set_accepted(node_id node, class_set classes) override {
    if (m_isolated && m_isolated->what.destination == node) catch_up();
    m_engine->set_accepted(node, classes);
  }

  // These functions read the present state, so the engine advances to the present cycle first.
  std::uint64_t queued(node_id node) const override { return present().queued(node); }
  std::uint32_t received_in_window(node_id node) const override { return present().received_in_window(node); }
  std::vector<channel_count> channel_counts() const override { return present().channel_counts(); }
  std::vector<channel_activity> activity() const override { return present().activity(); }
  std::vector<std::uint32_t> buffered() const override { return present().buffered(); }
  std::vector<blocked_packet> blocked() const override { return present().blocked(); }
  std::vector<blocked_packet> blocked_in_nics() const override { return present().blocked_in_nics(); }
  std::uint64_t flit_hops() const override { return present().flit_hops(); }

  bool has_fixed_paths() const override { return m_engine->has_fixed_paths(); }
  std::optional<uncontended_crossing> predict(const packet& p) override {
    if (m_isolated) catch_up();
    if (!m_engine->has_fixed_paths()) pass_all();
    return m_engine->predict(p);
  }
  void pass(const packet& p, const uncontended_crossing& crossing) override {
    present().pass(p, crossing);
    m_now = m_engine->now();
  }

 private:
  struct isolated_packet {
    packet what;
    uncontended_crossing crossing;
    bool sent = false, delivered = false;  ///< already reported to the observer
  };
  /// Number of crossings that are passed to the engine together. This is faster than passing them one by one, because
  /// the engine's routers are then in the cache.
  static constexpr std::size_t MostPassed = 128;

  // ---------------------------------------------------------------------------------------------------------------
  // An isolated packet

  void notify() {
    const bool sent = m_isolated->what.created < m_now, delivered = m_isolated->crossing.delivered < m_now;
    const bool notifies_sent = sent && !m_isolated->sent, notifies_delivered = delivered && !m_isolated->delivered;
    m_isolated->sent = sent;
    m_isolated->delivered = delivered;
    if (!notifies_sent && !notifies_delivered) return;
    // These are copies, because calls from the observer may reset m_isolated.
    const packet p = m_isolated->what;
    const uncontended_crossing crossing = m_isolated->crossing;
    if (notifies_sent && m_event_interest.contains(network_event::Sent)) m_observer.sent(p.id, p.source, p.created);
    if (notifies_delivered && m_event_interest.contains(network_event::Delivered))
      m_observer.delivered(p, crossing.delivered, crossing.routers);
  }

  /// Moves the packet to the list when it has crossed the network and its credits are back.
  void put_by() {
    m_passed.push_back(*m_isolated);
    m_isolated.reset();
    if (m_passed.size() == MostPassed) pass_all();
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The engine

  void pass_all() const {
    for (const isolated_packet& p : m_passed) m_engine->pass(p.what, p.crossing);
    m_passed.clear();
  }

  /// Advances the engine to the present cycle and passes it the isolated packet, if there is one, from its creation on.
  /// This happens immediately, so that the following calls find the network in the present cycle.
  void catch_up() const {
    if (!m_rests) return;
    pass_all();
    if (m_isolated) {
      m_held = m_isolated->what;
      m_known = *m_isolated;
      m_isolated.reset();
      m_rests = false;
      m_engine->reschedule_source(m_held->source);
    }
    simulate();
  }

  driven_model& present() const {
    catch_up();
    return *m_engine;
  }

  void resume_simulation(node_id node) const {
    catch_up();
    m_rests = false;
    m_engine->reschedule_source(node);
  }

  void simulate() const {
    m_engine->run(m_now - m_engine->now());
    m_rests = m_engine->next_activity() == Never;
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Between the engine and its source

  cycle_t next_creation(node_id node) const override {
    return m_held && m_held->source == node ? m_held->created : m_source.next_creation(node);
  }
  packet pop(node_id node) override {
    if (!m_held || m_held->source != node) return m_source.pop(node);
    return *std::exchange(m_held, std::nullopt);
  }
  packet following(const packet& p) const override { return m_source.following(p); }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    if (!is_known(p.id)) return m_source.payload(p, sequence, payload_bits, words);
    std::fill_n(words, (payload_bits + 63) / 64, 0);  // its source no longer has it, and the observer gets no more
                                                      // events of it
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Between the engine and its observer, which must not get events of a predicted packet twice

  /// Whether the packet is still simulated although its delivery has been reported.
  bool is_known(packet_id id) const { return m_known.delivered && m_known.what.id == id; }

  bool needs_payload() const override { return m_needs_payload; }
  network_events event_interest() const override { return m_event_interest; }
  void sent(packet_id id, node_id node, cycle_t cycle) override {
    if (!(m_known.sent && m_known.what.id == id)) m_observer.sent(id, node, cycle);
  }
  void received(const flit_event& event, const std::uint64_t* words) override {
    if (!is_known(event.id)) m_observer.received(event, words);
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    if (!is_known(p.id)) m_observer.delivered(p, cycle, routers);
  }

  packet_source& m_source;
  network_observer& m_observer;
  const network_events m_event_interest;
  const bool m_needs_payload;
  cycle_t m_now = 0;
  // Calls that read the present state may end the isolation of a packet.
  mutable std::optional<isolated_packet> m_isolated;  ///< neither its source nor the engine has it
  mutable std::vector<isolated_packet> m_passed;      ///< earlier packets that have not been passed to the engine, in
                                                      ///< order
  mutable bool m_rests = false;                       ///< the engine is idle with nothing announced, and may lag behind
  mutable std::optional<packet> m_held;               ///< for the engine: packet requested from its source
  mutable isolated_packet m_known;         ///< last packet passed to the engine late, with what was reported of it
  std::unique_ptr<driven_model> m_engine;  ///< last member, because its constructor uses the others
};

/// Whether predictions suffice for \p observer, because it needs no other events than Sent, Received and Delivered, and
/// no waits.
bool suits(const network_observer& observer) {
  using e = network_event;
  const network_events event_interest = observer.event_interest();
  return !observer.needs_waits() && !observer.needs_activity() && !event_interest.contains(e::Created) &&
         !event_interest.contains(e::Injected) && !event_interest.contains(e::Ejected);
}

}  // namespace

std::unique_ptr<driven_model> make_lazy_model(const topology& graph, const router_parameters& router,
                                              const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                              network_observer& observer) {
  if (!suits(observer)) return make_model(graph, router, nic, payload_bits, source, observer);
  return std::make_unique<lazy_model>(graph, router, nic, payload_bits, source, observer);
}

}  // namespace weft::engine
