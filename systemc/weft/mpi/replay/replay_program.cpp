// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/replay_program.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "weft/mpi/replay/chakra.h"
#include "weft/mpi/replay/collective_actions.h"
#include "weft/mpi/replay/message_list.h"
#include "weft/mpi/replay/netrace.h"
#include "weft/mpi/trace/trace_reader.h"

namespace weft {

namespace {

/// Whether all members of the collective contribute the same number of bytes.
bool all_give_the_same(mpi_function f) {
  return f == mpi_function::Bcast || f == mpi_function::Reduce || f == mpi_function::Allreduce ||
         f == mpi_function::Scan || f == mpi_function::Exscan;
}

std::string described(std::size_t rank, const replay_rank& r, const replay_call& call) {
  const replay_collective& more = r.collectives[call.more];
  return fmt::format("call {} of rank {}, {}{}{}", call.number, rank, name_of(call.function),
                     all_give_the_same(call.function) ? fmt::format(" of {} bytes", more.send_bytes) : "",
                     more.root == AnyRank ? "" : fmt::format(" with root {}", more.root));
}

/// Checks that the ranks of each collective agree on it. \throws workload_error
void check_collectives(const replay_program& program) {
  struct first_of {
    std::size_t rank;
    const replay_call* call;
  };
  std::vector<std::vector<first_of>> firsts(program.communicators.size());
  for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) {
    const replay_rank& r = program.ranks[rank];
    std::unordered_map<std::uint32_t, std::size_t> so_far;
    for (const replay_call& call : r.calls) {
      if (call.kind != call_kind::Collective) continue;
      std::vector<first_of>& all = firsts[call.communicator];
      const std::size_t number = so_far[call.communicator]++;
      if (number == all.size()) {
        all.push_back({rank, &call});
        continue;
      }
      const first_of& other = all[number];
      const replay_rank& its = program.ranks[other.rank];
      const replay_collective &here = r.collectives[call.more], &there = its.collectives[other.call->more];
      if (call.function != other.call->function || here.root != there.root ||
          (all_give_the_same(call.function) && here.send_bytes != there.send_bytes))
        throw workload_error({fmt::format(
            "{}, and {}, are collective {} of one communicator; expected the same. Either the program is wrong, or the "
            "trace, of an earlier recorder, mixes up communicators with the same members: record it again",
            described(other.rank, its, *other.call), described(rank, r, call), number + 1)});
    }
  }
}

class program_builder final : public trace_visitor {
 public:
  explicit program_builder(replay_program& to) : m_program(to) {}

  void begin(const trace_header& header) override {
    m_program.name = header.program;
    m_program.ranks.resize(header.ranks);
    m_rank = &m_program.ranks[header.rank];
    m_number = 0;
    m_communicators.clear();
    m_elements.clear();
    m_posted.clear();
    m_begun.clear();
  }

  void end(trace_ending how, std::uint64_t) override {
    m_rank->stops = how != trace_ending::Complete;
    for (const auto& [request, at] : m_posted) {
      replay_call& receive = m_rank->calls[at];
      receive.left_open = !m_rank->stops;
      if (receive.peer < 0 || receive.tag < 0)
        m_open.emplace_back(static_cast<std::uint32_t>(m_rank - m_program.ranks.data()), at);
    }
  }

  /// Matches receives from any source, or with any tag, that the program never completed. They are matched to messages
  /// that no other receive takes, from the first rank that sent such a message.
  void match_open_receives() {
    if (m_open.empty()) return;
    std::sort(m_open.begin(), m_open.end());
    std::map<message_channel, std::int64_t> left = messages_left();
    for (const auto& open : m_open) {
      const std::uint32_t rank = open.first;
      replay_call& receive = m_program.ranks[rank].calls[open.second];
      const auto fits = [&](const auto& channel) {
        const auto& [to, communicator, from, tag] = channel.first;
        return channel.second > 0 && to == rank && communicator == receive.communicator &&
               (receive.peer < 0 || receive.peer == from) && (receive.tag < 0 || receive.tag == tag);
      };
      const auto found = std::find_if(left.begin(), left.end(), fits);
      if (found == left.end()) continue;
      receive.peer = std::get<2>(found->first);
      receive.tag = std::get<3>(found->first);
      --found->second;
    }
  }

