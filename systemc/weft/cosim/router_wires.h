// SPDX-License-Identifier: Apache-2.0
/// Converts flits and credits between the pin level and the wires of the RTL; weft_pkg defines their layout. A port of
/// a verilated model is an integer or an array of 32-bit words, and a field may begin at any bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "weft/core/flit.h"
#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/router_choices.h"
#include "weft/cosim/pins.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// Number of bits that represent the numbers below \p count; at least one.
constexpr unsigned index_bits(unsigned count) {
  unsigned bits = 1;
  while (1U << bits < count) ++bits;
  return bits;
}

/// Reads \p count ≤ 64 bits of \p port, beginning with bit \p at.
template <typename Port>
std::uint64_t get_bits(const Port& port, unsigned at, unsigned count) {
  static_assert(sizeof(Port) <= 8);
  const std::uint64_t mask = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  return std::uint64_t{port} >> at & mask;
}
template <std::size_t Words>
std::uint64_t get_bits(const VlWide<Words>& port, unsigned at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned done = 0; done < count;) {
    const unsigned bit = (at + done) % 32, part = std::min(32 - bit, count - done);
    const std::uint64_t mask = (std::uint64_t{1} << part) - 1;
    value |= (std::uint64_t{port[(at + done) / 32]} >> bit & mask) << done;
    done += part;
  }
  return value;
}

template <typename Port>
void put_bits(Port& port, unsigned at, unsigned count, std::uint64_t value) {
  static_assert(sizeof(Port) <= 8);
  const std::uint64_t mask = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << at;
  port = static_cast<Port>((std::uint64_t{port} & ~mask) | (value << at & mask));
}
template <std::size_t Words>
void put_bits(VlWide<Words>& port, unsigned at, unsigned count, std::uint64_t value) {
  for (unsigned done = 0; done < count;) {
    const unsigned bit = (at + done) % 32, part = std::min(32 - bit, count - done);
    const std::uint64_t mask = ((std::uint64_t{1} << part) - 1) << bit;
    EData& word = port[(at + done) / 32];
    word = static_cast<EData>((word & ~mask) | ((value >> done) << bit & mask));
    done += part;
  }
}

inline constexpr unsigned PhitBits = 7;  ///< weft_pkg::PhitBits

/// The widths of the fields of a flit on wires. If the width of the VC or of the path id is 0, the flit has no such
/// field.
struct flit_layout {
  unsigned words = 2;
  bool code = false;
  unsigned user_bits = 0, path_id_bits = 1, vc_bits = 2;

  constexpr unsigned data_bits() const {
    return HeaderBits + ErrorBits + (code ? CodeBits : 0) + user_bits + 32 * words;
  }
  constexpr unsigned flit_bits() const { return 3 + vc_bits + path_id_bits + data_bits(); }

  static constexpr unsigned ErrorBits = 2, CodeBits = 105;
};

/// The parameters of weft_router, and the widths that follow from them.
struct router_shape {
  unsigned ports = 5, vcs = 4, classes = 1;
  unsigned depth = 8, output_depth = 8;
  unsigned pipeline = 4;
  bool cut_through = false;
  bool narrow = false;  ///< whether channels may be narrower than flits
  unsigned words = 2;
  bool code = false;
  unsigned user_bits = 0, path_id_bits = 1;
  unsigned destinations = 16;  ///< number of destinations of a routing table that has a row for each input VC and path
                               ///< id; 0: no table
  unsigned path_id_count = 1;  ///< number of path ids in this table
  allocator_parameters vc_allocator{}, switch_allocator{};

  constexpr unsigned port_bits() const { return index_bits(ports); }
  constexpr unsigned vc_bits() const { return index_bits(vcs); }
  constexpr unsigned credit_bits() const { return 1 + vc_bits(); }
  constexpr unsigned depth_bits() const { return index_bits(output_depth + 1); }
  /// Width of the length of a packet in the router, as weft_pkg::length_bits().
  constexpr unsigned length_bits() const { return cut_through ? index_bits(output_depth + 2) : 1; }
  constexpr std::uint32_t length(std::uint32_t flits) const {
    const std::uint32_t longer = (1U << length_bits()) - 1;
    return !cut_through ? 0 : flits < longer ? flits : longer;
  }
  constexpr flit_layout layout() const { return {words, code, user_bits, path_id_bits, vc_bits()}; }
  constexpr unsigned flit_bits() const { return layout().flit_bits(); }
  constexpr unsigned entry_bits() const { return port_bits() + vcs / classes; }
};

