// SPDX-License-Identifier: Apache-2.0
/// Derives `==` and waveforms of bundles, which are the records on wires, from one list of their fields. A bundle has
/// a function fields(), which returns the list: a tuple of groups of fields, each made by fields_by().
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <systemc>

#include "weft/core/types.h"

namespace weft::pin {

/// The ports, VCs and inputs of the switch that a router has. Waveforms show only the fields of these.
struct trace_extent {
  unsigned ports = MaxPorts;
  unsigned vcs = MaxVcs;
  unsigned speedup = 1;  ///< inputs of the switch for each port

  unsigned switch_inputs() const { return ports * speedup; }
};

/// The name of element number \p i of \p count, such as "port03". All numbers have the same number of digits, so a
/// viewer sorts the names correctly.
inline std::string indexed(const std::string& name, unsigned i, unsigned count) {
  const std::string digits = std::to_string(i), longest = std::to_string(count - 1);
  return name + std::string(longest.size() - digits.size(), '0') + digits;
}

/// A field of a bundle: a number or an array. In waveforms, the name of a number is the prefix, and the name of element
/// i of an array is the prefix, i and the suffix.
template <class Member>
struct bundle_field {
  const char* prefix;
  Member member;
  const char* suffix;
};
template <class Member>
constexpr bundle_field<Member> field_of(const char* prefix, Member member, const char* suffix = "") {
  return {prefix, member, suffix};
}

/// A group of fields: arrays with the same index, and numbers before them. The index has \p count values. If \p count
/// is a member of trace_extent, the index has as many values as the router has ports, VCs or inputs of the switch.
/// Waveforms show element 0 of all arrays first.
template <class Count, class... Fields>
constexpr auto fields_by(Count count, Fields... fields) {
  return std::make_pair(count, std::make_tuple(fields...));
}

/// Whether two fields are equal.
template <typename T>
bool same(const T& a, const T& b) {
  if constexpr (!std::is_array_v<T>) {
    return a == b;
  } else {
    static_assert(std::has_unique_object_representations_v<T>);
    // Compares word by word, which is faster than a call of memcmp() for a few words.
    using word = std::conditional_t<sizeof(T) % 8 == 0, std::uint64_t,
                                    std::conditional_t<sizeof(T) % 4 == 0, std::uint32_t, std::uint8_t>>;
    word different = 0;
    for (std::size_t i = 0; i < sizeof a; i += sizeof(word)) {
      word of_a, of_b;
      std::memcpy(&of_a, reinterpret_cast<const char*>(a) + i, sizeof of_a);
      std::memcpy(&of_b, reinterpret_cast<const char*>(b) + i, sizeof of_b);
      different = static_cast<word>(different | (of_a ^ of_b));
    }
    return different == 0;
  }
}

template <class T, class = void>
inline constexpr bool IsBundle = false;
template <class T>
inline constexpr bool IsBundle<T, std::void_t<decltype(T::fields())>> = true;

/// The list of fields as a constant, so that a comparison does not construct it.
template <class Bundle>
constexpr auto Fields = Bundle::fields();

/// Each write to a wire compares, so the function is declared inline: GCC then inlines larger functions.
template <class Bundle, class = std::enable_if_t<IsBundle<Bundle>>>
inline bool operator==(const Bundle& a, const Bundle& b) {
  const auto same_fields = [&](const auto&... field) { return (same(a.*field.member, b.*field.member) && ...); };
  return std::apply([&](const auto&... group) { return (std::apply(same_fields, group.second) && ...); },
                    Fields<Bundle>);
}

/// Traces a number, or element \p i of the \p count elements of an array. Elements that are arrays have one element per
/// VC.
template <typename T, class Field>
void trace_field(sc_core::sc_trace_file* file, const T& value, const std::string& name, const Field& field, unsigned i,
                 unsigned count, unsigned vcs) {
  if constexpr (std::rank_v<T> == 0) {
    if (i == 0) sc_core::sc_trace(file, value, name + field.prefix);
  } else if constexpr (std::rank_v<T> == 1) {
    sc_core::sc_trace(file, value[i], indexed(name + field.prefix, i, count) + field.suffix);
  } else {
    const std::string row = indexed(name + field.prefix, i, count) + field.suffix;
    for (unsigned vc = 0; vc < vcs; ++vc) sc_core::sc_trace(file, value[i][vc], indexed(row, vc, vcs));
  }
}

constexpr unsigned count_of(unsigned count, const trace_extent&) { return count; }
constexpr unsigned count_of(unsigned trace_extent::*count, const trace_extent& extent) { return extent.*count; }
constexpr unsigned count_of(unsigned (trace_extent::*count)() const, const trace_extent& extent) {
  return (extent.*count)();
}

/// Traces the fields that a router of this extent has.
template <class Bundle, class = std::enable_if_t<IsBundle<Bundle>>>
void sc_trace(sc_core::sc_trace_file* file, const Bundle& bundle, const std::string& name,
              const trace_extent& extent = {}) {
  const auto trace_group = [&](const auto& group) {
    const unsigned count = count_of(group.first, extent);
    for (unsigned i = 0; i < count; ++i)
      std::apply(
          [&](const auto&... field) {
            (trace_field(file, bundle.*field.member, name, field, i, count, extent.vcs), ...);
          },
          group.second);
  };
  std::apply([&](const auto&... group) { (trace_group(group), ...); }, Fields<Bundle>);
}

}  // namespace weft::pin
