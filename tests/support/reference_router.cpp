// SPDX-License-Identifier: Apache-2.0
#include "support/reference_router.h"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>

#include "weft/core/network_observer.h"

using weft::cycle_t;
using weft::flit_event;
using weft::packet;
using weft::packet_answer;

namespace reference {
namespace {

struct flit {
  const packet* of = nullptr;
  std::uint32_t sequence = 0;
  unsigned vc = 0;  // VC of the input port to which it goes
  unsigned routers = 0;
  cycle_t entered = 0, arrived = 0;  // cycles of the arrival in the first router, and in this one
  bool head() const { return sequence == 0; }
  bool tail() const { return sequence + 1 == of->flits; }
};

/// A virtual channel of an input port. Its packet passes the pipeline stages one after the other.
struct input_vc {
  enum stage { Idle, Routed, Active };
  std::deque<flit> fifo;
  stage now = Idle;
  cycle_t since = 0;  // cycle in which the packet reached the stage
  unsigned out_port = 0;
  unsigned out_vc = 0;
  cycle_t first_since = 0;  // cycle in which the first flit became the first
};

/// A virtual channel at the end of a channel from which flits are sent.
struct output_vc {
  bool held = false;  // by a packet
  int flits = 0;      // in the next buffer, or on the way there, or on the way back as a credit
  bool kept = false;  // it keeps a slot of a shared buffer for the packet that holds it
};

struct router {
  std::vector<input_vc> in;  // by VC index: port * vcs + vc
  std::vector<output_vc> out;
  std::vector<unsigned> va_of_in;   // round-robin pointers of input VCs over output VCs
  std::vector<unsigned> va_of_out;  // round-robin pointers of output VCs over input VCs
  // An input port has one input of the switch, or several. VCs use them in turn.
  std::vector<unsigned> sa_port;    // round-robin pointers of inputs of the switch over output ports
  std::vector<unsigned> sa_vc;      // round-robin pointers of inputs of the switch over VCs
  std::vector<unsigned> sa_input;   // round-robin pointers of output ports over inputs of the switch
  std::vector<unsigned> spec_port;  // the same for the second allocator that speculation may have
  std::vector<unsigned> spec_input;
  std::vector<int> hold;           // by input of the switch: the VC that holds the switch, or -1
  std::vector<bool> bids;          // by VC index: whether a head requests the switch speculatively in this cycle
  std::vector<cycle_t> last_sent;  // by output port: cycle of the last grant
  std::vector<bool> has_sent;
};

struct node {
  std::deque<const packet*> queue;  // packets that are not sent completely
  std::uint32_t sequence = 0;       // sequence number of the next flit of the first packet
  unsigned vc = 0;                  // VC of this packet, once its head has left
  unsigned last_vc = 0;
  bool used = false;  // whether last_vc is valid
  std::vector<output_vc> out;
};

/// Returns the first number of pointer, pointer + 1, … (cyclic) for which \p is_requesting returns true, or -1.
template <class IsRequesting>
int round_robin(unsigned count, unsigned pointer, IsRequesting is_requesting) {
  for (unsigned i = 0; i < count; ++i)
    if (is_requesting((pointer + i) % count)) return static_cast<int>((pointer + i) % count);
  return -1;
}

class simulation {
 public:
  simulation(const parameters& p, const std::vector<packet>& packets) : m_p(p) {
    m_dimensions = static_cast<unsigned>(p.shape.size());
    m_local = 2 * m_dimensions;
    m_ports = m_local + 1;
    m_vc_count = m_ports * p.vcs;
    m_inputs = m_ports * p.input_speedup;
    unsigned count = 1;
    for (const std::uint32_t side : p.shape) count *= side;

    router fresh;
    fresh.in.resize(m_vc_count);
    fresh.out.resize(m_vc_count);
    fresh.va_of_in.assign(m_vc_count, 0);
    fresh.va_of_out.assign(m_vc_count, 0);
    fresh.sa_port.assign(m_inputs, 0);
    fresh.sa_vc.assign(m_inputs, 0);
    fresh.sa_input.assign(m_ports, 0);
    fresh.hold.assign(m_inputs, -1);
    fresh.last_sent.assign(m_ports, 0);
    fresh.has_sent.assign(m_ports, false);
    fresh.spec_port.assign(m_inputs, 0);
    fresh.spec_input.assign(m_ports, 0);
    m_routers.assign(count, fresh);
    m_nodes.resize(count);
    for (node& n : m_nodes) n.out.resize(p.vcs);

    std::vector<const packet*> ordered;
    for (const packet& x : packets) ordered.push_back(&x);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const packet* a, const packet* b) { return a->created < b->created; });
    for (const packet* x : ordered) m_nodes[x->source].queue.push_back(x);
  }

