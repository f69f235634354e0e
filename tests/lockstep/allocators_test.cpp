// SPDX-License-Identifier: Apache-2.0
/// Compares every grant of the SystemVerilog allocators in every cycle with the decisions of weft/router. The
/// grants also reveal the pointers. The modules are verilated as plain C++, because they need no time except the clock
/// of their pointers.
#include "Vround_robin_arbiter_5.h"
#include "Vseparable_switch_allocator_1_1.h"
#include "Vseparable_switch_allocator_3_5.h"
#include "Vseparable_switch_allocator_5_4.h"
#include "Vseparable_vc_allocator_1_1.h"
#include "Vseparable_vc_allocator_3_5.h"
#include "Vseparable_vc_allocator_5_4.h"
#include "lockstep/plain_module.h"
#include "support/default_allocators.h"
#include "support/random.h"
#include "support/vc_grants.h"
#include <array>
#include <cstdint>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>
#include <verilated.h>

#include "weft/core/members.h"

namespace weft {
namespace {

constexpr unsigned bits_for(unsigned ports) {
  unsigned bits = 1;
  while (1U << bits < ports) ++bits;
  return bits;
}

TEST(lockstep_round_robin_arbiter, grants_match_the_core_function_for_all_requests_and_pointers) {
  constexpr unsigned Count = 5;
  VerilatedContext context;
  Vround_robin_arbiter_5 dut(&context);
  for (std::uint32_t requests = 0; requests < 1U << Count; ++requests) {
    for (unsigned pointer = 0; pointer < Count; ++pointer) {
      const std::uint32_t all = (1U << Count) - 1;
      dut.request_i = static_cast<CData>(requests);
      dut.from_i = static_cast<CData>(all << pointer & all);
      dut.eval();
      if (requests == 0) {
        ASSERT_EQ(dut.grant_o, 0U) << "pointer " << pointer;
        continue;
      }
      const unsigned winner = round_robin(requests, pointer);
      ASSERT_EQ(dut.grant_o, 1U << winner) << "requests " << requests << ", pointer " << pointer;
      // The next search starts past the winner. Past the last requester the set is empty, which means pointer 0.
      ASSERT_EQ(dut.next_o, all << (winner + 1) & all) << "requests " << requests << ", pointer " << pointer;
      dut.from_i = 0;
      dut.eval();
      ASSERT_EQ(dut.grant_o, 1U << lowest(requests)) << "requests " << requests;
    }
  }
  dut.final();
}

/// Compares random requests, from few to all, with core for many cycles.
template <typename Module, unsigned Ports, unsigned Vcs>
void separable_vc_allocator_matches_core() {
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  rng random(seed);
  clocked_module<Module> dut;
  default_vc_allocator allocator(Ports, Vcs);
  std::uint64_t granted = 0, denied = 0;
  for (unsigned cycle = 0; cycle < Cycles; ++cycle) {
    if (cycle % CyclesBetweenResets == CyclesBetweenResets - 1) {
      dut.reset();
      allocator.reset();
    }
    vc_requests requests;
    const unsigned load = random.between(0, 8);  // in eighths
    const bool one_port = random.between(0, 3) == 0;
    const unsigned port_of_all = random.between(0, Ports - 1);
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const unsigned vc_index = port * Vcs + vc;
        const bool has_request = random.between(0, 7) < load;
        const route r{static_cast<std::uint8_t>(one_port ? port_of_all : random.between(0, Ports - 1)),
                      static_cast<vc_set>(random.between(0, (1U << Vcs) - 1))};
        if (has_request) add_request(requests, port, vc, r);
        set_bit(dut->request_i, vc_index, has_request);
        set_bits(dut->port_i, vc_index * bits_for(Ports), bits_for(Ports), r.port);
        set_bits(dut->vcs_i, vc_index * Vcs, Vcs, r.vcs);
      }
    }
    const vc_grants expected = allocator.allocate(requests);
    dut->eval();
    for (unsigned port = 0; port < Ports; ++port) {
      ASSERT_EQ(bits_of(dut->grant_o, port * Vcs, Vcs), expected.inputs[port])
          << "cycle " << cycle << ", port " << port << ", WEFT_SEED=" << seed;
      for_each_member(expected.inputs[port], [&](unsigned vc) {
        ASSERT_EQ(bits_of(dut->vc_o, (port * Vcs + vc) * Vcs, Vcs), vc_set{1} << expected.output[port][vc])
            << "cycle " << cycle << ", port " << port << ", VC " << vc << ", WEFT_SEED=" << seed;
      });
      if (testing::Test::HasFatalFailure()) return;
      const vc_set waiting = (requests.blocks >> port & 1) != 0 ? requests.inputs[port] : 0;
      granted += static_cast<unsigned>(__builtin_popcount(expected.inputs[port]));
      denied += static_cast<unsigned>(__builtin_popcount(waiting & ~expected.inputs[port]));
    }
    allocator.advance(expected);
    dut.edge();
  }
  EXPECT_GT(granted, Cycles / 8U);
  EXPECT_GT(denied, Cycles / 8U);
}

