// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/message_list.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/core/types.h"
#include "weft/file/form.h"
#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

constexpr std::uint64_t MostRanks = std::uint64_t{1} << 18;
constexpr std::uint64_t MostListedCycles = std::uint64_t{1} << 62;  ///< limit that prevents overflow of a sum of two
constexpr std::size_t MostFaults = 10;

class list_parser {
 public:
  explicit list_parser(std::string name) : m_name(std::move(name)) {}

  replay_program parse(std::string_view text) {
    m_form = form_of(text);
    std::istringstream lines{std::string(without_byte_order_mark(text))};
    for (std::string line; std::getline(lines, line);) {
      ++m_line;
      read_line(line.substr(0, line.find('#')));
    }
    resolve();
    throw_if_any(false);
    if (m_program.messages.empty()) throw workload_error(m_name + ": expected at least one message, found none");
    find_circle();
    std::uint32_t last = 0;
    for (const listed_message& m : m_program.messages) last = std::max({last, m.source, m.destination});
    m_program.ranks.resize(last + 1);
    m_program.name = std::filesystem::path(m_name).stem().string();
    return std::move(m_program);
  }

 private:
  void wrong(std::size_t line, const std::string& message) {
    m_errors.push_back(fmt::format("{}:{}: {}", m_name, line, message));
    throw_if_any(true);
  }
  void throw_if_any(bool too_many) const {
    if (m_errors.size() < (too_many ? MostFaults : 1)) return;
    // If no line looks like one of a message list, the file is not a message list with errors.
    const bool is_list = m_has_columns || (m_errors.size() == 1 && m_form == file_form::Other);
    throw workload_error(is_list ? m_errors : no_list());
  }

  std::vector<std::string> no_list() const {
    const std::string form = name_of(m_form);
    std::string found = fmt::format(
        "{}: {}; expected a trace of libweft_mpi.so, a netrace, a Chakra trace named NAME.RANK.et, or a list of "
        "messages, with 6 or 7 columns in each line, such as '0 100 0 1 64 0 -'; see docs/02_user/replay.md",
        m_name, form.empty() ? "is not a trace of a known format" : "is " + form);
    if (form.empty()) found += "; as a list of messages, line " + m_errors.front().substr(m_name.size() + 1);
    return {found};
  }

  void read_line(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty()) return;
    if (words.size() != 6 && words.size() != 7)
      return wrong(m_line,
                   fmt::format("expected 6 or 7 columns (id cycle source destination bytes type after), found {}",
                               words.size()));
    m_has_columns = m_has_columns || parse_number<std::uint64_t>(words[0]);
    listed_message m;
    m.waits_first = words[1].front() == '+';
    const auto id = number("an id", words[0], Never - 1),
               cycle = number("a cycle", words[1].substr(m.waits_first), MostListedCycles),
               source = number("a source", words[2], MostRanks - 1),
               destination = number("a destination", words[3], MostRanks - 1),
               bytes = number("bytes of one message", words[4], MostListedBytes),
               type = number("a data type 0 (other), 1 (int), 2 (double) or 3 (double complex)", words[5], 3);
    if (!id || !cycle || !source || !destination || !bytes || !type) return;
    if (m.waits_first && *cycle > MostListedCycles - m_delays)
      return wrong(m_line,
                   fmt::format("+{} and the delays before it exceed {} cycles in total", *cycle, MostListedCycles));
    if (m.waits_first) m_delays += *cycle;
    m.id = *id;
    m.cycle = *cycle;
    m.source = static_cast<std::uint32_t>(*source);
    m.destination = static_cast<std::uint32_t>(*destination);
    m.bytes = *bytes;
    m.type = static_cast<data_type>(*type);
    if (words.size() == 7 && words[6].back() == ',')
      return wrong(m_line, fmt::format("expected an id after the last comma, found {}", in_quotes(words[6])));
    const auto [first, is_new] = m_at.emplace(m.id, m_program.messages.size());
    if (!is_new)
      return wrong(m_line, fmt::format("message {} is already in line {}; every message needs its own number", m.id,
                                       m_lines[first->second]));
    std::vector<std::uint64_t> after;
    if (words.size() == 7 && words[6] != "-") {
      std::istringstream ids(words[6]);
      for (std::string one; std::getline(ids, one, ',');)
        if (const auto other = number("ids separated by commas, or -,", one, Never - 1)) after.push_back(*other);
    }
    m_program.messages.push_back(m);
    m_lines.push_back(m_line);
    m_after.push_back(std::move(after));
  }

  std::optional<std::uint64_t> number(const char* what, const std::string& word, std::uint64_t most) {
    const auto value = parse_number<std::uint64_t>(word);
    if (value && *value <= most) return value;
    wrong(m_line, fmt::format("expected {} up to {}, found {}", what, most, in_quotes(word)));
    return std::nullopt;
  }

  /// Converts the ids in the lists of dependencies to message numbers.
  void resolve() {
    for (std::size_t i = 0; i < m_after.size(); ++i)
      for (const std::uint64_t id : m_after[i]) {
        listed_message& m = m_program.messages[i];
        const auto found = m_at.find(id);
        if (found == m_at.end()) {
          wrong(m_lines[i], fmt::format("message {} waits for message {}, which does not exist", m.id, id));
          continue;
        }
        const listed_message& other = m_program.messages[found->second];
        if (other.destination != m.source && other.source != m.source)
          wrong(m_lines[i], fmt::format("message {} of rank {} waits for message {} from rank {} to rank {}; expected "
                                        "a message that its own source receives or sends",
                                        m.id, m.source, id, other.source, other.destination));
        else
          m.after.push_back(static_cast<std::uint32_t>(found->second));
      }
  }

  void find_circle() {
    const std::vector<std::uint32_t> circle = waiting_circle(m_program.messages);
    if (circle.empty()) return;
    constexpr std::size_t MostIds = 16;
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < std::min(circle.size(), MostIds); ++i) ids.push_back(m_program.messages[circle[i]].id);
    wrong(m_lines[circle.front()],
          fmt::format("messages wait for each other: {}{}", fmt::join(ids, " for "),
                      circle.size() > MostIds ? fmt::format(" and so on, {} of them", grouped(circle.size()))
                                              : fmt::format(" for {}", ids.front())));
    throw_if_any(false);
  }

  const std::string m_name;
  file_form m_form = file_form::Other;
  bool m_has_columns = false;  ///< whether some line has the columns of a message list and begins with a number
  replay_program m_program;
  std::size_t m_line = 0;
  std::uint64_t m_delays = 0;                           ///< longest time that all messages can take in sequence
  std::unordered_map<std::uint64_t, std::size_t> m_at;  ///< message with each id
  std::vector<std::size_t> m_lines;
  std::vector<std::vector<std::uint64_t>> m_after;  ///< ids of the dependencies of each message
  std::vector<std::string> m_errors;
};

}  // namespace

bool is_message_list(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  constexpr std::string_view TraceMagic = "WEFTMPI\n";
  std::string first(TraceMagic.size(), '\0');
  std::ifstream(file, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  return first != TraceMagic;
}

replay_program parse_message_list(std::string_view text, const std::string& name) {
  return list_parser(name).parse(text);
}

replay_program read_message_list(const std::filesystem::path& file) {
  return parse_message_list(read_file(file), file.string());
}

}  // namespace weft
