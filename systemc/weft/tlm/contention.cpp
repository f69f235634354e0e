// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/contention.h"

#include <algorithm>

#include "weft/topology/analysis/figures.h"

namespace weft::tlm2 {

namespace {

/// Above it an open queue has no end, where initiators that wait for answers would slow down.
constexpr double MostUtilisation = 0.95;

double own_part(std::uint64_t under_way) {
  return under_way > 1 ? static_cast<double>(under_way - 1) / static_cast<double>(under_way) : 0;
}

}  // namespace

void shared_server::turn(cycle_t cycle, cycle_t window) {
  const cycle_t now = cycle / window;
  if (now <= m_window) return;  // initiators run ahead of each other: who is behind counts for the present window
  const bool next = now == m_window + 1;
  for (account& a : m_accounts) {
    a.last = next ? a.present : sums{};
    a.present = {};
  }
  const auto is_idle = [](const account& a) { return a.last.services == 0; };
  m_accounts.erase(std::remove_if(m_accounts.begin(), m_accounts.end(), is_idle), m_accounts.end());
  m_window = now;
}

double shared_server::wait(cycle_t cycle, cycle_t window, const flow& f, double own) {
  turn(cycle, window);
  sums met;
  for (const account& a : m_accounts) {
    if (a.of.before == f.before && f.before != Nowhere) continue;
    const double part = a.of.initiator == f.initiator ? own : 1;
    met.services += part * (a.present.services + a.last.services);
    met.squares += part * (a.present.squares + a.last.squares);
  }
  const cycle_t into = cycle / window < m_window ? window : cycle % window + 1;
  const auto span = static_cast<double>(window + into);
  const double utilisation = std::min(met.services / span, MostUtilisation);
  return met.squares / span / (2 * (1 - utilisation));
}

void shared_server::add(cycle_t cycle, cycle_t window, const flow& f, double service) {
  turn(cycle, window);
  auto at = std::find_if(m_accounts.begin(), m_accounts.end(),
                         [&](const account& a) { return a.of.initiator == f.initiator && a.of.before == f.before; });
  if (at == m_accounts.end()) at = m_accounts.insert(at, account{f, {}, {}});
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

double contention::pass(message_kind kind, cycle_t cycle, node_id initiator, node_id source, node_id destination,
                        std::uint32_t flits, std::uint64_t under_way) {
  std::vector<shared_server>& servers = m_servers[static_cast<std::size_t>(kind)];
  shared_server::flow f{initiator, shared_server::Nowhere};
  double cycles = 0;
  for (const shared_server::place at : path(source, destination)) {
    cycles += servers[at].wait(cycle, m_window, f, own_part(under_way));
    servers[at].add(cycle, m_window, f, flits);
    f.before = at;
  }
  return cycles;
}

double contention::serve(cycle_t cycle, node_id initiator, node_id node, double service, std::uint64_t under_way) {
  const shared_server::flow f{initiator, shared_server::Nowhere};
  const double cycles = m_targets[node].wait(cycle, m_window, f, own_part(under_way));
  m_targets[node].add(cycle, m_window, f, service);
  return cycles;
}

}  // namespace weft::tlm2
