// SPDX-License-Identifier: Apache-2.0
/// Trace truncation rules: which messages of a program are truncated, and by how many bits. A rule has one line;
/// the replay reads them from `workload.replay.cuts`, the recorder from WEFT_MPI_CUT. docs/03_reference/replay.md
/// defines the syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/mpi/trace/mpi_function.h"
#include "weft/mpi/trace/trace.h"

namespace weft {

/// The attributes of a message that rules match.
struct message_attributes {
  data_type type = data_type::Other;
  std::int64_t tag = AnyTag;             ///< AnyTag: the message has none
  std::optional<mpi_function> function;  ///< nothing: from a message list
  std::uint64_t bytes = 0;               ///< for a collective: bytes of a part, or datum_bytes()
};

struct truncation_rule {
  std::string text;              ///< source text of the rule
  std::optional<unsigned> bits;  ///< bits cut from each double, 0…MaxCut; nothing: messages travel unchanged
  std::optional<data_type> type;
  std::optional<std::int64_t> tag;
  std::optional<mpi_function> function;
  std::uint64_t from = 0;  ///< minimum size in bytes

  /// Whether the rule matches. A rule with bits matches doubles only.
  bool fits(const message_attributes& message) const;
};

/// Parses "14 bits of double tag 7 in MPI_Send from 4096" or "raw"; everything after the number of bits is optional.
/// \throws std::invalid_argument for anything else
truncation_rule parse_truncation_rule(const std::string& text);

/// Parses rules separated by semicolons. A single number, such as "28", is the number of bits for all doubles. "" has
/// no rules.
/// \throws std::invalid_argument for anything else, and for more than 32 KiB
std::vector<truncation_rule> parse_truncation_rules(const std::string& text);

/// The same rules as text, each with its unit.
std::string text_of(const std::vector<truncation_rule>& rules);

/// Checks that each rule can match a message: its function must carry data that are truncated, and earlier rules must
/// not cover all its messages.
/// \param where truncation point, at the sender or at the receiver; nothing: messages of a list, which have no function
/// \throws std::invalid_argument, which names the rule and a remedy
void check_truncation_rules(const std::vector<truncation_rule>& rules, std::optional<truncation_point> where);

/// The first rule that matches; null if there is none.
const truncation_rule* rule_for(const std::vector<truncation_rule>& rules, const message_attributes& message);

/// Whether the parts of collective \p f are measured separately: those whose members may have parts of different sizes
/// and know only their own. For others, datum_bytes() is used.
bool counts_by_part(mpi_function f);

/// Bytes that each member of a collective gives or receives, on average if they differ. If each member gets a part of
/// its own, by what this rank sends or, if \p where is at the receiver, by what it receives; otherwise by what all
/// receive.
std::uint64_t datum_bytes(mpi_function f, std::uint64_t send_bytes, std::uint64_t receive_bytes,
                          const std::vector<std::uint64_t>& sends, const std::vector<std::uint64_t>& receives,
                          truncation_point where = truncation_point::Sender);

}  // namespace weft
