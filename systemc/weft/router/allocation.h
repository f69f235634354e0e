// SPDX-License-Identifier: Apache-2.0
/// Requests and grants of an allocator: the contract between the allocators and the parts of a router that use them.
///
/// An allocator matches inputs with outputs. Inputs and outputs are grouped in blocks: for VC allocation a block is a
/// port with its VCs, for switch allocation all ports are one block. An input requests outputs of one block. The number
/// of an input is block * inputs per block + member; that of an output is built in the same way.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/router_choices.h"

namespace weft {

/// The numbers of inputs and outputs of an allocator.
struct allocation_size {
  unsigned blocks = 1;
  unsigned inputs = 0;   ///< of a block
  unsigned outputs = 0;  ///< of a block

  unsigned all_inputs() const { return blocks * inputs; }
  unsigned all_outputs() const { return blocks * outputs; }
};

/// An allocator: its parameters and dimensions, and the place of its state in an array of words. A flat record of
/// constants, as hardware modules need it.
struct allocator_design {
  allocator_kind kind = allocator_kind::SeparableInputFirst;
  arbiter_kind arbiter = arbiter_kind::RoundRobin;
  unsigned iterations = 1;
  unsigned groups = 0;  ///< of a tree arbiter
  unsigned blocks = 1;
  unsigned inputs = 0;   ///< of a block
  unsigned outputs = 0;  ///< of a block
  unsigned all_inputs = 0;
  unsigned all_outputs = 0;
  unsigned diagonals = 0;     ///< the larger of both
  unsigned input_words = 0;   ///< number of words of the arbiter of an input, whose contenders are outputs
  unsigned output_words = 0;  ///< number of words of the arbiter of an output, whose contenders are inputs
  unsigned vcs = 0;           ///< for switch allocation: VCs of an input port
  unsigned first_word = 0;    ///< number of its first word
  unsigned words = 0;         ///< number of words of its state
};

/// The requests of one cycle.
/// \tparam Blocks, Members upper limits of the numbers of blocks and of inputs or outputs of a block
template <unsigned Blocks, unsigned Members>
struct allocation_requests {
  std::uint32_t blocks = 0;                ///< blocks with inputs that wait
  std::uint32_t inputs[Blocks];            ///< of each of these blocks, the inputs that wait
  std::uint8_t block[Blocks][Members];     ///< of each waiting input, the block of the outputs that it requests
  std::uint32_t outputs[Blocks][Members];  ///< of each waiting input, these outputs; 0 if none of them is free
};

/// The grants of one cycle: an output goes to at most one input, and an input gets at most one output.
template <unsigned Blocks, unsigned Members>
struct allocation_grants {
  std::uint32_t blocks = 0;              ///< blocks with inputs that get an output
  std::uint32_t inputs[Blocks];          ///< per block, the inputs that get an output
  std::uint32_t first[Blocks];           ///< those of them that got it in the first iteration
  std::uint8_t block[Blocks][Members];   ///< of each of these inputs, the block of its output
  std::uint8_t output[Blocks][Members];  ///< of each of these inputs, its output

  allocation_grants() {
    for (unsigned b = 0; b < Blocks; ++b) {
      inputs[b] = 0;
      first[b] = 0;
    }
  }
};

/// Adds the grant of output \p output of block \p out_block to input \p input of block \p in_block.
/// \param is_first whether this happens in the first iteration
template <unsigned Blocks, unsigned Members>
void add_grant(allocation_grants<Blocks, Members>& grants, unsigned in_block, unsigned input, unsigned out_block,
               unsigned output, bool is_first) {
  grants.blocks |= 1U << in_block;
  grants.inputs[in_block] |= 1U << input;
  if (is_first) grants.first[in_block] |= 1U << input;
  grants.block[in_block][input] = static_cast<std::uint8_t>(out_block);
  grants.output[in_block][input] = static_cast<std::uint8_t>(output);
}

}  // namespace weft
