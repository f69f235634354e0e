// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/annealing.h"

#include <algorithm>

#include "weft/collectives/schedule/search/explorer.h"

namespace weft::schedule {
namespace {

class annealing_explorer : public explorer {
 public:
  annealing_explorer(const choices& all, std::size_t steps, std::uint64_t seed)
      : m_all(all), m_table(all, steps), m_random(seed, 1, stream_purpose::Schedule) {
    for (item_id i = 0; i < all.items(); ++i) m_table.place(i, best_at(i, random_step()));
    store_best(m_table.positions(), m_table.conflicts());
    m_cooling = std::max<std::size_t>(100 * all.items(), 10'000);
  }

  void explore(std::size_t moves, const search_control& control) override {
    for (std::size_t n = 0; n < moves && least() > 0; ++n) {
      if (n % MovesBetweenPolls == 0) {
        if (control.over()) return;
        cool();
      }
      ++m_move;
      move_one();
      if (m_table.conflicts() < least()) store_best(m_table.positions(), m_table.conflicts());
    }
  }

 private:
  /// The probability of accepting a move that adds one conflict, e^(-1/temperature). It decreases evenly from Hot to
  /// Cold and then restarts with a slower decrease.
  static constexpr double Hot = 0.20, Cold = 0.005;

  void cool() {
    if (m_move >= m_cooling) {
      m_move = 0;
      m_cooling *= 2;
    }
    const double left = 1.0 - static_cast<double>(m_move) / static_cast<double>(m_cooling);
    m_accept = Cold + (Hot - Cold) * left * left;
  }

  void move_one() {
    const bool mend = m_table.conflicts() > 0 && m_random.below(4) == 0;
    const item_id i =
        mend ? m_table.item_in_conflict(m_random) : m_random.below(static_cast<std::uint32_t>(m_all.items()));
    const auto& group = m_random.below(2) == 0 ? m_all.same_receiver(i) : m_all.same_origin(i);
    if (group.size() < 2 || m_random.below(2) == 0) {
      move(i, random_step());
    } else {
      const item_id other = group[m_random.below(static_cast<std::uint32_t>(group.size()))];
      if (m_table.where(other).step == m_table.where(i).step) return move(i, random_step());
      change(i, other);
    }
  }

  void move(item_id i, std::uint32_t when) {
    const std::size_t before = m_table.conflicts();
    const position left = m_table.where(i);
    m_table.remove(i);
    m_table.place(i, best_at(i, when));
    if (takes(before)) return;
    m_table.remove(i);
    m_table.place(i, left);
  }

  /// Exchanges the steps of two messages of one port.
  void change(item_id a, item_id b) {
    const std::size_t before = m_table.conflicts();
    const position from_a = m_table.where(a), from_b = m_table.where(b);
    m_table.remove(a);
    m_table.remove(b);
    m_table.place(a, best_at(a, from_b.step));
    m_table.place(b, best_at(b, from_a.step));
    if (takes(before)) return;
    m_table.remove(a);
    m_table.remove(b);
    m_table.place(a, from_a);
    m_table.place(b, from_b);
  }

  /// Metropolis criterion.
  bool takes(std::size_t before) {
    const std::size_t now = m_table.conflicts();
    double chance = 1;
    for (std::size_t n = before; n < now; ++n) chance *= m_accept;
    return now <= before || m_random.chance(chance);
  }

  std::uint32_t random_step() { return m_random.below(static_cast<std::uint32_t>(m_table.steps())); }

  /// Returns one of the best positions in step \p when for an item that is not placed.
  position best_at(item_id i, std::uint32_t when) {
    position best{0, when};
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::uint32_t equals = 0;
    for (std::uint32_t w = 0; w < m_all.ways(i).size(); ++w) {
      const std::size_t price = m_table.price(i, position{w, when});
      if (price > least) continue;
      equals = price < least ? 1 : equals + 1;
      least = price;
      if (m_random.below(equals) == 0) best.way = w;
    }
    return best;
  }

  const choices& m_all;
  timetable m_table;
  random_stream m_random;
  std::size_t m_move = 0, m_cooling;
  double m_accept = Hot;
};

std::unique_ptr<explorer> make_annealing(const choices& all, std::size_t steps, std::uint64_t seed) {
  return std::make_unique<annealing_explorer>(all, steps, seed);
}

search_result run_annealing(const problem& p, const search_control& control) {
  return explore("annealing", p, control, make_annealing, CheapMoves);
}

}  // namespace

const method& annealing() {
  static const method m{"annealing",
                        "simulated annealing: random changes of paths and steps, and of steps within a port, accepted "
                        "by the Metropolis rule, with repeated cooling and heating",
                        method::kind::Search, unfit_for_search, run_annealing};
  return m;
}

}  // namespace weft::schedule
