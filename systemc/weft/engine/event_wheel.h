/// What is on its way, by the cycle in which it arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// A ring of lists, one a cycle. Events lie at most \p reach cycles ahead. All room is there from the beginning.
template <typename Event>
class event_wheel {
 public:
  /// \param reach   of the farthest event, cycles ahead, ≥ 1
  /// \param at_once events of one cycle, at most
  event_wheel(cycle_t reach, std::size_t at_once) : m_room(std::max<std::size_t>(1, at_once)) {
    std::size_t slots = 1;
    while (slots <= reach) slots *= 2;
    m_mask = slots - 1;
    m_count.resize(slots);
    m_events.resize(slots * m_room);
  }

  void push(cycle_t cycle, const Event& event) {
    const std::size_t slot = cycle & m_mask;
    m_events[slot * m_room + m_count[slot]++] = event;
  }

  /// The events of a cycle, in the order in which they came.
  struct list {
    const Event *first, *last;
    const Event* begin() const { return first; }
    const Event* end() const { return last; }
    bool empty() const { return first == last; }
  };
  list at(cycle_t cycle) const {
    const std::size_t slot = cycle & m_mask;
    const Event* const first = m_events.data() + slot * m_room;
    return {first, first + m_count[slot]};
  }

  /// Those of \p cycle are done with.
  void clear(cycle_t cycle) { m_count[cycle & m_mask] = 0; }

  bool empty() const {
    return std::all_of(m_count.begin(), m_count.end(), [](std::uint32_t count) { return count == 0; });
  }

  /// Calls \p f(cycle, event) for all that is pending from \p now on.
  template <typename F>
  void for_each(cycle_t now, F f) const {
    for (cycle_t ahead = 0; ahead <= m_mask; ++ahead)
      for (const Event& event : at(now + ahead)) f(now + ahead, event);
  }

 private:
  const std::size_t m_room;  ///< of one cycle
  std::size_t m_mask;
  std::vector<std::uint32_t> m_count;
  std::vector<Event> m_events;
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
  void erase(std::size_t i) { m_words[i / 64] &= ~(std::uint64_t{1} << i % 64); }
  bool any() const {
    for (const std::uint64_t w : m_words)
      if (w != 0) return true;
    return false;
  }

  /// Calls \p f(i) for every member, lowest first; it stays a member if \p f returns true. \p f inserts nothing.
  template <typename F>
  void filter(F f) {
    for (std::size_t w = 0; w < m_words.size(); ++w) {
      for (std::uint64_t left = m_words[w]; left != 0; left &= left - 1) {
        const std::size_t i = 64 * w + static_cast<unsigned>(__builtin_ctzll(left));
        if (!f(i)) erase(i);
      }
    }
  }

 private:
  std::vector<std::uint64_t> m_words;
};

}  // namespace weft::engine
