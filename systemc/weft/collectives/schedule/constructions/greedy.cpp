// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/greedy.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/random_order.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {
namespace {

/// Scatter: sends each message directly from its origin to its destination, the far destinations first.
class scatter_list {
 public:
  scatter_list(const problem& p, path_search& paths, random_order order) : m_p(p), m_paths(paths), m_order(order) {
    m_waiting.resize(p.network.nodes());
    for (const demand& d : demands_of(p.requested)) {
      m_waiting[d.what.origin].push_back({paths.distance(d.what.origin, d.receiver), d.receiver});
      ++m_left;
    }
    m_many = m_left >= Many;
    for (auto& list : m_waiting) {
      m_order.shuffle(list);
      std::stable_sort(list.begin(), list.end(), [](const waiting& a, const waiting& b) { return a.far > b.far; });
    }
  }

  std::size_t left() const { return m_left; }

  step fill() {
    step made;
    residual_capacity capacity(m_p.network);
    // Nodes with the most remaining messages begin; a node with several ports is repeated until nothing more fits.
    std::vector<node_id> senders = m_p.requested.senders;
    m_order.shuffle(senders);
    std::stable_sort(senders.begin(), senders.end(),
                     [&](node_id a, node_id b) { return m_waiting[a].size() > m_waiting[b].size(); });
    while (!senders.empty()) {
      std::vector<node_id> again;
      for (const node_id from : senders) {
        if (capacity.sends(from) && send(from, capacity, made)) again.push_back(from);
      }
      senders = std::move(again);
    }
    return made;
  }

 private:
  struct waiting {
    std::uint32_t far;
    node_id to;
  };
  /// Up from this number of messages, run time has priority.
  static constexpr std::size_t Many = 50'000;

  bool send(node_id from, residual_capacity& capacity, step& made) {
    std::vector<waiting>& list = m_waiting[from];
    const int most = m_many ? 4 : 24;
    int tries = 0;
    for (std::size_t i = 0; i < list.size() && tries < most; ++i) {
      const node_id to = list[i].to;
      if (!capacity.receives(to)) continue;
      ++tries;
      channel_path path = m_many ? m_paths.walk(capacity, from, to) : m_paths.find(capacity, from, to);
      if (path.empty()) continue;
      capacity.reserve(path);
      const node_id name = m_p.requested.what == operation::Scatter ? to : message::Everyone;
      made.push_back({from, to, {{from, name}}, std::move(path)});
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      --m_left;
      return true;
    }
    return false;
  }

  const problem& m_p;
  path_search& m_paths;
  random_order m_order;
  std::vector<std::vector<waiting>> m_waiting;  // by sender
  std::size_t m_left = 0;
  bool m_many = false;
};

/// Broadcast: every receiver gets, port by port, the rarest message that it lacks, from the nearest node that has it.
class broadcast_list {
 public:
  broadcast_list(const problem& p, path_search& paths, random_order order)
      : m_p(p), m_paths(paths), m_order(order), m_copies(p.network.nodes(), 0), m_by_ports(m_order.below(2) == 0) {
    m_has.assign(p.network.nodes(), std::vector<bool>(p.network.nodes(), false));
    m_lacks.resize(p.network.nodes());
    for (const node_id from : p.requested.senders) m_has[from][from] = true, m_copies[from] = 1;
    for (const demand& d : demands_of(p.requested)) {
      m_lacks[d.receiver].push_back(d.what.origin);
      ++m_left;
    }
  }

  std::size_t left() const { return m_left; }

  step fill() {
    step made;
    residual_capacity capacity(m_p.network);
    std::vector<node_id> receivers = m_p.requested.receivers;
    m_order.shuffle(receivers);
    if (m_by_ports) {
      std::stable_sort(receivers.begin(), receivers.end(),
                       [&](node_id a, node_id b) { return m_p.network.ports_out(a) > m_p.network.ports_out(b); });
    }
    while (!receivers.empty()) {
      std::vector<node_id> again;
      for (const node_id to : receivers) {
        if (capacity.receives(to) && receive(to, capacity, made)) again.push_back(to);
      }
      receivers = std::move(again);
    }
    for (const transfer& t : made) {
      const node_id origin = t.payload.front().origin;
      m_has[origin][t.to] = true;
      ++m_copies[origin];
    }
    m_left -= made.size();
    return made;
  }

 private:
  static constexpr int Tries = 12;

  bool receive(node_id to, residual_capacity& capacity, step& made) {
    std::vector<node_id>& lacks = m_lacks[to];
    m_order.shuffle(lacks);
    const auto tries = std::min<std::size_t>(lacks.size(), Tries);
    std::partial_sort(lacks.begin(), lacks.begin() + static_cast<std::ptrdiff_t>(tries), lacks.end(),
                      [&](node_id a, node_id b) { return m_copies[a] < m_copies[b]; });
    for (std::size_t i = 0; i < tries; ++i) {
      const node_id origin = lacks[i];
      channel_path path = m_paths.find_from_any(capacity, m_has[origin], to);
      if (path.empty()) continue;
      capacity.reserve(path);
      const auto from = static_cast<node_id>(m_p.network.channels()[path.front()].from);
      made.push_back({from, to, {{origin, message::Everyone}}, std::move(path)});
      lacks.erase(lacks.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  const problem& m_p;
  path_search& m_paths;
  random_order m_order;
  std::vector<std::vector<bool>> m_has;       // of each message, by node
  std::vector<std::vector<node_id>> m_lacks;  // by receiver
  std::vector<std::size_t> m_copies;          // of each message
  const bool m_by_ports;                      // whether nodes that can forward to many others are served first
  std::size_t m_left = 0;
};

/// Fills step after step until no message is left. Returns the schedule if it has fewer than \p less_than steps.
template <class List>
std::optional<step_schedule> step_by_step(List list, const search_control& control, std::size_t less_than) {
  step_schedule found;
  while (list.left() > 0) {
    if (control.over() || found.steps.size() + 1 >= less_than) return std::nullopt;
    found.steps.push_back(list.fill());
  }
  return found;
}

/// Returns the number of restarts: many for small requests, one for large requests.
std::size_t attempts_of(const problem& p) {
  const std::size_t work = p.requested.senders.size() * p.requested.receivers.size() * p.network.nodes();
  return std::clamp<std::size_t>(1'000'000 / work, 1, 1024);
}

search_result run_greedy(const problem& p, const search_control& control) {
  search_result best;
  path_search paths(p.network, p.paths);
  const std::size_t attempts = attempts_of(p);
  for (std::size_t i = 0; i < attempts; ++i) {
    const std::size_t less = best.found ? best.found->steps.size() : static_cast<std::size_t>(-1);
    const random_order order(control.seed, i);
    auto found = p.requested.what == operation::Scatter ? step_by_step(scatter_list(p, paths, order), control, less)
                                                        : step_by_step(broadcast_list(p, paths, order), control, less);
    if (found) best.found = std::move(found);
    if (control.over() || (best.found && best.found->steps.size() <= control.enough)) break;
  }
  return best;
}

}  // namespace

const method& greedy() {
  static const method m{"greedy",
                        "any problem: list scheduling step by step, with far or rare messages first, and with restarts",
                        method::kind::Construction, unreachable, run_greedy};
  return m;
}

}  // namespace weft::schedule
