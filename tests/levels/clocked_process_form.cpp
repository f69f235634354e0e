// SPDX-License-Identifier: Apache-2.0
/// Router, NIC and stages under random traffic and resets; records all their outputs, cycle by cycle. Compiled twice,
/// in two namespaces: with clocked processes as methods, for simulation, and with WEFT_SYNTHESIS as threads, for
/// synthesis. clocked_process_test.cpp compares both.
#include "levels/clocked_process_part.h"
#include <array>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/grid_routing.cpp"
#include "weft/core/routing.cpp"
#include "weft/core/table_routing.cpp"
#include "weft/pin/link.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/congestion_counter.h"
#include "weft/pin/nic/decompressor.h"
#include "weft/pin/nic/ejector.h"
#include "weft/pin/nic/injector.h"
#include "weft/pin/nic/queue_counter.h"
#include "weft/pin/nic/window_timer.h"
#include "weft/pin/nic/xor_decoder.h"
#include "weft/pin/nic/xor_encoder.h"
#include "weft/pin/router/output_unit.cpp"
#include "weft/pin/router/route_computation.cpp"
#include "weft/pin/router/router.h"
#include "weft/pin/router/switch_allocator.cpp"
#include "weft/pin/router/vc_allocator.cpp"

namespace weft::pin {
namespace {

/// Queue counter, window timer and congestion counter.
class counters : public part {
 public:
  explicit counters(const wires& w) : m_wires(w) {
    w.clock(m_queue);
    w.clock(m_timer);
    w.clock(m_congestion);
    m_queue.join_i(m_join);
    m_queue.leave_i(m_leave);
    m_queue.queue_o(m_length);
    m_timer.tick_o(m_tick);
    m_congestion.tick_i(m_tick);
    m_congestion.received_o(m_received);
    for (unsigned port = 0; port < 2; ++port) m_congestion.flit_i[port](m_flit[port]);
  }

  void drive() override {
    if (m_wires.rst_n.read()) m_waiting += unsigned{m_join.read()} - unsigned{m_leave.read()};
    m_join.write(m_wires.chance(50));
    m_leave.write(m_waiting > 0 && m_wires.chance(50));
    for (auto& port : m_flit) {
      flit_t f;
      f.valid = m_wires.chance(40);
      port.write(f);
    }
  }
  void restart() override {
    m_waiting = 0;
    m_leave.write(false);
  }
  void show(std::ostream& out) const override {
    out << m_length.read() << ' ' << m_tick.read() << ' ' << m_received.read() << ' ';
  }

 private:
  const wires& m_wires;
  queue_counter m_queue{"queue_counter"};
  window_timer m_timer{"window_timer", 7};
  congestion_counter<64> m_congestion{"congestion_counter", 2, 3};
  sc_core::sc_signal<bool> m_join, m_leave, m_tick;
  sc_core::sc_signal<std::uint32_t> m_length, m_received;
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> m_flit{sc_core::sc_gen_unique_name("flit"), 2};
  unsigned m_waiting = 0;
};

/// A router with an injector and an ejector for each port. The gates are always open, because a thread needs its clock
/// in reset.
class crossing : public part {
 public:
  static constexpr unsigned Ports = 3, Vcs = 2, MostDepth = 6;

