// SPDX-License-Identifier: Apache-2.0
/// Switch allocation for many requests: performs weft::allocate_switch() for the 64 routers of a region at once.
///
/// The allocation is bit arithmetic on sets of VCs, with one word per router and eight routers per vector of 256 bits.
/// Its cost does not depend on the number of requests, unlike the cost of sparse_switch, which is proportional to it.
/// tests/unit/engine/dense_switch_test.cpp compares the results with allocate_switch().
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The switch allocators of 64 routers with at most eight ports of at most four VCs. A word is the set of VCs of a
/// router, in the format of router_vc_set<32>: each port is a field of four bits.
class dense_switch {
 public:
  static constexpr unsigned Routers = RegionRouters, MaxPorts = 8, FieldBits = 2, Vcs = 1U << FieldBits;
  using sets = router_vc_sets<32>;

  /// \param use vector size, which the machine must support. The result does not depend on it.
  explicit dense_switch(vectors use) : m_vectors(use) {}

  /// The positions at which the arbiters of a port start, as in switch_pointers. A pointer may be one past the last
  /// requester.
  struct pointers {
    unsigned output_of_input = 0;
    unsigned vc_of_input = 0;
    unsigned input_of_output = 0;
  };
  void set_pointers(unsigned router, unsigned port, const pointers& p);
  pointers pointers_of(unsigned router, unsigned port) const;

  /// Records that input VC \p vc_index of \p router holds output VC \p output now. It requests the port of this VC in
  /// each cycle in which it can send.
  void hold(unsigned router, unsigned vc_index, unsigned output) {
    m_requests[output / Vcs][router] |= 1U << vc_index;
    m_low_vcs[router] |= (output & 1U) << vc_index;
    m_high_vcs[router] |= (output >> 1 & 1U) << vc_index;
  }
  /// Records that no input VC holds an output VC.
  void clear() { m_requests = {}, m_low_vcs = {}, m_high_vcs = {}; }

  /// Performs one cycle: moves the pointers of the winners, and releases the output VCs of input VCs that send a tail.
  /// \param occupied input VCs of each router that hold a flit
  /// \param able     input VCs of each router whose output VC has a credit; input VCs in both sets request the switch
  /// \param ending   input VCs of each router whose next flit is a tail
  /// \param routers  number of routers; the remaining routers of the region have no VCs
  /// \param ports    maximum number of ports of a router
  /// \param leaving  receives the flits that leave
  void allocate(const sets& occupied, const sets& able, const sets& ending, unsigned routers, unsigned ports,
                departures<32>& leaving);

  /// Number of winners per router and cycle above which dense_switch is faster than sparse_switch.
  double worthwhile() const { return m_vectors == vectors::OfFour ? 1.0 : 0.2; }

 private:
  template <typename Words, unsigned Ports>
  Words choose_requests(const Words& ready, const Words (&requests)[Ports], const vector_of& at);
  template <typename Words, unsigned Ports>
  void allocate_vectors(const sets& occupied, const sets& able, const sets& ending, unsigned routers,
                        departures<32>& leaving);

  using plane = std::array<std::uint32_t, Routers>;

  alignas(64) std::array<plane, MaxPorts> m_requests{};  ///< by output port: the input VCs that request it
  alignas(64) plane m_low_vcs{}, m_high_vcs{};           ///< by input VC: bits 0 and 1 of the VC that it holds
  /// The requesters at or behind each pointer, which have priority
  alignas(64) std::array<plane, MaxPorts> m_late_outputs{};  ///< by output port: the fields of these input ports
  alignas(64) plane m_late_vcs{};                            ///< by input port: these VCs
  alignas(64) std::array<plane, MaxPorts> m_late_inputs{};   ///< by output port: the fields of these input ports
  vectors m_vectors;
};

}  // namespace weft::engine
