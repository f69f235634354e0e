// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/truncation_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"

namespace weft {

namespace {

constexpr std::array TypeNames{"other", "int", "double", "double_complex"};  ///< name of each data_type

[[noreturn]] void reject_rule(const std::string& text, const std::string& why) {
  throw std::invalid_argument(in_quotes(text) + ": " + why +
                              "; a rule is `N bits` or `raw`, then any of `of TYPE`, `tag N`, `in FUNCTION` and `from "
                              "BYTES`, such as `14 bits of double tag 7 from 4096`");
}

std::optional<mpi_function> function_named(const std::string& name) {
  for (std::size_t f = 0; f < static_cast<std::size_t>(mpi_function::Put); ++f) {
    const auto function = static_cast<mpi_function>(f);
    if (name == name_of(function) && !is_completion(function)) return function;
  }
  return std::nullopt;
}

/// Returns the remedy for an unknown function name: rules name a collective by its blocking variant.
std::string remedy_for(const std::string& name) {
  constexpr std::string_view NonBlocking = "MPI_I";
  if (name.rfind(NonBlocking, 0) != 0 || name.size() == NonBlocking.size()) return "";
  std::string blocking = "MPI_" + name.substr(NonBlocking.size());
  blocking[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(blocking[4])));
  const std::optional<mpi_function> f = function_named(blocking);
  return f && is_collective(*f) ? "; write " + blocking + ", which covers both" : "";
}

/// Whether \p f has messages that are truncated at \p where.
bool carries(mpi_function f, truncation_point where) {
  if (is_completion(f) || f == mpi_function::Barrier) return false;
  return where == truncation_point::Sender ? !is_receive(f) : !is_send(f);
}

/// Returns the functions whose messages \p rule matches. For a message list, returns a single empty entry.
std::vector<std::optional<mpi_function>> functions_of(const truncation_rule& rule,
                                                      std::optional<truncation_point> where) {
  if (!where) return {std::nullopt};
  if (rule.function) return {rule.function};
  std::vector<std::optional<mpi_function>> functions;
  for (std::size_t f = 0; f < static_cast<std::size_t>(mpi_function::Put); ++f)
    if (carries(static_cast<mpi_function>(f), *where)) functions.emplace_back(static_cast<mpi_function>(f));
  return functions;
}

/// Returns a tag that none of \p rules names.
std::int64_t other_tag(const std::vector<truncation_rule>& rules) {
  std::set<std::int64_t> named;
  for (const truncation_rule& rule : rules)
    if (rule.tag) named.insert(*rule.tag);
  std::int64_t tag = 0;
  while (named.count(tag) > 0) ++tag;
  return tag;
}

/// Returns messages that \p rule matches. Earlier rules match all messages of the rule if and only if they match these.
/// They are the shortest messages, because a rule that matches a message also matches all longer ones. If the rule has
/// no tag, they have \p other_tag, because the fewest rules match it.
std::vector<message_attributes> hardest_to_hide(const truncation_rule& rule, std::optional<truncation_point> where,
                                                std::int64_t other_tag) {
  std::vector<message_attributes> messages;
  for (const std::optional<mpi_function> f : functions_of(rule, where)) {
    const bool tagged = f && !is_collective(*f);
    for (std::size_t type = 0; type < TypeNames.size(); ++type) {
      const message_attributes message{static_cast<data_type>(type), tagged ? rule.tag.value_or(other_tag) : AnyTag, f,
                                       rule.from};
      if (rule.fits(message)) messages.push_back(message);
    }
  }
  return messages;
}

/// Returns the fewest rules of \p earlier that together match all of \p messages; empty if they do not match all.
std::vector<const truncation_rule*> hiding(const std::vector<truncation_rule>& earlier,
                                           const std::vector<message_attributes>& messages) {
  std::vector<const truncation_rule*> together;
  for (const message_attributes& message : messages) {
    const truncation_rule* const first = rule_for(earlier, message);
    if (first == nullptr) return {};
    if (std::find(together.begin(), together.end(), first) == together.end()) together.push_back(first);
  }
  for (const truncation_rule& rule : earlier)
    if (std::all_of(messages.begin(), messages.end(), [&rule](const message_attributes& m) { return rule.fits(m); }))
      return {&rule};
  return together;
}

std::string why_hidden(const std::vector<const truncation_rule*>& by) {
  if (by.size() == 1)
    return in_quotes(by.front()->text) + " before it matches them all; put the rule first, or leave it out";
  std::string names;
  for (std::size_t i = 0; i < by.size(); ++i)
    names += (i == 0 ? "" : i + 1 < by.size() ? ", " : " and ") + in_quotes(by[i]->text);
  return names + " before it together match them all; put the rule first, or leave it out";
}

/// Whether \p f is a collective in which each member has a separate part for every other member.
bool is_personal(mpi_function f) {
  using mpi = mpi_function;
  return f == mpi::Scatter || f == mpi::Scatterv || f == mpi::Alltoall || f == mpi::Alltoallv || f == mpi::Alltoallw;
}

std::string without_outer_blanks(const std::string& text) {
  constexpr const char* Blanks = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(Blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(Blanks) + 1 - first);
}

/// Parses the words of a rule in order.
class rule_reader {
 public:
  explicit rule_reader(const std::string& text) : m_text(text), m_words(text) {}

