/// What is on its way, by the cycle in which it arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/huge_pages.h"

namespace weft::engine {

/// A ring of lists, one a cycle. Events lie at most \p reach cycles ahead. All room is there from the beginning.
template <typename Event>
class event_wheel {
 public:
  /// \param reach   of the farthest event, cycles ahead, ≥ 1
  /// \param at_once events of one cycle, at most; push_if() writes ahead
  event_wheel(cycle_t reach, std::size_t at_once) : m_room(at_once + 1) {
    std::size_t slots = 1;
    while (slots <= reach) slots *= 2;
    m_mask = slots - 1;
    m_events.resize(slots * m_room);
    m_end = std::make_unique<Event*[]>(slots);
    for (std::size_t slot = 0; slot < slots; ++slot) m_end[slot] = first_of(slot);
  }
  event_wheel(const event_wheel&) = delete;
  event_wheel& operator=(const event_wheel&) = delete;

  /// Where events go in.
  struct entrance_type {
    Event** ends;
    std::size_t mask;
    void push_if(bool condition, cycle_t cycle, const Event& event) const {
      Event*& end = ends[cycle & mask];
      *end = event;
      end += condition;
    }
  };
  entrance_type entrance() const { return {m_end.get(), m_mask}; }

  /// The events of a cycle, in the order in which they came.
  struct list {
    const Event *first, *last;
    const Event* begin() const { return first; }
    const Event* end() const { return last; }
    std::size_t size() const { return static_cast<std::size_t>(last - first); }
  };
  list at(cycle_t cycle) const {
    const std::size_t slot = cycle & m_mask;
    return {m_events.data() + slot * m_room, m_end[slot]};
  }

  /// Those of \p cycle are done with.
  void clear(cycle_t cycle) { m_end[cycle & m_mask] = first_of(cycle & m_mask); }

  /// Calls \p f(cycle, event) for all that is pending from \p now on.
  template <typename F>
  void for_each(cycle_t now, F f) const {
    for (cycle_t ahead = 0; ahead <= m_mask; ++ahead)
      for (const Event& event : at(now + ahead)) f(now + ahead, event);
  }

 private:
  Event* first_of(std::size_t slot) { return m_events.data() + slot * m_room; }

  const std::size_t m_room;  ///< of one cycle
  std::size_t m_mask;
  large_array<Event> m_events;
  std::unique_ptr<Event*[]> m_end;  ///< of each list
};

/// A list with room for as many as there can ever be.
template <typename Item>
class bounded_list {
 public:
  explicit bounded_list(std::size_t most) : m_items(most + 1), m_end(m_items.data()) {}  // push_if() writes ahead
  bounded_list(const bounded_list&) = delete;
  bounded_list& operator=(const bounded_list&) = delete;

  void push(const Item& item) { *m_end++ = item; }
  void push_if(bool condition, const Item& item) {
    *m_end = item;
    m_end += condition;
  }
  /// Pushes \p item if \p is_new, else it takes the place of the last one.
  void replace_or_push(bool is_new, const Item& item) {
    m_end += is_new;
    m_end[-1] = item;
  }
  void clear() { m_end = m_items.data(); }
  Item* begin() { return m_items.data(); }
  /// Items have been written up to \p end.
  void end_at(Item* end) { m_end = end; }
  const Item* begin() const { return m_items.data(); }
  const Item* end() const { return m_end; }
  std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }

 private:
  std::vector<Item> m_items;
  Item* m_end;
};

/// A set of numbers below a limit that is passed through in order, cheaply even where it is large and nearly empty.
class index_set {
 public:
  explicit index_set(std::size_t limit) : m_words((limit + 63) / 64) {}

  /// Returns whether it is new.
  bool insert(std::size_t i) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    const bool is_new = (m_words[i / 64] & bit) == 0;
    m_words[i / 64] |= bit;
    return is_new;
  }

  void insert_if(bool condition, std::size_t i) { m_words[i / 64] |= std::uint64_t{condition} << i % 64; }
  void erase_if(bool condition, std::size_t i) { m_words[i / 64] &= ~(std::uint64_t{condition} << i % 64); }

  /// Calls \p f(i) for every member, lowest first. \p f changes nothing here.
  template <typename F>
  void for_each(F f) const {
    for (std::size_t w = 0; w < m_words.size(); ++w)
      for (std::uint64_t left = m_words[w]; left != 0; left &= left - 1)
        f(64 * w + static_cast<unsigned>(__builtin_ctzll(left)));
  }

  /// Calls \p f(i) for every member, lowest first; it stays a member if \p f returns true. \p f inserts nothing.
  template <typename F>
  void filter(F f) {
    for (std::size_t w = 0; w < m_words.size(); ++w) {
      std::uint64_t staying = m_words[w];
      for (std::uint64_t left = staying; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(__builtin_ctzll(left));
        staying ^= std::uint64_t{!f(64 * w + bit)} << bit;
      }
      m_words[w] = staying;
    }
  }

 private:
  std::vector<std::uint64_t> m_words;
};

}  // namespace weft::engine
