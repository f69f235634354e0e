// SPDX-License-Identifier: Apache-2.0
/// Switch allocators of all kinds: the VC pointers of the input ports, combined with an allocator of ports.
#include "support/random.h"
#include "unit/router/plain_allocation.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/router/switch_allocation.h"

namespace weft {
namespace {

/// The requests of a cycle. A port waits if one of its VCs has a flit, with or without a credit.
struct vc_requests_of_ports {
  std::vector<bool> waiting;                                    ///< by input port
  std::vector<std::vector<std::optional<unsigned>>> requested;  ///< by input port and VC: an output port

  vc_requests_of_ports(unsigned ports, unsigned vcs, rng& random)
      : waiting(ports, false), requested(ports, std::vector<std::optional<unsigned>>(vcs)) {
    const double busy = random.one_of({0.1, 0.5, 1.0}), ready = random.one_of({0.1, 0.5, 1.0});
    for (unsigned port = 0; port < ports; ++port) {
      waiting[port] = random.chance(busy);
      for (auto& output : requested[port])
        if (waiting[port] && random.chance(ready)) output = random.between(0, ports - 1);
    }
  }
};

/// A switch allocator and a simple form of it: one pointer for each input port, and an allocator of ports.
class compared_switch {
 public:
  compared_switch(const allocator_parameters& parameters, unsigned ports, unsigned vcs)
      : m_ports(ports),
        m_vcs(vcs),
        m_design(make_switch_allocator(parameters, ports, vcs)),
        m_state(switch_words(m_design), 0xd00d),
        m_pointers(ports, 0),
        m_of_ports(parameters, size_of(1, ports, ports), 0) {
    reset_switch(m_design, m_state);
  }

  void expect_equal_cycle(const vc_requests_of_ports& requests) {
    const switch_requests entered = contract_form(requests);
    const switch_matching m = allocate_switch(m_design, m_state, entered);
    const plain_grants expected = m_of_ports.step(requests_of_ports(requests));
    ASSERT_EQ(m.inputs >> m_ports, 0U);
    for (unsigned port = 0; port < m_ports; ++port) {
      ASSERT_EQ((m.inputs >> port & 1) != 0, expected.output[port].has_value()) << "port " << port;
      ASSERT_EQ((m.first >> port & 1) != 0, expected.first[port]) << "port " << port;
      if (!expected.output[port]) continue;
      ASSERT_EQ(m.output[port], *expected.output[port]) << "port " << port;
      unsigned vc = m_pointers[port];
      while (requests.requested[port][vc] != expected.output[port]) vc = (vc + 1) % m_vcs;
      ASSERT_EQ(m.vc[port], vc) << "port " << port;
      m_pointers[port] = (vc + 1) % m_vcs;
    }
    if (entered.inputs != 0) advance_switch(m_design, m_state, m);
    std::vector<unsigned> words = m_pointers;
    for (const unsigned word : m_of_ports.words()) words.push_back(word);
    ASSERT_EQ(std::vector<unsigned>(m_state.begin(), m_state.end()), words);
  }

 private:
  switch_requests contract_form(const vc_requests_of_ports& requests) const {
    switch_requests result;
    for (unsigned port = 0; port < m_ports; ++port) {
      result.inputs |= port_set{requests.waiting[port]} << port;
      result.ready[port] = requests.waiting[port] ? 0 : ~0U;  // of ports that do not wait, no defined value
      for (unsigned vc = 0; vc < m_vcs; ++vc) {
        const auto output = requests.requested[port][vc];
        result.output[port][vc] = static_cast<std::uint8_t>(output.value_or(0));
        if (output) result.ready[port] |= vc_set{1} << vc;
      }
    }
    return result;
  }
  plain_requests requests_of_ports(const vc_requests_of_ports& requests) const {
    plain_requests result(m_of_ports.size());
    for (unsigned port = 0; port < m_ports; ++port) {
      result.waiting[port] = requests.waiting[port];
      for (const auto& output : requests.requested[port])
        if (output) result.add(m_of_ports.size(), port, *output);
    }
    return result;
  }

  unsigned m_ports, m_vcs;
  allocator_design m_design;
  std::vector<std::uint16_t> m_state;
  std::vector<unsigned> m_pointers;  // of each input port, the VC at which its search starts
  plain_allocator m_of_ports;
};

TEST(unit_router_switch_kinds, vc_pointers_select_among_the_vcs_for_the_granted_output) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_parameters& parameters : all_parameters()) {
    for (unsigned scene = 0; scene < 15; ++scene) {
      const unsigned ports = random.between(1, scene == 0 ? MaxPorts : 6),
                     vcs = random.between(1, scene == 0 ? MaxVcs : 5);
      SCOPED_TRACE(description(parameters) + ", " + std::to_string(ports) + " ports of " + std::to_string(vcs) +
                   " VCs");
      compared_switch both(parameters, ports, vcs);
      for (unsigned cycle = 0; cycle < 30; ++cycle) {
        both.expect_equal_cycle(vc_requests_of_ports(ports, vcs, random));
        if (HasFailure()) return;
      }
    }
  }
}

// The VCs of an input port share its grants, whatever the kind, if they request one output.
TEST(unit_router_switch_kinds, vcs_of_an_input_that_request_one_output_take_turns) {
  constexpr unsigned Vcs = 5;
  for (const allocator_parameters& parameters : all_parameters()) {
    SCOPED_TRACE(description(parameters));
    const allocator_design design = make_switch_allocator(parameters, 3, Vcs);
    std::vector<std::uint16_t> state(switch_words(design));
    reset_switch(design, state);
    switch_requests requests;
    requests.inputs = 0b010;
    requests.ready[1] = 0b11011;
    for (unsigned vc = 0; vc < Vcs; ++vc) requests.output[1][vc] = 2;
    std::vector<unsigned> winners;
    for (unsigned cycle = 0; cycle < 8; ++cycle) {
      const switch_matching m = allocate_switch(design, state, requests);
      ASSERT_EQ(m.inputs, 0b010U);
      ASSERT_EQ(m.output[1], 2U);
      winners.push_back(m.vc[1]);
      advance_switch(design, state, m);
    }
    EXPECT_EQ(winners, (std::vector<unsigned>{0, 1, 3, 4, 0, 1, 3, 4}));
  }
}

}  // namespace
}  // namespace weft
