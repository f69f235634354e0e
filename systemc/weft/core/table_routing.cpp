// SPDX-License-Identifier: Apache-2.0
#include "weft/core/table_routing.h"

#include <algorithm>
#include <numeric>

namespace weft {

std::uint8_t table_rule::index_of(const route& r) {
  const auto known = std::find(m_routes.begin(), m_routes.end(), r);
  const auto index = static_cast<std::size_t>(known - m_routes.begin());
  if (known == m_routes.end()) {
    if (index == MaxRoutes) throw std::length_error("routing table: expected at most 256 different routes, got more");
    m_routes.push_back(r);
  }
  return static_cast<std::uint8_t>(index);
}

void table_rule::add_row(const std::vector<route>& by_destination) {
  std::vector<node_id> first;
  std::vector<route> what;
  for (node_id n = 0; n < by_destination.size(); ++n) {
    if (!what.empty() && what.back() == by_destination[n]) continue;
    first.push_back(n);
    what.push_back(by_destination[n]);
  }
  add_row(first, what, by_destination.size());
}

void table_rule::add_row(const std::vector<node_id>& first, const std::vector<route>& what, std::size_t destinations) {
  if (m_rows.size() == MaxRows) throw std::length_error("routing table: expected at most 256 rows, got more");
  stored_row added;
  added.destinations = destinations;
  const bool as_runs = first.size() * (sizeof(node_id) + 1) < destinations || first.size() <= 1;
  if (as_runs) added.first = first;
  for (std::size_t run = 0; run < first.size(); ++run) {
    const std::size_t end = run + 1 < first.size() ? first[run + 1] : destinations;
    added.index.insert(added.index.end(), as_runs ? 1 : end - first[run], index_of(what[run]));
  }
  m_rows.push_back(std::move(added));
}

void table_rule::divide(const std::vector<unsigned>& sizes) {
  const auto zero = std::find(sizes.begin(), sizes.end(), 0U);
  const unsigned all = std::accumulate(sizes.begin(), sizes.end(), 0U);
  if (sizes.empty() || zero != sizes.end() || all > MaxVcs)
    throw std::invalid_argument("expected at least 1 VC in each layer and at most 16 VCs in all layers");
  divide(static_cast<unsigned>(sizes.size()));
  if (std::count(sizes.begin(), sizes.end(), sizes.front()) == static_cast<std::ptrdiff_t>(sizes.size())) return;
  unsigned end = 0;
  for (unsigned layer = 0; layer < m_layers; ++layer) {
    const unsigned begin = end;
    end += sizes[layer];
    m_layer_vcs[layer] = first_vcs(end) & ~first_vcs(begin);
  }
}

void table_rule::use_row(unsigned port, unsigned vc, unsigned row) {
  const std::size_t input = port * MaxVcs + vc;
  if (m_row_of.size() <= input) m_row_of.resize(input + 1);
  m_row_of[input] = static_cast<std::uint8_t>(row);
}

std::uint8_t table_rule::index(unsigned row, node_id destination) const {
  const stored_row& r = m_rows[row];
  if (r.first.empty()) return r.index[destination];
  const auto behind = std::upper_bound(r.first.begin(), r.first.end(), destination);
  return r.index[static_cast<std::size_t>(behind - r.first.begin()) - 1];
}

bool table_rule::adaptive() const {
  return std::any_of(m_routes.begin(), m_routes.end(), [](const route& r) { return r.adaptive(); });
}

std::size_t table_rule::bytes() const {
  std::size_t sum = m_routes.size() * sizeof(route) + m_row_of.size();
  for (const stored_row& r : m_rows) sum += sizeof r + r.first.size() * sizeof(node_id) + r.index.size();
  return sum;
}

bool operator==(const table_rule& a, const table_rule& b) {
  if (a.m_layers != b.m_layers || a.m_layer_vcs != b.m_layer_vcs || a.rows() != b.rows()) return false;
  for (unsigned port = 0; port < MaxPorts; ++port)
    for (unsigned vc = 0; vc < MaxVcs; ++vc)
      if (a.row_of(port, vc) != b.row_of(port, vc)) return false;
  for (unsigned r = 0; r < a.rows(); ++r) {
    if (a.destinations(r) != b.destinations(r)) return false;
    for (node_id n = 0; n < a.destinations(r); ++n)
      if (!(a.entry(r, n) == b.entry(r, n))) return false;
  }
  return true;
}

}  // namespace weft
