// SPDX-License-Identifier: Apache-2.0
#include "weft/python/recorder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weft::python {

namespace {

auto key_of(const flit_row& r) { return std::tuple(r.cycle, r.ejected, r.node, r.vc, r.packet, r.sequence); }
auto key_of(const creation_row& r) { return std::tuple(r.cycle, r.packet); }
auto key_of(const delivery_row& r) { return std::tuple(r.cycle, r.packet); }

/// Removes the rows of the cycles before \p now from \p rows. \return these rows, sorted
template <class Row>
std::vector<Row> take(std::vector<Row>& rows, cycle_t now) {
  const auto is_over = [now](const Row& r) { return r.cycle < now; };
  const auto end = std::stable_partition(rows.begin(), rows.end(), is_over);
  std::vector<Row> later(end, rows.end());
  rows.erase(end, rows.end());
  rows.swap(later);
  std::sort(later.begin(), later.end(), [](const Row& a, const Row& b) { return key_of(a) < key_of(b); });
  return later;
}

}  // namespace

std::vector<flit_row> recorder::take_flits(cycle_t now) { return take(m_flits, now); }
std::vector<creation_row> recorder::take_creations(cycle_t now) { return take(m_creations, now); }
std::vector<delivery_row> recorder::take_deliveries(cycle_t now) { return take(m_deliveries, now); }

void recorder::created(const packet& p) {
  if (creations) m_creations.push_back({p.created, p.id, p.source, p.destination, p.flits});
}

void recorder::injected(const flit_event& event, const header& /*head*/) { add(event, 0); }

void recorder::ejected(const flit_event& event, const std::uint64_t* /*payload*/) { add(event, 1); }

void recorder::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  if (deliveries) m_deliveries.push_back({cycle, p.id, p.source, p.destination, p.flits, p.created, routers});
}

void recorder::add(const flit_event& event, std::uint8_t is_ejected) {
  if (flits) m_flits.push_back({event.cycle, is_ejected, event.node, event.vc, event.id, event.sequence});
}

}  // namespace weft::python
