// SPDX-License-Identifier: Apache-2.0
/// The sockets of weft::noc: SystemC's optional sockets, with a readable error for a socket of another width.
#pragma once

#include <tlm>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace weft::tlm2 {

class noc_base;

/// The message for two sockets of different widths, with the remedy.
template <unsigned Other, unsigned BusWidth>
inline constexpr bool SameWidth = Other == BusWidth;
#define WEFT_NOC_WIDTHS_DIFFER                                                                                         \
  "weft: the socket and the network have different bus widths. Sockets of 32 bits go to weft::noc_32, those of 64 to " \
  "weft::noc, those of N to weft::basic_noc<N>; both 32 and 64 in one network to weft::mixed_noc, whose bits_32 and "  \
  "bits_64 have the sockets of each width"

/// The socket that an initiator is bound to. It may stay unbound.
template <unsigned BusWidth>
class noc_target_socket final : public tlm_utils::passthrough_target_socket_tagged_optional<noc_base, BusWidth> {
  using base = tlm_utils::passthrough_target_socket_tagged_optional<noc_base, BusWidth>;

 public:
  using base::base;

  /// A socket of another width: a compile error with an explanation.
  template <unsigned Other>
  operator ::tlm::tlm_base_target_socket_b<Other>&() {  // NOLINT(google-explicit-constructor)
    static_assert(SameWidth<Other, BusWidth>, WEFT_NOC_WIDTHS_DIFFER);
    return reinterpret_cast<::tlm::tlm_base_target_socket_b<Other>&>(*this);
  }
};

/// The socket that is bound to a target. It may stay unbound.
template <unsigned BusWidth>
class noc_initiator_socket final : public tlm_utils::simple_initiator_socket_tagged_optional<noc_base, BusWidth> {
  using base = tlm_utils::simple_initiator_socket_tagged_optional<noc_base, BusWidth>;

 public:
  using base::base;
  using base::bind;
  using base::operator();

  /// A socket of another width: a compile error with an explanation.
  template <unsigned Other>
  void bind(::tlm::tlm_base_target_socket_b<Other>&) {
    static_assert(SameWidth<Other, BusWidth>, WEFT_NOC_WIDTHS_DIFFER);
  }
  template <unsigned Other>
  void operator()(::tlm::tlm_base_target_socket_b<Other>&) {
    static_assert(SameWidth<Other, BusWidth>, WEFT_NOC_WIDTHS_DIFFER);
  }
};
#undef WEFT_NOC_WIDTHS_DIFFER

}  // namespace weft::tlm2
