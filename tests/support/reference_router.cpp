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
  unsigned vc = 0;  // of the input port it goes to
  unsigned routers = 0;
  bool head() const { return sequence == 0; }
  bool tail() const { return sequence + 1 == of->flits; }
};

/// A virtual channel of an input port. Its packet goes through the stages one by one.
struct input_lane {
  enum stage { Idle, Routed, Active };
  std::deque<flit> fifo;
  stage now = Idle;
  cycle_t since = 0;  // the cycle in which the stage was reached
  unsigned out_port = 0;
  unsigned out_vc = 0;
};

/// A virtual channel of an output port.
struct output_lane {
  bool held = false;
  int credits = 0;
};

struct router {
  std::vector<input_lane> in;  // lane = port * vcs + vc
  std::vector<output_lane> out;
  std::vector<unsigned> va_of_in;   // round-robin pointers: of input lanes, over output lanes
  std::vector<unsigned> va_of_out;  // of output lanes, over input lanes
  std::vector<unsigned> sa_port;    // of input ports, over output ports
  std::vector<unsigned> sa_vc;      // of input ports, over VCs
  std::vector<unsigned> sa_input;   // of output ports, over input ports
};

struct node {
  std::deque<const packet*> queue;  // not sent completely
  std::uint32_t sequence = 0;       // next flit of the first of them
  unsigned vc = 0;                  // of that packet, once its head has left
  unsigned last_vc = 0;
  bool used = false;  // last_vc says something
  std::vector<int> credits;
};

/// Looks at pointer, pointer + 1, … and around; the first that \p wants, or -1.
template <class Wants>
int round_robin(unsigned count, unsigned pointer, Wants wants) {
  for (unsigned i = 0; i < count; ++i)
    if (wants((pointer + i) % count)) return static_cast<int>((pointer + i) % count);
  return -1;
}

