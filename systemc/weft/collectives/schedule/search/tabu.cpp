// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/tabu.h"

#include <array>

#include "weft/collectives/schedule/search/explorer.h"

namespace weft::schedule {
namespace {

constexpr std::size_t NoPrice = std::numeric_limits<std::size_t>::max() / 2;  // halved, so that sums do not overflow

class tabu_explorer : public explorer {
 public:
  tabu_explorer(const choices& all, std::size_t steps, std::uint64_t seed)
      : m_all(all), m_table(all, steps), m_random(seed, 0, stream_purpose::Schedule) {
    for (item_id i = 0; i < all.items(); ++i) m_table.place(i, best_of(i).to);
    store_best(m_table.positions(), m_table.conflicts());
  }

  void explore(std::size_t moves, const search_control& control) override {
    for (std::size_t n = 0; n < moves && least() > 0; ++n) {
      if (n % CostlyMovesBetweenPolls == 0 && control.over()) return;
      ++m_move;
      move_one();
      if (m_table.conflicts() < least()) store_best(m_table.positions(), m_table.conflicts());
    }
  }

 private:
  static constexpr std::size_t CostlyMovesBetweenPolls = 16;

  struct offer {
    position to;
    std::size_t price = NoPrice;
    std::uint32_t equals = 0;
  };
  struct swap {
    item_id with = NoItem;
    position to, to_other;
    std::size_t price = NoPrice;
    std::uint32_t equals = 0;
  };

  void move_one() {
    const item_id i = m_table.item_in_conflict(m_random);
    const position left = m_table.where(i);
    const std::size_t before = m_table.conflicts();
    m_table.remove(i);
    offer best = best_of(i);
    swap exchange;
    // If ports are full, no single move helps. In this case, two messages exchange their steps.
    if (m_table.conflicts() + best.price >= before) exchange = best_swap(i, left.step);
    if (exchange.price < best.price) {
      const position other = m_table.where(exchange.with);
      m_table.remove(exchange.with);
      m_table.place(i, exchange.to);
      m_table.place(exchange.with, exchange.to_other);
      forbid(exchange.with, other);
    } else {
      m_table.place(i, best.equals > 0 ? best.to : left);
    }
    forbid(i, left);
  }

  /// Returns the best position of an item that is not placed.
  offer best_of(item_id i) {
    offer best;
    const auto& ways = m_all.ways(i);
    for (std::uint32_t w = 0; w < ways.size(); ++w) {
      const auto& prices = m_table.price(i, w);
      for (std::uint32_t s = 0; s < prices.size(); ++s) {
        if (prices[s] > best.price) continue;
        if (is_tabu(i, {w, s}) && m_table.conflicts() + prices[s] >= least()) continue;
        best.equals = prices[s] < best.price ? 1 : best.equals + 1;
        best.price = prices[s];
        if (m_random.below(best.equals) == 0) best.to = {w, s};
      }
    }
    return best;
  }

  /// Returns the best exchange of steps between \p i and another item of the same port. \p i was in step \p when and is
  /// not placed now.
  swap best_swap(item_id i, std::uint32_t when) {
    swap best;
    const std::size_t now = m_table.conflicts();
    for (const auto* group : {&m_all.same_receiver(i), &m_all.same_origin(i)}) {
      for (const item_id other : *group) {
        if (other == i || m_table.where(other).step == when) continue;
        const position there = m_table.where(other);
        m_table.remove(other);
        const offer first = best_at(i, there.step);
        if (first.equals > 0) {
          m_table.place(i, first.to);
          const offer second = best_at(other, when);
          const std::size_t price = m_table.conflicts() + second.price - now;
          if (second.equals > 0 && price <= best.price) {
            best.equals = price < best.price ? 1 : best.equals + 1;
            best.price = price;
            if (m_random.below(best.equals) == 0) best = {other, first.to, second.to, price, best.equals};
          }
          m_table.remove(i);
        }
        m_table.place(other, there);
      }
    }
    return best;
  }

  offer best_at(item_id i, std::uint32_t when) {
    offer best;
    for (std::uint32_t w = 0; w < m_all.ways(i).size(); ++w) {
      const std::size_t price = m_table.price(i, position{w, when});
      if (price > best.price || is_tabu(i, {w, when})) continue;
      best.equals = price < best.price ? 1 : best.equals + 1;
      best.price = price;
      if (m_random.below(best.equals) == 0) best.to = {w, when};
    }
    return best;
  }

  /// Returns the move until which a position is tabu. All paths from one node in one step are tabu together. Two such
  /// sets may share a cell of the list, which is harmless.
  std::uint64_t& until(item_id i, position at) {
    const std::uint64_t from = m_all.ways(i)[at.way].before;
    return m_until[(i * 0x9e3779b97f4a7c15u + from * 0xbf58476d1ce4e5b9u + at.step * 0x94d049bb133111ebu) >> 48];
  }
  bool is_tabu(item_id i, position at) { return until(i, at) > m_move; }
  void forbid(item_id i, position at) { until(i, at) = m_move + 3 + m_random.below(8); }

  const choices& m_all;
  timetable m_table;
  random_stream m_random;
  std::uint64_t m_move = 0;
  std::array<std::uint64_t, 1u << 16> m_until{};  // by item, node and step: the move until which it is tabu
};

std::unique_ptr<explorer> make_tabu(const choices& all, std::size_t steps, std::uint64_t seed) {
  return std::make_unique<tabu_explorer>(all, steps, seed);
}

search_result run_tabu(const problem& p, const search_control& control) {
  return explore("tabu", p, control, make_tabu);
}

}  // namespace

const method& tabu() {
  static const method m{
      "tabu",
      "local search: a message in conflict moves to the path and step with the lowest cost, or exchanges steps with "
      "another message of the same port; its old path and step are tabu for a while",
      method::kind::Search, unfit_for_search, run_tabu};
  return m;
}

}  // namespace weft::schedule
