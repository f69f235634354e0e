// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/placement_sat.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace weft::schedule {

placement_clauses::placement_clauses(solver& s, const placement& p, std::vector<std::size_t> items, std::size_t steps)
    : m_solver(s),
      m_placement(p),
      m_items(std::move(items)),
      m_steps(steps),
      m_literals(m_items.size()),
      m_loads(p.rows(), std::vector<std::vector<literal>>(steps)) {
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    add_steps(i);
    add_path(i);
  }
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    if (p.relays()) add_senders(i);
    keep_images_apart(i);
    add_loads(i);
  }
  add_capacities();
  if (!p.relays()) order_steps();
}

void placement_clauses::add_steps(std::size_t i) {
  item_literals& l = m_literals[i];
  for (std::size_t s = 0; s < m_steps; ++s) l.in_step.push_back(m_solver.fresh());
  if (item(i).required) m_solver.clause(l.in_step);
  m_solver.at_most(l.in_step, 1);
  if (!m_placement.relays()) return;
  for (std::size_t s = 1; s < m_steps; ++s) {
    std::vector<literal> any_of{l.in_step[s - 1]};
    if (s > 1) any_of.push_back(l.held.back());
    l.held.push_back(m_solver.fresh());
    any_of.push_back(-l.held.back());
    m_solver.clause(any_of);
  }
}

bool placement_clauses::is_start(std::size_t i, vertex_id v) const {
  return v == item(i).origin || (m_placement.relays() && m_placement.network().is_node(v) && v != item(i).to);
}

/// Returns the literals of those \p channels that the item can use.
/// \param always is set if the item uses one of the channels in any case
std::vector<literal> placement_clauses::uses_among(std::size_t i, const std::vector<channel_id>& channels,
                                                   bool& always) const {
  const std::vector<channel_id>& usable = item(i).usable;
  std::vector<literal> among;
  always = false;
  for (const channel_id c : channels) {
    const auto at = std::lower_bound(usable.begin(), usable.end(), c);
    if (at == usable.end() || *at != c) continue;
    const literal uses = m_literals[i].uses[static_cast<std::size_t>(at - usable.begin())];
    always |= uses == Always;
    if (uses != Always) among.push_back(uses);
  }
  return among;
}

/// Adds the path of an item as a flow. The flow leaves no vertex by more than one channel, so the path can be traced
/// back from the receiver.
void placement_clauses::add_path(std::size_t i) {
  const step_network& network = m_placement.network();
  std::set<vertex_id> between;
  std::vector<literal> starts;
  bool forced_start = false;
  for (std::size_t at = 0; at < item(i).usable.size(); ++at) {
    m_literals[i].uses.push_back(item(i).forced[at] ? Always : m_solver.fresh());
    const step_channel& c = network.channels()[item(i).usable[at]];
    for (const vertex_id v : {c.from, c.to}) {
      if (!is_start(i, v) && v != item(i).to) between.insert(v);
    }
    if (!is_start(i, c.from)) continue;
    forced_start |= m_literals[i].uses.back() == Always;
    starts.push_back(m_literals[i].uses.back());
  }
  if (!forced_start) m_solver.exactly_one(starts);
  bool forced_end = false;
  const std::vector<literal> ends = uses_among(i, network.in(item(i).to), forced_end);
  if (!forced_end) m_solver.exactly_one(ends);
  for (const vertex_id v : between) add_vertex(i, v);
}

void placement_clauses::add_vertex(std::size_t i, vertex_id v) {
  const step_network& network = m_placement.network();
  bool always_in = false, always_out = false;
  const std::vector<literal> in = uses_among(i, network.in(v), always_in);
  const std::vector<literal> out = uses_among(i, network.out(v), always_out);
  m_solver.at_most(in, always_in ? 0 : 1);
  m_solver.at_most(out, always_out ? 0 : 1);
  const auto continued = [this](const std::vector<literal>& of, bool of_always, std::vector<literal> by,
                                bool by_always) {
    if (by_always) return;
    if (of_always) m_solver.clause(by);
    for (const literal l : of) {
      by.push_back(-l);
      m_solver.clause(by);
      by.pop_back();
    }
  };
  continued(in, always_in, out, always_out);
  continued(out, always_out, in, always_in);
}

/// Adds clauses: a node that sends the message in a step must have had it before.
void placement_clauses::add_senders(std::size_t i) {
  const step_network& network = m_placement.network();
  for (std::size_t at = 0; at < item(i).usable.size(); ++at) {
    const node_id from = network.channels()[item(i).usable[at]].from;
    if (!is_start(i, from) || from == item(i).origin) continue;
    const auto sender = m_placement.item_of(item(i).origin, from);
    const literal uses = m_literals[i].uses[at];
    for (std::size_t s = 0; s < m_steps; ++s) {
      std::vector<literal> any_of{-m_literals[i].in_step[s]};
      if (uses != Always) any_of.push_back(-uses);
      if (sender && s > 0) any_of.push_back(m_literals[*sender].held[s - 1]);
      m_solver.clause(any_of);
    }
  }
}

void placement_clauses::keep_images_apart(std::size_t i) {
  const std::vector<channel_id>& usable = item(i).usable;
  const std::vector<literal>& uses = m_literals[i].uses;
  for (std::size_t a = 0; a < usable.size(); ++a) {
    const row_id row = m_placement.row_of(usable[a]);
    const unsigned weight = m_placement.weight(usable[a]), capacity = m_placement.capacity(row);
    const auto never_all = [&](std::vector<literal> of) {
      of.erase(std::remove(of.begin(), of.end(), Always), of.end());
      for (literal& l : of) l = -l;
      m_solver.clause(of);
    };
    if (weight > capacity) never_all({uses[a]});
    for (std::size_t b = 0; b < a; ++b) {
      if (m_placement.row_of(usable[b]) == row && 2 * weight > capacity) never_all({uses[a], uses[b]});
    }
  }
}