  outcome run(cycle_t cycles) {
    for (m_t = 0; m_t < cycles; ++m_t) {
      arrive();
      for (unsigned n = 0; n < m_nodes.size(); ++n) send(n);
      for (unsigned r = 0; r < m_routers.size(); ++r) step(r);
    }
    for (const auto& [id, answer] : m_answers) m_result.answers.push_back(answer);
    return m_result;
  }

 private:
  /// A flit that arrives in a later cycle.
  struct flit_arrival {
    unsigned router, port;
    flit what;
  };
  struct credit_arrival {
    bool at_node;
    unsigned where, port, vc;
  };

  // -- Times, counted from the cycle of a grant (for a node: from the cycle in which it sends)
  cycle_t route_cycles() const { return m_p.lookahead ? 0 : 1; }
  bool speculates() const { return m_p.speculation != weft::speculation_kind::None; }
  bool shares() const { return speculates() || m_p.pipeline == route_cycles() + 2; }
  cycle_t crossing() const { return m_p.pipeline - route_cycles() - (shares() ? 1 : 2); }
  cycle_t to_next_router() const { return crossing() + m_p.link_cycles + m_p.link_phits; }
  cycle_t to_node() const { return crossing() + m_p.node_cycles + 1; }
  cycle_t from_node() const { return m_p.node_cycles + 1; }
  cycle_t credit_to_router() const { return m_p.link_cycles + 1; }
  cycle_t credit_to_node() const { return m_p.node_cycles + 1; }
  cycle_t credit_to_router_from_node() const { return m_p.node_cycles + 1; }  // from the cycle of the delivery

  /// Maximum number of flits of a VC in the buffer of a router.
  int router_capacity() const {
    if (!m_p.shared) return static_cast<int>(m_p.depth);
    const unsigned most = m_p.vcs * m_p.depth - (m_p.vcs - 1) * m_p.reserved;
    return static_cast<int>(m_p.limit != 0 ? std::min(m_p.limit, most) : most);
  }
  /// The same for the buffer behind output port \p port.
  int capacity(unsigned port) const {
    return port == m_local && !shares(port) ? static_cast<int>(m_p.ejection_credits) : router_capacity();
  }
  /// Whether the VCs of output port \p port share the buffer behind it, or the credits of the node.
  bool shares(unsigned port) const { return m_p.shared && !is_unlimited(port); }
  /// Whether there is room for a flit of VC \p vc in the buffer of a router. \p of: the VCs of the port before it.
  bool router_has_room(const output_vc* of, unsigned vc) const {
    const int reserved = static_cast<int>(m_p.reserved);
    if (of[vc].flits >= router_capacity()) return false;
    if (!m_p.shared || of[vc].kept || of[vc].flits < reserved) return true;
    int taken = 0;
    for (unsigned v = 0; v < m_p.vcs; ++v) taken += std::max({of[v].flits, static_cast<int>(of[v].kept), reserved});
    return taken < static_cast<int>(m_p.vcs * m_p.depth);
  }
  /// Whether there is room behind output VC \p vc of \p port. \p out: the output VCs of the router.
  bool has_room(const std::vector<output_vc>& out, unsigned port, unsigned vc) const {
    const output_vc* const of_port = out.data() + port * m_p.vcs;
    if (port == m_local && !shares(port)) return is_unlimited(port) || of_port[vc].flits < capacity(port);
    return router_has_room(of_port, vc);
  }
  /// A flit leaves by \p vc.
  static void enter(output_vc& vc) {
    ++vc.flits;
    vc.kept = false;
  }
  /// A credit returns to \p vc. \param shares whether the VC belongs to a shared buffer
  void leave(output_vc& vc, bool shares) const {
    --vc.flits;
    vc.kept = shares && m_p.reserved == 0 && vc.flits == 0 && vc.held;
  }
  unsigned class_vcs() const { return m_p.vcs / m_p.classes; }
  /// Whether packets of the class of \p p may travel on VC \p vc.
  bool is_of_class(const packet& p, unsigned vc) const { return vc / class_vcs() == p.message_class; }
  bool is_unlimited(unsigned port) const { return port == m_local && m_p.ejection_credits == 0; }

