// SPDX-License-Identifier: Apache-2.0
/// Compares networks that are reset several times in the middle of traffic: networks with RTL routers, with RTL NICs,
/// and entirely in RTL, with networks of the pin level. The comparison includes all wires between routers, links, NICs
/// and nodes in every cycle, every event of every flit, the queues and the counters. After each reset no flit and no
/// credit may be missing or surplus, and no older flit may appear. At the end every packet created since the last reset
/// has arrived, unless an XOR stage holds it.
#include "lockstep/network_event_trace.h"
#include "support/coded_traffic.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <systemc>

#include "weft/core/observers.h"
#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#include "weft/cosim/rtl_stages.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/nic/stages.h"
#include "weft/pin/router/router_interface.h"
#include "weft/pin/wire.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft::lockstep {
namespace {

constexpr unsigned Resets = 5;
constexpr cycle_t LongestPart = 250;  // cycles between two resets

const network_kind KindsToReset[] = {
    {"mesh_3x3",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}));
       c.router.pipeline = 3;
     }},
    {"mesh_4x4_with_cut_through",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}));
       c.router.flow = flow_control::VirtualCutThrough;
     }},
    {"torus_4x4_in_layers_with_long_links",
     [](network_case& c) {
       grid_parameters p = grid({4, 4}, true);
       p.options.link_cycles = 3;
       p.options.node_cycles = 2;
       c.graph = make_grid(p);
       route_shortest_layered(c.graph, c.router.vcs);
       c.clock_gating = false;
     }},
    {"mesh_3x3_with_compression_and_two_classes",
     [](network_case& c) {
       grid_parameters p = grid({3, 3});
       p.options.vcs = 2;
       c.graph = make_grid(p);
       c.router.classes = 2;
       c.nic.ejection_depth = 8;
       c.nic.compression.selection = {selection_mode::Selective, 3, 5, 1};
       c.workload.payload.kind = payload_kind::SmallIntegers;
     }},
    {"mesh_3x3_with_xor_stages_and_compression",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}));
       c.nic.ejection_depth = 8;
       c.nic.compression.selection = {selection_mode::Always, 4, 10, 1};
       c.nic.coding.enabled = true;
       c.nic.coding.entries = 16;
     }},
    {"mesh_3x3_with_a_compressor_of_given_latency",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}));
       c.nic.compression.selection = {selection_mode::Always, 1, 1, 1};
       c.nic.compression.latency = 30;
       c.workload.payload.kind = payload_kind::SmallIntegers;
     }},
};

/// Checks that packets created before a reset do not appear after it.
class reset_checker final : public network_observer {
 public:
  void created(const packet& p) override { m_fates[p.id].part = m_part; }
  void sent(packet_id id, node_id, cycle_t cycle) override { show(id, cycle, "is sent"); }
  void injected(const flit_event& e, const header&) override {
    show(e.id, e.cycle, "is injected");
    ++m_flits;
  }
  void ejected(const flit_event& e, const std::uint64_t*) override {
    show(e.id, e.cycle, "is ejected");
    --m_flits;
  }
  void received(const flit_event& e, const std::uint64_t*) override { show(e.id, e.cycle, "is received"); }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
    fate& of = show(p.id, cycle, "is delivered");
    m_delivered += !of.delivered;
    of.delivered = true;
  }

  void reset() {
    ++m_part;
    m_flits_lost += m_flits;
    m_flits = 0;
    m_packets_lost += within();
    m_delivered_before += m_delivered;
    m_delivered = 0;
    m_lost_before = m_fates.size();
  }
  /// Packets that were created after the last reset and have not arrived.
  std::uint64_t within() const { return m_fates.size() - m_lost_before - m_delivered; }
  std::string account() const {
    return fmt::format("{} packets delivered; {} packets and {} flits cut off", m_delivered_before + m_delivered,
                       m_packets_lost, m_flits_lost);
  }
  /// Whether resets hit enough traffic for a meaningful comparison.
  bool had_traffic() const {
    return m_delivered_before + m_delivered > 200 && m_packets_lost > 20 && m_flits_lost > 50;
  }

 private:
  struct fate {
    unsigned part = 0;  ///< resets before it was created
    bool delivered = false;
  };

  fate& show(packet_id id, cycle_t cycle, const char* what) {
    fate& of = m_fates.at(id);
    if (of.part != m_part)
      throw std::logic_error(fmt::format("cycle {}: packet {} {}, but was discarded by a reset", cycle, id, what));
    return of;
  }

  std::unordered_map<packet_id, fate> m_fates;
  unsigned m_part = 0;
  std::uint64_t m_lost_before = 0;  ///< packets that were created before the last reset
  std::uint64_t m_flits = 0, m_delivered = 0, m_delivered_before = 0, m_packets_lost = 0, m_flits_lost = 0;
};

