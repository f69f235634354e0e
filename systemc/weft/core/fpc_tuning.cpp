// SPDX-License-Identifier: Apache-2.0
#include "weft/core/fpc_tuning.h"

#include "weft/core/fpc.h"

namespace weft {

namespace {

constexpr unsigned Codes = 6, MaxRun = 32;

}  // namespace

std::uint64_t fpc_bits(const zeros_histogram& words, const fpc_table& table) {
  std::uint64_t bits = 0;
  for (unsigned zeros = 0; zeros <= MaxRun; ++zeros) {
    unsigned data = 32;
    for (unsigned i = Codes; i-- > 0;)
      if (zeros >= table.runs[i]) data = 32U - table.runs[i];
    bits += words[zeros] * (FpcPrefixBits + data);
  }
  return bits;
}

// A run of r saves r bits in each word with at least r leading zeros: r - s bits more than the next shorter run s. So
// the savings of the runs up to r do not depend on those above it: dynamic programming, from the shortest run up.
fpc_table best_fpc_table(const zeros_histogram& words) {
  std::array<std::uint64_t, MaxRun + 2> from{};  // words with at least that many zeros
  for (unsigned zeros = MaxRun + 1; zeros-- > 0;) from[zeros] = from[zeros + 1] + words[zeros];

  // For `count` runs, the longest of which is r ≥ count: the maximum bits that they save, and the next shorter run.
  struct choice {
    std::uint64_t saved = 0;
    unsigned shorter = 0;
  };
  std::array<std::array<choice, MaxRun + 1>, Codes + 1> best{};
  for (unsigned count = 1; count <= Codes; ++count)
    for (unsigned r = count; r <= MaxRun; ++r)
      for (unsigned shorter = count - 1; shorter < (count == 1 ? 1 : r); ++shorter) {
        const std::uint64_t saved = (r - shorter) * from[r] + best[count - 1][shorter].saved;
        if (choice& c = best[count][r]; shorter == count - 1 || saved > c.saved) c = {saved, shorter};
      }

  unsigned run = Codes;
  for (unsigned r = Codes; r <= MaxRun; ++r)
    if (best[Codes][r].saved > best[Codes][run].saved) run = r;
  fpc_table table;
  for (unsigned i = 0; i < Codes; ++i) {
    table.runs[i] = static_cast<std::uint8_t>(run);
    run = best[Codes - i][run].shorter;
  }
  return table;
}

}  // namespace weft
