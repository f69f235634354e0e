// SPDX-License-Identifier: Apache-2.0
/// Compares every grant of the SystemVerilog allocators of all kinds in every cycle with the decisions of weft/router.
/// The grants also reveal the state. The modules are verilated as plain C++, because they need no time except the clock
/// of their registers.
#include "Vmatching_allocator_1_1_islip_3.h"
#include "Vmatching_allocator_1_1_output_first_matrix.h"
#include "Vmatching_allocator_1_1_wavefront_fair.h"
#include "Vmatching_allocator_20_input_first_matrix.h"
#include "Vmatching_allocator_20_input_first_round_robin.h"
#include "Vmatching_allocator_20_islip_2.h"
#include "Vmatching_allocator_20_output_first_matrix.h"
#include "Vmatching_allocator_20_output_first_round_robin.h"
#include "Vmatching_allocator_20_wavefront.h"
#include "Vmatching_allocator_20_wavefront_fair.h"
#include "Vmatching_allocator_3_5_input_first_matrix.h"
#include "Vmatching_allocator_3_5_islip_3.h"
#include "Vmatching_allocator_3_5_output_first_matrix.h"
#include "Vmatching_allocator_3_5_wavefront.h"
#include "Vmatching_allocator_5_3_islip_1.h"
#include "Vmatching_allocator_5_3_output_first_round_robin.h"
#include "Vmatching_allocator_5_3_wavefront_fair.h"
#include "Vmatching_switch_allocator_5_4_input_first_matrix.h"
#include "Vmatching_switch_allocator_5_4_islip_2.h"
#include "Vmatching_switch_allocator_5_4_output_first_matrix.h"
#include "Vmatching_switch_allocator_5_4_wavefront.h"
#include "Vmatching_switch_allocator_5_4_wavefront_fair.h"
#include "lockstep/plain_module.h"
#include "support/random.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>
#include <verilated.h>

#include "weft/core/members.h"
#include "weft/router/switch_allocation.h"
#include "weft/router/vc_allocation.h"