/// Packets for XOR stages, new ones after each reset: the contents of encoders and decoders are lost.
class renewed_coded_traffic final : public packet_source {
 public:
  explicit renewed_coded_traffic(const coded_traffic_parameters& p) : m_parameters(p), m_now(p) {}

  /// Restarts in cycle \p begin.
  void renew(cycle_t begin) {
    m_begin = begin;
    ++m_parameters.seed;
    m_now = coded_traffic(m_parameters);
    m_first += packet_id{1} << 32;
  }

  cycle_t next_creation(node_id node) const override {
    const cycle_t next = m_now.next_creation(node);
    return next == Never ? Never : m_begin + next;
  }
  packet pop(node_id node) override {
    packet p = m_now.pop(node);
    p.id += m_first;
    p.created += m_begin;
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_now.payload(p, sequence, payload_bits, words);
  }

 private:
  coded_traffic_parameters m_parameters;
  coded_traffic m_now;
  cycle_t m_begin = 0;
  packet_id m_first = 0;
};

std::string text_of(bool value) { return value ? "1" : ""; }
std::string text_of(std::uint32_t value) { return value != 0 ? fmt::format("{}", value) : ""; }
std::string text_of(const pin::credit& c) { return c.vcs != 0 ? fmt::format("credits {:b}", c.vcs) : ""; }
std::string text_of(const flit<64>& f) {
  if (!f.valid) return "";
  std::string text =
      fmt::format("{}{} {} {}/{}", f.head ? "head" : "", f.tail ? "tail" : "", f.vc, f.tag.packet(), f.tag.sequence());
  if (f.head) text += fmt::format(" {} to {} {} {} {}", f.source, f.destination, f.flits, f.words, f.path_id);
  for (const std::uint64_t word : f.payload) text += fmt::format(" {:x}", word);
  return text;
}

/// The text of \p object if it is a wire of this type.
template <typename T>
std::string text_of_wire(const sc_core::sc_object* object) {
  const auto* const wire = dynamic_cast<const pin::wire<T>*>(object);
  return wire != nullptr ? text_of(wire->read()) : "";
}

/// The values of the wires between the modules of the network.
std::string wires_of_network() {
  std::string text;
  bool offered = false;  // whether the previous flit wire has a flit; its ready has no meaning otherwise
  for (const sc_core::sc_object* object : sc_core::sc_find_object("network")->get_child_objects()) {
    const std::string name = object->basename(), flit_text = text_of_wire<flit<64>>(object);
    if (name.find("ready") != std::string::npos && !offered) continue;
    offered = !flit_text.empty();
    const std::string value = flit_text + text_of_wire<pin::credit>(object) + text_of_wire<bool>(object) +
                              text_of_wire<std::uint32_t>(object);
    if (!value.empty()) text += fmt::format("{} {}\n", name, value);
  }
  return text;
}

/// The end of the result of a run whose resets hit too little traffic; this depends on the random cycles.
constexpr const char* TooLittleTraffic = "; too little traffic for a comparison";

bool had_traffic(const std::string& event_trace) { return event_trace.find(TooLittleTraffic) == std::string::npos; }

/// All events, wires and states of a run of \p c with the packets of \p source. \p renew is called after each reset
/// with the number of the next cycle. \throws std::logic_error if an invariant is violated
std::string record_trace_with_resets(const network_case& c, const pin::model_options& options, packet_source& source,
                                     const std::function<void(cycle_t)>& renew) {
  event_log log((c.payload_bits + 63) / 64, event_log::detail::Nodes);
  reset_checker checker;
  observers both = {&log, &checker};
  const auto model = pin::make_model(c.graph, c.router, c.nic, options, source, both);

  std::string text;
  const auto demand = [&](const std::string& broken) {
    if (!broken.empty()) throw std::logic_error(fmt::format("cycle {}: {}", model->now(), broken));
  };
  const auto run_to = [&](cycle_t end) {
    while (model->now() < end) {
      model->run(1);
      text += fmt::format("cycle {}\n", model->now()) + wires_of_network();
      demand(model->audit());
    }
    text += log.pop(model->now()) + whole_state_of(c, *model);
  };
  rng d(c.seed);
  for (unsigned i = 0; i < Resets; ++i) {
    run_to(model->now() + d.between(1, LongestPart));
    model->reset(d.between(1, 3));
    checker.reset();
    demand(model->audit_at_rest());
    renew(model->now() + 1);
    for (node_id n = 0; n < c.nodes(); ++n) model->reschedule_source(n);
  }
  run_to(c.stop);
  model->run(6000);
  demand(model->audit_at_rest());
  text += log.pop(model->now()) + checker.account();
  if (checker.within() != 0 && !c.nic.coding.enabled)
    throw std::logic_error(
        fmt::format("{} packets remain in the idle network; {}", checker.within(), checker.account()));
  return checker.had_traffic() ? text : text + TooLittleTraffic;
}

