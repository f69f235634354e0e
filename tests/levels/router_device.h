// SPDX-License-Identifier: Apache-2.0
/// A single router with its wires, which a bench drives.
#pragma once

#include "levels/bench.h"
#include <string>
#include <vector>

#include "weft/pin/router/router.h"

namespace weft::pin {

inline constexpr unsigned Pipelines[] = {3, 4, 5, 7, 9};

/// Packets for node n leave by port n, on any VC.
inline route_rule to_port(unsigned ports, unsigned vcs) {
  std::vector<route> by_destination;
  for (unsigned n = 0; n < ports; ++n) by_destination.push_back({static_cast<std::uint8_t>(n), first_vcs(vcs)});
  return table_rule(by_destination);
}

inline router_parameters parameters_of(unsigned pipeline, unsigned vcs, unsigned depth,
                                       flow_control flow = flow_control::Wormhole) {
  router_parameters p;
  p.pipeline = pipeline;
  p.vcs = vcs;
  p.depth = depth;
  p.flow = flow;
  return p;
}

/// A router with its wires, and a record of its outputs.
class router_device {
 public:
  router_device(bench& b, const std::string& name, const router_parameters& p, const std::vector<unsigned>& depths,
                bool gating = true)
      : root((name + "_root").c_str(), gating),
        flit_in((name + "_flit_in").c_str(), depths.size()),
        credit_out((name + "_credit_out").c_str(), depths.size()),
        flit_out((name + "_flit_out").c_str(), depths.size()),
        credit_in((name + "_credit_in").c_str(), depths.size()),
        dut(name.c_str(), p, to_port(static_cast<unsigned>(depths.size()), p.vcs), depths, root),
        sent(depths.size()),
        credits(depths.size()) {
    b.clock(root);
    dut.rst_ni(b.rst_n);
    for (unsigned port = 0; port < depths.size(); ++port)
      dut.bind(port, {&flit_in[port], &credit_out[port], &flit_out[port], &credit_in[port]});
  }

  struct event {
    cycle_t cycle;
    flit_t what;
  };

  void watch(cycle_t now) {
    for (unsigned port = 0; port < sent.size(); ++port) {
      if (flit_out[port].read().valid) sent[port].push_back({now, flit_out[port].read()});
      if (credit_out[port].read().vcs != 0) credits[port].push_back(now);
    }
  }
  std::vector<cycle_t> sent_cycles(unsigned port) const {
    std::vector<cycle_t> cycles;
    for (const event& e : sent[port]) cycles.push_back(e.cycle);
    return cycles;
  }

  clock_gate root;
  sc_core::sc_vector<wire<flit_t>> flit_in;
  sc_core::sc_vector<wire<credit>> credit_out;
  sc_core::sc_vector<wire<flit_t>> flit_out;
  sc_core::sc_vector<wire<credit>> credit_in;
  router<64> dut;
  std::vector<std::vector<event>> sent;       // of each output port
  std::vector<std::vector<cycle_t>> credits;  // of each input port, the cycles of credit_o
};

}  // namespace weft::pin
