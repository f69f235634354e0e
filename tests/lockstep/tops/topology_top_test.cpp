// SPDX-License-Identifier: Apache-2.0
/// Verilated top modules that `weft topology --verilog` has written. They get the flits that the pin-level NICs inject,
/// each in its cycle, and must eject each flit in the cycle, at the node and on the VC of the event log. Top modules
/// with NICs get packets as the pin-level nodes send them. Before this, each top module is reset several times in the
/// middle of the same traffic, and none of these flits may appear later.
#include "Vaxi_top.h"
#include "Vcube_top.h"
#include "Virregular_top.h"
#include "Vmesh_top.h"
#include "Vnodes_top.h"
#include "Vtree_top.h"
#include "cli/command.h"
#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"

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
  std::string ejected;  ///< the lines of the ejections
};

/// A line of a packet list.
struct listed_packet {
  unsigned source = 0, destination = 0, flits = 0, cycle = 0;
};

/// The source queues of all nodes.
class node_queues {
 public:
  /// \p packets must be sorted by cycle and outlive this object
  node_queues(const std::vector<listed_packet>& packets, unsigned nodes) : m_packets(packets), m_nodes(nodes) {
    for (std::size_t i = 0; i < packets.size(); ++i) m_nodes[packets[i].source].waiting.push_back(i);
  }
  bool waits(unsigned node, std::uint64_t cycle) const {
    const auto& waiting = m_nodes[node].waiting;
    return !waiting.empty() && m_packets[waiting.front()].cycle <= cycle;
  }
  std::size_t first(unsigned node) const { return m_nodes[node].waiting.front(); }
  unsigned sequence(unsigned node) const { return m_nodes[node].sequence; }
  /// Records that a flit was sent.
  void pop(unsigned node) {
    if (++m_nodes[node].sequence < m_packets[first(node)].flits) return;
    m_nodes[node].sequence = 0;
    m_nodes[node].waiting.pop_front();
  }
  bool empty() const {
    return std::all_of(m_nodes.begin(), m_nodes.end(), [](const queue& q) { return q.waiting.empty(); });
  }

 private:
  struct queue {
    std::deque<std::size_t> waiting;
    unsigned sequence = 0;  // of the next flit
  };
  const std::vector<listed_packet>& m_packets;
  std::vector<queue> m_nodes;
};

/// A top's ports as those of a router.
tb::router_shape shape_of(unsigned nodes, unsigned vcs) {
  tb::router_shape shape;
  shape.ports = nodes;
  shape.vcs = vcs;
  shape.words = 1;
  return shape;
}

class lockstep_topology_top : public command_test {
 protected:
  using flit_t = flit<32>;

  /// \param nodes number of nodes \param cycles cycles in which packets are created
  void write_packets(unsigned nodes, unsigned cycles) {
    std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
    rng random(test_seed());
    std::string text;
    for (unsigned cycle = 0; cycle < cycles; ++cycle)
      for (unsigned source = 0; source < nodes; ++source) {
        if (random.between(0, 9) != 0) continue;
        const listed_packet p = {source, static_cast<unsigned>(random.between(0, nodes - 1)),
                                 static_cast<unsigned>(random.between(1, 6)), cycle};
        text += fmt::format("{} {} {} {} {}\n", m_packets.size(), cycle, p.source, p.destination, p.flits);
        m_packets.push_back(p);
      }
    write("packets.txt", text);
  }

  /// The events of \p configuration, a file of tests/lockstep/tops, at the pin level.
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

  /// The flit on the wires; its payload identifies it.
  flit_t flit_of(const logged_event& e) const {
    flit_t f = flit_of(e.packet, e.sequence);
    f.vc = static_cast<std::uint8_t>(e.vc);
    return f;
  }
  flit_t flit_of(std::size_t packet, unsigned sequence) const {
    const listed_packet& p = m_packets[packet];
    flit_t f;
    f.valid = true;
    f.head = sequence == 0;
    f.tail = sequence + 1 == p.flits;
    if (f.head) {
      f.destination = p.destination;
      f.source = p.source;
      f.flits = p.flits;
    }
    f.payload[0] = packet << 8 | sequence;
    return f;
  }

  /// Runs the top again and again, each time until the reset of the next run ends it in a random cycle, and finally to
  /// the end. \param run takes the number of cycles \return the result of the last run
  template <class Run>
  static std::string after_resets(Run run) {
    rng random(test_seed() + 2);
    std::string text;
    for (unsigned i = 0; i < 8; ++i) {
      run(random.between(1, 300));
      const std::string whole = run(~std::uint64_t{0});
      EXPECT_TRUE(i == 0 || whole == text) << "the run after reset " << 2 * i + 1 << " differs from the one before";
      text = whole;
    }
    return text;
  }