  void communicator(const trace_communicator& c) override {
    // Both sides of an intercommunicator identify it, each with its own group first.
    auto key = std::make_tuple(c.members, c.peers, c.ordinal);
    if (!c.peers.empty() && c.peers < c.members) std::swap(std::get<0>(key), std::get<1>(key));
    const auto [found, fresh] = m_all.emplace(key, static_cast<std::uint32_t>(m_program.communicators.size()));
    if (fresh) m_program.communicators.push_back({c.members, c.peers});
    m_communicators[c.id] = found->second;
  }

  void element(const trace_element& e) override { m_elements[e.id] = e; }
  void threads(std::uint32_t so_far) override { m_rank->threads = so_far; }

  void call(const trace_call& c) override {
    if (!c.continues) ++m_number;
    if (c.kind == call_kind::Uncovered) ++m_program.uncovered;
    replay_call to;
    to.kind = c.kind;
    to.function = c.function;
    to.mode = c.mode;
    to.number = number_of(c);
    to.computing = c.computing;
    to.request = c.request;
    to.bytes = c.bytes;
    if (c.kind != call_kind::Completion && c.kind != call_kind::Uncovered) {
      to.communicator = m_communicators.at(c.communicator);
      to.type = m_elements.at(c.element).type;
    }
    to.peer = static_cast<std::int32_t>(c.peer);
    to.tag = static_cast<std::int32_t>(c.tag);
    to.any_source = c.any_source;
    if (!c.payload.empty()) to.payload = std::make_shared<const std::string>(c.payload);
    if (c.kind == call_kind::Completion) end_requests(c, to);
    if (c.kind == call_kind::Collective) {
      to.more = static_cast<std::uint32_t>(m_rank->collectives.size());
      m_rank->collectives.push_back({c.root, c.send_bytes, c.receive_bytes, c.sends, c.receives, c.to, c.from,
                                     std::max(1U, m_elements.at(c.element).size)});
    }
    if (c.kind == call_kind::Receive && c.request != 0) m_posted[c.request] = m_rank->calls.size();
    m_rank->calls.push_back(std::move(to));
  }

 private:
  /// Destination, communicator, source, tag.
  using message_channel = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::int32_t>;

  /// Returns the number of the call to which \p c belongs. Other threads may have made calls between the beginning and
  /// the end of this call.
  std::uint32_t number_of(const trace_call& c) {
    if (c.request != 0 && has_end(c.function)) m_begun[c.request] = m_number;
    if (c.kind != call_kind::Completion) return m_number;
    std::uint32_t number = m_number;
    for (const trace_completion& done : c.completions) {
      const auto begun = m_begun.find(done.request);
      if (begun == m_begun.end()) continue;
      if (c.continues) number = begun->second;
      m_begun.erase(begun);
    }
    return number;
  }

  /// Returns, for each channel, the number of messages minus the number of receives.
  std::map<message_channel, std::int64_t> messages_left() const {
    std::map<message_channel, std::int64_t> left;
    for (std::uint32_t rank = 0; rank < m_program.ranks.size(); ++rank)
      for (const replay_call& c : m_program.ranks[rank].calls) {
        if (c.kind == call_kind::Send)
          ++left[{static_cast<std::uint32_t>(c.peer), c.communicator, static_cast<std::int32_t>(rank), c.tag}];
        if (c.kind == call_kind::Receive && c.peer >= 0) --left[{rank, c.communicator, c.peer, c.tag}];
      }
    return left;
  }

  void end_requests(const trace_call& c, replay_call& to) {
    to.more = static_cast<std::uint32_t>(m_rank->ended.size());
    to.count = static_cast<std::uint32_t>(c.completions.size());
    for (const trace_completion& done : c.completions) {
      m_rank->ended.push_back(done.request);
      const auto posted = m_posted.find(done.request);
      if (posted == m_posted.end()) continue;
      replay_call& receive = m_rank->calls[posted->second];
      m_posted.erase(posted);
      receive.peer = static_cast<std::int32_t>(done.source);
      receive.tag = static_cast<std::int32_t>(done.tag);
      receive.bytes = done.bytes;
    }
  }

