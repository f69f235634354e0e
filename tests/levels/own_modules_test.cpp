// SPDX-License-Identifier: Apache-2.0
/// weft/network.h: packets and flits of a user's modules, compared with the same packets in the engine.
#include "support/temporary_directory.h"
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <systemc>

#include "weft/engine/model.h"
#include "weft/flit_adapter.h"
#include "weft/network.h"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The packet that node \p source sends as number \p k: its length and destination depend on both.
std::vector<std::uint64_t> content(weft::node_id source, std::uint64_t k) {
  std::vector<std::uint64_t> words(1 + (source + k) % 5);
  std::mt19937_64 random(source << 20 | k);
  for (std::uint64_t& word : words) word = random();
  words[0] = k;
  return words;
}

/// Sends `count` packets, one in every \p gap cycles, and checks what it receives.
struct element : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"};
  weft::node_port node{"node"};

  element(const sc_core::sc_module_name& name, unsigned every, unsigned of_nodes)
      : sc_module(name), gap(every), nodes(of_nodes) {
    SC_HAS_PROCESS(element);
    SC_METHOD(step);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  void step() {
    if (cycle++ % gap == 0 && sent < count) {
      const weft::node_id to = (node->number() + 1 + sent * 7) % nodes;
      node->send(to, content(node->number(), sent));
      ++sent;
    }
    while (const std::optional<weft::received_packet> p = node->receive()) {
      std::vector<std::uint64_t> words = content(p->source, p->words[0]);
      words.resize(p->words.size());  // padded
      EXPECT_EQ(p->words, words);
      received.push_back(*p);
      last_edge = cycle - 1;
    }
  }

  const unsigned gap, nodes;
  std::uint64_t cycle = 0, sent = 0, count = 40, last_edge = 0;
  std::vector<weft::received_packet> received;
};

struct platform {
  explicit platform(const weft::network_settings& settings, unsigned gap, const char* name, bool elements_first = false)
      : clock((std::string(name) + "_clock").c_str(), settings.clock) {
    const auto nodes = static_cast<unsigned>(settings.graph.nodes.size());
    const auto make_elements = [&] {
      for (unsigned n = 0; n < nodes; ++n)
        elements.push_back(
            std::make_unique<element>((std::string(name) + "_element_" + std::to_string(n)).c_str(), gap, nodes));
    };
    if (elements_first) make_elements();
    network = std::make_unique<weft::network>(name, settings);
    if (!elements_first) make_elements();
    for (unsigned n = 0; n < nodes; ++n) {
      elements[n]->node(network->node[n]);
      elements[n]->clk_i(clock);
    }
  }
  /// The packets of all elements, by source and number.
  std::map<std::pair<weft::node_id, std::uint64_t>, weft::received_packet> packets() const {
    std::map<std::pair<weft::node_id, std::uint64_t>, weft::received_packet> all;
    for (const auto& e : elements)
      for (const weft::received_packet& p : e->received) all[{p.source, p.words[0]}] = p;
    return all;
  }

  sc_core::sc_clock clock;
  std::unique_ptr<weft::network> network;
  std::vector<std::unique_ptr<element>> elements;
};

weft::network_settings mesh(std::uint32_t x, std::uint32_t y, unsigned payload_bits = 64) {
  weft::network_settings settings;
  settings.graph = weft::make_grid({{x, y}});
  settings.payload_bits = payload_bits;
  return settings;
}

/// Sends given packets in the engine, and records when they are delivered.
struct listed_packets : weft::packet_source, weft::network_observer {
  weft::cycle_t next_creation(weft::node_id n) const override {
    return waiting[n].empty() ? weft::Never : waiting[n].front().created;
  }
  weft::packet pop(weft::node_id n) override {
    const weft::packet first = waiting[n].front();
    waiting[n].pop_front();
    return first;
  }
  void payload(const weft::packet&, std::uint32_t, unsigned bits, std::uint64_t* words) const override {
    std::fill(words, words + std::max(1u, bits / 64), 0);
  }
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t) override { at[p.id] = cycle; }

  std::vector<std::deque<weft::packet>> waiting;
  std::map<weft::packet_id, weft::cycle_t> at;
};

