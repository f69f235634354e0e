// SPDX-License-Identifier: Apache-2.0
#include "weft/router/allocator_kinds.h"

#include <algorithm>

namespace weft {

const std::vector<arbiter_entry>& arbiter_entries() {
  static const std::vector<arbiter_entry> entries = {
      {arbiter_kind::RoundRobin, "round_robin", "the first requester at or after a pointer, which moves past it", true},
      {arbiter_kind::Matrix, "matrix", "the requester that was granted least recently", true},
      {arbiter_kind::Tree, "tree", "a group of requesters and one of its members, both in round-robin order", false},
      {arbiter_kind::FixedPriority, "fixed_priority", "the requester with the lowest number; others may starve", false},
      {arbiter_kind::Random, "random", "any requester, with equal probability", false},
  };
  return entries;
}

const std::vector<allocator_entry>& allocator_entries() {
  using kind = allocator_kind;
  static const std::vector<allocator_entry> entries = {
      {kind::SeparableInputFirst, "separable_input_first",
       "the arbiter of every input selects an output, then the arbiter of every output selects an input", true},
      {kind::SeparableOutputFirst, "separable_output_first",
       "the arbiter of every output selects an input, then the arbiter of every input selects an output", true},
      {kind::Islip, "islip",
       "as `separable_output_first` with round robin, repeated for the inputs and outputs that are left", true},
      {kind::Wavefront, "wavefront",
       "requests are granted diagonal by diagonal of the request matrix; the first diagonal rotates", true},
      {kind::WavefrontFair, "wavefront_fair",
       "as `wavefront`, but the next cycle starts past the first diagonal with a grant", true},
      {kind::LonelyOutput, "lonely_output",
       "every input selects the output with the fewest requests, then every output selects an input", false},
      {kind::Pim, "pim", "as `islip`, but all selections are random", false},
      {kind::MaximumMatching, "maximum_matching",
       "as many grants as possible, which no hardware finds in a cycle; an upper bound", false},
  };
  return entries;
}

namespace {
template <typename Entry, typename Kind>
const Entry& find(const std::vector<Entry>& entries, Kind kind) {
  return *std::find_if(entries.begin(), entries.end(), [kind](const Entry& e) { return e.kind == kind; });
}
}  // namespace

const arbiter_entry& entry_of(arbiter_kind kind) { return find(arbiter_entries(), kind); }
const allocator_entry& entry_of(allocator_kind kind) { return find(allocator_entries(), kind); }

bool is_in_rtl(const allocator_parameters& parameters) {
  return entry_of(parameters.kind).in_rtl &&
         (!selects_with_arbiters(parameters.kind) || entry_of(parameters.arbiter).in_rtl);
}

}  // namespace weft
