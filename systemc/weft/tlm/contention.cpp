// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/contention.h"

#include <algorithm>

#include "weft/topology/analysis/metrics.h"

namespace weft::tlm2 {

namespace {

/// Above it an open queue has no finite wait, whereas initiators that wait for answers would slow down.
constexpr double MostUtilisation = 0.95;

}  // namespace

void shared_server::advance_window(cycle_t cycle, cycle_t window) {
  const cycle_t now = cycle / window;
  if (now <= m_window) return;  // initiators run ahead of each other; a late visit counts for the present window
  const bool next = now == m_window + 1;
  for (account& a : m_accounts) {
    a.last = next ? a.present : sums{};
    a.present = {};
  }
  const auto is_idle = [](const account& a) { return a.last.visits == 0; };
  m_accounts.erase(std::remove_if(m_accounts.begin(), m_accounts.end(), is_idle), m_accounts.end());
  m_window = now;
}

double shared_server::wait(const visit& v, cycle_t window) {
  advance_window(v.cycle, window);
  const auto outstanding = static_cast<double>(v.outstanding);
  sums met;
  double most = 0;
  for (const account& a : m_accounts) {
    if (a.before == v.before && v.before != Nowhere) continue;
    const bool is_own = a.initiator == v.initiator;
    const double part = is_own ? (outstanding - 1) / outstanding : 1, services = a.present.services + a.last.services;
    met.services += part * services;
    met.squares += part * (a.present.squares + a.last.squares);
    most +=
        (is_own ? outstanding - 1 : static_cast<double>(a.outstanding)) * services / (a.present.visits + a.last.visits);
  }
  const cycle_t into = v.cycle / window < m_window ? window : v.cycle % window + 1;
  const auto span = static_cast<double>(m_window == 0 ? into : window + into);  // there is no traffic before cycle 0
  const double utilisation = std::min(met.services / span, MostUtilisation);
  return std::min(met.squares / span / (2 * (1 - utilisation)), most);
}

void shared_server::add(const visit& v, cycle_t window, double service) {
  advance_window(v.cycle, window);
  auto at = std::find_if(m_accounts.begin(), m_accounts.end(),
                         [&](const account& a) { return a.initiator == v.initiator && a.before == v.before; });
  if (at == m_accounts.end()) at = m_accounts.insert(at, account{v.initiator, v.before, 1, {}, {}});
  at->outstanding = v.outstanding;
  at->present.visits += 1;
  at->present.services += service;
  at->present.squares += service * service;
}

contention::contention(const topology& graph, cycle_t window)
    : m_graph(graph), m_window(window), m_targets(graph.nodes.size()) {
  for (auto& servers : m_servers) servers.resize(graph.channels.size() + 2 * graph.nodes.size());
}

const std::vector<shared_server::place>& contention::path(node_id source, node_id destination) {
  const auto [at, is_new] = m_paths.try_emplace(std::uint64_t{source} << 32 | destination);
  if (!is_new) return at->second;
  const std::size_t into_nodes = m_graph.channels.size(), out_of_nodes = into_nodes + m_graph.nodes.size();
  at->second.push_back(static_cast<shared_server::place>(out_of_nodes + source));
  for (const std::size_t c : route_channels(m_graph, source, destination))
    at->second.push_back(static_cast<shared_server::place>(c));
  at->second.push_back(static_cast<shared_server::place>(into_nodes + destination));
  return at->second;
}

double contention::pass(message_kind kind, const moment& when, node_id source, node_id destination,
                        std::uint32_t flits) {
  std::vector<shared_server>& servers = m_servers[static_cast<std::size_t>(kind)];
  shared_server::visit v{when.cycle, when.initiator, when.outstanding};
  double cycles = 0;
  for (const shared_server::place at : path(source, destination)) {
    cycles += servers[at].wait(v, m_window);
    servers[at].add(v, m_window, at < m_graph.channels.size() ? flits * m_graph.channels[at].phits : flits);
    v.before = at;
  }
  return cycles;
}

double contention::serve(const moment& when, node_id node, double service) {
  const shared_server::visit v{when.cycle, when.initiator, when.outstanding};
  const double cycles = m_targets[node].wait(v, m_window);
  m_targets[node].add(v, m_window, service);
  return cycles;
}

}  // namespace weft::tlm2