TEST(lockstep_separable_vc_allocator, grants_match_the_core_function_with_5_ports_of_4_vcs) {
  separable_vc_allocator_matches_core<Vseparable_vc_allocator_5_4, 5, 4>();
}
TEST(lockstep_separable_vc_allocator, grants_match_the_core_function_with_3_ports_of_5_vcs) {
  separable_vc_allocator_matches_core<Vseparable_vc_allocator_3_5, 3, 5>();
}
TEST(lockstep_separable_vc_allocator, grants_match_the_core_function_with_1_port_of_1_vc) {
  separable_vc_allocator_matches_core<Vseparable_vc_allocator_1_1, 1, 1>();
}

template <typename Module, unsigned Ports, unsigned Vcs>
void separable_switch_allocator_matches_core() {
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  rng random(seed);
  clocked_module<Module> dut;
  default_switch_allocator allocator(Ports, Vcs);
  std::uint64_t granted = 0, idle = 0;
  for (unsigned cycle = 0; cycle < Cycles; ++cycle) {
    if (cycle % CyclesBetweenResets == CyclesBetweenResets - 1) {
      dut.reset();
      allocator.reset();
    }
    switch_requests requests{};
    const unsigned load = random.between(0, 8);
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const unsigned vc_index = port * Vcs + vc;
        const bool has_request = random.between(0, 7) < load;
        requests.output[port][vc] = static_cast<std::uint8_t>(random.between(0, Ports - 1));
        if (has_request) {
          requests.inputs |= port_set{1} << port;
          requests.ready[port] |= vc_set{1} << vc;
        }
        set_bits(dut->request_i, vc_index * Ports, Ports, has_request ? 1U << requests.output[port][vc] : 0U);
      }
    }
    const switch_matching expected = allocator.allocate(requests);
    dut->eval();
    ASSERT_EQ(bits_of(dut->grant_o, 0, Ports), expected.inputs) << "cycle " << cycle << ", WEFT_SEED=" << seed;
    for (unsigned port = 0; port < Ports; ++port) {
      const bool sends = (expected.inputs >> port & 1U) != 0;
      if (sends) {
        ASSERT_EQ(bits_of(dut->vc_o, port * Vcs, Vcs), 1U << expected.vc[port])
            << "cycle " << cycle << ", port " << port << ", WEFT_SEED=" << seed;
      }
      ASSERT_EQ(bits_of(dut->output_o, port * Ports, Ports), sends ? 1U << expected.output[port] : 0U)
          << "cycle " << cycle << ", port " << port << ", WEFT_SEED=" << seed;
    }
    granted += static_cast<unsigned>(__builtin_popcount(expected.inputs));
    idle += Ports - static_cast<unsigned>(__builtin_popcount(expected.inputs));
    allocator.advance(expected);
    dut.edge();
  }
  EXPECT_GT(granted, Cycles / 8U);
  EXPECT_GT(idle, Cycles / 16U);
}

TEST(lockstep_separable_switch_allocator, grants_match_the_core_function_with_5_ports_of_4_vcs) {
  separable_switch_allocator_matches_core<Vseparable_switch_allocator_5_4, 5, 4>();
}
TEST(lockstep_separable_switch_allocator, grants_match_the_core_function_with_3_ports_of_5_vcs) {
  separable_switch_allocator_matches_core<Vseparable_switch_allocator_3_5, 3, 5>();
}
TEST(lockstep_separable_switch_allocator, grants_match_the_core_function_with_1_port_of_1_vc) {
  separable_switch_allocator_matches_core<Vseparable_switch_allocator_1_1, 1, 1>();
}

}  // namespace
}  // namespace weft