  void arrive() {
    for (const flit_arrival& a : m_flits[m_t]) {
      input_vc& to = m_routers[a.router].in[a.port * m_p.vcs + a.what.vc];
      std::deque<flit>& fifo = to.fifo;
      if (fifo.empty()) to.first_since = m_t;
      fifo.push_back(a.what);
      fifo.back().arrived = m_t;
      if (a.port == m_local) fifo.back().entered = m_t;
    }
    for (const credit_arrival& c : m_credits[m_t]) {
      if (c.at_node)
        leave(m_nodes[c.where].out[c.vc], m_p.shared);
      else
        leave(m_routers[c.where].out[c.port * m_p.vcs + c.vc], shares(c.port));
    }
    for (const flit_arrival& a : m_delivered[m_t]) deliver(a.router, a.what);
    m_flits.erase(m_t);
    m_credits.erase(m_t);
    m_delivered.erase(m_t);
  }

  void deliver(unsigned at, const flit& f) {
    m_result.ejected.push_back({m_t, at, f.vc, f.of->id, f.sequence});
    if (m_p.ejection_credits != 0) m_credits[m_t + credit_to_router_from_node()].push_back({false, at, m_local, f.vc});
    if (f.of->destination != at) throw std::logic_error("reference: a packet at the wrong node");
    packet_answer& answer = m_open[f.of->id];
    answer.id = f.of->id;
    if (f.head()) answer.head_delivered = m_t;
    if (!f.tail()) return;
    answer.tail_delivered = m_t;
    answer.routers = f.routers;
    m_answers[f.of->id] = answer;
  }

  /// Sends one flit of a source per cycle. A head selects the VC.
  void send(unsigned n) {
    node& here = m_nodes[n];
    if (here.queue.empty() || here.queue.front()->created > m_t) return;
    const packet* p = here.queue.front();
    if (here.sequence == 0) {
      const unsigned start = here.used ? (here.last_vc + 1) % m_p.vcs : 0;
      const int vc = round_robin(m_p.vcs, start, [&](unsigned v) {
        return is_of_class(*p, v) && router_has_room(here.out.data(), v) &&
               (!m_p.after_tail_credit || here.out[v].flits == 0);
      });
      if (vc < 0) return;
      here.vc = here.last_vc = static_cast<unsigned>(vc);
      here.used = true;
      m_open[p->id].injected = m_t;
    } else if (!router_has_room(here.out.data(), here.vc)) {
      return;
    }
    enter(here.out[here.vc]);
    here.out[here.vc].held = here.sequence + 1 != p->flits;
    m_result.injected.push_back({m_t, n, here.vc, p->id, here.sequence});
    m_flits[m_t + from_node()].push_back({n, m_local, {p, here.sequence, here.vc, 0}});
    if (++here.sequence == p->flits) {
      here.queue.pop_front();
      here.sequence = 0;
    }
  }

  void step(unsigned r) {
    router& here = m_routers[r];
    const std::vector<output_vc> out_before = here.out;  // the state that VC allocation reads
    compute_routes(here, r);
    allocate_vcs(here, out_before);
    allocate_switch(here, r);
  }

  static bool holds_whole_packet(const input_vc& state) {
    return std::any_of(state.fifo.begin(), state.fifo.end(), [](const flit& f) { return f.tail(); });
  }

  void compute_routes(router& here, unsigned r) {
    for (input_vc& state : here.in) {
      if (state.now != input_vc::Idle || state.fifo.empty() || (m_p.stores && !holds_whole_packet(state))) continue;
      if (!state.fifo.front().head()) throw std::logic_error("reference: a packet without head");
      state.out_port = next_port(r, state.fifo.front().of->destination);
      state.now = input_vc::Routed;
      state.since = m_t;
    }
  }

  /// The output VCs that the head in input VC \p state may request.
  std::vector<bool> requested_vcs(const input_vc& state, const std::vector<output_vc>& before) const {
    const bool unlimited = is_unlimited(state.out_port);
    int needed = 0;  // free flits of the VC
    if (m_p.after_tail_credit) needed = capacity(state.out_port);
    if (m_p.cut_through) needed = std::max(needed, static_cast<int>(state.fifo.front().of->flits));
    std::vector<bool> free(m_vc_count), empty(m_vc_count);
    bool is_one_empty = false;
    for (unsigned o = state.out_port * m_p.vcs; o < (state.out_port + 1) * m_p.vcs; ++o) {
      free[o] = is_of_class(*state.fifo.front().of, o % m_p.vcs) && !before[o].held &&
                (unlimited || capacity(state.out_port) - before[o].flits >= needed) &&
                (!m_p.busy_when_full || has_room(before, state.out_port, o % m_p.vcs));
      empty[o] = free[o] && (unlimited || before[o].flits == 0);
      is_one_empty = is_one_empty || empty[o];
    }
    return m_p.prefer_empty && is_one_empty ? empty : free;
  }

