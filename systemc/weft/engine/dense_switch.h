/// Switch allocation for many busy routers at once.
///
/// What weft/core decides for one router, lane by lane, is here bit arithmetic on sets of lanes: a word a router, eight
/// routers a vector. It costs the same whoever asks, so it pays where much goes on: allocating lane by lane costs in
/// proportion to those that ask.
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/lane_set.h"

namespace weft::engine {

/// The switch allocators of 64 routers with up to eight ports of up to four VCs. A word is a set of lanes of a router, as
/// lane_set<32>: a port is a field of four bits.
class dense_switch {
 public:
  static constexpr unsigned Routers = 64, MaxPorts = 8, FieldBits = 2, Vcs = 1U << FieldBits;
  using sets = std::array<lane_set<32>, Routers>;

  /// Whether this machine has vectors of eight words.
  static bool has_avx2();

  /// \param avx2 use them; the machine must have them. Both ways decide the same.
  explicit dense_switch(bool avx2 = has_avx2()) : m_avx2(avx2) {}

  /// Where the arbiters of a port start, as switch_pointers. A pointer may stand behind the last contender.
  struct pointers {
    unsigned output_of_input = 0;
    unsigned vc_of_input = 0;
    unsigned input_of_output = 0;
  };
  void set_pointers(unsigned router, unsigned port, const pointers& p);

  /// Input lane \p lane of \p router asks for output port \p next from now on, and no longer for \p last.
  void want(unsigned router, unsigned lane, unsigned last, unsigned next) {
    m_wants[last][router] &= ~(1U << lane);
    m_wants[next][router] |= 1U << lane;
  }

  /// One cycle. Moves the pointers of those who win.
  /// \param occupied, able input lanes of each router; those that are in both ask for the switch
  /// \param routers        the first ones; the others have no lanes
  /// \param ports          that any of the routers has, at most
  /// \return the input lanes that win
  const sets& allocate(const sets& occupied, const sets& able, unsigned routers, unsigned ports);

  /// Winners a router and cycle from which on this is the cheaper way, on this machine.
  static double worthwhile();

 private:
  template <typename Words, unsigned Ports>
  void allocate_vectors(const sets& occupied, const sets& able, unsigned routers);
  template <unsigned Ports>
  void allocate_portable(const sets& occupied, const sets& able, unsigned routers);
  template <unsigned Ports>
  void allocate_avx2(const sets& occupied, const sets& able, unsigned routers);

  using plane = std::array<std::uint32_t, Routers>;

  alignas(64) std::array<plane, MaxPorts> m_wants{};  ///< by output port: the input lanes that ask for it
  /// The contenders at or behind each pointer: they come first.
  alignas(64) std::array<plane, MaxPorts> m_late_outputs{};  ///< by output port: fields of input ports
  alignas(64) plane m_late_vcs{};                            ///< of each input port
  alignas(64) std::array<plane, MaxPorts> m_late_inputs{};   ///< by output port: fields of input ports
  alignas(64) sets m_winners{};
  bool m_avx2;
};

}  // namespace weft::engine