namespace weft {
namespace {

using matrix_requests = allocation_requests<MaxPorts, MaxVcs>;
using matrix_grants = allocation_grants<MaxPorts, MaxVcs>;

allocator_parameters parameters_of(allocator_kind kind, arbiter_kind arbiter = arbiter_kind::RoundRobin,
                                   unsigned iterations = 1) {
  allocator_parameters p;
  p.kind = kind;
  p.arbiter = arbiter;
  p.iterations = iterations;
  return p;
}

/// Random requests: in each cycle, another share of the inputs requests, and of the outputs of one block.
matrix_requests draw(const allocation_size& size, rng& random) {
  matrix_requests requests{};
  const unsigned load = random.between(0, 8), share = random.between(1, 8);  // in eighths
  for (unsigned block = 0; block < size.blocks; ++block) {
    for (unsigned member = 0; member < size.inputs; ++member) {
      if (random.between(1, 8) > load) continue;
      requests.blocks |= 1U << block;
      requests.inputs[block] |= 1U << member;
      requests.block[block][member] = static_cast<std::uint8_t>(random.between(0, size.blocks - 1));
      for (unsigned output = 0; output < size.outputs; ++output)
        if (random.between(1, 8) <= share) requests.outputs[block][member] |= 1U << output;
    }
  }
  return requests;
}

/// Sets the request matrix of a module.
template <typename Module>
void put(clocked_module<Module>& dut, const allocation_size& size, const matrix_requests& requests) {
  for (unsigned input = 0; input < size.all_inputs(); ++input) {
    const unsigned block = input / size.inputs, member = input % size.inputs;
    const bool waits = (requests.inputs[block] >> member & 1) != 0;
    for (unsigned output = 0; output < size.all_outputs(); ++output) {
      const bool requested = waits && requests.block[block][member] == output / size.outputs &&
                             (requests.outputs[block][member] >> output % size.outputs & 1) != 0;
      set_bit(dut->request_i, input * size.all_outputs() + output, requested);
    }
  }
}

/// Whether \p input gets \p output.
bool has_grant(const allocation_size& size, const matrix_grants& grants, unsigned input, unsigned output) {
  const unsigned block = input / size.inputs, member = input % size.inputs;
  return (grants.blocks >> block & 1) != 0 && (grants.inputs[block] >> member & 1) != 0 &&
         grants.block[block][member] * size.outputs + grants.output[block][member] == output;
}

/// Compares random requests, from few to all, with weft/router for many cycles, with resets.
template <typename Module>
void matching_allocator_matches_router(const allocator_parameters& parameters, const allocation_size& size) {
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  rng random(seed);
  clocked_module<Module> dut;
  const allocator_design design = make_allocator(parameters, size, 0);
  std::vector<std::uint16_t> state(std::max(design.words, 1U));
  reset_allocator(design, state);
  std::uint64_t granted = 0;
  for (unsigned cycle = 0; cycle < Cycles; ++cycle) {
    if (cycle % CyclesBetweenResets == CyclesBetweenResets - 1) {
      dut.reset();
      reset_allocator(design, state);
    }
    const matrix_requests requests = draw(size, random);
    put(dut, size, requests);
    const matrix_grants expected = allocate(design, state, requests);
    dut->eval();
    for (unsigned input = 0; input < size.all_inputs(); ++input) {
      for (unsigned output = 0; output < size.all_outputs(); ++output) {
        const bool grant = has_grant(size, expected, input, output);
        ASSERT_EQ(bit_of(dut->grant_o, input * size.all_outputs() + output), grant)
            << "cycle " << cycle << ", input " << input << ", output " << output << ", WEFT_SEED=" << seed;
        granted += grant;
      }
    }
    if (requests.blocks != 0) advance(design, state, expected);
    dut.edge();
  }
  EXPECT_GT(granted, Cycles / 8U);
}

/// The requests of input VCs for output VCs, with 5 ports of 4 VCs.
template <typename Module>
void matches_as_vc_allocator(const allocator_parameters& parameters) {
  matching_allocator_matches_router<Module>(parameters, {5, 4, 4});
}

using kind = allocator_kind;

TEST(lockstep_matching_allocator, input_first_with_round_robin_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_input_first_round_robin>(parameters_of(kind::SeparableInputFirst));
}
TEST(lockstep_matching_allocator, input_first_with_matrix_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_input_first_matrix>(
      parameters_of(kind::SeparableInputFirst, arbiter_kind::Matrix));
}
TEST(lockstep_matching_allocator, output_first_with_round_robin_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_output_first_round_robin>(parameters_of(kind::SeparableOutputFirst));
}
TEST(lockstep_matching_allocator, output_first_with_matrix_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_output_first_matrix>(
      parameters_of(kind::SeparableOutputFirst, arbiter_kind::Matrix));
}
TEST(lockstep_matching_allocator, islip_of_2_iterations_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_islip_2>(parameters_of(kind::Islip, arbiter_kind::Matrix, 2));
}
TEST(lockstep_matching_allocator, wavefront_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_wavefront>(parameters_of(kind::Wavefront));
}
TEST(lockstep_matching_allocator, wavefront_fair_matches_router_with_5_ports_of_4_vcs) {
  matches_as_vc_allocator<Vmatching_allocator_20_wavefront_fair>(parameters_of(kind::WavefrontFair));
}

/// Single blocks of other sizes.
TEST(lockstep_matching_allocator, all_kinds_match_router_with_1_input_and_1_output) {
  const allocation_size size = {1, 1, 1};
  matching_allocator_matches_router<Vmatching_allocator_1_1_islip_3>(
      parameters_of(kind::Islip, arbiter_kind::RoundRobin, 3), size);
  matching_allocator_matches_router<Vmatching_allocator_1_1_output_first_matrix>(
      parameters_of(kind::SeparableOutputFirst, arbiter_kind::Matrix), size);
  matching_allocator_matches_router<Vmatching_allocator_1_1_wavefront_fair>(parameters_of(kind::WavefrontFair), size);
}
TEST(lockstep_matching_allocator, all_kinds_match_router_with_3_inputs_and_5_outputs) {
  const allocation_size size = {1, 3, 5};
  matching_allocator_matches_router<Vmatching_allocator_3_5_input_first_matrix>(
      parameters_of(kind::SeparableInputFirst, arbiter_kind::Matrix), size);
  matching_allocator_matches_router<Vmatching_allocator_3_5_islip_3>(
      parameters_of(kind::Islip, arbiter_kind::RoundRobin, 3), size);
  matching_allocator_matches_router<Vmatching_allocator_3_5_output_first_matrix>(
      parameters_of(kind::SeparableOutputFirst, arbiter_kind::Matrix), size);
  matching_allocator_matches_router<Vmatching_allocator_3_5_wavefront>(parameters_of(kind::Wavefront), size);
}
TEST(lockstep_matching_allocator, all_kinds_match_router_with_5_inputs_and_3_outputs) {
  const allocation_size size = {1, 5, 3};
  matching_allocator_matches_router<Vmatching_allocator_5_3_islip_1>(parameters_of(kind::Islip), size);
  matching_allocator_matches_router<Vmatching_allocator_5_3_output_first_round_robin>(
      parameters_of(kind::SeparableOutputFirst), size);
  matching_allocator_matches_router<Vmatching_allocator_5_3_wavefront_fair>(parameters_of(kind::WavefrontFair), size);
}

/// Compares the switch allocator with random requests of VCs, from few to all.
template <typename Module>
void matching_switch_allocator_matches_router(const allocator_parameters& parameters) {
  constexpr unsigned Ports = 5, Vcs = 4;
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  rng random(seed);
  clocked_module<Module> dut;
  const allocator_design design = make_switch_allocator(parameters, Ports, Vcs);
  std::vector<std::uint16_t> state(switch_words(design));
  reset_switch(design, state);
  std::uint64_t granted = 0;
  for (unsigned cycle = 0; cycle < Cycles; ++cycle) {
    if (cycle % CyclesBetweenResets == CyclesBetweenResets - 1) {
      dut.reset();
      reset_switch(design, state);
    }
    switch_requests requests{};
    const unsigned load = random.between(0, 8);
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const bool ready = random.between(1, 8) <= load;
        requests.output[port][vc] = static_cast<std::uint8_t>(random.between(0, Ports - 1));
        if (ready) requests.ready[port] |= vc_set{1} << vc;
        for (unsigned output = 0; output < Ports; ++output)
          set_bit(dut->request_i, (port * Vcs + vc) * Ports + output, ready && requests.output[port][vc] == output);
      }
      if (requests.ready[port] != 0) requests.inputs |= port_set{1} << port;
    }
    const switch_matching expected = allocate_switch(design, state, requests);
    dut->eval();
    for (unsigned port = 0; port < Ports; ++port) {
      const bool sends = (expected.inputs >> port & 1) != 0;
      ASSERT_EQ(bit_of(dut->grant_o, port), sends) << "cycle " << cycle << ", port " << port << ", WEFT_SEED=" << seed;
      for (unsigned vc = 0; vc < Vcs; ++vc)
        ASSERT_EQ(bit_of(dut->vc_o, port * Vcs + vc), sends && expected.vc[port] == vc)
            << "cycle " << cycle << ", port " << port << ", VC " << vc << ", WEFT_SEED=" << seed;
      for (unsigned output = 0; output < Ports; ++output)
        ASSERT_EQ(bit_of(dut->output_o, port * Ports + output), sends && expected.output[port] == output)
            << "cycle " << cycle << ", port " << port << ", output " << output << ", WEFT_SEED=" << seed;
      granted += sends;
    }
    advance_switch(design, state, expected);
    dut.edge();
  }
  EXPECT_GT(granted, Cycles / 8U);
}