  /// The priority of the first flit of an input VC, above 0. The highest one precedes.
  long long priority(const input_vc& state) const {
    constexpr long long Most = 1LL << 31;
    const flit& f = state.fifo.front();
    if (m_p.starvation_guard != 0 && m_t >= state.first_since + m_p.starvation_guard) return Most + 1;
    switch (m_p.priority) {
      case weft::priority_kind::None:
        return 1;
      case weft::priority_kind::Age:
        return Most - static_cast<long long>(f.of->created);
      case weft::priority_kind::NetworkAge:
        return Most - static_cast<long long>(f.entered);
      case weft::priority_kind::LocalAge:
        return Most - static_cast<long long>(f.arrived);
      case weft::priority_kind::HopCount:
        return 1 + f.routers;
      case weft::priority_kind::QueueLength:
        return static_cast<long long>(state.fifo.size());
      case weft::priority_kind::MessageClass:
        return 1 + f.of->message_class;
    }
    throw std::logic_error("reference: unexpected priority");
  }

  void allocate_vcs(router& here, const std::vector<output_vc>& before) {
    std::map<unsigned, std::vector<unsigned>> requesters;  // by output VC: the input VCs that request it
    here.bids.assign(m_vc_count, false);
    for (unsigned i = 0; i < m_vc_count; ++i) {
      const input_vc& state = here.in[i];
      if (state.now != input_vc::Routed || (state.since >= m_t && !m_p.lookahead)) continue;
      const std::vector<bool> requested = requested_vcs(state, before);
      const int choice = round_robin(m_vc_count, here.va_of_in[i], [&](unsigned o) { return requested[o]; });
      for (unsigned o = 0; o < m_vc_count; ++o)
        if (requested[o] && has_room(before, state.out_port, o % m_p.vcs)) here.bids[i] = speculates();
      if (choice >= 0) requesters[static_cast<unsigned>(choice)].push_back(i);
    }
    for (const auto& [o, who] : requesters) {
      long long highest = 0;
      for (const unsigned i : who) highest = std::max(highest, priority(here.in[i]));
      const auto is_requesting = [&, &who = who](unsigned i) {
        return std::find(who.begin(), who.end(), i) != who.end() && priority(here.in[i]) == highest;
      };
      const auto winner = static_cast<unsigned>(round_robin(m_vc_count, here.va_of_out[o], is_requesting));
      here.in[winner].now = input_vc::Active;
      here.in[winner].since = m_t;
      here.in[winner].out_vc = o % m_p.vcs;
      here.out[o].held = true;
      here.va_of_in[winner] = (o + 1) % m_vc_count;
      here.va_of_out[o] = (winner + 1) % m_vc_count;
    }
  }

  bool may_send(const router& here, unsigned port, unsigned vc) const {
    const input_vc& state = here.in[port * m_p.vcs + vc];
    const bool at_once = shares() && !speculates();
    if (state.now != input_vc::Active || (state.since == m_t && !at_once) || state.fifo.empty()) return false;
    return has_credit(here, state) && !is_occupied(here, state.out_port);
  }

  /// Whether an earlier flit still occupies the channel behind an output port.
  bool is_occupied(const router& here, unsigned port) const {
    return port != m_local && here.has_sent[port] && m_t < here.last_sent[port] + m_p.link_phits;
  }

  bool has_credit(const router& here, const input_vc& state) const {
    return has_room(here.out, state.out_port, state.out_vc);
  }

  /// A grant of the switch.
  struct pair {
    unsigned input, vc, output;
  };

  /// Port \p p has the inputs p * speedup, p * speedup + 1, …, which its VCs use in turn.
  unsigned port_of(unsigned input) const { return input / m_p.input_speedup; }
  bool serves(unsigned input, unsigned vc) const { return vc % m_p.input_speedup == input % m_p.input_speedup; }

