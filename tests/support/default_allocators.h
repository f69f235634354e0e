// SPDX-License-Identifier: Apache-2.0
/// The allocators of the default kind, which is separable and input-first with round-robin arbiters, and their state.
/// The state consists of the positions at which the arbiters start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/router/switch_allocation.h"
#include "weft/router/vc_allocation.h"

namespace weft {

/// A VC index is port * VCs + VC.
class default_vc_allocator {
 public:
  using pointer = std::uint16_t;

  default_vc_allocator(unsigned ports, unsigned vcs)
      : m_vc_count(ports * vcs),
        m_design(make_vc_allocator(allocator_parameters(), ports, vcs)),
        m_state(std::max(m_design.words, 2 * m_vc_count)) {
    reset();
  }

  void reset() { reset_allocator(m_design, m_state); }
  vc_grants allocate(const vc_requests& requests) const { return weft::allocate(m_design, m_state, requests); }
  void advance(const vc_grants& grants) { weft::advance(m_design, m_state, grants); }

  /// The output VC at which the arbiter of an input VC starts.
  pointer& of_input(unsigned vc_index) { return m_state[vc_index]; }
  /// The input VC at which the arbiter of an output VC starts.
  pointer& of_output(unsigned vc_index) { return m_state[m_vc_count + vc_index]; }
  const allocator_design& design() const { return m_design; }
  const std::vector<pointer>& state() const { return m_state; }

 private:
  unsigned m_vc_count;
  allocator_design m_design;
  std::vector<pointer> m_state;
};

class default_switch_allocator {
 public:
  using pointer = std::uint16_t;

  default_switch_allocator(unsigned ports, unsigned vcs)
      : m_design(make_switch_allocator(allocator_parameters(), ports, vcs)),
        m_state(std::max(switch_words(m_design), 3 * ports)) {
    reset();
  }

  void reset() { reset_switch(m_design, m_state); }
  switch_matching allocate(const switch_requests& requests) const {
    return allocate_switch(m_design, m_state, requests);
  }
  void advance(const switch_matching& m) { advance_switch(m_design, m_state, m); }

  /// The VC at which the search of an input port starts.
  pointer& vc_of_input(unsigned port) { return m_state[port]; }
  /// The output port at which the arbiter of an input port starts.
  pointer& output_of_input(unsigned port) { return m_state[m_design.inputs + port]; }
  /// The input port at which the arbiter of an output port starts.
  pointer& input_of_output(unsigned port) { return m_state[2 * m_design.inputs + port]; }
  const std::vector<pointer>& state() const { return m_state; }

 private:
  allocator_design m_design;
  std::vector<pointer> m_state;
};

}  // namespace weft
