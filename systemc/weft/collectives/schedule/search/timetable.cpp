// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/timetable.h"

#include <algorithm>

namespace weft::schedule {

void number_set::insert(std::uint32_t number) {
  if (m_at[number] != None) return;
  m_at[number] = static_cast<std::uint32_t>(m_list.size());
  m_list.push_back(number);
}

void number_set::erase(std::uint32_t number) {
  const std::uint32_t at = m_at[number];
  if (at == None) return;
  m_list[at] = m_list.back();
  m_at[m_list[at]] = at;
  m_list.pop_back();
  m_at[number] = None;
}

timetable::timetable(const choices& all, std::size_t steps)
    : m_all(all),
      m_steps(steps),
      m_where(all.items(), {0, Nowhere}),
      m_in_step(steps),
      m_at(all.items(), 0),
      m_followers(all.items()),
      m_load(all.network().channels().size() * steps, 0),
      m_full(m_load.size(), 0),
      m_over(m_load.size()),
      m_late(all.items()),
      m_price(steps) {}

void timetable::load(channel_id c, std::size_t when) {
  const std::size_t at = cell(c, when);
  const unsigned limit = capacity(c), now = ++m_load[at];
  m_full[at] = now >= limit;
  if (now <= limit) return;
  ++m_excess;
  m_over.insert(static_cast<std::uint32_t>(at));
}

void timetable::unload(channel_id c, std::size_t when) {
  const std::size_t at = cell(c, when);
  const unsigned limit = capacity(c), now = --m_load[at];
  m_full[at] = now >= limit;
  if (now < limit) return;
  --m_excess;
  if (now == limit) m_over.erase(static_cast<std::uint32_t>(at));
}

void timetable::update_lateness(item_id i) {
  const item_id first = before(i);
  if (first == NoItem) return;
  const std::uint32_t came = m_where[first].step, goes = m_where[i].step;
  if (came != Nowhere && goes != Nowhere && came >= goes) {
    m_late.insert(i);
  } else {
    m_late.erase(i);
  }
}

void timetable::place(item_id i, position to) {
  m_where[i] = to;
  auto& list = m_in_step[to.step];
  m_at[i] = static_cast<std::uint32_t>(list.size());
  list.push_back(i);
  const way& w = m_all.ways(i)[to.way];
  for (const channel_id c : m_all.path(w)) load(c, to.step);
  if (w.before != NoItem) m_followers[w.before].push_back(i);
  update_lateness(i);
  for (const item_id follower : m_followers[i]) update_lateness(follower);
}

void timetable::remove(item_id i) {
  const position from = m_where[i];
  auto& list = m_in_step[from.step];
  list[m_at[i]] = list.back();
  m_at[list.back()] = m_at[i];
  list.pop_back();
  const way& w = m_all.ways(i)[from.way];
  for (const channel_id c : m_all.path(w)) unload(c, from.step);
  m_where[i].step = Nowhere;
  update_lateness(i);
  for (const item_id follower : m_followers[i]) update_lateness(follower);
  if (w.before == NoItem) return;
  auto& followers = m_followers[w.before];
  *std::find(followers.begin(), followers.end(), i) = followers.back();
  followers.pop_back();
}

const std::vector<std::uint16_t>& timetable::price(item_id i, std::uint32_t number) {
  const way& w = m_all.ways(i)[number];
  std::fill(m_price.begin(), m_price.end(), std::uint16_t{0});
  for (const channel_id c : m_all.path(w)) {
    const std::uint8_t* full = m_full.data() + cell(c, 0);
    for (std::size_t s = 0; s < m_steps; ++s) m_price[s] = static_cast<std::uint16_t>(m_price[s] + full[s]);
  }
  if (w.before != NoItem && m_where[w.before].step != Nowhere) {
    for (std::size_t s = 0; s <= m_where[w.before].step; ++s) ++m_price[s];
  }
  for (const item_id follower : m_followers[i]) {
    if (m_where[follower].step == Nowhere) continue;
    for (std::size_t s = m_where[follower].step; s < m_steps; ++s) ++m_price[s];
  }
  return m_price;
}

std::size_t timetable::price(item_id i, position at) const {
  const way& w = m_all.ways(i)[at.way];
  std::size_t sum = 0;
  for (const channel_id c : m_all.path(w)) sum += m_full[cell(c, at.step)];
  if (w.before != NoItem && m_where[w.before].step != Nowhere) sum += m_where[w.before].step >= at.step;
  for (const item_id follower : m_followers[i]) sum += m_where[follower].step <= at.step;
  return sum;
}

item_id timetable::item_in_conflict(random_stream& random) const {
  std::size_t n = random.below(static_cast<std::uint32_t>(m_over.size() + m_late.size()));
  if (n >= m_over.size()) {
    const item_id late = m_late[n - m_over.size()];
    return random.below(2) == 0 ? late : before(late);
  }
  const auto over = m_over[n];
  const auto c = static_cast<channel_id>(over / m_steps);
  item_id chosen = NoItem;
  std::uint32_t count = 0;
  for (const item_id i : m_in_step[over % m_steps]) {
    const channel_path& path = m_all.path(m_all.ways(i)[m_where[i].way]);
    if (std::find(path.begin(), path.end(), c) != path.end() && random.below(++count) == 0) chosen = i;
  }
  return chosen;
}

}  // namespace weft::schedule
