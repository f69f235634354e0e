// SPDX-License-Identifier: Apache-2.0
/// A partial schedule for local search, in which channels may be overloaded. Each item that is placed has a way and a
/// step. The timetable counts conflicts; each change takes time proportional to the path length.
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
  std::vector<std::uint32_t> m_at;  // index of each number in the list
};

/// A partial schedule and its conflicts. Each transfer beyond the capacity of a channel in a step is a conflict. So is
/// each item that is forwarded in the step in which it arrives, or earlier.
class timetable {
 public:
  /// Starts with no item placed. \p steps must be at least 1; \p all must outlive the timetable.
  timetable(const choices& all, std::size_t steps);

  const choices& all() const { return m_all; }
  std::size_t steps() const { return m_steps; }
  std::size_t conflicts() const { return m_excess + m_late.size(); }
  const std::vector<position>& positions() const { return m_where; }
  const position& where(item_id i) const { return m_where[i]; }

  /// Places an item that is not in the timetable; remove() removes an item that is.
  void place(item_id i, position to);
  void remove(item_id i);

  /// Returns the number of additional conflicts if item \p i, which is not placed, were placed: in every step with way
  /// \p number, or at the position \p at.
  const std::vector<std::uint16_t>& price(item_id i, std::uint32_t number);
  std::size_t price(item_id i, position at) const;

  /// Returns an item that is in a conflict; each conflict is equally likely. There must be at least one conflict.
  item_id item_in_conflict(random_stream& random) const;

 private:
  static constexpr std::uint32_t Nowhere = std::numeric_limits<std::uint32_t>::max();

  std::size_t cell(channel_id c, std::size_t when) const { return c * m_steps + when; }
  unsigned capacity(channel_id c) const { return m_all.network().channels()[c].capacity; }
  void load(channel_id c, std::size_t when);
  void unload(channel_id c, std::size_t when);
  void update_lateness(item_id i);  // updates whether the item is forwarded too early
  item_id before(item_id i) const { return m_all.ways(i)[m_where[i].way].before; }

  const choices& m_all;
  const std::size_t m_steps;
  std::vector<position> m_where;                  // position of each item; an absent item has step Nowhere
  std::vector<std::vector<item_id>> m_in_step;    // items of each step
  std::vector<std::uint32_t> m_at;                // for each item, its index in the list of its step
  std::vector<std::vector<item_id>> m_followers;  // for each item, the items that its receiver forwards
  std::vector<std::uint16_t> m_load;              // transfers of each cell, a channel in a step
  std::vector<std::uint8_t> m_full;               // for each cell, whether one more transfer would be a conflict
  number_set m_over, m_late;                      // overloaded cells, and items that are forwarded too early
  std::size_t m_excess = 0;
  std::vector<std::uint16_t> m_price;
};

}  // namespace weft::schedule
