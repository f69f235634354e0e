// SPDX-License-Identifier: Apache-2.0
/// A schedule in the making: every item has a way and a step, and channels may be overloaded. Counts conflicts, each
/// change in the time of a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/schedule/search/choices.h"

namespace weft::schedule {

/// Numbers below a limit, with insertion, removal and the n-th in constant time.
class number_set {
 public:
  explicit number_set(std::size_t limit) : m_at(limit, None) {}
  std::size_t size() const { return m_list.size(); }
  std::uint32_t operator[](std::size_t n) const { return m_list[n]; }
  void insert(std::uint32_t number);
  void erase(std::uint32_t number);

 private:
  static constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> m_list;
  std::vector<std::uint32_t> m_at;  // in the list
};

/// Conflicts: transfers of a channel in a step beyond its capacity, and items that are sent on no later than they come.
class timetable {
 public:
  /// Without any item. \p steps ≥ 1; \p all outlives it.
  timetable(const choices& all, std::size_t steps);

  const choices& all() const { return m_all; }
  std::size_t steps() const { return m_steps; }
  std::size_t conflicts() const { return m_excess + m_late.size(); }
  const std::vector<position>& positions() const { return m_where; }
  const position& where(item_id i) const { return m_where[i]; }

  /// Of an item that is not there; that is there.
  void place(item_id i, position to);
  void remove(item_id i);

  /// By how many conflicts there are more if an item came there that is not there now: in every step; in one.
  const std::vector<std::uint16_t>& price(item_id i, std::uint32_t number);
  std::size_t price(item_id i, position at) const;

  /// An item of a conflict, each conflict as likely as another. There is one at least.
  item_id item_in_conflict(random_stream& random) const;

 private:
  static constexpr std::uint32_t Nowhere = std::numeric_limits<std::uint32_t>::max();

  std::size_t cell(channel_id c, std::size_t when) const { return c * m_steps + when; }
  unsigned capacity(channel_id c) const { return m_all.network().channels()[c].capacity; }
  void load(channel_id c, std::size_t when);
  void unload(channel_id c, std::size_t when);
  void judge(item_id i);  // whether it is late
  item_id before(item_id i) const { return m_all.ways(i)[m_where[i].way].before; }

  const choices& m_all;
  const std::size_t m_steps;
  std::vector<position> m_where;                  // of items; those not there have step Nowhere
  std::vector<std::vector<item_id>> m_in_step;    // items
  std::vector<std::uint32_t> m_at;                // of items, in the list of their step
  std::vector<std::vector<item_id>> m_followers;  // of items: those handed on by its receiver
  std::vector<std::uint16_t> m_load;              // of cells: a channel in a step
  std::vector<std::uint8_t> m_full;               // of cells: one more would be a conflict
  number_set m_over, m_late;                      // cells, items
  std::size_t m_excess = 0;
  std::vector<std::uint16_t> m_price;
};

}  // namespace weft::schedule