  /// \param adaptive heads may leave by any port that has room for them, else by that of their node
  crossing(const wires& w, unsigned pipeline, flow_control flow, bool adaptive)
      : crossing(w, parameters(pipeline, flow), adaptive) {}
  crossing(const wires& w, const router_parameters& parameters, bool adaptive)
      : m_wires(w),
        m_router(sc_core::sc_gen_unique_name("router"), parameters, rule(adaptive), depths(parameters.flow), m_root),
        m_ready(sc_core::sc_gen_unique_name("ready"), Ports),
        m_accepted(sc_core::sc_gen_unique_name("taken"), Ports),
        m_busy(sc_core::sc_gen_unique_name("busy"), Ports),
        m_offered(sc_core::sc_gen_unique_name("offered"), Ports),
        m_flit_in(sc_core::sc_gen_unique_name("flit_in"), Ports),
        m_flit_out(sc_core::sc_gen_unique_name("flit_out"), Ports),
        m_received(sc_core::sc_gen_unique_name("received"), Ports),
        m_credit_in(sc_core::sc_gen_unique_name("credit_in"), Ports),
        m_credit_out(sc_core::sc_gen_unique_name("credit_out"), Ports) {
#ifdef WEFT_SYNTHESIS
    w.clock(m_router);
#else
    w.clock(m_root);
    m_router.rst_ni(w.rst_n);
#endif
    for (unsigned port = 0; port < Ports; ++port) {
      m_router.bind(port, {&m_flit_in[port], &m_credit_out[port], &m_flit_out[port], &m_credit_in[port]});
      m_injectors.push_back(make_injector<64>(sc_core::sc_gen_unique_name("injector"), parameters, path_ids(port)));
      m_ejectors.emplace_back(
          new ejector<64, Vcs * MostDepth>(sc_core::sc_gen_unique_name("ejector"), Vcs, depths(parameters.flow)[port]));
      w.clock(*m_injectors[port]);
      w.clock(*m_ejectors[port]);
      m_injectors[port]->flit_i(m_offered[port]);
      m_injectors[port]->ready_o(m_ready[port]);
      m_injectors[port]->flit_o(m_flit_in[port]);
      m_injectors[port]->credit_i(m_credit_out[port]);
      m_ejectors[port]->flit_i(m_flit_out[port]);
      m_ejectors[port]->credit_o(m_credit_in[port]);
      m_ejectors[port]->flit_o(m_received[port]);
      m_ejectors[port]->ready_i(m_accepted[port]);
      m_ejectors[port]->busy_o(m_busy[port]);
      m_sources.emplace_back(w.random, Ports);
    }
  }

  void drive() override {
    for (unsigned port = 0; port < Ports; ++port) {
      if (m_moved[port]) m_offered[port].write(m_wires.chance(70) ? m_sources[port].next() : flit_t());
      m_accepted[port].write(m_wires.chance(60));
    }
    settle();
    for (unsigned port = 0; port < Ports; ++port) m_moved[port] = !m_offered[port].read().valid || m_ready[port].read();
  }
  void restart() override {
    for (unsigned port = 0; port < Ports; ++port) {
      m_sources[port].restart();
      m_offered[port].write(flit_t());
      m_moved[port] = true;
    }
  }
  void show(std::ostream& out) const override {
    for (unsigned port = 0; port < Ports; ++port) {
      print(out, m_ready[port].read());
      print(out, m_flit_in[port].read());
      print(out, m_credit_out[port].read());
      print(out, m_flit_out[port].read());
      print(out, m_credit_in[port].read());
      print(out, m_received[port].read());
    }
  }

  /// The parameters of a router with lookahead routing, speculation of \p kind and all rules for output VCs.
  static router_parameters with_choices(speculation_kind kind) {
    router_parameters p = parameters(2, flow_control::Wormhole);
    p.lookahead_routing = true;
    p.speculation = kind;
    p.reallocation = kind == speculation_kind::None ? vc_reallocation::AfterTailCredit : vc_reallocation::AfterTail;
    p.busy_when_full = p.prefer_empty = true;
    return p;
  }

 private:
  /// Cut-through needs room for the longest packet, which has six flits.
  static unsigned depth(flow_control flow) { return flow == flow_control::VirtualCutThrough ? MostDepth : 3; }
  static std::vector<unsigned> depths(flow_control flow) {
    return std::vector<unsigned>(Ports, flow == flow_control::VirtualCutThrough ? MostDepth : 2);
  }
  static router_parameters parameters(unsigned pipeline, flow_control flow) {
    router_parameters p;
    p.vcs = Vcs;
    p.depth = depth(flow);
    p.pipeline = pipeline;
    p.flow = flow;
    return p;
  }
  /// Random for port 0, by destination for port 1, none for the others.
  static path_selector path_ids(unsigned port) {
    path_selector rule;
    if (port == 0) rule.count = 1000;
    if (port == 1)
      for (unsigned n = 0; n < Ports; ++n) rule.by_destination.push_back(10 + n);
    return rule;
  }
  /// Packets for node n leave by port n, on any VC.
  static route_rule rule(bool adaptive) {
    std::vector<route> by_destination;
    const port_set choices = adaptive ? (1U << Ports) - 1 : 0;
    const vc_set choice_vcs = adaptive ? first_vcs(Vcs) : 0;
    for (unsigned n = 0; n < Ports; ++n)
      by_destination.push_back({static_cast<std::uint8_t>(n), first_vcs(Vcs), choices, choice_vcs});
    return table_rule(by_destination);
  }

