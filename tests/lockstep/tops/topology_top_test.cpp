// SPDX-License-Identifier: Apache-2.0
/// Tops that `weft topology --verilog` has written, verilated: they get the flits that the NICs of the pin level
/// inject, each in its cycle, and have to let each of them out in the cycle, at the node and on the VC that the event
/// log says.
#include "Virregular_top.h"
#include "Vmesh_top.h"
#include "cli/command.h"
#include "support/random.h"
#include "tb/router_wires.h"
#include "tb/verilated.h"
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weft::cli {
namespace {

/// A line of the event log.
struct logged_event {
  std::uint64_t cycle = 0;
  unsigned node = 0, vc = 0;
  std::uint64_t packet = 0;
  unsigned sequence = 0;
};

struct events {
  std::vector<logged_event> injected;
  std::string ejected;  ///< its lines
};

/// What a packet list says of a packet.
struct listed_packet {
  unsigned source = 0, destination = 0, flits = 0;
};

class lockstep_topology_top : public command_test {
 protected:
  using flit_t = flit<32>;

  /// \param nodes of the network; \p cycles in which packets are created
  void write_packets(unsigned nodes, unsigned cycles) {
    std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
    dice random(test_seed());
    std::string text;
    for (unsigned cycle = 0; cycle < cycles; ++cycle)
      for (unsigned source = 0; source < nodes; ++source) {
        if (random.between(0, 9) != 0) continue;
        const listed_packet p = {source, static_cast<unsigned>(random.between(0, nodes - 1)),
                                 static_cast<unsigned>(random.between(1, 6))};
        text += fmt::format("{} {} {} {} {}\n", m_packets.size(), cycle, p.source, p.destination, p.flits);
        m_packets.push_back(p);
      }
    write("packets.txt", text);
  }

  /// What the pin level makes of \p configuration, a file of tests/lockstep/tops.
  events run_pins(const std::string& configuration) {
    const std::string source = WEFT_TOPS "/" + configuration;
    const command_result r = weft({"run", source, "-q", "-o", "results", "--set", "output.event_log=true", "--set",
                                   "workload.packet_list=packets.txt", "--set", "output.name=run"});
    EXPECT_EQ(r.status, 0) << r.err;
    events found;
    std::istringstream lines(read("results/run.events"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      logged_event e;
      std::string kind;
      fields >> e.cycle >> kind >> e.node >> e.vc >> e.packet >> e.sequence;
      if (kind == "inject")
        found.injected.push_back(e);
      else
        found.ejected += line + "\n";
    }
    return found;
  }

  /// The flit as it travels; its payload says which it is.
  flit_t flit_of(const logged_event& e) const {
    const listed_packet& p = m_packets[e.packet];
    flit_t f;
    f.valid = true;
    f.head = e.sequence == 0;
    f.tail = e.sequence + 1 == p.flits;
    f.vc = static_cast<std::uint8_t>(e.vc);
    if (f.head) {
      f.destination = p.destination;
      f.source = p.source;
      f.flits = p.flits;
    }
    f.payload[0] = e.packet << 8 | e.sequence;
    return f;
  }

  /// Puts the injected flits into \p Model, and returns what comes out, as the event log has it. \p shape: that of a
  /// router with the ports of the top.
  template <class Model>
  std::string run_top(const tb::router_shape& shape, const std::vector<logged_event>& injected) {
    tb::verilated<Model> top("top", static_cast<int>(test_seed() & 0x7fff'ffff));
    const auto put_nothing = [&] {
      for (unsigned node = 0; node < shape.ports; ++node) {
        tb::put_flit(top->flit_i, shape, node, flit_t(), 0);
        tb::put_credit(top->credit_i, shape, node, pin::credit());
      }
    };
    put_nothing();
    top->rst_ni = 0;
    top.follow();
    top->rst_ni = 1;
    std::string text;
    std::size_t next = 0;
    std::uint64_t quiet = 0;
    for (std::uint64_t cycle = 0; quiet < 200; ++cycle, ++quiet) {
      // A flit that leaves the NIC in t is on the wires behind its register in t + 1; one that is on the wires to the
      // NIC in t has reached it in t + 1.
      for (unsigned node = 0; node < shape.ports; ++node) {
        std::uint64_t user = 0;
        const flit_t f = tb::get_flit<32>(top->flit_o, shape, node, user);
        if (f.valid) {
          quiet = 0;
          text += fmt::format("{} eject {} {} {} {}\n", cycle + 1, node, f.vc, f.payload[0] >> 8, f.payload[0] & 0xff);
        }
      }
      put_nothing();
      for (; next < injected.size() && injected[next].cycle + 1 == cycle; ++next, quiet = 0)
        tb::put_flit(top->flit_i, shape, injected[next].node, flit_of(injected[next]), 0);
      top.follow();
      top.edge();
    }
    EXPECT_EQ(next, injected.size());
    return text;
  }

  std::vector<listed_packet> m_packets;
};

/// A top's ports as those of a router.
tb::router_shape shape_of(unsigned nodes, unsigned vcs) {
  tb::router_shape shape;
  shape.ports = nodes;
  shape.vcs = vcs;
  shape.words = 1;
  return shape;
}

TEST_F(lockstep_topology_top, of_a_mesh_lets_the_same_flits_out) {
  write_packets(9, 400);
  const events pins = run_pins("mesh.yaml");
  ASSERT_GT(pins.injected.size(), 500u);
  EXPECT_EQ(run_top<Vmesh_top>(shape_of(9, 1), pins.injected), pins.ejected);
}

TEST_F(lockstep_topology_top, of_an_irregular_network_lets_the_same_flits_out) {
  write_packets(5, 600);
  const events pins = run_pins("irregular.yaml");
  ASSERT_GT(pins.injected.size(), 500u);
  EXPECT_EQ(run_top<Virregular_top>(shape_of(5, 2), pins.injected), pins.ejected);
}

}  // namespace
}  // namespace weft::cli