class levels_own_modules_of_width : public testing::TestWithParam<unsigned> {};

TEST_P(levels_own_modules_of_width, packets_take_as_long_as_in_the_engine) {
  const weft::network_settings settings = mesh(4, 3, GetParam());
  platform p(settings, 6, "network");
  sc_core::sc_start(4000 * settings.clock);
  const auto packets = p.packets();
  ASSERT_EQ(packets.size(), 12u * 40u);

  listed_packets list;
  list.waiting.resize(12);
  for (const auto& [key, one] : packets) {
    weft::packet listed;
    listed.id = key.first * 1000 + key.second;
    listed.source = key.first;
    listed.destination = static_cast<weft::node_id>((key.first + 1 + key.second * 7) % 12);
    listed.flits =
        static_cast<std::uint32_t>((content(key.first, key.second).size() * 64 + GetParam() - 1) / GetParam());
    listed.created = one.sent;
    list.waiting[key.first].push_back(listed);
  }
  const auto engine = weft::engine::make_model(settings.graph, settings.router, settings.nic, GetParam(), list, list);
  engine->run(4000);
  std::uint64_t waits = 0;
  for (const auto& [key, one] : packets) {
    EXPECT_EQ(one.delivered, list.at.at(key.first * 1000 + key.second)) << key.first << " " << key.second;
    waits += one.delivered - one.sent;
  }
  const weft::network_statistics s = p.network->statistics();
  EXPECT_EQ(s.sent, packets.size());
  EXPECT_EQ(s.delivered, packets.size());
  EXPECT_DOUBLE_EQ(s.mean_latency, static_cast<double>(waits) / static_cast<double>(packets.size()));
  EXPECT_GE(static_cast<double>(s.max_latency), s.mean_latency);
  EXPECT_NEAR(static_cast<double>(s.cycles), 4000, 1);
  EXPECT_EQ(p.network->model().audit_at_rest(), "");
}
INSTANTIATE_TEST_SUITE_P(levels_own_modules, levels_own_modules_of_width, testing::Values(32u, 64u, 256u));

TEST(levels_own_modules, order_of_construction_has_no_effect) {
  const weft::network_settings settings = mesh(3, 3);
  platform before(settings, 4, "one", true), after(settings, 4, "other", false);
  sc_core::sc_start(2000 * settings.clock);
  const auto a = before.packets(), b = after.packets();
  ASSERT_EQ(a.size(), 9u * 40u);
  ASSERT_EQ(b.size(), a.size());
  for (const auto& [key, one] : a) {
    EXPECT_EQ(one.sent, b.at(key).sent);
    EXPECT_EQ(one.delivered, b.at(key).delivered);
  }
}

TEST(levels_own_modules, first_packet_enters_the_queue_in_the_next_cycle) {
  const weft::network_settings settings = mesh(4, 1);
  platform p(settings, 1000, "network");
  for (auto& e : p.elements) e->count = e == p.elements.front() ? 1 : 0;
  sc_core::sc_start(200 * settings.clock);
  ASSERT_THAT(p.elements[1]->received, testing::SizeIs(1));
  const weft::received_packet& first = p.elements[1]->received.front();
  EXPECT_EQ(first.sent, 1u);  // sent in cycle 0
  EXPECT_EQ(p.elements[1]->last_edge, first.delivered + 2);
  EXPECT_EQ(first.routers, 2u);
  EXPECT_GT(first.delivered, first.sent + 2 * settings.router.pipeline);
}