  const wires& m_wires;
#ifdef WEFT_SYNTHESIS
  clock_gate m_root;
#else
  clock_gate m_root{sc_core::sc_gen_unique_name("root"), false};
#endif
  router<64, Ports * Vcs * MostDepth> m_router;
  std::vector<std::unique_ptr<injector<64>>> m_injectors;
  std::vector<std::unique_ptr<ejector<64, Vcs * MostDepth>>> m_ejectors;
  std::vector<packets> m_sources;
  std::array<bool, Ports> m_moved{true, true, true};
  sc_core::sc_vector<sc_core::sc_signal<bool>> m_ready, m_accepted, m_busy;
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> m_offered;
  sc_core::sc_vector<wire<flit_t>> m_flit_in, m_flit_out;
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> m_received;
  sc_core::sc_vector<wire<credit>> m_credit_in, m_credit_out;
};

/// XOR encoder, compressor, a link, decompressor and XOR decoder in series.
class stream : public part {
 public:
  static constexpr unsigned Stages = 4;

  /// \param overhead registers of the XOR encoder
  stream(const wires& w, bool classic, unsigned overhead)
      : m_wires(w),
        m_joining(sc_core::sc_gen_unique_name("xor_encoder"), coding(overhead)),
        m_coding(sc_core::sc_gen_unique_name("compressor"), {64, 4, {}, classic, true}),
        m_decoding(sc_core::sc_gen_unique_name("decompressor"), {{}, classic, true}),
        m_parting(sc_core::sc_gen_unique_name("xor_decoder"), coding(overhead)),
        m_source(w.random, 1, true) {
    stage(m_joining, 0);
    stage(m_coding, 1);
    stage(m_decoding, 2);
    stage(m_parting, 3);
    m_parting.flush_i(m_flush);
    m_coding.mode_i(m_mode);
    m_coding.length_threshold_i(m_zero);
    m_coding.received_threshold_i(m_zero);
    m_coding.queue_threshold_i(m_zero);
    m_coding.cut_i(m_cut);
    m_mode.write(static_cast<std::uint8_t>(selection_mode::Always));
    m_cut.write(28);
  }

  void drive() override {
    if (m_moved) m_flit[0].write(m_wires.chance(80) ? m_source.next() : flit_t());
    m_ready[Stages].write(m_wires.chance(70));
    m_flush.write(m_wires.chance(1));
    settle();
    m_moved = !m_flit[0].read().valid || m_ready[0].read();
  }
  void restart() override {
    m_source.restart();
    m_flit[0].write(flit_t());
    m_moved = true;
  }
  void show(std::ostream& out) const override {
    for (unsigned i = 0; i < Stages; ++i) {
      print(out, m_ready[i].read());
      print(out, m_busy[i].read());
      print(out, m_flit[i + 1].read());
    }
  }

 private:
  static xor_parameters coding(unsigned overhead) {
    xor_parameters p;
    p.entries = 4;
    p.overhead = overhead;
    return p;
  }
  void stage(packet_stage<64>& s, unsigned i) {
    m_wires.clock(s);
    s.flit_i(m_flit[i]);
    s.ready_o(m_ready[i]);
    s.flit_o(m_flit[i + 1]);
    s.ready_i(m_ready[i + 1]);
    s.busy_o(m_busy[i]);
    s.received_i(m_zero);
    s.queue_i(m_zero);
  }

