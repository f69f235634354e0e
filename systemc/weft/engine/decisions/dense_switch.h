// SPDX-License-Identifier: Apache-2.0
/// Switch allocation optimized for many requests: weft::allocate_switch() for the 64 routers of a region at once.
///
/// The allocation is bit arithmetic on sets of VCs: one word per router, eight routers per vector. Its cost does not
/// depend on the number of requests; the cost of sparse_switch is proportional to it.
/// tests/unit/engine/dense_switch_test.cpp compares it with allocate_switch().
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The switch allocators of 64 routers with up to eight ports of up to four VCs. A word is a set of VCs of a router, as
/// router_vc_set<32>: a port is a field of four bits.
class dense_switch {
 public:
  static constexpr unsigned Routers = RegionRouters, MaxPorts = 8, FieldBits = 2, Vcs = 1U << FieldBits;
  using sets = router_vc_sets<32>;

  /// \param use vector size, which the machine must support. The result does not depend on it.
  explicit dense_switch(vectors use) : m_vectors(use) {}

  /// The start of the arbiters of a port, as in switch_pointers. A pointer may be one past the last contender.
  struct pointers {
    unsigned output_of_input = 0;
    unsigned vc_of_input = 0;
    unsigned input_of_output = 0;
  };
  void set_pointers(unsigned router, unsigned port, const pointers& p);
  pointers pointers_of(unsigned router, unsigned port) const;

  /// Input VC \p vc_index of \p router now holds output VC \p output, and requests its port when it is ready.
  void hold(unsigned router, unsigned vc_index, unsigned output) {
    m_requests[output / Vcs][router] |= 1U << vc_index;
    m_low_vcs[router] |= (output & 1U) << vc_index;
    m_high_vcs[router] |= (output >> 1 & 1U) << vc_index;
  }
  /// No input VC holds an output VC.
  void clear() { m_requests = {}, m_low_vcs = {}, m_high_vcs = {}; }

  /// Performs one cycle. Moves the pointers of the winners; input VCs that send a tail release their output VCs.
  /// \param occupied, able input VCs of each router; those in both sets that hold an output VC request the switch
  /// \param ending         input VCs whose next flit is a tail
  /// \param routers        number of routers; the remaining ones have no VCs
  /// \param ports          maximum ports of the routers
  /// \param leaving        receives the flits that leave
  void allocate(const sets& occupied, const sets& able, const sets& ending, unsigned routers, unsigned ports,
                departures<32>& leaving);

  /// Winners per router and cycle from which on this implementation is faster.
  double worthwhile() const { return m_vectors == vectors::OfFour ? 1.0 : 0.2; }

 private:
  template <typename Words, unsigned Ports>
  Words choose_requests(const Words& ready, const Words (&requests)[Ports], const vector_of& at);
  template <typename Words, unsigned Ports>
  void allocate_vectors(const sets& occupied, const sets& able, const sets& ending, unsigned routers,
                        departures<32>& leaving);

  using plane = std::array<std::uint32_t, Routers>;

  alignas(64) std::array<plane, MaxPorts> m_requests{};  ///< by output port: input VCs that request it
  alignas(64) plane m_low_vcs{}, m_high_vcs{};           ///< bits of the VC that an input VC holds
  /// The contenders at or behind each pointer, which have priority
  alignas(64) std::array<plane, MaxPorts> m_late_outputs{};  ///< by output port: fields of input ports
  alignas(64) plane m_late_vcs{};                            ///< by input port
  alignas(64) std::array<plane, MaxPorts> m_late_inputs{};   ///< by output port: fields of input ports
  vectors m_vectors;
};

}  // namespace weft::engine
