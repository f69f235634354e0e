// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/line_patterns.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace weft::schedule {
namespace {

using index = std::uint32_t;

struct pairing_round {
  std::vector<std::pair<index, index>> pairs;
  std::optional<index> left_over;
};

/// Returns every pair of \p count elements once, in rounds, by the circle method.
std::vector<pairing_round> all_pairs(index count) {
  std::vector<pairing_round> rounds;
  const index turning = count % 2 == 0 ? count - 1 : count;
  for (index r = 0; r < turning && count > 0; ++r) {
    pairing_round round;
    if (turning < count) {
      round.pairs.emplace_back(std::min(r, turning), std::max(r, turning));
    } else {
      round.left_over = r;
    }
    for (index i = 1; i <= (turning - 1) / 2; ++i) {
      const index a = (r + i) % turning, b = (r + turning - i) % turning;
      round.pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

line_piece stay(std::vector<index> positions) {
  line_piece piece;
  for (const index p : positions) piece.push_back({p, p, true});
  return piece;
}

/// A line of two halves. Position a of the left half corresponds to position R + a of the right half. If the length is
/// odd, there is a middle position.
class halves {
 public:
  explicit halves(index length) : m_half(length / 2), m_odd(length % 2 == 1), m_right(length - length / 2) {}

  std::vector<line_class> classes() {
    const auto rounds = all_pairs(m_half);
    for (const pairing_round& round : rounds) {
      m_classes.push_back(circles(round, false));
      m_classes.push_back(circles(round, true));
    }
    if (m_odd) {
      add_middle();
    } else if (m_half % 2 == 0) {
      add_swaps(rounds.front());
    }
    return std::move(m_classes);
  }

 private:
  /// Returns a cycle: from a to the other half, there from b to a, back to this half, and here from b to a. In each
  /// half, the range of one of these moves ends where the range of the other begins. Only two moves lead from one half
  /// to the other, one in each direction.
  line_piece circle(index a, index b) const {
    return {{a, m_right + b, true}, {m_right + b, m_right + a, a > b}, {m_right + a, b, false}, {b, a, a > b}};
  }
  line_piece swap(index a) const { return {{a, m_right + a, true}, {m_right + a, a, false}}; }
  line_piece by_middle(index a, bool up) const {
    const index first = up ? a : m_right + a, last = up ? m_right + a : a;
    return {{first, m_half, up}, {m_half, last, up}, {last, first, !up}};
  }

  line_class circles(const pairing_round& round, bool other) const {
    line_class found;
    for (const auto& [a, b] : round.pairs) found.push_back({other ? circle(b, a) : circle(a, b)});
    if (!round.left_over) return found;
    const index a = *round.left_over;
    if (m_odd) {
      found.push_back({by_middle(a, !other)});
    } else if (!other) {
      found.push_back({swap(a)});
    } else {
      if (found.empty()) found.emplace_back();
      found.front().push_back(stay({a, m_right + a}));
    }
    return found;
  }

  /// Adds moves for equal halves without a middle: one position of each pair changes sides, the other stays.
  void add_swaps(const pairing_round& round) {
    line_class first, second;
    for (const auto& [a, b] : round.pairs) {
      first.push_back({swap(a), stay({b, m_right + b})});
      second.push_back({swap(b), stay({a, m_right + a})});
    }
    m_classes.push_back(std::move(first));
    m_classes.push_back(std::move(second));
  }

  void add_middle() {
    line_piece all = stay({m_half});
    for (index a = 0; a < m_half; ++a) {
      const line_piece two = stay({a, m_right + a});
      all.insert(all.end(), two.begin(), two.end());
    }
    if (m_half % 2 == 1 || m_half == 0) {
      m_classes.push_back({{all}});
      return;
    }
    // A class has space for only one move to the middle.
    m_classes.front().front().push_back(stay({m_half}));
    for (index a = 0; a < m_half; ++a) {
      const index next = (a + 1) % m_half;
      m_classes.push_back({{by_middle(a, true), stay({next, m_right + next})}});
      m_classes.push_back({{by_middle(a, false)}});
    }
  }

  const index m_half;
  const bool m_odd;
  const index m_right;  ///< first position of the right half
  std::vector<line_class> m_classes;
};

/// A ring with an even number of positions, as h pairs of opposite positions (Hinrichs et al. 1994). A cycle through
/// two pairs uses all channels of one direction.
class opposites {
 public:
  explicit opposites(index length) : m_half(length / 2) {}

  std::vector<line_class> classes() {
    const auto rounds = all_pairs(m_half);
    for (const pairing_round& round : rounds) {
      m_classes.push_back(circles(round, false));
      m_classes.push_back(circles(round, true));
    }
    if (m_half == 2) {
      m_classes.push_back({{swap(0, true), swap(1, false)}});
      m_classes.push_back({{stay({0, 1, 2, 3})}});
    } else if (m_half % 2 == 0) {
      add_swaps(rounds.front());
    }
    return std::move(m_classes);
  }

 private:
  line_piece circle(index a, index b, bool up) const {
    if (!up) std::swap(a, b);
    const index c = a + m_half, d = b + m_half;
    // Upwards, a < b, and a, b, c, d are in this order; downwards, a > b, and a, d', … are in reverse order.
    if (up) return {{a, b, true}, {b, c, true}, {c, d, true}, {d, a, true}};
    return {{a, b, false}, {b, c, false}, {c, d, false}, {d, a, false}};
  }
  line_piece swap(index a, bool up) const { return {{a, a + m_half, up}, {a + m_half, a, up}}; }

  /// Combines an upward and a downward piece into a part.
  static line_class joined(const std::vector<line_piece>& up, const std::vector<line_piece>& down) {
    line_class found(std::max<std::size_t>({up.size(), down.size(), 1}));
    for (std::size_t i = 0; i < up.size(); ++i) found[i].push_back(up[i]);
    for (std::size_t i = 0; i < down.size(); ++i) found[i].push_back(down[i]);
    return found;
  }

  line_class circles(const pairing_round& round, bool other) const {
    std::vector<line_piece> up, down;
    for (std::size_t i = 0; i < round.pairs.size(); ++i) {
      const bool upwards = (i % 2 == 0) != other;
      (upwards ? up : down).push_back(circle(round.pairs[i].first, round.pairs[i].second, upwards));
    }
    if (round.left_over && !other) {
      const bool upwards = up.size() < down.size();
      (upwards ? up : down).push_back(swap(*round.left_over, upwards));
    }
    line_class found = joined(up, down);
    if (round.left_over && other) found.front().push_back(stay({*round.left_over, *round.left_over + m_half}));
    return found;
  }

  void add_swaps(const pairing_round& round) {
    for (const bool other : {false, true}) {
      std::vector<line_piece> up, down;
      line_piece rest;
      for (std::size_t i = 0; i < round.pairs.size(); ++i) {
        const index moves = other ? round.pairs[i].second : round.pairs[i].first;
        const index stays = other ? round.pairs[i].first : round.pairs[i].second;
        (i % 2 == 0 ? up : down).push_back(swap(moves, i % 2 == 0));
        rest.push_back({stays, stays, true});
        rest.push_back({stays + m_half, stays + m_half, true});
      }
      line_class found = joined(up, down);
      found.front().push_back(std::move(rest));
      m_classes.push_back(std::move(found));
    }
  }

  const index m_half;
  std::vector<line_class> m_classes;
};

/// Classes for a ring with an odd number of positions. Each class is a shift, with as many parts as the shift skips
/// positions.
std::vector<line_class> shifts(index length) {
  std::vector<line_class> classes(1);
  classes.front().emplace_back();
  for (index i = 0; i < length; ++i) classes.front().front().push_back(stay({i}));
  for (index shift = 1; shift < length; ++shift) {
    const bool up = shift <= length / 2;
    const index far = up ? shift : length - shift;
    // Takes every far-th position, as long as the moves fit on the ring.
    line_class found;
    std::vector<bool> done(length, false);
    for (index start = 0; start < length; ++start) {
      if (done[start]) continue;
      line_part part;
      for (index i = start, used = 0; used + far <= length && !done[i % length]; i += far, used += far) {
        const index from = i % length;
        done[from] = true;
        part.push_back({{from, (from + shift) % length, up}});
      }
      found.push_back(std::move(part));
    }
    classes.push_back(std::move(found));
  }
  return classes;
}

/// Classes for a one-way ring, in which a round trip uses all channels.
std::vector<line_class> round_trips(index length) {
  std::vector<line_class> classes;
  for (const pairing_round& round : all_pairs(length)) {
    classes.emplace_back();
    for (const auto& [a, b] : round.pairs) classes.back().push_back({{{a, b, true}, {b, a, true}}});
    if (!round.left_over) continue;
    if (classes.back().empty()) classes.back().emplace_back();
    classes.back().front().push_back(stay({*round.left_over}));
  }
  if (length % 2 == 1) return classes;
  line_piece all;
  for (index i = 0; i < length; ++i) all.push_back({i, i, true});
  classes.push_back({{all}});
  return classes;
}

}  // namespace

std::vector<line_class> line_classes(line_kind kind, std::uint32_t length) {
  if (kind == line_kind::OneWayRing) return round_trips(length);
  if (kind == line_kind::Line) return halves(length).classes();
  return length % 2 == 0 ? opposites(length).classes() : shifts(length);
}

}  // namespace weft::schedule
