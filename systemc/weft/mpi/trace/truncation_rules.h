// SPDX-License-Identifier: Apache-2.0
/// Rules that select which messages of a program are truncated, and by how many bits. Each rule is one line of text.
/// The replay reads the rules from `workload.replay.cuts`, the recorder from WEFT_MPI_CUT. docs/03_reference/replay.md
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

/// The attributes of a message to which the conditions of a rule apply.
struct message_attributes {
  data_type type = data_type::Other;
  std::int64_t tag = AnyTag;             ///< AnyTag if the message has no tag
  std::optional<mpi_function> function;  ///< empty for a message of a message list
  std::uint64_t bytes = 0;               ///< bytes of the message; for a collective, of a part, or datum_bytes()
};

struct truncation_rule {
  std::string text;              ///< source text of the rule
  std::optional<unsigned> bits;  ///< number of bits to cut from each double, 0…MaxCut; empty: messages are not changed
  std::optional<data_type> type;
  std::optional<std::int64_t> tag;
  std::optional<mpi_function> function;
  std::uint64_t from = 0;  ///< minimum size in bytes

  /// Whether the rule matches \p message. A rule with a number of bits matches only messages of doubles.
  bool fits(const message_attributes& message) const;
};

/// Parses the text of a rule, such as "14 bits of double tag 7 in MPI_Send from 4096" or "raw". Everything after the
/// number of bits is optional.
/// \throws std::invalid_argument for any other text
truncation_rule parse_truncation_rule(const std::string& text);

/// Parses rules that are separated by semicolons. A single number, such as "28", is the number of bits for all doubles.
/// An empty text contains no rules.
/// \throws std::invalid_argument for any other text, and for a text of more than 32 KiB
std::vector<truncation_rule> parse_truncation_rules(const std::string& text);

/// Returns the text of \p rules; each number of bits has its unit.
std::string text_of(const std::vector<truncation_rule>& rules);

/// Checks that each rule can match a message. The function of the rule must carry data that are truncated, and earlier
/// rules must not match all messages of the rule.
/// \param where point of truncation, at the sender or at the receiver; empty for a message list, whose messages have no
/// function
/// \throws std::invalid_argument, which names the rule and a remedy
void check_truncation_rules(const std::vector<truncation_rule>& rules, std::optional<truncation_point> where);

/// Returns the first rule that matches \p message; null if there is none.
const truncation_rule* rule_for(const std::vector<truncation_rule>& rules, const message_attributes& message);

/// Whether the rules apply to the size of each part of collective \p f separately. This is the case if members may have
/// parts of different sizes and each member only has the size of its own part. For other collectives, datum_bytes() is
/// used.
bool counts_by_part(mpi_function f);

/// Returns the bytes that each member of a collective gives or receives, on average if they differ. If each member gets
/// its own part, this is what this rank sends or, if \p where is the receiver, what this rank receives. Otherwise it is
/// what all members receive.
std::uint64_t datum_bytes(mpi_function f, std::uint64_t send_bytes, std::uint64_t receive_bytes,
                          const std::vector<std::uint64_t>& sends, const std::vector<std::uint64_t>& receives,
                          truncation_point where = truncation_point::Sender);

}  // namespace weft