  truncation_rule read() {
    m_rule.text = without_outer_blanks(m_text);
    read_truncation();
    for (std::string what; m_words >> what;) read_condition(what);
    if (m_rule.bits && m_rule.type && !is_double(*m_rule.type))
      reject_rule(m_text, "LSB-cut supports only double and double_complex; use `raw` for other types");
    return m_rule;
  }

 private:
  std::string word() {
    std::string w;
    m_words >> w;
    return w;
  }

  template <typename T>
  T number(const std::string& text, T most, const std::string& what) {
    const std::optional<T> n = parse_number<T>(text);
    if (!n || *n < 0 || *n > most)
      reject_rule(m_text, "expected " + what + ", 0 to " + std::to_string(most) + ", got " + in_quotes(text));
    return *n;
  }

  void read_truncation() {
    const std::string first = word();
    if (first == "raw") return;
    m_rule.bits = static_cast<unsigned>(number<std::int64_t>(first, MaxCut, "`raw` or the number of bits to cut"));
    const std::string unit = word();
    if (unit != "bits" && unit != "bit") reject_rule(m_text, "expected `bits` after " + abridged(first));
  }

  template <typename T>
  void put(std::optional<T>& field, std::optional<T> value, const std::string& what, const std::string& wrong) {
    if (field) reject_rule(m_text, "`" + abridged(what) + "` is given twice");
    if (!value) reject_rule(m_text, wrong);
    field = value;
  }

  void read_condition(const std::string& what) {
    const std::string value = word();
    if (what == "of") {
      const auto* const found = std::find(TypeNames.begin(), TypeNames.end(), value);
      put(m_rule.type,
          found == TypeNames.end() ? std::nullopt : std::optional(static_cast<data_type>(found - TypeNames.begin())),
          what, "expected other, int, double or double_complex after `of`, got " + in_quotes(value));
    } else if (what == "tag") {
      put(m_rule.tag, std::optional(number<std::int64_t>(value, std::numeric_limits<std::int32_t>::max(), "a tag")),
          what, "");
    } else if (what == "in") {
      put(m_rule.function, function_named(value), what,
          "expected an MPI function after `in`, such as MPI_Send or MPI_Allreduce, got " + in_quotes(value) +
              remedy_for(value));
    } else if (what == "from") {
      put(m_from, std::optional(number<std::int64_t>(value, std::int64_t{1} << 40, "bytes")), what, "");
      m_rule.from = static_cast<std::uint64_t>(*m_from);
    } else {
      reject_rule(m_text, in_quotes(what) + " is not a condition");
    }
  }