/// Writes \p f to the wires of port \p port. If \p f is not valid, writes only the valid bit.
/// \param user user bits of the flit
template <unsigned PayloadBits, typename Port>
void put_flit(Port& wires, const flit_layout& s, unsigned port, const flit<PayloadBits>& f, std::uint64_t user) {
  const unsigned base = port * s.flit_bits();
  put_bits(wires, base + s.flit_bits() - 1, 1, f.valid);
  if (!f.valid) return;
  unsigned at = base;
  const auto put_next = [&](unsigned count, std::uint64_t value) {
    put_bits(wires, at, count, value);
    at += count;
  };
  const auto put_wide = [&](const VlWide<4>& value, unsigned count) {
    put_next(64, value[0] | std::uint64_t{value[1]} << 32);
    put_next(count - 64, value[2] | std::uint64_t{value[3]} << 32);
  };
  for (unsigned word = 0; word < s.words; ++word)
    put_next(32, word / 2 < f.Words ? f.payload[word / 2] >> 32 * (word % 2) & 0xffff'ffff : 0);
  if (s.user_bits != 0) put_next(s.user_bits, user);
  VlWide<4> wide;
  if (s.code) {
    put(wide, code_of(f));
    put_wide(wide, s.CodeBits);
  }
  put_next(s.ErrorBits, static_cast<unsigned>(f.error));
  put(wide, header_of(f));
  put_wide(wide, HeaderBits);
  put_next(s.path_id_bits, f.path_id);
  put_next(s.vc_bits, f.vc);
  put_next(1, f.tail);
  put_next(1, f.head);
}

/// Reads the flit on the wires of port \p port.
/// \param user receives the user bits if the flit is valid
/// \return the flit, which is empty if the valid bit is not set
template <unsigned PayloadBits, typename Port>
flit<PayloadBits> get_flit(const Port& wires, const flit_layout& s, unsigned port, std::uint64_t& user) {
  flit<PayloadBits> f;
  const unsigned base = port * s.flit_bits();
  f.valid = get_bits(wires, base + s.flit_bits() - 1, 1) != 0;
  if (!f.valid) return f;
  unsigned at = base;
  const auto next = [&](unsigned count) {
    at += count;
    return get_bits(wires, at - count, count);
  };
  const auto get_wide = [&](unsigned count) {
    VlWide<4> value;
    const std::uint64_t low = next(64), high = next(count - 64);
    value[0] = static_cast<EData>(low), value[1] = static_cast<EData>(low >> 32);
    value[2] = static_cast<EData>(high), value[3] = static_cast<EData>(high >> 32);
    return value;
  };
  for (unsigned word = 0; word < s.words; ++word) {
    const std::uint64_t value = next(32);
    if (word / 2 < f.Words) f.payload[word / 2] |= value << 32 * (word % 2);
  }
  user = s.user_bits != 0 ? next(s.user_bits) : 0;
  const xor_code code = s.code ? get_code(get_wide(s.CodeBits)) : xor_code();
  f.error = static_cast<codec_error>(next(s.ErrorBits));
  put_header(f, get_header(get_wide(HeaderBits)));
  put_code(f, code);
  f.path_id = next(s.path_id_bits);
  f.vc = static_cast<std::uint8_t>(next(s.vc_bits));
  f.tail = next(1) != 0;
  f.head = next(1) != 0;
  return f;
}

template <unsigned PayloadBits, typename Port>
void put_flit(Port& wires, const router_shape& s, unsigned port, const flit<PayloadBits>& f, std::uint64_t user) {
  put_flit(wires, s.layout(), port, f, user);
}
template <unsigned PayloadBits, typename Port>
flit<PayloadBits> get_flit(const Port& wires, const router_shape& s, unsigned port, std::uint64_t& user) {
  return get_flit<PayloadBits>(wires, s.layout(), port, user);
}

/// Functions for a credit on wires, which has a valid bit and \p vc_bits for the VC. The wires carry one credit.
template <typename Port>
void put_credit(Port& wires, unsigned vc_bits, unsigned port, const pin::credit& c) {
  if (count_members(c.vcs) > 1) throw std::logic_error("the RTL receives at most one credit in a cycle");
  const std::uint64_t bits = c.vcs != 0 ? lowest(c.vcs) | std::uint64_t{1} << vc_bits : 0;
  put_bits(wires, port * (1 + vc_bits), 1 + vc_bits, bits);
}
template <typename Port>
pin::credit get_credit(const Port& wires, unsigned vc_bits, unsigned port) {
  const std::uint64_t bits = get_bits(wires, port * (1 + vc_bits), 1 + vc_bits);
  if ((bits >> vc_bits & 1) == 0) return {};
  return {vc_set{1} << (bits & ((1U << vc_bits) - 1))};
}

template <typename Port>
void put_credit(Port& wires, const router_shape& s, unsigned port, const pin::credit& c) {
  put_credit(wires, s.vc_bits(), port, c);
}
template <typename Port>
pin::credit get_credit(const Port& wires, const router_shape& s, unsigned port) {
  return get_credit(wires, s.vc_bits(), port);
}

/// Fills a routing table that has a row for each input VC and path id with the results of \p route_of(input port, VC,
/// destination, path id). VCs are counted from the first VC of their class. Rows of path ids from \p path_id_count on
/// stay unchanged.
template <typename Port, typename RouteOf>
void put_table(Port& rule, const router_shape& s, unsigned destinations, unsigned path_id_count, RouteOf route_of) {
  for (unsigned port = 0; port < s.ports; ++port) {
    for (unsigned vc = 0; vc < s.vcs; ++vc) {
      for (unsigned path_id = 0; path_id < path_id_count; ++path_id) {
        const unsigned row = (port * s.vcs + vc) * s.path_id_count + path_id;
        for (node_id n = 0; n < destinations; ++n) {
          const route r = route_of(port, vc, n, path_id);
          put_bits(rule, (row * s.destinations + n) * s.entry_bits(), s.entry_bits(),
                   r.vcs | std::uint64_t{r.port} << s.vcs / s.classes);
        }
      }
    }
  }
}

}  // namespace weft::tb
