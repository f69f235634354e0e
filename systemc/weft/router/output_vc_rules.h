// SPDX-License-Identifier: Apache-2.0
/// The rules by which a head may request an output VC that no packet holds. They depend on its credits, which are the
/// free flits of the buffer behind it.
#pragma once

#include <cstdint>

#include "weft/core/parameters.h"
#include "weft/core/types.h"

namespace weft {

/// Stands for the credits of a receiver that accepts every flit.
inline constexpr std::uint16_t PlentyOfCredits = 0xffff;

/// A record of constants, as hardware modules need it.
struct output_vc_rules {
  bool cut_through = false;        ///< the buffer must have room for the whole packet
  bool after_tail_credit = false;  ///< the buffer must be empty
  bool busy_when_full = false;     ///< the buffer must have room for a flit
  bool prefer_empty = false;       ///< VCs with an empty buffer are preferred
  bool shared_buffers = false;     ///< other VCs may fill the room of a VC; see buffer_sharing

  /// Whether the rules need the numbers of credits.
  bool count_credits() const { return cut_through || after_tail_credit || prefer_empty; }
};

inline output_vc_rules output_vc_rules_of(const router_parameters& p) {
  output_vc_rules rules;
  rules.cut_through = reserves_whole_packets(p.flow);
  rules.after_tail_credit = p.reallocation == vc_reallocation::AfterTailCredit;
  rules.busy_when_full = p.busy_when_full;
  rules.prefer_empty = p.prefer_empty;
  rules.shared_buffers = shares_buffer(p);
  return rules;
}

/// Number of credits that an output VC must have for a head to request it; 0 if a VC without credits will do. The rule
/// `busy_when_full` is not included, as credits are not all that a shared buffer needs to have room.
/// \param whole whether the buffer must be empty or have room for the whole packet (see select_output()); if it is
/// shared, it must be empty, because the room is not reserved for the packet
/// \param flits length of the packet
/// \param depth credits of an empty buffer; 0 if the receiver accepts every flit
inline std::uint32_t needed_credits(const output_vc_rules& rules, bool whole, std::uint32_t flits,
                                    std::uint32_t depth) {
  std::uint32_t needed = 0;
  if (whole) needed = flits < depth && !rules.shared_buffers ? flits : depth;
  if (rules.after_tail_credit) needed = depth;
  if (rules.cut_through && flits > needed) needed = flits;
  return needed;
}

}  // namespace weft
