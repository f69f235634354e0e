// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/check.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "weft/core/quantity.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

std::string in_words(const message& m) {
  return m.destination == message::Everyone ? fmt::format("the message of n{}", m.origin)
                                            : fmt::format("the message of n{} for n{}", m.origin, m.destination);
}

struct hash_of_message {
  std::size_t operator()(const message& m) const {
    return std::hash<std::uint64_t>()((std::uint64_t{m.origin} << 32 | m.destination) * 0x9e3779b97f4a7c15ULL);
  }
};
using message_set = std::unordered_set<message, hash_of_message>;

/// Checks one schedule step by step.
class schedule_checker {
 public:
  explicit schedule_checker(const problem& p)
      : m_p(p),
        m_network(p.network),
        m_held(m_network.nodes()),
        m_seen(m_network.vertices(), 0),
        m_users(m_network.channels().size()) {
    for (const demand& d : demands_of(p.requested)) {
      m_requested.insert(d.what);
      m_held[d.what.origin].insert(d.what);
    }
  }

  std::vector<violation> run(const step_schedule& s) {
    for (m_step = 0; m_step < s.steps.size(); ++m_step) check_step(s.steps[m_step]);
    for (const demand& d : demands_of(m_p.requested)) {
      if (m_held[d.receiver].count(d.what) == 0) {
        m_violations.push_back({violation::kind::Missing,
                                s.steps.size(),
                                {},
                                {},
                                fmt::format("after the last step, n{} lacks {}", d.receiver, in_words(d.what))});
      }
    }
    return std::move(m_violations);
  }

 private:
  void check_step(const step& s) {
    for (std::size_t i = 0; i < s.size(); ++i) check_path(s[i], i);
    for (std::size_t i = 0; i < s.size(); ++i) check_payload(s[i], i);
    check_channels(s);
    for (std::size_t i = 0; i < s.size(); ++i) check_sender(s[i], i);
    for (const transfer& t : s) {
      if (t.to < m_held.size()) m_held[t.to].insert(t.payload.begin(), t.payload.end());
    }
  }

  void check_path(const transfer& t, std::size_t i) {
    const std::size_t nodes = m_network.nodes();
    if (t.from >= nodes || t.to >= nodes) {
      add(violation::kind::Path, {i}, fmt::format("the network has no node n{}", t.from >= nodes ? t.from : t.to));
      return;
    }
    if (t.from == t.to) add(violation::kind::Path, {i}, fmt::format("n{} sends to itself", t.from));
    m_seen[t.from] = ++m_paths;
    vertex_id at = t.from;
    for (const channel_id c : t.path) {
      if (c >= m_network.channels().size()) {
        add(violation::kind::Path, {i}, fmt::format("the network has no channel {}", c));
        return;
      }
      const step_channel& channel = m_network.channels()[c];
      if (channel.from != at) {
        add(violation::kind::Path, {i},
            fmt::format("the path has reached {}, but its next channel is {}", m_network.name(at),
                        m_network.name(channel)));
        return;
      }
      at = channel.to;
      if (m_seen[at] == m_paths)
        add(violation::kind::Path, {i}, fmt::format("the path visits {} twice", m_network.name(at)));
      else if (m_network.is_node(at) && at != t.to)
        add(violation::kind::Path, {i}, fmt::format("the path leads through the node {}", m_network.name(at)));
      m_seen[at] = m_paths;
    }
    if (at != t.to) {
      add(violation::kind::Path, {i}, fmt::format("the path ends at {} instead of n{}", m_network.name(at), t.to));
    } else if (m_p.paths == path_rule::Minimal && t.path.size() > shortest(t)) {
      add(violation::kind::Path, {i},
          fmt::format("the path from n{} to n{} has {}, but a shortest path has {}", t.from, t.to,
                      number_of(t.path.size(), "channel"), shortest(t)));
    }
  }

  void check_payload(const transfer& t, std::size_t i) {
    if (t.payload.empty()) add(violation::kind::Payload, {i}, "the transfer carries no message");
    if (t.payload.size() > 1 && !m_p.combining)
      add(violation::kind::Payload, {i},
          fmt::format("the transfer carries {} messages, but messages are not combined", t.payload.size()));
    message_set seen;
    for (const message& m : t.payload) {
      if (m_requested.count(m) == 0)
        add(violation::kind::Payload, {i},
            fmt::format("the transfer carries {}, which the collective does not require", in_words(m)));
      if (t.payload.size() > 1 && !seen.insert(m).second)
        add(violation::kind::Payload, {i}, fmt::format("the transfer carries {} twice", in_words(m)));
    }
  }

  void check_channels(const step& s) {
    std::vector<channel_id> used;
    for (std::size_t i = 0; i < s.size(); ++i) {
      for (const channel_id c : s[i].path) {
        if (c >= m_users.size()) continue;
        if (m_users[c].empty()) used.push_back(c);
        m_users[c].push_back(i);
      }
    }
    std::sort(used.begin(), used.end());
    for (const channel_id c : used) {
      const std::vector<std::size_t> users = std::exchange(m_users[c], {});
      const step_channel& channel = m_network.channels()[c];
      if (users.size() <= channel.capacity) continue;
      std::string who;
      for (const std::size_t i : users)
        who += fmt::format("{}{} (n{} to n{})", who.empty() ? "" : ", ", i + 1, s[i].from, s[i].to);
      m_violations.push_back(
          {violation::kind::Conflict, m_step, users, c,
           fmt::format("step {}: channel {} ({}) serves {} per step, but {} transfers use it: {}", m_step + 1, c,
                       m_network.name(channel), number_of(channel.capacity, "transfer"), users.size(), who)});
    }
  }

  void check_sender(const transfer& t, std::size_t i) {
    if (t.from >= m_held.size()) return;
    for (const message& m : t.payload) {
      if (m_held[t.from].count(m) == 0)
        add(violation::kind::NotHeld, {i},
            fmt::format("n{} sends {}, which it does not hold before the step", t.from, in_words(m)));
    }
  }

  void add(violation::kind what, std::vector<std::size_t> transfers, const std::string& text) {
    const std::size_t first = transfers.front() + 1;
    m_violations.push_back(
        {what, m_step, std::move(transfers), {}, fmt::format("step {}, transfer {}: {}", m_step + 1, first, text)});
  }

  std::size_t shortest(const transfer& t) {
    auto& distances = m_distances[t.to];
    if (distances.empty()) distances = distances_to(m_network, t.to);
    return distances[t.from];
  }

  const problem& m_p;
  const step_network& m_network;
  message_set m_requested;
  std::vector<message_set> m_held;                // by node
  std::vector<std::uint64_t> m_seen;              // for each vertex, the last path that visited it
  std::uint64_t m_paths = 0;                      // number of paths examined so far
  std::vector<std::vector<std::size_t>> m_users;  // transfers of a step that use each channel; empty between steps
  std::vector<std::vector<std::uint32_t>> m_distances =
      std::vector<std::vector<std::uint32_t>>(m_network.nodes());  // by target node; computed on first use
  std::size_t m_step = 0;
  std::vector<violation> m_violations;
};

}  // namespace

std::vector<violation> check(const problem& p, const step_schedule& s) { return schedule_checker(p).run(s); }

}  // namespace weft::schedule
