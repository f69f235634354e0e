// SPDX-License-Identifier: Apache-2.0
/// Bench of a router in the middle of a mesh with dimension-order routing: a sender and a receiver at every port, with
/// credits.
#include "sender.h"
#include "traffic.h"
#include <unordered_map>

namespace energy {

namespace {

constexpr int Side = 8;      // routers along a dimension
constexpr int Here = 3;      // coordinate of the router
constexpr int PhitBits = 7;  // as in rtl/weft_pkg.sv

class router_bench final : public bench {
 public:
  router_bench(circuit& gates, const shape& s) : m_gates(gates), m_shape(s), m_vc_bits(bits_of(s.vcs)) {
    m_flit_bits = 3 + m_vc_bits + 1 + HeaderBits + 2 + 32 * s.words;
    m_inputs.assign(s.ports, bundle(m_flit_bits, 0));
    m_credits.assign(s.ports, bundle(1 + m_vc_bits, 0));
    m_outputs.assign(s.ports, bundle(m_flit_bits, 0));
    m_in.resize(s.ports);
    m_out.resize(s.ports);
    for (int run = 0; run < Runs; run++) {
      m_random[run] = rng(run + 1);
      m_ports[run].assign(s.ports, port_state(s.vcs, s.depth));
    }
    for (int d = 0; d < s.dimensions; d++) m_gates.set_constant("rule_i", Here, 16 * d, 16);
    const int depth_bits = bits_of(s.depth + 1);
    for (int port = 0; port < s.ports; port++) m_gates.set_constant("depth_i", s.depth, port * depth_bits, depth_bits);
    for (int port = 0; port < s.ports; port++) m_gates.set_constant("phits_i", 1, port * PhitBits, PhitBits);
  }

  void drive(long cycle) override {
    for (int run = 0; run < Runs; run++) {
      for (int port = 0; port < m_shape.ports; port++) {
        send(run, port);
        m_ports[run][port].free_slot(m_credits[port], cycle, m_random[run], uint64_t(1) << run);
      }
    }
    const auto& flits = m_gates.port("flit_i");
    const auto& credits = m_gates.port("credit_i");
    for (int port = 0; port < m_shape.ports; port++) {
      for (int i = 0; i < m_flit_bits; i++) m_gates.set(flits[port * m_flit_bits + i], m_inputs[port][i]);
      for (int i = 0; i <= m_vc_bits; i++) m_gates.set(credits[port * (1 + m_vc_bits) + i], m_credits[port][i]);
    }
    m_cycle = cycle;
  }

  void observe(bool counted) override {
    const auto& flits = m_gates.port("flit_o");
    const auto& credits = m_gates.port("credit_o");
    bundle credit(1 + m_vc_bits);
    for (int port = 0; port < m_shape.ports; port++) {
      m_in[port].observe(m_inputs[port], counted);
      read_bundle(m_gates, flits, port * m_flit_bits, m_outputs[port]);
      m_out[port].observe(m_outputs[port], counted);
      read_bundle(m_gates, credits, port * (1 + m_vc_bits), credit);
      for (int run = 0; run < Runs; run++) {
        if ((credit[m_vc_bits] >> run & 1) != 0) m_ports[run][port].credits[number(credit, 0, m_vc_bits, run)]++;
        if ((m_outputs[port][m_flit_bits - 1] >> run & 1) != 0) {
          const int vc = number(m_outputs[port], m_flit_bits - 3 - m_vc_bits, m_vc_bits, run);
          m_ports[run][port].held.emplace_back(m_cycle + Return, vc);
          check(m_outputs[port], run);
        }
      }
    }
  }

  void print(int scenario) const override {
    report("in", m_in, scenario);
    report("out", m_out, scenario);
  }

 private:
  /// A destination that dimension-order routing reaches from this input port.
  uint32_t destination(int run, int port) {
    rng& random = m_random[run];
    int at[4] = {Here, Here, Here, Here};
    const bool local = port >= 2 * m_shape.dimensions;
    const int own = local ? 0 : port / 2;
    for (int d = own; d < m_shape.dimensions; d++) at[d] = random.below(Side);
    if (!local) at[own] = port % 2 == 0 ? random.below(Here + 1) : Here + random.below(Side - Here);
    bool moved = false;
    uint32_t router = 0;
    for (int d = m_shape.dimensions - 1; d >= 0; d--) {
      router = router * Side + at[d];
      moved = moved || at[d] != Here;
    }
    if (local && !moved) return destination(run, port);
    return router * m_shape.nodes + random.below(m_shape.nodes);
  }

  void send(int run, int port) {
    const scenario& kind = scenario_of(run);
    rng& random = m_random[run];
    port_state& state = m_ports[run][port];
    if (random.unit() < kind.load / kind.length && state.waiting.size() < 64) {
      const uint32_t source = random.below(Side * Side);
      state.waiting.push_back(make_packet(kind, m_shape.words, source, destination(run, port), random));
    }
    state.send(m_inputs[port], kind, m_shape.words, uint64_t(1) << run);
    if ((m_inputs[port].back() >> run & 1) != 0) m_inside[run][identity(m_inputs[port], run)]++;
  }

  /// A hash of the fields that a router does not change: all except valid and VC.
  uint64_t identity(const bundle& bits, int run) const {
    uint64_t hash = 1469598103934665603ULL;
    for (int i = 0; i < m_flit_bits - 1; i++) {
      if (i == m_flit_bits - 3 - m_vc_bits) i += m_vc_bits;
      hash = (hash ^ (bits[i] >> run & 1)) * 1099511628211ULL;
    }
    return hash;
  }

  /// Ends the program if the router sends a flit that it did not receive, or sends it twice.
  void check(const bundle& bits, int run) {
    const auto found = m_inside[run].find(identity(bits, run));
    if (found == m_inside[run].end() || found->second == 0) {
      std::fprintf(stderr, "run %d, cycle %ld: a flit leaves that is not in the router\n", run, m_cycle);
      std::exit(1);
    }
    if (--found->second == 0) m_inside[run].erase(found);
  }

  circuit& m_gates;
  shape m_shape;
  int m_vc_bits, m_flit_bits = 0;
  long m_cycle = 0;
  std::vector<bundle> m_inputs, m_credits, m_outputs;
  std::vector<channel_counter> m_in, m_out;
  std::array<rng, Runs> m_random;
  std::array<std::unordered_map<uint64_t, int>, Runs> m_inside;
  std::array<std::vector<port_state>, Runs> m_ports;
};

}  // namespace

bench* make_router_bench(circuit& gates, const shape& s) { return new router_bench(gates, s); }

}  // namespace energy
