// SPDX-License-Identifier: Apache-2.0
/// Maximum matching: the largest possible number of grants. It is behavioral, because no hardware finds it in a cycle;
/// it shows how much better than another allocator any allocator could be. It is not fair: a requester may starve.
///
/// Shortest augmenting paths are added until there are none. All inputs without an output are starting points, in
/// cyclic order from the input in the state, one word, and outputs are visited in ascending order, as in BookSim2. The
/// state becomes the next input after every cycle in which an input waits, even if none of its outputs is free.
#pragma once

#ifndef WEFT_SYNTHESIS

#include <array>
#include <cstdint>

#include "weft/core/round_robin.h"
#include "weft/router/allocation.h"

namespace weft {

struct maximum_matching_allocator {
  static unsigned words() { return 1; }

  template <unsigned Blocks, unsigned Members, typename State>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests,
                       allocation_grants<Blocks, Members>& grants) {
    search<Blocks, Members> find(a, requests);
    while (find.add_shortest_path(state[a.first_word])) {
    }
    find.add_grants(grants);
  }
  template <typename State>
  static void advance(const allocator_design& a, State& state) {
    state[a.first_word] = static_cast<std::uint16_t>(next_index(state[a.first_word], a.all_inputs));
  }

 private:
  static constexpr unsigned None = ~0U;

  template <unsigned Blocks, unsigned Members>
  class search {
   public:
    search(const allocator_design& design, const allocation_requests<Blocks, Members>& requests)
        : m_design(design), m_requests(requests) {
      m_output_of.fill(None);
      m_input_of.fill(None);
    }

    /// Adds one grant along a shortest augmenting path.
    /// \param first the input at which the cyclic order of starting points begins
    /// \return whether there is such a path
    bool add_shortest_path(unsigned first) {
      m_reached_from.fill(None);
      const unsigned inputs = m_design.all_inputs;
      unsigned begin = 0, end = 0;  // part of the queue that contains the inputs of one distance
      for (unsigned i = 0; i < inputs; ++i) {
        const unsigned input = first + i < inputs ? first + i : first + i - inputs;
        if (m_output_of[input] == None && is_waiting(input)) m_queue[end++] = input;
      }
      while (begin != end) {
        const unsigned input = m_queue[begin++];
        const unsigned block = m_requests.block[input / m_design.inputs][input % m_design.inputs];
        std::uint32_t left = m_requests.outputs[input / m_design.inputs][input % m_design.inputs];
        for (; left != 0; left &= left - 1) {
          const unsigned output = block * m_design.outputs + lowest(left);
          if (m_output_of[input] == output || m_reached_from[output] != None) continue;
          m_reached_from[output] = input;
          if (m_input_of[output] == None) {
            augment(output);
            return true;
          }
          m_queue[end++] = m_input_of[output];
        }
      }
      return false;
    }

    void add_grants(allocation_grants<Blocks, Members>& grants) const {
      for (unsigned input = 0; input < m_design.all_inputs; ++input) {
        const unsigned output = m_output_of[input];
        if (output != None)
          add_grant(grants, input / m_design.inputs, input % m_design.inputs, output / m_design.outputs,
                    output % m_design.outputs, true);
      }
    }

   private:
    bool is_waiting(unsigned input) const {
      const unsigned block = input / m_design.inputs;
      return (m_requests.blocks >> block & 1) != 0 && (m_requests.inputs[block] >> input % m_design.inputs & 1) != 0;
    }

    /// Exchanges the grants along the path that ends at \p output.
    void augment(unsigned output) {
      while (output != None) {
        const unsigned input = m_reached_from[output], next = m_output_of[input];
        m_input_of[output] = input;
        m_output_of[input] = output;
        output = next;
      }
    }

    const allocator_design& m_design;
    const allocation_requests<Blocks, Members>& m_requests;
    std::array<unsigned, Blocks * Members> m_output_of, m_input_of;
    std::array<unsigned, Blocks * Members> m_reached_from;  // by output: the input before it on a shortest path
    std::array<unsigned, 2 * Blocks * Members> m_queue;
  };
};

}  // namespace weft

#endif