  /// One matching of inputs of the switch with output ports. \p level of input port and VC is the level of its request,
  /// or -1 if there is none. A request with a higher level wins against those with a lower one.
  template <class Level>
  std::vector<pair> match(const router& here, Level level, std::vector<unsigned>& of_inputs,
                          std::vector<unsigned>& of_outputs) const {
    std::vector<int> vc_of(m_inputs, -1), selected(m_inputs, -1);  // VC and output port that each input selects
    std::vector<long long> level_of(m_inputs, -1);
    for (unsigned i = 0; i < m_inputs; ++i) {
      const auto level_to = [&](unsigned v, unsigned o) {
        return serves(i, v) && here.in[port_of(i) * m_p.vcs + v].out_port == o ? level(port_of(i), v) : -1LL;
      };
      const auto highest_to = [&](unsigned o) {
        long long highest = -1;
        for (unsigned v = 0; v < m_p.vcs; ++v) highest = std::max(highest, level_to(v, o));
        return highest;
      };
      for (unsigned o = 0; o < m_ports; ++o) level_of[i] = std::max(level_of[i], highest_to(o));
      if (level_of[i] < 0) continue;
      selected[i] = round_robin(m_ports, of_inputs[i], [&](unsigned o) { return highest_to(o) == level_of[i]; });
      vc_of[i] = round_robin(m_p.vcs, here.sa_vc[i], [&](unsigned v) {
        return level_to(v, static_cast<unsigned>(selected[i])) == level_of[i];
      });
    }
    std::vector<pair> grants;
    for (unsigned o = 0; o < m_ports; ++o) {
      long long highest = -1;
      for (unsigned i = 0; i < m_inputs; ++i)
        if (selected[i] == static_cast<int>(o)) highest = std::max(highest, level_of[i]);
      if (highest < 0) continue;
      const auto i = static_cast<unsigned>(round_robin(m_inputs, of_outputs[o], [&](unsigned input) {
        return selected[input] == static_cast<int>(o) && level_of[input] == highest;
      }));
      of_inputs[i] = (o + 1) % m_ports;
      of_outputs[o] = (i + 1) % m_inputs;
      grants.push_back({i, static_cast<unsigned>(vc_of[i]), o});
    }
    return grants;
  }

  /// Whether another VC holds the input of the switch that a VC uses, or the output port that it requests.
  bool is_held_off(const router& here, unsigned port, unsigned vc) const {
    const unsigned output = here.in[port * m_p.vcs + vc].out_port;
    for (unsigned i = 0; i < m_inputs; ++i) {
      if (here.hold[i] < 0) continue;
      const input_vc& holder = here.in[port_of(i) * m_p.vcs + static_cast<unsigned>(here.hold[i])];
      if ((port_of(i) == port && serves(i, vc)) || holder.out_port == output) return true;
    }
    return false;
  }

  void allocate_switch(router& here, unsigned r) {
    const auto normal = [&](unsigned i, unsigned v) {
      if (is_held_off(here, i, v)) return -1LL;
      return may_send(here, i, v) ? (1LL << 40) + priority(here.in[i * m_p.vcs + v]) : -1LL;
    };
    const auto head = [&](unsigned i, unsigned v) {
      if (is_held_off(here, i, v)) return -1LL;
      if (is_occupied(here, here.in[i * m_p.vcs + v].out_port)) return -1LL;
      return here.bids[i * m_p.vcs + v] ? priority(here.in[i * m_p.vcs + v]) : -1LL;
    };
    const bool is_one = !speculates() || m_p.speculation == weft::speculation_kind::Prioritized;
    std::vector<pair> grants = match(
        here, [&](unsigned i, unsigned v) { return is_one ? std::max(normal(i, v), head(i, v)) : normal(i, v); },
        here.sa_port, here.sa_input);
    if (!is_one) add_unmasked(here, normal, match(here, head, here.spec_port, here.spec_input), grants);
    // A head that has not won an output VC with a credit in this cycle does not use its grant.
    std::vector<pair> used;
    for (const pair& g : grants) {
      const input_vc& state = here.in[port_of(g.input) * m_p.vcs + g.vc];
      if (state.now == input_vc::Active && has_credit(here, state)) used.push_back(g);
    }
    for (const pair& g : grants) here.sa_vc[g.input] = (g.vc + 1) % m_p.vcs;
    if (m_p.hold_switch) hold_on(here, used);
    for (const pair& g : used) grant(here, r, port_of(g.input), g.vc);
  }

