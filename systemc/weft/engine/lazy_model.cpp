// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/lazy_model.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace weft::engine {

namespace {

/// Stands between an engine and its source and observer: takes out the packet that is alone, and gives it to the engine
/// if it does not stay so. While there are no others the engine stays behind, and what has crossed waits in a list.
class lazy_model final : public driven_model, private packet_source, private network_observer {
 public:
  lazy_model(const topology& graph, const router_parameters& router, const nic_parameters& nic, unsigned payload_bits,
             packet_source& source, network_observer& observer)
      : m_source(source),
        m_observer(observer),
        m_wanted(observer.wanted()),
        m_wants_payload(observer.wants_payload()),
        m_engine(make_model(graph, router, nic, payload_bits, *this, *this)) {}

  void run(cycle_t cycles) override {
    m_now += cycles;
    if (!m_lone) {
      if (!m_rests) simulate();
      return;
    }
    tell();
    if (m_lone && m_lone->course.at_rest <= m_now) put_by();
  }

  cycle_t now() const override { return m_now; }

  cycle_t next_activity() const override {
    if (m_lone) return m_lone->delivered ? Never : m_lone->course.delivered;
    return m_rests ? Never : m_engine->next_activity();
  }

  void ask_again(node_id node) override {
    if (m_lone) catch_up();
    const cycle_t next = m_source.next_creation(node);
    if (!m_rests || next <= m_now) return let_simulate(node);
    if (next == Never) return;
    m_held = m_source.take(node);
    std::optional<lone_crossing> course;
    if (m_held->more == 0 && m_source.next_creation(node) == Never) course = foresee(*m_held);
    if (!course) return let_simulate(node);
    m_lone = lone_packet{*m_held, *course};
    m_held.reset();
  }

  void set_ready(node_id node, bool ready) override {
    if (m_lone && m_lone->what.destination == node) catch_up();
    m_engine->set_ready(node, ready);
  }

  // What is asked of the engine concerns a network that has come to the present cycle.
  std::uint64_t queued(node_id node) const override { return present().queued(node); }
  std::uint32_t received_in_window(node_id node) const override { return present().received_in_window(node); }
  std::vector<channel_count> channel_counts() const override { return present().channel_counts(); }
  std::vector<std::uint32_t> buffered() const override { return present().buffered(); }
  std::vector<blocked_packet> blocked() const override { return present().blocked(); }
  std::uint64_t flit_hops() const override { return present().flit_hops(); }

  bool has_fixed_paths() const override { return m_engine->has_fixed_paths(); }
  std::optional<lone_crossing> foresee(const packet& p) override {
    if (m_lone) catch_up();
    if (!m_engine->has_fixed_paths()) pass_all();
    return m_engine->foresee(p);
  }
  void pass(const packet& p, const lone_crossing& course) override {
    present().pass(p, course);
    m_now = m_engine->now();
  }

 private:
  struct lone_packet {
    packet what;
    lone_crossing course;
    bool sent = false, delivered = false;  ///< the observer knows
  };
  /// So many crossings are passed on to the engine together: with its routers in the cache they cost less.
  static constexpr std::size_t MostPassed = 128;

  // ---------------------------------------------------------------------------------------------------------------
  // A packet that is alone

  void tell() {
    const bool sent = m_lone->what.created < m_now, delivered = m_lone->course.delivered < m_now;
    const bool tells_sent = sent && !m_lone->sent, tells_delivered = delivered && !m_lone->delivered;
    m_lone->sent = sent;
    m_lone->delivered = delivered;
    if (!tells_sent && !tells_delivered) return;
    const auto [p, course, knows_sent, knows_delivered] = *m_lone;  // an observer may ask for what ends its being alone
    if (tells_sent && m_wanted.contains(network_event::Sent)) m_observer.sent(p.id, p.source, p.created);
    if (tells_delivered && m_wanted.contains(network_event::Delivered))
      m_observer.delivered(p, course.delivered, course.routers);
  }

  /// It has crossed the network, and its credits are back.
  void put_by() {
    m_passed.push_back(*m_lone);
    m_lone.reset();
    if (m_passed.size() == MostPassed) pass_all();
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The engine

  void pass_all() const {
    for (const lone_packet& p : m_passed) m_engine->pass(p.what, p.course);
    m_passed.clear();
  }

  /// The engine comes to the present cycle. A packet that is alone is given to it, from its creation on. At once, so
  /// that what is asked or set next finds the network in the present cycle.
  void catch_up() const {
    if (!m_rests) return;
    pass_all();
    if (m_lone) {
      m_held = m_lone->what;
      m_known = *m_lone;
      m_lone.reset();
      m_rests = false;
      m_engine->ask_again(m_held->source);
    }
    simulate();
  }

  driven_model& present() const {
    catch_up();
    return *m_engine;
  }

  void let_simulate(node_id node) const {
    catch_up();
    m_rests = false;
    m_engine->ask_again(node);
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
  packet take(node_id node) override {
    if (!m_held || m_held->source != node) return m_source.take(node);
    return *std::exchange(m_held, std::nullopt);
  }
  packet following(const packet& p) const override { return m_source.following(p); }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    if (!is_known(p.id)) return m_source.payload(p, sequence, payload_bits, words);
    std::fill_n(words, (payload_bits + 63) / 64, 0);  // its source has forgotten it, and nobody will hear of it
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Between the engine and its observer, which does not hear twice of a packet that was foreseen

  /// It is simulated after its delivery was told.
  bool is_known(packet_id id) const { return m_known.delivered && m_known.what.id == id; }

  bool wants_payload() const override { return m_wants_payload; }
  network_events wanted() const override { return m_wanted; }
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
  const network_events m_wanted;
  const bool m_wants_payload;
  cycle_t m_now = 0;
  // What is asked of the network as it is now may end a packet's being alone.
  mutable std::optional<lone_packet> m_lone;  ///< its source does not have it any more, nor has the engine
  mutable std::vector<lone_packet> m_passed;  ///< those before it that the engine has not heard of, in order
  mutable bool m_rests = false;               ///< the engine has nothing under way or announced, and may be behind
  mutable std::optional<packet> m_held;       ///< for the engine: what its source was asked for
  mutable lone_packet m_known;                ///< the last one that the engine was given late: what was told of it
  std::unique_ptr<driven_model> m_engine;     ///< it asks the others when it is made
};

/// What happens to a packet on its way is not foreseen.
bool suits(const network_observer& observer) {
  using e = network_event;
  const network_events wanted = observer.wanted();
  return !observer.wants_waits() && !wanted.contains(e::Created) && !wanted.contains(e::Injected) &&
         !wanted.contains(e::Ejected);
}

}  // namespace

std::unique_ptr<driven_model> make_lazy_model(const topology& graph, const router_parameters& router,
                                              const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                              network_observer& observer) {
  if (!suits(observer)) return make_model(graph, router, nic, payload_bits, source, observer);
  return std::make_unique<lazy_model>(graph, router, nic, payload_bits, source, observer);
}

}  // namespace weft::engine
