// SPDX-License-Identifier: Apache-2.0
/// Describes the calls of a replay that have no counterpart.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "weft/mpi/replay/replay_state.h"

namespace weft {

namespace {

std::string with_tag(std::int32_t tag) { return tag < 0 ? " with any tag" : fmt::format(" with tag {}", tag); }

}  // namespace

/// Returns the future call of \p rank that would match message \p nth among the messages that wait in the channel of \p
/// key. Null if there is no such call.
const replay_call* replay_traffic::call_to_come(std::uint32_t rank, const channel_key& key, std::size_t nth) const {
  const auto& [communicator, number, from, to, tag] = key;
  const std::vector<replay_call>& calls = m_program.ranks[rank].calls;
  const auto begun = m_collectives[rank].find(communicator);
  std::uint32_t collectives = begun == m_collectives[rank].end() ? 0 : begun->second;
  for (std::size_t i = m_activities[rank]->next_call; i < calls.size(); ++i) {
    const replay_call& c = calls[i];
    if (c.communicator != communicator) continue;
    if (number > 0) {
      if (c.kind == call_kind::Collective && ++collectives == number) return &c;
    } else if (c.kind == (rank == to ? call_kind::Receive : call_kind::Send) && c.tag == tag &&
               c.peer == static_cast<std::int32_t>(rank == to ? from : to) && nth-- == 0) {
      return &c;
    }
  }
  return nullptr;
}

/// Describes message \p nth among the messages that wait in its channel.
std::string replay_traffic::describe(const message& m, std::size_t nth) const {
  const auto& [communicator, number, from, to, tag] = m.key;
  const bool sent = m.send_call != nullptr;
  const replay_call& call = sent ? *m.send_call : *m.receiver->call;
  const std::string what = number > 0 ? "" : with_tag(tag);
  std::string line = fmt::format("rank {}, call {}, {}: ", sent ? from : to, call.number, name_of(call.function)) +
                     (sent              ? fmt::format("sends {} bytes to rank {}{}, which ", m.bytes, to, what)
                      : call.any_source ? fmt::format("waits for a message from any source{}, recorded as that of rank "
                                                      "{}, which ",
                                                      what, from)
                                        : fmt::format("waits for a message from rank {}{}, which ", from, what));
  const std::uint32_t other = sent ? to : from;
  const replay_call* const later = call_to_come(other, m.key, nth);
  const replay_call* const now = m_activities[other]->call;
  const auto& begun = m_collectives[other];
  const auto in_it = begun.find(communicator);
  if (number > 0 && in_it != begun.end() && in_it->second >= number)
    return line + "is in that call, too, and waits for another message first";
  if (later == nullptr || now == nullptr) return line + (sent ? "does not receive them" : "does not send it");
  line += fmt::format("{} in call {}, {}, but waits in call {}, {}, before that", sent ? "receives them" : "sends it",
                      later->number, name_of(later->function), now->number, name_of(now->function));
  if (sent && !m.eager && call.mode == send_mode::Standard)
    line += fmt::format("; with `workload.replay.eager: {}` or more it is sent at once", m.bytes);
  return line;
}

namespace {

/// Returns the receives from any source that \p r posted, that did not end, and that have no message in the trace.
std::vector<const replay_call*> open_receives(const replay_rank& r) {
  std::vector<const replay_call*> open;
  for (const replay_call& c : r.calls)
    if (c.kind == call_kind::Receive && c.peer < 0 && c.any_source) open.push_back(&c);
  if (open.empty()) return open;
  const std::unordered_set<std::uint32_t> ended(r.ended.begin(), r.ended.end());  // the canceled ones
  open.erase(
      std::remove_if(open.begin(), open.end(), [&](const replay_call* c) { return ended.count(c->request) > 0; }),
      open.end());
  return open;
}

}  // namespace

std::vector<std::string> replay_traffic::unmatched() const {
  constexpr std::size_t Most = 20;
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < m_program.ranks.size(); ++rank) {
    const replay_rank& r = m_program.ranks[rank];
    if (!r.stops) continue;
    const std::string last =
        r.calls.empty() ? "" : fmt::format(", call {}, {}", r.calls.back().number, name_of(r.calls.back().function));
    lines.push_back(
        fmt::format("rank {}{}: the trace ends here, and the program did not: it was killed, or waits in its next call",
                    rank, last));
    for (const replay_call* const c : open_receives(r))
      lines.push_back(fmt::format("rank {}, call {}, {}: waits for a message from any source{}, which nobody sends",
                                  rank, c->number, name_of(c->function), with_tag(c->tag)));
  }
  std::vector<const channel*> open;
  for (const auto& [key, c] : m_channels)
    if (c.first != nullptr) open.push_back(&c);
  std::sort(open.begin(), open.end(), [](const channel* a, const channel* b) { return a->first->key < b->first->key; });
  std::size_t more = 0;
  for (const channel* const c : open) {
    std::size_t nth = 0;
    for (const message* m = c->first; m != nullptr; m = m->next, ++nth) {
      if (m->receiver != nullptr && m->receiver->call->left_open) continue;
      if (lines.size() < Most)
        lines.push_back(describe(*m, nth));
      else
        ++more;
    }
  }
  if (more > 0) lines.push_back(fmt::format("… and {} more", more));
  const std::string threads = m_program.order_of_threads();
  if (!lines.empty() && !threads.empty())
    lines.push_back(threads +
                    ", so a call that waits holds up those of other threads: where a send waits, try a larger "
                    "`workload.replay.eager`, else record the program with one thread that calls MPI");
  return lines;
}

}  // namespace weft