  const wires& m_wires;
  xor_encoder<64> m_joining;
  compressor<64> m_coding;
  decompressor<64> m_decoding;
  xor_decoder<64> m_parting;
  packets m_source;
  bool m_moved = true;
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> m_flit{sc_core::sc_gen_unique_name("flit"), Stages + 1};
  sc_core::sc_vector<sc_core::sc_signal<bool>> m_ready{sc_core::sc_gen_unique_name("ready"), Stages + 1},
      m_busy{sc_core::sc_gen_unique_name("busy"), Stages};
  sc_core::sc_signal<std::uint8_t> m_mode, m_cut;
  sc_core::sc_signal<std::uint32_t> m_zero;
  sc_core::sc_signal<bool> m_flush;
};

/// A link of three registers.
class channel : public part {
 public:
  explicit channel(const wires& w) : m_wires(w) {
    w.clock(m_link);
    m_link.flit_i(m_flit_i);
    m_link.flit_o(m_flit_o);
    m_link.credit_i[0](m_credit_i);
    m_link.credit_o[0](m_credit_o);
    m_link.busy_o(m_busy);
  }
  void drive() override {
    flit_t f;
    f.valid = m_wires.chance(50);
    f.payload[0] = m_wires.random();
    m_flit_i.write(f);
    m_credit_i.write({m_wires.chance(50) ? 1U << m_wires.random() % 4 : 0});
  }
  void restart() override {}
  void show(std::ostream& out) const override {
    print(out, m_flit_o.read());
    print(out, m_credit_o.read());
    print(out, m_busy.read());
  }

 private:
  const wires& m_wires;
  link<64> m_link{"link", 3};
  sc_core::sc_signal<flit_t> m_flit_i, m_flit_o;
  sc_core::sc_signal<credit> m_credit_i, m_credit_o;
  sc_core::sc_signal<bool> m_busy;
};

}  // namespace

/// All outputs, one line for each cycle and each end of a reset.
/// \p cycles includes resets of zero to three clock edges.
std::string trace_of_form(std::uint64_t seed, unsigned cycles) {
  std::mt19937_64 random(seed);
  sc_core::sc_signal<bool> clk("clk"), rst_n("rst_n");
  const wires w{clk, rst_n, random};
  std::vector<std::unique_ptr<part>> parts;
  parts.emplace_back(new counters(w));
  parts.emplace_back(new channel(w));
  for (const unsigned pipeline : {3U, 4U, 5U})
    parts.emplace_back(new crossing(w, pipeline, flow_control::Wormhole, false));
  for (const unsigned pipeline : {3U, 4U})
    parts.emplace_back(new crossing(w, pipeline, flow_control::VirtualCutThrough, pipeline == 3));
  parts.emplace_back(new crossing(w, 3, flow_control::Wormhole, true));
  for (const speculation_kind kind : {speculation_kind::None, speculation_kind::Prioritized,
                                      speculation_kind::MaskedByGrants, speculation_kind::MaskedByRequests})
    parts.emplace_back(new crossing(w, crossing::with_choices(kind), false));
  parts.emplace_back(new stream(w, false, 0));
  parts.emplace_back(new stream(w, true, 3));

  std::ostringstream out;
  const sc_core::sc_time half(500, sc_core::SC_PS);
  const auto show = [&] {
    sc_core::sc_start(half);
    for (const auto& p : parts) p->show(out);
    out << '\n';
  };
  const auto edge = [&] {
    clk.write(false);
    sc_core::sc_start(half);
    clk.write(true);
    show();
  };
  const auto reset = [&](unsigned edges) {
    for (const auto& p : parts) p->restart();
    rst_n.write(false);
    show();
    for (unsigned i = 0; i < edges; ++i) edge();
    rst_n.write(true);
    show();
  };
  rst_n.write(true);
  sc_core::sc_start(half);
  reset(2);
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    edge();
    for (const auto& p : parts) p->drive();
    if (random() % 100 == 0) reset(random() % 4);
  }
  return out.str();
}

}  // namespace weft::pin