class simulation {
 public:
  simulation(const parameters& p, const std::vector<packet>& packets) : m_p(p) {
    m_dimensions = static_cast<unsigned>(p.shape.size());
    m_local = 2 * m_dimensions;
    m_ports = m_local + 1;
    m_lanes = m_ports * p.vcs;
    unsigned count = 1;
    for (const std::uint32_t side : p.shape) count *= side;

    router fresh;
    fresh.in.resize(m_lanes);
    fresh.out.resize(m_lanes);
    for (output_lane& lane : fresh.out) lane.credits = static_cast<int>(p.depth);
    fresh.va_of_in.assign(m_lanes, 0);
    fresh.va_of_out.assign(m_lanes, 0);
    fresh.sa_port.assign(m_ports, 0);
    fresh.sa_vc.assign(m_ports, 0);
    fresh.sa_input.assign(m_ports, 0);
    m_routers.assign(count, fresh);
    m_nodes.resize(count);
    for (node& n : m_nodes) n.credits.assign(p.vcs, static_cast<int>(p.depth));

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
  /// What reaches a place in a cycle to come.
  struct flit_arrival {
    unsigned router, port;
    flit what;
  };
  struct credit_arrival {
    bool at_node;
    unsigned where, port, vc;
  };

  // -- times, counted from the cycle of a grant (or, for a node, of sending)
  cycle_t crossing() const { return m_p.pipeline > 4 ? m_p.pipeline - 3 : 1; }
  cycle_t to_next_router() const { return crossing() + m_p.link_cycles + 1; }
  cycle_t to_node() const { return crossing() + m_p.node_cycles + 1; }
  cycle_t from_node() const { return m_p.node_cycles + 1; }
  cycle_t credit_to_router() const { return m_p.link_cycles + 1; }
  cycle_t credit_to_node() const { return m_p.node_cycles + 1; }

  void arrive() {
    for (const flit_arrival& a : m_flits[m_t])
      m_routers[a.router].in[a.port * m_p.vcs + a.what.vc].fifo.push_back(a.what);
    for (const credit_arrival& c : m_credits[m_t]) {
      if (c.at_node)
        ++m_nodes[c.where].credits[c.vc];
      else
        ++m_routers[c.where].out[c.port * m_p.vcs + c.vc].credits;
    }
    for (const flit_arrival& a : m_delivered[m_t]) deliver(a.router, a.what);
    m_flits.erase(m_t);
    m_credits.erase(m_t);
    m_delivered.erase(m_t);
  }

  void deliver(unsigned at, const flit& f) {
    m_result.ejected.push_back({m_t, at, f.vc, f.of->id, f.sequence});
    if (f.of->destination != at) throw std::logic_error("reference: a packet at the wrong node");
    packet_answer& answer = m_open[f.of->id];
    answer.id = f.of->id;
    if (f.head()) answer.head_delivered = m_t;
    if (!f.tail()) return;
    answer.tail_delivered = m_t;
    answer.routers = f.routers;
    m_answers[f.of->id] = answer;
  }

  /// The source: one flit a cycle; a head picks the VC.
  void send(unsigned n) {
    node& here = m_nodes[n];
    if (here.queue.empty() || here.queue.front()->created > m_t) return;
    const packet* p = here.queue.front();
    if (here.sequence == 0) {
      const unsigned start = here.used ? (here.last_vc + 1) % m_p.vcs : 0;
      const int vc = round_robin(m_p.vcs, start, [&](unsigned v) { return here.credits[v] > 0; });
      if (vc < 0) return;
      here.vc = here.last_vc = static_cast<unsigned>(vc);
      here.used = true;
      m_open[p->id].injected = m_t;
    } else if (here.credits[here.vc] == 0) {
      return;
    }
    --here.credits[here.vc];
    m_result.injected.push_back({m_t, n, here.vc, p->id, here.sequence});
    m_flits[m_t + from_node()].push_back({n, m_local, {p, here.sequence, here.vc, 0}});
    if (++here.sequence == p->flits) {
      here.queue.pop_front();
      here.sequence = 0;
    }
  }

  void step(unsigned r) {
    router& here = m_routers[r];
    const std::vector<output_lane> out_before = here.out;  // what VA looks at
    compute_routes(here, r);
    allocate_vcs(here, out_before);
    allocate_switch(here, r);
  }

  void compute_routes(router& here, unsigned r) {
    for (input_lane& lane : here.in) {
      if (lane.now != input_lane::Idle || lane.fifo.empty()) continue;
      if (!lane.fifo.front().head()) throw std::logic_error("reference: a packet without head");
      lane.out_port = next_port(r, lane.fifo.front().of->destination);
      lane.now = input_lane::Routed;
      lane.since = m_t;
    }
  }

  void allocate_vcs(router& here, const std::vector<output_lane>& before) {
    std::map<unsigned, std::vector<unsigned>> requesters;  // of an output lane: input lanes
    for (unsigned i = 0; i < m_lanes; ++i) {
      const input_lane& lane = here.in[i];
      if (lane.now != input_lane::Routed || lane.since >= m_t) continue;
      const int needed = m_p.cut_through ? static_cast<int>(lane.fifo.front().of->flits) : 0;
      const int choice = round_robin(m_lanes, here.va_of_in[i], [&](unsigned o) {
        const bool unlimited = lane.out_port == m_local;
        return o / m_p.vcs == lane.out_port && !before[o].held && (unlimited || before[o].credits >= needed);
      });
      if (choice >= 0) requesters[static_cast<unsigned>(choice)].push_back(i);
    }
    for (const auto& [o, who] : requesters) {
      const auto asks = [&who = who](unsigned i) { return std::find(who.begin(), who.end(), i) != who.end(); };
      const auto winner = static_cast<unsigned>(round_robin(m_lanes, here.va_of_out[o], asks));
      here.in[winner].now = input_lane::Active;
      here.in[winner].since = m_t;
      here.in[winner].out_vc = o % m_p.vcs;
      here.out[o].held = true;
      here.va_of_in[winner] = (o + 1) % m_lanes;
      here.va_of_out[o] = (winner + 1) % m_lanes;
    }
  }

  bool may_send(const router& here, unsigned port, unsigned vc) const {
    const input_lane& lane = here.in[port * m_p.vcs + vc];
    const bool allocated =
        lane.now == input_lane::Active && (lane.since < m_t || (m_p.pipeline == 3 && lane.since == m_t));
    if (!allocated || lane.fifo.empty()) return false;
    return lane.out_port == m_local || here.out[lane.out_port * m_p.vcs + lane.out_vc].credits > 0;
  }

  void allocate_switch(router& here, unsigned r) {
    std::vector<int> vc_of(m_ports, -1), port_of(m_ports, -1);  // the choice of each input port
    for (unsigned i = 0; i < m_ports; ++i) {
      const auto sends_to = [&](unsigned v, unsigned o) {
        return may_send(here, i, v) && here.in[i * m_p.vcs + v].out_port == o;
      };
      port_of[i] = round_robin(m_ports, here.sa_port[i], [&](unsigned o) {
        for (unsigned v = 0; v < m_p.vcs; ++v)
          if (sends_to(v, o)) return true;
        return false;
      });
      if (port_of[i] < 0) continue;
      vc_of[i] = round_robin(m_p.vcs, here.sa_vc[i],
                             [&](unsigned v) { return sends_to(v, static_cast<unsigned>(port_of[i])); });
    }
    for (unsigned o = 0; o < m_ports; ++o) {
      const int winner =
          round_robin(m_ports, here.sa_input[o], [&](unsigned i) { return port_of[i] == static_cast<int>(o); });
      if (winner < 0) continue;
      const auto i = static_cast<unsigned>(winner);
      const auto vc = static_cast<unsigned>(vc_of[i]);
      here.sa_port[i] = (o + 1) % m_ports;
      here.sa_vc[i] = (vc + 1) % m_p.vcs;
      here.sa_input[o] = (i + 1) % m_ports;
      grant(here, r, i, vc);
    }
  }

  void grant(router& here, unsigned r, unsigned port, unsigned vc) {
    input_lane& lane = here.in[port * m_p.vcs + vc];
    output_lane& out = here.out[lane.out_port * m_p.vcs + lane.out_vc];
    flit f = lane.fifo.front();
    lane.fifo.pop_front();
    f.vc = lane.out_vc;
    ++f.routers;
    if (lane.out_port == m_local) {
      m_delivered[m_t + to_node()].push_back({r, 0, f});
    } else {
      --out.credits;
      m_flits[m_t + to_next_router()].push_back({neighbour(r, lane.out_port), lane.out_port ^ 1u, f});
    }
    if (port == m_local)
      m_credits[m_t + credit_to_node()].push_back({true, r, 0, vc});
    else
      m_credits[m_t + credit_to_router()].push_back({false, neighbour(r, port), port ^ 1u, vc});
    if (f.tail()) {  // this cycle's VC allocation is over: the next one sees it
      lane.now = input_lane::Idle;
      out.held = false;
    }
  }

  // -- the mesh: ports +x, -x, +y, -y, …, local
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
  unsigned m_dimensions, m_local, m_ports, m_lanes;
  std::vector<router> m_routers;
  std::vector<node> m_nodes;
  cycle_t m_t = 0;
  std::map<cycle_t, std::vector<flit_arrival>> m_flits;      // to routers
  std::map<cycle_t, std::vector<flit_arrival>> m_delivered;  // to nodes
  std::map<cycle_t, std::vector<credit_arrival>> m_credits;
  std::map<weft::packet_id, packet_answer> m_open, m_answers;
  outcome m_result;
};

}  // namespace

outcome simulate(const parameters& p, const std::vector<packet>& packets, cycle_t cycles) {
  return simulation(p, packets).run(cycles);
}

}  // namespace reference