void placement_clauses::add_loads(std::size_t i) {
  const std::vector<channel_id>& usable = item(i).usable;
  for (std::size_t s = 0; s < m_steps; ++s) {
    std::vector<std::pair<row_id, literal>> shared;  // one literal for channels of which the path uses at most one
    for (std::size_t at = 0; at < usable.size(); ++at) {
      const row_id row = m_placement.row_of(usable[at]);
      const unsigned weight = m_placement.weight(usable[at]);
      const bool alone = 2 * weight > m_placement.capacity(row);
      const literal in_step = m_literals[i].in_step[s], uses = m_literals[i].uses[at];
      literal load = in_step;
      if (uses != Always) {
        const auto known = std::find_if(shared.begin(), shared.end(), [row](const auto& p) { return p.first == row; });
        const bool is_known = alone && known != shared.end();
        load = is_known ? known->second : m_solver.fresh();
        m_solver.implies({in_step, uses}, load);
        if (is_known) continue;
        shared.emplace_back(row, load);
      }
      m_loads[row][s].insert(m_loads[row][s].end(), weight, load);
    }
  }
}

void placement_clauses::add_capacities() {
  for (row_id row = 0; row < m_placement.rows(); ++row) {
    std::size_t forced = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
      if (item(i).required) forced += m_placement.forced_load(item(i), row);
    }
    const unsigned capacity = m_placement.capacity(row);
    for (std::size_t s = 0; s < m_steps; ++s) {
      const std::vector<literal>& loads = m_loads[row][s];
      m_solver.at_most(loads, capacity);
      // A counting argument that resolution does not find: a channel whose load needs all steps is idle in none.
      if (forced > (m_steps * capacity) - capacity) m_solver.clause(loads);
    }
  }
}

void placement_clauses::order_steps() {
  std::vector<std::size_t> ordered;
  double most = 0;
  bool alone = false;
  for (row_id row = 0; row < m_placement.rows(); ++row) {
    std::vector<std::size_t> forced;
    unsigned least = std::numeric_limits<unsigned>::max();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
      const unsigned load = m_placement.forced_load(item(i), row);
      if (load == 0) continue;
      forced.push_back(i);
      least = std::min(least, load);
    }
    const double share = static_cast<double>(forced.size()) / m_placement.capacity(row);
    if (share <= most) continue;
    most = share;
    ordered = std::move(forced);
    alone = 2 * least > m_placement.capacity(row);
  }
  std::vector<std::vector<literal>> earlier(m_steps);  // items earlier in the order
  for (std::size_t n = 0; n < ordered.size(); ++n) {
    const std::vector<literal>& in_step = m_literals[ordered[n]].in_step;
    if (alone && n < m_steps) {
      m_solver.clause({in_step[n]});
      continue;
    }
    for (std::size_t s = 1; s < m_steps; ++s) {  // a step is used only after the previous one
      std::vector<literal> any_of = earlier[s - 1];
      any_of.push_back(-in_step[s]);
      m_solver.clause(any_of);
    }
    for (std::size_t s = 0; s < m_steps; ++s) earlier[s].push_back(in_step[s]);
  }
}

channel_path placement_clauses::path_of(std::size_t i) const {
  const step_network& network = m_placement.network();
  const std::vector<channel_id>& usable = item(i).usable;
  const auto comes_by = [&](vertex_id v) {
    for (std::size_t at = 0; at < usable.size(); ++at) {
      const literal uses = m_literals[i].uses[at];
      if (network.channels()[usable[at]].to == v && (uses == Always || m_solver.value(uses))) return usable[at];
    }
    throw std::logic_error("placement_clauses: a path does not begin at a node");
  };
  channel_path path;
  for (vertex_id v = item(i).to; path.empty() || !is_start(i, v); v = network.channels()[path.back()].from) {
    path.push_back(comes_by(v));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<placed> placement_clauses::solution() const {
  std::vector<placed> all;
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    const std::vector<literal>& in_step = m_literals[i].in_step;
    const auto at = std::find_if(in_step.begin(), in_step.end(), [this](literal l) { return m_solver.value(l); });
    if (at == in_step.end()) continue;
    all.push_back({m_items[i], static_cast<std::size_t>(at - in_step.begin()), path_of(i)});
  }
  return m_placement.relays() ? without_idle(std::move(all)) : all;
}

/// Removes deliveries to nodes that did not request the message and do not forward it.
std::vector<placed> placement_clauses::without_idle(std::vector<placed> all) const {
  std::stable_sort(all.begin(), all.end(), [](const placed& a, const placed& b) { return a.step > b.step; });
  std::set<std::size_t> passed_on;  // items
  std::vector<placed> used;
  for (placed& one : all) {
    const placement_item& its = m_placement.items()[one.item];
    if (!its.required && passed_on.count(one.item) == 0) continue;
    const node_id from = m_placement.network().channels()[one.path.front()].from;
    if (from != its.origin) passed_on.insert(m_placement.item_of(its.origin, from).value());
    used.push_back(std::move(one));
  }
  return used;
}

}  // namespace weft::schedule
