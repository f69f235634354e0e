// SPDX-License-Identifier: Apache-2.0
/// The types of the wires between the pin-level modules: flits and credits. The other types are in
/// router/router_signals.h. Each type has the functions `==`, `<<` and sc_trace(), which sc_signal requires, and
/// asserted(). The latter returns the strobes among the fields, as bits; they indicate when a reader has work to do.
/// Bundles list their fields instead, and bundle.h derives `==` and sc_trace() from the list.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include <systemc>

#include "weft/core/members.h"
#include "weft/core/types.h"
#include "weft/pin/bundle.h"
#include "weft/pin/flit_trace.h"

namespace weft::pin {

/// Defines \p name: the value read from one of several ports, or from a variable index in a memory. In simulation it is
/// a reference. For synthesis it is a copy, made in a separate statement, because translators from SystemC lose the
/// index of a bound reference, and the array sizes of a record that is initialized by copy.
#ifdef WEFT_SYNTHESIS
#define WEFT_VALUE(Type, name, value) \
  Type name;                          \
  name = value
#else
#define WEFT_VALUE(Type, name, value) const Type& name = value
#endif

/// The strobes of a wire: bit 0 for a single wire, more bits for a bundle.
using strobes = std::uint32_t;

inline strobes asserted(bool value) { return value; }
template <typename T>
strobes asserted(const T&) {
  return 0;
}
template <unsigned PayloadBits>
strobes asserted(const flit<PayloadBits>& f) {
  return f.valid;
}

/// Whether any strobe is asserted.
template <typename T>
bool is_asserted(const T& value) {
  return asserted(value) != 0;
}

/// The set of VCs for which a credit is returned in this cycle; at most one without an input speedup.
struct credit {
  vc_set vcs = 0;

  static constexpr auto fields() { return std::make_tuple(fields_by(1, field_of(".vcs", &credit::vcs))); }
  friend std::ostream& operator<<(std::ostream& out, const credit& c) {
    if (c.vcs == 0) out << "-";
    for_each_member(c.vcs, [&](unsigned vc) { out << "[credit for VC " << vc << "]"; });
    return out;
  }
  friend strobes asserted(const credit& c) { return c.vcs != 0; }
};

}  // namespace weft::pin
