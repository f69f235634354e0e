// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/combined_model.h"

#include <algorithm>
#include <limits>
#include <set>

namespace weft::schedule {
namespace {

/// Maximum number of paths of a pair, not counting images of paths of other pairs.
constexpr std::size_t PathsOfPair = 8;
constexpr std::size_t NodesOfUnequalSteps = 6;
constexpr std::size_t Unset = std::numeric_limits<std::size_t>::max();

}  // namespace

bool has_equal_steps(const problem& p) {
  return p.requested.what == operation::Scatter && participants_of(p.requested).size() > NodesOfUnequalSteps;
}

combined_model::combined_model(const problem& p, const schedule_cost& most, const symmetry_group& group,
                               const search_control& control)
    : m_p(p),
      m_equal_steps(has_equal_steps(p)),
      m_most(most),
      m_group(group),
      m_control(control),
      m_solver({control.seed, {}, &control}),
      m_nodes(participants_of(p.requested)) {
  std::set<message> requested;
  for (const demand& d : demands_of(p.requested)) requested.insert(d.what);
  m_messages.assign(requested.begin(), requested.end());
  m_paths_of.resize(m_nodes.size() * m_nodes.size());
  for (const node_id from : m_nodes) {
    for (const node_id to : m_nodes) {
      control.go_on();
      for (const channel_path& path : find_paths(p.network, from, to, 0, PathsOfPair)) {
        for (const automorphism& a : group) add_path(image_of(path, a));
      }
    }
  }
  find_images();
  make_variables();
  for (std::size_t k = 0; k < most.start_ups; ++k) {
    require_paths(k);
    require_arrivals(k);
  }
  require_sizes();
}

channel_path combined_model::image_of(const channel_path& path, const automorphism& a) const {
  channel_path image;
  for (const channel_id c : path) image.push_back(a.channel[c]);
  return image;
}

void combined_model::add_path(const channel_path& path) {
  if (!m_path_number.try_emplace(path, m_paths.size()).second) return;
  const auto number = [&](vertex_id v) {
    return static_cast<std::size_t>(std::lower_bound(m_nodes.begin(), m_nodes.end(), v) - m_nodes.begin());
  };
  const std::size_t from = number(m_p.network.channels()[path.front()].from);
  const std::size_t to = number(m_p.network.channels()[path.back()].to);
  m_pair_of.push_back(pair_index(from, to));
  m_paths_of[m_pair_of.back()].push_back(m_paths.size());
  m_paths.push_back(path);
}

void combined_model::find_images() {
  m_same_path.assign(m_paths.size(), Unset);
  m_same_pair.assign(m_nodes.size() * m_nodes.size(), Unset);
  m_same_held.assign(m_nodes.size() * m_messages.size(), Unset);
  for (const automorphism& a : m_group) {
    std::vector<std::size_t> node_image, message_image;
    for (const node_id n : m_nodes) {
      const auto at = std::lower_bound(m_nodes.begin(), m_nodes.end(), a.vertex[n]);
      node_image.push_back(static_cast<std::size_t>(at - m_nodes.begin()));
    }
    for (message m : m_messages) {
      m.origin = a.vertex[m.origin];
      if (m.destination != message::Everyone) m.destination = a.vertex[m.destination];
      const auto at = std::lower_bound(m_messages.begin(), m_messages.end(), m);
      message_image.push_back(static_cast<std::size_t>(at - m_messages.begin()));
    }
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
      m_same_path[i] = std::min(m_same_path[i], m_path_number.at(image_of(m_paths[i], a)));
    }
    for (std::size_t u = 0; u < m_nodes.size(); ++u) {
      for (std::size_t v = 0; v < m_nodes.size(); ++v) {
        std::size_t& same = m_same_pair[pair_index(u, v)];
        same = std::min(same, pair_index(node_image[u], node_image[v]));
      }
      for (std::size_t m = 0; m < m_messages.size(); ++m) {
        std::size_t& same = m_same_held[held_index(u, m)];
        same = std::min(same, held_index(node_image[u], message_image[m]));
      }
    }
  }
}

void combined_model::make_variables() {
  const auto fresh = [&](const std::vector<std::size_t>& same) {
    table t(same.size());
    for (std::size_t i = 0; i < same.size(); ++i) t[i] = same[i] == i ? m_solver.fresh() : t[same[i]];
    return t;
  };
  m_holds.push_back(fresh(m_same_held));
  for (std::size_t k = 0; k < m_most.start_ups; ++k) {
    m_used.push_back(fresh(m_same_path));
    m_sends.push_back(fresh(m_same_pair));
    m_arrives.push_back(fresh(m_same_held));
    m_holds.push_back(fresh(m_same_held));
    m_larger.emplace_back();
    for (std::size_t n = 0; n < size_limit(k); ++n) m_larger.back().push_back(m_solver.fresh());
  }
  for (std::size_t v = 0; v < m_nodes.size(); ++v) {
    for (std::size_t m = 0; m < m_messages.size(); ++m) {
      const std::size_t i = held_index(v, m);
      if (m_same_held[i] != i) continue;
      const message& what = m_messages[m];
      m_solver.clause({what.origin == m_nodes[v] ? m_holds.front()[i] : -m_holds.front()[i]});
    }
  }
  for (const demand& d : demands_of(m_p.requested)) {
    const auto v = std::lower_bound(m_nodes.begin(), m_nodes.end(), d.receiver) - m_nodes.begin();
    const auto m = std::lower_bound(m_messages.begin(), m_messages.end(), d.what) - m_messages.begin();
    const std::size_t i = held_index(static_cast<std::size_t>(v), static_cast<std::size_t>(m));
    if (m_same_held[i] == i) m_solver.clause({m_holds.back()[i]});
  }
}

