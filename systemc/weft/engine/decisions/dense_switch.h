// SPDX-License-Identifier: Apache-2.0
/// Switch allocation, fast form where many lanes ask: weft::allocate_switch() for the 64 routers of a region at once.
///
/// The decision is bit arithmetic on sets of lanes: a word a router, eight routers a vector. It costs the same however
/// many lanes ask; sparse_switch costs in proportion to those that do.
/// Compared with allocate_switch() in tests/unit/engine/dense_switch_test.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/region_lanes.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The switch allocators of 64 routers with up to eight ports of up to four VCs. A word is a set of lanes of a router,
/// as lane_set<32>: a port is a field of four bits.
class dense_switch {
 public:
  static constexpr unsigned Routers = RegionRouters, MaxPorts = 8, FieldBits = 2, Vcs = 1U << FieldBits;
  using sets = lane_sets<32>;

  /// \param use these; the machine must have them. All decide the same.
  explicit dense_switch(vectors use) : m_vectors(use) {}

  /// Where the arbiters of a port start, as switch_pointers. A pointer may stand behind the last contender.
  struct pointers {
    unsigned output_of_input = 0;
    unsigned vc_of_input = 0;
    unsigned input_of_output = 0;
  };
  void set_pointers(unsigned router, unsigned port, const pointers& p);
  pointers pointers_of(unsigned router, unsigned port) const;

  /// Input lane \p lane of \p router has got output lane \p output: when it is ready it asks for its port.
  void hold(unsigned router, unsigned lane, unsigned output) {
    m_wants[output / Vcs][router] |= 1U << lane;
    m_low_vcs[router] |= (output & 1U) << lane;
    m_high_vcs[router] |= (output >> 1 & 1U) << lane;
  }
  /// No input lane holds anything.
  void let_all_go() { m_wants = {}, m_low_vcs = {}, m_high_vcs = {}; }

  /// One cycle. Moves the pointers of the winners; input lanes of which a tail leaves let their outputs go.
  /// \param occupied, able input lanes of each router; those that are in both, and hold an output lane, ask for the
  ///        switch
  /// \param ending         those whose next flit is a tail
  /// \param routers        the first ones; the others have no lanes
  /// \param ports          that any of the routers has, at most
  /// \param leaving        what leaves
  void allocate(const sets& occupied, const sets& able, const sets& ending, unsigned routers, unsigned ports,
                departures<32>& leaving);

  /// Winners a router and cycle from which on this form is the cheaper one.
  double worthwhile() const { return m_vectors == vectors::OfFour ? 1.0 : 0.2; }

 private:
  template <typename Words, unsigned Ports>
  Words choose_requests(const Words& ready, const Words (&wants)[Ports], const vector_of& at);
  template <typename Words, unsigned Ports>
  void allocate_vectors(const sets& occupied, const sets& able, const sets& ending, unsigned routers,
                        departures<32>& leaving);

  using plane = std::array<std::uint32_t, Routers>;

  alignas(64) std::array<plane, MaxPorts> m_wants{};  ///< by output port: the input lanes that ask for it
  alignas(64) plane m_low_vcs{}, m_high_vcs{};        ///< bits of the VC that an input lane holds
  /// The contenders at or behind each pointer: they come first.
  alignas(64) std::array<plane, MaxPorts> m_late_outputs{};  ///< by output port: fields of input ports
  alignas(64) plane m_late_vcs{};                            ///< of each input port
  alignas(64) std::array<plane, MaxPorts> m_late_inputs{};   ///< by output port: fields of input ports
  vectors m_vectors;
};

}  // namespace weft::engine
