// SPDX-License-Identifier: Apache-2.0
/// The sockets of weft::noc: SystemC's optional sockets, which explain a wrong bus width in a compile error.
#pragma once

#include <tlm>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace weft::tlm2 {

class noc_base;

/// Whether two sockets have the same width. If not, the macro below gives the message of the compile error.
template <unsigned Other, unsigned BusWidth>
inline constexpr bool SameWidth = Other == BusWidth;
#define WEFT_NOC_WIDTHS_DIFFER                                                                                      \
  "weft: the socket and the network have different bus widths. Use weft::noc_32 for sockets of 32 bits, weft::noc " \
  "for 64 bits, and weft::basic_noc<N> for N bits. For 32 and 64 bits in one network, use weft::mixed_noc, whose "  \
  "members bits_32 and bits_64 have the sockets of each width"

/// The socket that an initiator is bound to. It may stay unbound.
template <unsigned BusWidth>
class noc_target_socket final : public tlm_utils::passthrough_target_socket_tagged_optional<noc_base, BusWidth> {
  using base = tlm_utils::passthrough_target_socket_tagged_optional<noc_base, BusWidth>;

 public:
  using base::base;

  /// Makes a binding to a socket of another width a compile error with an explanation.
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

  /// Makes a binding to a socket of another width a compile error with an explanation.
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
