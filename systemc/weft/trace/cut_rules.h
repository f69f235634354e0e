// SPDX-License-Identifier: Apache-2.0
/// Which messages of a program are cut, and by how much: rules in one line each, which the replay reads from
/// `workload.replay.cuts` and the recorder from WEFT_MPI_CUT. docs/03_reference/replay.md has their form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/trace/mpi_function.h"
#include "weft/trace/trace.h"

namespace weft {

/// What rules ask of a message.
struct cut_subject {
  data_type type = data_type::Other;
  std::int64_t tag = AnyTag;             ///< AnyTag: it has none
  std::optional<mpi_function> function;  ///< none: of a list of messages
  std::uint64_t bytes = 0;               ///< of a collective: of a part, or datum_bytes()
};

struct cut_rule {
  std::string text;              ///< as it was written
  std::optional<unsigned> bits;  ///< of each double, 0…MaxCut; none: the message travels as it is, whatever its type
  std::optional<data_type> type;
  std::optional<std::int64_t> tag;
  std::optional<mpi_function> function;
  std::uint64_t from = 0;  ///< bytes

  /// A rule with bits is for doubles only.
  bool fits(const cut_subject& message) const;
};

/// "14 bits of double tag 7 in MPI_Send from 4096", "raw": what stands behind the cut may be left out.
/// \throws std::invalid_argument for anything else
cut_rule parse_cut_rule(const std::string& text);

/// Rules with semicolons between them; a number alone, such as "28", is that of the bits of all doubles. None of "".
/// \throws std::invalid_argument for anything else, and for more than 32 KiB
std::vector<cut_rule> parse_cut_rules(const std::string& text);

/// The same rules as text, each with its unit.
std::string text_of(const std::vector<cut_rule>& rules);

/// That each rule can fit a message: its function is one that carries data where they are cut, and the rules before it
/// do not have all its messages together.
/// \param where calls are cut, at the sender or at the receiver; none: messages of a list, which no function sends
/// \throws std::invalid_argument that names the rule, and what would do
void check_cut_rules(const std::vector<cut_rule>& rules, std::optional<trace_cut> where);

/// The first that fits, null if none does.
const cut_rule* rule_for(const std::vector<cut_rule>& rules, const cut_subject& message);

/// Whether each part of collective \p f counts by itself: those whose members may have parts of different sizes and
/// know their own alone. Of others datum_bytes() counts.
bool counts_by_part(mpi_function f);

/// Of a collective what each member gives or gets, on average where they differ: in those that send each member its own
/// by what this rank sends, or, \p where it is cut at the receiver, by what it receives; else by what all receive.
std::uint64_t datum_bytes(mpi_function f, std::uint64_t send_bytes, std::uint64_t receive_bytes,
                          const std::vector<std::uint64_t>& sends, const std::vector<std::uint64_t>& receives,
                          trace_cut where = trace_cut::Sender);

}  // namespace weft