TEST(levels_own_modules, unknown_nodes_and_classes_are_systemc_errors) {
  platform p(mesh(2, 2), 10, "network");
  const auto message_of = [&](weft::node_id to, unsigned message_class) -> std::string {
    try {
      p.network->node[0]->send(to, {}, message_class);
    } catch (const sc_core::sc_report& e) {
      return e.get_msg();
    }
    return "no error";
  };
  EXPECT_EQ(message_of(4, 0), "there is no node 4; the network has nodes 0 to 3");
  EXPECT_EQ(message_of(1, 1), "there is no message class 1; router.classes is 1");
  EXPECT_EQ(message_of(1, 0), "no error");
  weft::network_settings wrong = mesh(2, 2);
  wrong.router.depth = 0;
  EXPECT_THROW(weft::network("wrong", wrong), std::invalid_argument);
}

TEST(levels_own_modules, waveforms_have_the_wires_of_the_network) {
  temporary_directory place;
  weft::network_settings settings = mesh(2, 2);
  settings.vcd_file = place / "waves.vcd";
  settings.vcd_patterns = {"*.router_0*"};
  {
    platform p(settings, 10, "network");
    sc_core::sc_start(50 * settings.clock);
  }
  std::ifstream file(settings.vcd_file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("router_0"));
  EXPECT_THAT(text, Not(HasSubstr("router_3")));
}

/// Two nodes: streams of flits at node 0, an element at node 1.
TEST(levels_own_modules, flits_become_packets_and_packets_flits) {
  using flit_t = weft::flit<128>;
  const weft::network_settings settings = mesh(2, 1, 128);
  weft::network network("network", settings);
  weft::flit_adapter<128> adapter("adapter");
  sc_core::sc_clock clock("clock", settings.clock);
  sc_core::sc_signal<flit_t> send("send"), receive("receive");
  sc_core::sc_signal<bool> send_ready("send_ready"), receive_ready("receive_ready");
  adapter.clk_i(clock);
  adapter.send_i(send);
  adapter.send_ready_o(send_ready);
  adapter.receive_o(receive);
  adapter.receive_ready_i(receive_ready);
  adapter.node(network.node[0]);

  sc_core::sc_start(1.5 * settings.clock);
  EXPECT_TRUE(send_ready.read());
  for (unsigned i = 0; i < 3; ++i) {  // one packet of three flits, with an idle cycle in it
    flit_t f;
    f.valid = true;
    f.head = i == 0;
    f.tail = i == 2;
    f.destination = 1;
    f.payload[0] = 10 * i;
    f.payload[1] = 10 * i + 1;
    send.write(f);
    sc_core::sc_start(settings.clock);
    send.write(flit_t());
    sc_core::sc_start(settings.clock);
  }
  sc_core::sc_start(100 * settings.clock);
  const std::optional<weft::received_packet> there = network.node[1]->receive();
  ASSERT_TRUE(there);
  EXPECT_THAT(there->words, ElementsAre(0, 1, 10, 11, 20, 21));
  EXPECT_EQ(there->source, 0u);
  EXPECT_EQ(there->sent, 7u);  // the tail was on the wires at the end of cycle 5

  network.node[1]->send(0, {5, 6, 7});
  network.node[1]->send(0, {});
  std::vector<std::uint64_t> first_words;
  unsigned heads = 0, tails = 0;
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    receive_ready.write(cycle % 3 == 0);
    sc_core::sc_start(settings.clock);
    const flit_t& f = receive.read();
    if (!f.valid || (cycle + 1) % 3 != 0) continue;  // the next edge takes this flit
    first_words.push_back(f.payload[0]);
    heads += f.head;
    tails += f.tail;
    if (f.head) {
      EXPECT_EQ(f.source, 1u);
      EXPECT_EQ(f.destination, 0u);
    }
  }
  EXPECT_THAT(first_words, ElementsAre(5, 7, 0));
  EXPECT_EQ(heads, 2u);
  EXPECT_EQ(tails, 2u);
}

}  // namespace