std::string record_trace_with_resets(const network_case& c, const pin::model_options& options) {
  if (c.nic.coding.enabled) {
    coded_traffic_parameters p;
    p.nodes = c.nodes();
    p.groups = 60;
    p.seed = c.seed;
    renewed_coded_traffic source(p);
    return record_trace_with_resets(c, options, source, [&source](cycle_t begin) { source.renew(begin); });
  }
  stopping_source source(make_traffic(c), c.stop);
  return record_trace_with_resets(c, options, source, [](cycle_t) {});
}

/// \p event_trace without what nodes receive, because packets behind RTL stages have no VC.
std::string up_to_stages(const std::string& event_trace) {
  std::istringstream lines(event_trace);
  std::string text, line;
  while (std::getline(lines, line))
    if (line.find("receive") == std::string::npos) text += line + "\n";
  return text;
}

/// The parts that are RTL.
enum parts : unsigned { Routers = 1, Nics = 2, Stages = 4 };

class lockstep_network_reset : public testing::TestWithParam<network_kind> {};

TEST_P(lockstep_network_reset, restarts_with_identical_wires_in_rtl_and_systemc) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  rng random(test_seed());
  network_case c;
  const auto event_trace = [&c](unsigned parts, const std::vector<std::uint32_t>& which) {
    return run_in_subprocess([&] {
      pin::model_options options;
      options.payload_bits = c.payload_bits;
      options.clock_gating = c.clock_gating;
      if (parts & Routers) options.routers = tb::make_rtl_routers(c.graph, c.payload_bits, c.router, c.nic, which);
      if (parts & Nics) options.nics = tb::make_rtl_nics(c.graph, c.payload_bits, c.router, c.nic, which);
      if (parts & Stages) options.compression_stages = tb::make_rtl_stages(c.nic.compression, which);
      return record_trace_with_resets(c, options);
    });
  };
  std::string expected;
  for (unsigned draws = 0; draws == 0 || !had_traffic(expected); ++draws) {
    ASSERT_LT(draws, 20U) << "no random traffic and resets overlap: " << describe(c);
    c = case_of(GetParam(), random, {0.2, 0.4, 0.8}, Resets * LongestPart + 200);
    expected = event_trace(0, {});
  }
  ASSERT_GT(std::count(expected.begin(), expected.end(), '\n'), 10'000) << expected;
  const auto compare_with = [&](const std::string& systemc, const char* what, const std::string& rtl) {
    ASSERT_EQ(first_difference(systemc, rtl), "")
        << "\nWEFT_SEED=" << test_seed() << ": " << what << ": " << describe(c);
  };
  const auto compare = [&](const char* what, const std::string& rtl) { compare_with(expected, what, rtl); };
  compare("routers", event_trace(Routers, {}));
  if (c.nic.compression.latency) return;  // no hardware
  compare("NICs", event_trace(Nics, {}));
  compare("everything", event_trace(Routers | Nics, {}));
  compare("some of both", event_trace(Routers | Nics, {0, 4, 5}));
  // The RTL compressor has no wires for the code of XOR stages.
  if (c.nic.compression.enabled() && !c.nic.coding.enabled)
    compare_with(up_to_stages(expected), "stages of NICs", up_to_stages(event_trace(Stages, {})));
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_network_reset, testing::ValuesIn(KindsToReset),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(lockstep_network_reset, is_rejected_before_the_first_cycle) {
  EXPECT_EQ(run_in_subprocess([] {
              network_case c;
              stopping_source source(make_traffic(c), 0);
              event_log log;
              pin::make_model(c.graph, c.router, c.nic, {}, source, log)->reset(1);
              return std::string("reset");
            }),
            "subprocess threw: reset() requires a network that has run, has no clock_period and does not record waits");
}

}  // namespace
}  // namespace weft::lockstep