TEST(lockstep_matching_switch_allocator, input_first_with_matrix_matches_router_with_5_ports_of_4_vcs) {
  matching_switch_allocator_matches_router<Vmatching_switch_allocator_5_4_input_first_matrix>(
      parameters_of(kind::SeparableInputFirst, arbiter_kind::Matrix));
}
TEST(lockstep_matching_switch_allocator, output_first_with_matrix_matches_router_with_5_ports_of_4_vcs) {
  matching_switch_allocator_matches_router<Vmatching_switch_allocator_5_4_output_first_matrix>(
      parameters_of(kind::SeparableOutputFirst, arbiter_kind::Matrix));
}
TEST(lockstep_matching_switch_allocator, islip_of_2_iterations_matches_router_with_5_ports_of_4_vcs) {
  matching_switch_allocator_matches_router<Vmatching_switch_allocator_5_4_islip_2>(
      parameters_of(kind::Islip, arbiter_kind::RoundRobin, 2));
}
TEST(lockstep_matching_switch_allocator, wavefront_matches_router_with_5_ports_of_4_vcs) {
  matching_switch_allocator_matches_router<Vmatching_switch_allocator_5_4_wavefront>(parameters_of(kind::Wavefront));
}
TEST(lockstep_matching_switch_allocator, wavefront_fair_matches_router_with_5_ports_of_4_vcs) {
  matching_switch_allocator_matches_router<Vmatching_switch_allocator_5_4_wavefront_fair>(
      parameters_of(kind::WavefrontFair));
}

}  // namespace
}  // namespace weft