  replay_program& m_program;
  replay_rank* m_rank = nullptr;
  std::uint32_t m_number = 0;
  std::map<std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::uint64_t>, std::uint32_t> m_all;
  std::unordered_map<std::uint32_t, std::uint32_t> m_communicators;
  std::unordered_map<std::uint32_t, trace_element> m_elements;
  std::unordered_map<std::uint32_t, std::size_t> m_posted;    ///< receives that have not ended, by request
  std::unordered_map<std::uint32_t, std::uint32_t> m_begun;   ///< numbers of calls that have an end, by request
  std::vector<std::pair<std::uint32_t, std::size_t>> m_open;  ///< never end and match several: rank and call
};

}  // namespace

std::vector<std::uint64_t> replay_program::traffic() const {
  const std::size_t n = ranks.size();
  std::vector<std::uint64_t> bytes(n * n, 0);
  for (const listed_message& m : messages) bytes[m.source * n + m.destination] += m.bytes;
  for (std::size_t from = 0; from < n; ++from)
    for (const replay_call& c : ranks[from].calls) {
      if (c.kind == call_kind::Send) bytes[from * n + static_cast<std::size_t>(c.peer)] += c.bytes;
      if (c.kind != call_kind::Collective) continue;
      for (const collective_action& s :
           actions_of(c, ranks[from].collectives[c.more], communicators[c.communicator].members,
                      static_cast<std::uint32_t>(from), collective_order::Usual))
        if (s.what == collective_action::kind::Send) bytes[from * n + s.peer] += s.bytes;
    }
  return bytes;
}

std::string replay_program::order_of_threads() const {
  const auto has_several = [](const replay_rank& r) { return r.threads > 1; };
  const auto first = std::find_if(ranks.begin(), ranks.end(), has_several);
  if (first == ranks.end()) return "";
  const auto others = std::count_if(first + 1, ranks.end(), has_several);
  return fmt::format("{} threads of rank {}{} called MPI: their calls keep the order that they had in the recording",
                     first->threads, first - ranks.begin(),
                     others == 0 ? "" : fmt::format(", and those of {} more ranks,", others));
}

/// Repeatedly removes messages that wait for no other message. The remaining messages contain a cycle.
std::vector<std::uint32_t> waiting_circle(const std::vector<listed_message>& messages) {
  std::vector<std::vector<std::uint32_t>> next(messages.size());
  std::vector<std::size_t> waits(messages.size());
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    waits[i] = messages[i].after.size();
    for (const std::uint32_t other : messages[i].after) next[other].push_back(i);
    if (waits[i] == 0) free.push_back(i);
  }
  std::size_t taken = 0;
  for (; !free.empty(); ++taken) {
    const std::uint32_t i = free.back();
    free.pop_back();
    for (const std::uint32_t other : next[i])
      if (--waits[other] == 0) free.push_back(other);
  }
  if (taken == messages.size()) return {};
  // Starts at any waiting message and goes back along its dependencies until a message repeats.
  std::uint32_t at = 0;
  while (waits[at] == 0) ++at;
  std::vector<std::uint32_t> way;
  std::unordered_map<std::uint32_t, std::size_t> seen;  // position on the path
  for (; seen.emplace(at, way.size()).second;) {
    way.push_back(at);
    const std::vector<std::uint32_t>& after = messages[at].after;
    at = *std::find_if(after.begin(), after.end(), [&waits](std::uint32_t other) { return waits[other] > 0; });
  }
  return {way.begin() + static_cast<std::ptrdiff_t>(seen.at(at)), way.end()};
}

std::optional<program_kind> kind_of_program(const std::filesystem::path& trace) {
  if (is_netrace(trace)) return program_kind::Netrace;
  if (is_chakra(trace)) return program_kind::Chakra;
  std::error_code error;  // a pipe cannot be opened twice
  const std::filesystem::file_status status = std::filesystem::status(trace, error);
  if (!exists(status) || (is_regular_file(status) && !std::ifstream(trace))) return std::nullopt;
  return is_message_list(trace) ? program_kind::List : program_kind::Mpi;
}

replay_program read_program(const std::filesystem::path& trace, std::uint32_t region) {
  const std::optional<program_kind> kind = kind_of_program(trace);
  if (kind == program_kind::Netrace) return read_netrace(trace, region);
  if (kind == program_kind::Chakra) return read_chakra(trace);
  if (kind == program_kind::List) return read_message_list(trace);
  replay_program program;
  program_builder builder(program);
  read_trace(trace, builder);
  builder.match_open_receives();
  check_collectives(program);
  return program;
}

}  // namespace weft
