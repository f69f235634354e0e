// SPDX-License-Identifier: Apache-2.0
/// A partial schedule: every item has a way and a step, and channels may be overloaded. Counts conflicts; each change
/// takes time proportional to the path length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/search/choices.h"

namespace weft::schedule {

/// A set of numbers below a limit, with insertion, removal and access by index in constant time.
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
  std::vector<std::uint32_t> m_at;  // positions in the list
};

/// Conflicts are transfers of a channel in a step beyond its capacity, and items that are forwarded no later than they
/// arrive.
class timetable {
 public:
  /// Starts without any item. \p steps ≥ 1; \p all must outlive it.
  timetable(const choices& all, std::size_t steps);

  const choices& all() const { return m_all; }
  std::size_t steps() const { return m_steps; }
  std::size_t conflicts() const { return m_excess + m_late.size(); }
  const std::vector<position>& positions() const { return m_where; }
  const position& where(item_id i) const { return m_where[i]; }

  /// place() requires an absent item, remove() a present one.
  void place(item_id i, position to);
  void remove(item_id i);

  /// Number of additional conflicts if the absent item \p i were placed: in every step with way \p number; at one
  /// position.
  const std::vector<std::uint16_t>& price(item_id i, std::uint32_t number);
  std::size_t price(item_id i, position at) const;

  /// An item in a conflict, drawn uniformly over conflicts. There must be at least one.
  item_id item_in_conflict(random_stream& random) const;

 private:
  static constexpr std::uint32_t Nowhere = std::numeric_limits<std::uint32_t>::max();

  std::size_t cell(channel_id c, std::size_t when) const { return c * m_steps + when; }
  unsigned capacity(channel_id c) const { return m_all.network().channels()[c].capacity; }
  void load(channel_id c, std::size_t when);
  void unload(channel_id c, std::size_t when);
  void update_lateness(item_id i);  // whether it is forwarded too early
  item_id before(item_id i) const { return m_all.ways(i)[m_where[i].way].before; }

  const choices& m_all;
  const std::size_t m_steps;
  std::vector<position> m_where;                  // by item; absent items have step Nowhere
  std::vector<std::vector<item_id>> m_in_step;    // items of each step
  std::vector<std::uint32_t> m_at;                // by item, its index in the list of its step
  std::vector<std::vector<item_id>> m_followers;  // by item, the items that its receiver forwards
  std::vector<std::uint16_t> m_load;              // by cell: a channel in a step
  std::vector<std::uint8_t> m_full;               // by cell: whether one more transfer would be a conflict
  number_set m_over, m_late;                      // cells; items
  std::size_t m_excess = 0;
  std::vector<std::uint16_t> m_price;
};

}  // namespace weft::schedule