  const std::string m_text;
  std::istringstream m_words;
  truncation_rule m_rule;
  std::optional<std::int64_t> m_from;
};

}  // namespace

bool truncation_rule::fits(const message_attributes& message) const {
  if (bits && !is_double(message.type)) return false;
  if (type && *type != message.type) return false;
  if (tag && *tag != message.tag) return false;
  if (function && function != message.function) return false;
  return message.bytes >= from;
}

truncation_rule parse_truncation_rule(const std::string& text) { return rule_reader(text).read(); }

std::vector<truncation_rule> parse_truncation_rules(const std::string& text) {
  constexpr std::size_t Most = 32 * 1024;  // because they are stored in the header of a trace
  if (text.size() > Most)
    throw std::invalid_argument("rules of " + std::to_string(text.size()) + " bytes, at most " + std::to_string(Most) +
                                " are possible");
  if (parse_number<unsigned>(text)) return {parse_truncation_rule(text + " bits")};
  std::vector<truncation_rule> rules;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) rules.push_back(parse_truncation_rule(part));
  return rules;
}

std::string text_of(const std::vector<truncation_rule>& rules) {
  std::string all;
  for (const truncation_rule& rule : rules) all += (all.empty() ? "" : "; ") + rule.text;
  return all;
}

void check_truncation_rules(const std::vector<truncation_rule>& rules, std::optional<truncation_point> where) {
  const auto reject = [](const truncation_rule& rule, const std::string& why) {
    throw std::invalid_argument(in_quotes(rule.text) + " matches no message: " + why);
  };
  const std::int64_t other = other_tag(rules);
  std::vector<truncation_rule> earlier;
  for (const truncation_rule& rule : rules) {
    if (!where && (rule.tag || rule.function))
      reject(rule,
             "messages of a list have no tag and no MPI function; select them by `of` and `from`, or leave the "
             "rule out");
    if (rule.function == mpi_function::Barrier) reject(rule, "a barrier carries no data; leave it out");
    if (rule.function && is_collective(*rule.function) && rule.tag)
      reject(rule, "messages of collectives have no tag; leave `tag` out");
    if (rule.function && where == truncation_point::Sender && is_receive(*rule.function))
      reject(rule, "the sender truncates, so name the function that sends, such as MPI_Send instead of MPI_Recv");
    if (rule.function && where == truncation_point::Receiver && is_send(*rule.function))
      reject(rule, "the receiver truncates, so name the function that receives, such as MPI_Recv instead of MPI_Send");
    const std::vector<const truncation_rule*> by = hiding(earlier, hardest_to_hide(rule, where, other));
    if (!by.empty()) reject(rule, why_hidden(by));
    earlier.push_back(rule);
  }
}

const truncation_rule* rule_for(const std::vector<truncation_rule>& rules, const message_attributes& message) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const truncation_rule& r) { return r.fits(message); });
  return found == rules.end() ? nullptr : &*found;
}

bool counts_by_part(mpi_function f) {
  return f == mpi_function::Gatherv || f == mpi_function::Scatterv || is_neighbourhood(f);
}

std::uint64_t datum_bytes(mpi_function f, std::uint64_t send_bytes, std::uint64_t receive_bytes,
                          const std::vector<std::uint64_t>& sends, const std::vector<std::uint64_t>& receives,
                          truncation_point where) {
  const bool personal = is_personal(f), by_sends = personal && where == truncation_point::Sender;
  const std::vector<std::uint64_t>& parts = by_sends ? sends : receives;
  if (f == mpi_function::ReduceScatterBlock) return receive_bytes;
  if (parts.empty() && !personal) return std::max(send_bytes, receive_bytes);
  if (parts.empty()) return by_sends ? send_bytes : receive_bytes;
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) / parts.size();
}

}  // namespace weft