  /// Adds the flits of VCs that hold the switch to \p used, and determines the VCs that hold it in the next cycle.
  void hold_on(router& here, std::vector<pair>& used) const {
    for (unsigned i = 0; i < m_inputs; ++i) {
      const auto vc = static_cast<unsigned>(here.hold[i]);
      if (here.hold[i] >= 0 && may_send(here, port_of(i), vc))
        used.push_back({i, vc, here.in[port_of(i) * m_p.vcs + vc].out_port});
    }
    std::fill(here.hold.begin(), here.hold.end(), -1);
    for (const pair& g : used) {
      const std::deque<flit>& fifo = here.in[port_of(g.input) * m_p.vcs + g.vc].fifo;
      if (g.output != m_local && m_p.link_phits > 1) continue;  // it cannot send in the next cycle
      if (fifo.size() > 1 && !fifo.front().tail()) here.hold[g.input] = static_cast<int>(g.vc);
    }
  }

  /// Adds the grants of the second allocator that are not masked to \p grants, those of the first one.
  template <class Level>
  void add_unmasked(const router& here, Level normal, const std::vector<pair>& second,
                    std::vector<pair>& grants) const {
    std::vector<bool> inputs(m_inputs), outputs(m_ports);
    for (const pair& g : grants) inputs[g.input] = outputs[g.output] = true;
    if (m_p.speculation == weft::speculation_kind::MaskedByRequests)
      for (unsigned i = 0; i < m_ports; ++i)
        for (unsigned v = 0; v < m_p.vcs; ++v)
          if (normal(i, v) > 0) outputs[here.in[i * m_p.vcs + v].out_port] = true;
    for (const pair& g : second)
      if (!inputs[g.input] && !outputs[g.output]) grants.push_back(g);
  }

  void grant(router& here, unsigned r, unsigned port, unsigned vc) {
    input_vc& state = here.in[port * m_p.vcs + vc];
    output_vc& out = here.out[state.out_port * m_p.vcs + state.out_vc];
    flit f = state.fifo.front();
    state.fifo.pop_front();
    state.first_since = m_t + 1;
    f.vc = state.out_vc;
    ++f.routers;
    if (!is_unlimited(state.out_port)) enter(out);
    here.last_sent[state.out_port] = m_t;
    here.has_sent[state.out_port] = true;
    if (state.out_port == m_local) {
      m_delivered[m_t + to_node()].push_back({r, 0, f});
    } else {
      m_flits[m_t + to_next_router()].push_back({neighbour(r, state.out_port), state.out_port ^ 1u, f});
    }
    if (port == m_local)
      m_credits[m_t + credit_to_node()].push_back({true, r, 0, vc});
    else
      m_credits[m_t + credit_to_router()].push_back({false, neighbour(r, port), port ^ 1u, vc});
    if (f.tail()) {  // too late for the VC allocation of this cycle; the VC is available in the next one
      state.now = input_vc::Idle;
      out.held = false;
    }
  }

  // -- The mesh, with the ports +x, -x, +y, -y, …, local
  unsigned stride(unsigned dimension) const {
    unsigned product = 1;
    for (unsigned d = 0; d < dimension; ++d) product *= m_p.shape[d];
    return product;
  }
  unsigned coordinate(unsigned r, unsigned dimension) const { return r / stride(dimension) % m_p.shape[dimension]; }
  unsigned neighbour(unsigned r, unsigned port) const {
    return port % 2 == 0 ? r + stride(port / 2) : r - stride(port / 2);
  }
  unsigned next_port(unsigned r, unsigned destination) const {
    for (const unsigned d : m_p.order) {
      const unsigned here = coordinate(r, d), there = coordinate(destination, d);
      if (there > here) return 2 * d;
      if (there < here) return 2 * d + 1;
    }
    return m_local;
  }

  const parameters m_p;
  unsigned m_dimensions, m_local, m_ports, m_vc_count, m_inputs;
  std::vector<router> m_routers;
  std::vector<node> m_nodes;
  cycle_t m_t = 0;
  std::map<cycle_t, std::vector<flit_arrival>> m_flits;      // flits that will arrive at routers
  std::map<cycle_t, std::vector<flit_arrival>> m_delivered;  // flits that will arrive at nodes
  std::map<cycle_t, std::vector<credit_arrival>> m_credits;
  std::map<weft::packet_id, packet_answer> m_open, m_answers;
  outcome m_result;
};

}  // namespace

outcome simulate(const parameters& p, const std::vector<packet>& packets, cycle_t cycles) {
  return simulation(p, packets).run(cycles);
}

}  // namespace reference