/// Adds clauses: channels do not exceed their capacity, and a pair that sends has a path.
void combined_model::require_paths(std::size_t k) {
  std::vector<std::vector<literal>> through(m_p.network.channels().size());
  for (std::size_t i = 0; i < m_paths.size(); ++i) {
    for (const channel_id c : m_paths[i]) through[c].push_back(m_used[k][i]);
    m_solver.clause({-m_used[k][i], m_sends[k][m_pair_of[i]]});
  }
  for (channel_id c = 0; c < through.size(); ++c) {
    const auto is_first = [&](const automorphism& a) { return a.channel[c] >= c; };
    if (!std::all_of(m_group.begin(), m_group.end(), is_first)) continue;
    m_solver.at_most(through[c], m_p.network.channels()[c].capacity);
  }
  for (std::size_t pair = 0; pair < m_paths_of.size(); ++pair) {
    if (m_same_pair[pair] != pair) continue;
    std::vector<literal> clause{-m_sends[k][pair]};
    for (const std::size_t path : m_paths_of[pair]) clause.push_back(m_used[k][path]);
    m_solver.clause(clause);
  }
}

/// Adds clauses: a node holds a message only if it held the message before or receives it now, and a sender must have
/// held it before.
void combined_model::require_arrivals(std::size_t k) {
  for (std::size_t v = 0; v < m_nodes.size(); ++v) {
    std::vector<literal> arriving;
    bool is_first = true;
    for (std::size_t m = 0; m < m_messages.size(); ++m) {
      const std::size_t i = held_index(v, m);
      arriving.push_back(m_arrives[k][i]);
      if (m_same_held[i] != i) {
        is_first = is_first && m_same_held[i] / m_messages.size() >= v;
        continue;
      }
      m_solver.clause({-m_holds[k + 1][i], m_holds[k][i], m_arrives[k][i]});
      std::vector<literal> sent{-m_arrives[k][i]};
      for (std::size_t u = 0; u < m_nodes.size(); ++u) {
        if (u == v) continue;
        const literal sends = m_sends[k][pair_index(u, v)];
        sent.push_back(sends);
        m_solver.clause({-m_arrives[k][i], -sends, m_holds[k][held_index(u, m)]});
      }
      m_solver.clause(sent);
    }
    if (is_first) count(k, arriving);
  }
}

/// Returns a limit of the size of step \p k. In a broadcast, no node holds more than 2^k messages.
std::size_t combined_model::size_limit(std::size_t k) const {
  if (m_equal_steps) return m_most.occupancy / m_most.start_ups;
  const std::size_t largest = m_most.occupancy + 1 - m_most.start_ups;
  if (m_p.requested.what == operation::Scatter) return largest;
  return std::min(largest, std::size_t{1} << std::min<std::size_t>(k, 20));
}

/// Adds a sequential counter, which limits the number of literals that hold to the size of the step.
void combined_model::count(std::size_t k, const std::vector<literal>& of) {
  const table& larger = m_larger[k];
  std::vector<literal> before;  // element n: whether more than n of the literals so far hold
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (before.size() == larger.size()) m_solver.clause({-before.back(), -of[i]});
    std::vector<literal> now(std::min(i + 1, larger.size()));
    for (std::size_t n = 0; n < now.size(); ++n) {
      now[n] = i + 1 == of.size() ? larger[n] : m_solver.fresh();
      if (n < before.size()) m_solver.clause({-before[n], now[n]});
      if (n == 0) m_solver.clause({-of[i], now[n]});
      if (n > 0) m_solver.clause({-of[i], -before[n - 1], now[n]});
    }
    before = std::move(now);
  }
}

void combined_model::require_sizes() {
  std::vector<literal> all;
  for (const table& larger : m_larger) all.insert(all.end(), larger.begin(), larger.end());
  m_solver.at_most(all, m_most.occupancy);
}

step_schedule combined_model::schedule() const {
  step_schedule s;
  for (std::size_t k = 0; k < m_most.start_ups; ++k) {
    step now;
    for (std::size_t i = 0; i < m_paths.size(); ++i) {
      if (!m_solver.value(m_used[k][i])) continue;
      const std::size_t u = m_pair_of[i] / m_nodes.size(), v = m_pair_of[i] % m_nodes.size();
      transfer t{m_nodes[u], m_nodes[v], {}, m_paths[i]};
      for (std::size_t m = 0; m < m_messages.size(); ++m) {
        if (m_solver.value(m_arrives[k][held_index(v, m)])) t.payload.push_back(m_messages[m]);
      }
      if (!t.payload.empty()) now.push_back(std::move(t));
    }
    if (!now.empty()) s.steps.push_back(std::move(now));
  }
  return s;
}

}  // namespace weft::schedule