  /// Expects that the top of \p configuration has the ejections of the pin level, in the same cycles.
  template <class Top>
  void compare(const char* configuration, unsigned nodes, unsigned vcs, unsigned cycles) {
    write_packets(nodes, cycles);
    const events pins = run_pins(configuration);
    ASSERT_GT(pins.injected.size(), 500u);
    EXPECT_EQ(run_top<Top>(shape_of(nodes, vcs), pins.injected), pins.ejected);
  }

  /// Injects the flits into \p Model. \return the ejections as the event log lists them. \p shape is that of a router
  /// with the ports of the top.
  template <class Model>
  std::string run_top(const tb::router_shape& shape, const std::vector<logged_event>& injected) {
    tb::verilated<Model> top("top", static_cast<int>(test_seed() & 0x7fff'ffff));
    return after_resets([&](std::uint64_t cycles) { return run_top(top, shape, injected, cycles); });
  }
  template <class Top>
  std::string run_top(Top& top, const tb::router_shape& shape, const std::vector<logged_event>& injected,
                      std::uint64_t cycles) {
    const auto put_nothing = [&] {
      for (unsigned node = 0; node < shape.ports; ++node) {
        tb::put_flit(top->flit_i, shape, node, flit_t(), 0);
        tb::put_credit(top->credit_i, shape, node, pin::credit());
      }
    };
    put_nothing();
    reset(top);
    std::string text;
    std::size_t next = 0;
    std::uint64_t idle_cycles = 0;
    for (std::uint64_t cycle = 0; idle_cycles < 200 && cycle < cycles; ++cycle, ++idle_cycles) {
      // A flit that leaves the NIC in cycle t is on the wires behind its register in t + 1. A flit that is on the wires
      // to the
      // NIC in t has reached it in t + 1.
      for (unsigned node = 0; node < shape.ports; ++node) {
        std::uint64_t user = 0;
        const flit_t f = tb::get_flit<32>(top->flit_o, shape, node, user);
        if (f.valid) {
          idle_cycles = 0;
          text += fmt::format("{} eject {} {} {} {}\n", cycle + 1, node, f.vc, f.payload[0] >> 8, f.payload[0] & 0xff);
        }
      }
      put_nothing();
      for (; next < injected.size() && injected[next].cycle + 1 == cycle; ++next, idle_cycles = 0)
        tb::put_flit(top->flit_i, shape, injected[next].node, flit_of(injected[next]), 0);
      top.settle();
      top.edge();
    }
    EXPECT_TRUE(next == injected.size() || idle_cycles < 200) << next << " flits injected of " << injected.size();
    return text;
  }

  /// Sends the packets through the NICs of \p Model. \return the ejections as the event log lists them
  template <class Model>
  std::string run_nodes(unsigned nodes, unsigned vcs) {
    tb::verilated<Model> top("top", static_cast<int>(test_seed() & 0x7fff'ffff));
    return after_resets([&](std::uint64_t cycles) { return run_nodes(top, nodes, vcs, cycles); });
  }
  template <class Top>
  std::string run_nodes(Top& top, unsigned nodes, unsigned vcs, std::uint64_t cycles) {
    const tb::flit_layout offered{1, false, 0, 0, 0}, received{1, false, 0, 0, tb::index_bits(vcs)};
    const auto offer = [&](unsigned node, const flit_t& f) { tb::put_flit(top->send_i, offered, node, f, 0); };
    for (unsigned node = 0; node < nodes; ++node) offer(node, flit_t());
    top->receive_ready_i = (1U << nodes) - 1;
    reset(top);
    node_queues queues(m_packets, nodes);
    std::string text;
    for (std::uint64_t cycle = 0, idle_cycles = 0; idle_cycles < 200 && cycle < cycles; ++cycle, ++idle_cycles) {
      for (unsigned node = 0; node < nodes; ++node)
        offer(node, queues.waits(node, cycle) ? flit_of(queues.first(node), queues.sequence(node)) : flit_t());
      top.settle();
      for (unsigned node = 0; node < nodes; ++node) {
        if (queues.waits(node, cycle) && tb::get_bits(top->send_ready_o, node, 1) != 0) queues.pop(node);
        std::uint64_t user = 0;
        const flit_t f = tb::get_flit<32>(top->receive_o, received, node, user);
        if (!f.valid) continue;
        idle_cycles = 0;
        text += fmt::format("{} eject {} {} {} {}\n", cycle, node, f.vc, f.payload[0] >> 8, f.payload[0] & 0xff);
      }
      if (!queues.empty()) idle_cycles = 0;
      top.edge();
    }
    return text;
  }

  /// The same with AXI4-Stream and stalling nodes. \return "packet destination words", in the order of the packets
  template <class Model>
  std::string run_axi(unsigned nodes) {
    tb::verilated<Model> top("top", static_cast<int>(test_seed() & 0x7fff'ffff));
    return after_resets([&](std::uint64_t cycles) { return run_axi(top, nodes, cycles); });
  }
  template <class Top>
  std::string run_axi(Top& top, unsigned nodes, std::uint64_t cycles) {
    constexpr unsigned TuserBits = tb::HeaderBits + tb::flit_layout::ErrorBits;
    rng random(test_seed() + 1);
    top->s_axis_tvalid_i = 0;
    reset(top);
    node_queues queues(m_packets, nodes);
    std::map<std::uint64_t, std::string> found;
    std::vector<std::vector<std::uint64_t>> arriving(nodes);
    for (std::uint64_t cycle = 0, idle_cycles = 0; idle_cycles < 400 && cycle < cycles; ++cycle, ++idle_cycles) {
      for (unsigned node = 0; node < nodes; ++node) {
        const bool waits = queues.waits(node, cycle);
        tb::put_bits(top->s_axis_tvalid_i, node, 1, waits);
        tb::put_bits(top->m_axis_tready_i, node, 1, random.chance(0.7));
        if (!waits) continue;
        const flit_t f = flit_of(queues.first(node), queues.sequence(node));
        VlWide<4> header;
        tb::put(header, message_header(f, m_packets[queues.first(node)].flits));
        const unsigned at = node * TuserBits + tb::flit_layout::ErrorBits;
        tb::put_bits(top->s_axis_tuser_i, at, 64, tb::get_bits(header, 0, 64));
        tb::put_bits(top->s_axis_tuser_i, at + 64, tb::HeaderBits - 64, tb::get_bits(header, 64, tb::HeaderBits - 64));
        tb::put_bits(top->s_axis_tdata_i, node * 64, 64, f.payload[0]);
        tb::put_bits(top->s_axis_tlast_i, node, 1, f.tail);
      }
      top.settle();
      for (unsigned node = 0; node < nodes; ++node) {
        if (queues.waits(node, cycle) && tb::get_bits(top->s_axis_tready_o, node, 1) != 0) queues.pop(node);
        if (tb::get_bits(top->m_axis_tvalid_o, node, 1) == 0 || tb::get_bits(top->m_axis_tready_i, node, 1) == 0)
          continue;
        idle_cycles = 0;
        arriving[node].push_back(tb::get_bits(top->m_axis_tdata_o, node * 64, 64));
        if (tb::get_bits(top->m_axis_tlast_o, node, 1) == 0) continue;
        const std::uint64_t id = arriving[node].front() >> 8;
        EXPECT_EQ(found.count(id), 0u) << "packet " << id << " is received twice";
        found[id] = fmt::format("{} {} {}\n", id, node, fmt::join(arriving[node], " "));
        arriving[node].clear();
      }
      if (!queues.empty()) idle_cycles = 0;
      top.edge();
    }
    std::string text;
    for (const auto& packet : found) text += packet.second;
    return text;
  }

  /// Header of a message of whole 64-bit flits with integers that can be compressed.
  static header message_header(const flit_t& f, unsigned flits) {
    header h = header_of(f);
    h.words = 2 * flits;
    h.type = data_type::Int;
    return h;
  }

  template <class Top>
  static void reset(Top& top) {
    top->rst_ni = 0;
    top.settle();
    top.edge();  // registers without a reset need an edge
    top->rst_ni = 1;
  }

  std::vector<listed_packet> m_packets;
};

TEST_F(lockstep_topology_top, mesh_ejects_the_same_flits_as_the_pin_level) {
  compare<Vmesh_top>("mesh.yaml", 9, 1, 400);
}

TEST_F(lockstep_topology_top, irregular_network_ejects_the_same_flits_as_the_pin_level) {
  compare<Virregular_top>("irregular.yaml", 5, 2, 600);
}

TEST_F(lockstep_topology_top, fat_tree_ejects_the_same_flits_as_the_pin_level) {
  compare<Vtree_top>("tree.yaml", 6, 2, 500);
}

TEST_F(lockstep_topology_top, hypercube_ejects_the_same_flits_as_the_pin_level) {
  compare<Vcube_top>("cube.yaml", 8, 1, 400);
}

TEST_F(lockstep_topology_top, network_with_nics_ejects_the_same_flits_as_the_pin_level) {
  write_packets(9, 400);
  const events pins = run_pins("nodes.yaml");
  ASSERT_GT(pins.injected.size(), 500u);
  EXPECT_EQ(run_nodes<Vnodes_top>(9, 2), pins.ejected);
}

TEST_F(lockstep_topology_top, network_with_axi_stream_delivers_every_packet_intact) {
  write_packets(4, 400);
  std::string sent;
  for (std::size_t i = 0; i < m_packets.size(); ++i) {
    sent += fmt::format("{} {}", i, m_packets[i].destination);
    for (unsigned sequence = 0; sequence < m_packets[i].flits; ++sequence)
      sent += fmt::format(" {}", i << 8 | sequence);
    sent += "\n";
  }
  EXPECT_EQ(run_axi<Vaxi_top>(4), sent);
}

}  // namespace
}  // namespace weft::cli
