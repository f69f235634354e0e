// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/combining_grid.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace weft::schedule {
namespace {

/// Orders of dimensions are enumerated only up to this number of dimensions.
constexpr std::size_t MostOrdered = 6;
constexpr std::size_t MostParticipants = 4096;

/// Returns pairs of each node of a dimension and the node \p further positions away.
node_pairs pairs_along(const std::vector<node_id>& nodes, const guest_dimension& d, std::size_t further) {
  node_pairs pairs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t digit = i / d.stride % d.size, to = (digit + further) % d.size;
    pairs.emplace_back(nodes[i], nodes[i + to * d.stride - digit * d.stride]);
  }
  return pairs;
}

/// A round in a dimension: the distance, and the number of messages that each node sends. The unit is P/f messages for
/// a scatter, and the messages that the node held before the dimension for a broadcast.
struct dimension_round {
  std::size_t further = 1;
  std::size_t share = 1;
};

std::vector<dimension_round> rounds_of(operation what, const guest_dimension& d) {
  std::vector<dimension_round> rounds;
  if (d.how == exchange_way::Doubling) {
    for (std::size_t further = 1; further < d.size; further *= 2) {
      std::size_t share = std::min(further, d.size - further);
      if (what == operation::Scatter) {
        share = 0;
        for (std::size_t offset = 0; offset < d.size; ++offset) share += (offset & further) != 0 ? 1 : 0;
      }
      rounds.push_back({further, share});
    }
    return rounds;
  }
  for (std::size_t i = 1; i < d.size; ++i) {
    const bool rotates = d.how == exchange_way::Rotation;
    rounds.push_back({rotates ? 1 : i, rotates && what == operation::Scatter ? d.size - i : 1});
  }
  return rounds;
}

/// Whether a message for a node at distance \p offset in the dimension is sent in this round.
bool goes_with(const guest_dimension& d, std::size_t further, std::size_t offset) {
  switch (d.how) {
    case exchange_way::Rotation:
      return offset != 0;
    case exchange_way::Direct:
      return offset == further;
    case exchange_way::Doubling:
      break;
  }
  return (offset & further) != 0;
}

/// Enumerates promising guests by their cost. The cost assumes that all nodes send equally.
class guest_search {
 public:
  guest_search(const problem& p, round_router& router)
      : m_p(p), m_router(router), m_all(participants_of(p.requested).size()) {
    divide(1);
    std::stable_sort(m_guests.begin(), m_guests.end(), [](const priced_guest& a, const priced_guest& b) {
      return std::tie(a.least.start_ups, a.least.occupancy) < std::tie(b.least.start_ups, b.least.occupancy);
    });
  }

  /// Returns the next guest that no earlier guest dominates. Rounds are routed only if bounds do not decide this.
  std::optional<guest> next() {
    while (m_next < m_guests.size()) {
      const guest& along = m_guests[m_next++].along;
      if (!is_worth_while(along)) continue;
      m_known.push_back(cost_of(along));
      return along;
    }
    return std::nullopt;
  }

 private:
  struct priced_guest {
    guest along;
    schedule_cost least;  // bound before rounds are routed
  };

  void divide(std::size_t stride) {
    if (stride == m_all) {
      try_orders();
      return;
    }
    for (std::size_t size = 2; size <= m_all / stride; ++size) {
      if (m_all / stride % size != 0) continue;
      for (const exchange_way how : ways(size)) {
        m_dimensions.push_back({stride, size, how});
        divide(stride * size);
        m_dimensions.pop_back();
      }
    }
  }

  /// Returns the exchange ways, without ways that coincide in a dimension of this size.
  std::vector<exchange_way> ways(std::size_t size) const {
    const bool scatter = m_p.requested.what == operation::Scatter;
    if (size == 2) return {exchange_way::Rotation};
    if (!scatter) return {exchange_way::Rotation, exchange_way::Doubling};
    if (size == 3) return {exchange_way::Rotation, exchange_way::Direct};
    return {exchange_way::Rotation, exchange_way::Direct, exchange_way::Doubling};
  }

  /// Tries other orders of the dimensions. Only broadcasts depend on the order.
  void try_orders() {
    guest along = m_dimensions;
    if (m_p.requested.what == operation::Scatter || along.size() > MostOrdered) {
      consider(along);
      return;
    }
    std::vector<std::size_t> order(along.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      for (std::size_t i = 0; i < order.size(); ++i) along[i] = m_dimensions[order[i]];
      consider(along);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  void consider(const guest& along) {
    m_router.control().go_on();
    for (const guest_dimension& d : along) {
      for (const dimension_round& r : rounds_of(m_p.requested.what, d)) {
        steps& of_round = m_steps[{d.stride, d.size, r.further}];
        if (of_round.count > 0) continue;
        of_round.count = m_router.least_steps(pairs_along(participants_of(m_p.requested), d, r.further));
      }
    }
    m_guests.push_back({along, cost_of(along)});
  }

  bool is_worth_while(const guest& along) {
    for (const guest_dimension& d : along) {
      for (const dimension_round& r : rounds_of(m_p.requested.what, d)) {
        if (is_dominated(along)) return false;
        steps& of_round = m_steps.at({d.stride, d.size, r.further});
        if (!of_round.is_routed) of_round = {congestion_of(m_p, m_router, d, r.further), true};
      }
    }
    return !is_dominated(along);
  }

  bool is_dominated(const guest& along) const {
    const schedule_cost least = cost_of(along);
    const auto is_no_worse = [&least](const schedule_cost& c) { return c == least || dominates(c, least); };
    return std::any_of(m_known.begin(), m_known.end(), is_no_worse);
  }

  /// Returns a lower bound of the cost, from what is known about the steps of its rounds.
  schedule_cost cost_of(const guest& along) const {
    schedule_cost cost;
    std::size_t held = 1;
    for (const guest_dimension& d : along) {
      const std::size_t unit = m_p.requested.what == operation::Scatter ? m_all / d.size : held;
      for (const dimension_round& r : rounds_of(m_p.requested.what, d)) {
        const std::size_t count = m_steps.at({d.stride, d.size, r.further}).count;
        cost.start_ups += count;
        cost.occupancy += count * r.share * unit;
      }
      held *= d.size;
    }
    return cost;
  }

  /// The number of steps of a round: first a lower bound, exact after routing.
  struct steps {
    std::size_t count = 0;
    bool is_routed = false;
  };

  const problem& m_p;
  round_router& m_router;
  const std::size_t m_all;
  guest m_dimensions;
  std::vector<priced_guest> m_guests;
  std::size_t m_next = 0;
  std::vector<schedule_cost> m_known;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, steps> m_steps;  // by stride, size and distance
};

std::string unfit_for_exchange(const problem& p) {
  if (!p.combining) return "combining is off";
  const std::size_t all = participants_of(p.requested).size();
  if (all > MostParticipants) return "it is for at most 4096 senders and receivers";
  return p.requested.senders.size() == 1 ? "it is for several senders" : "";
}

search_result run_exchange(const problem& p, const search_control& control) {
  return as_result(grid_exchanges(p, control));
}

}  // namespace

std::size_t congestion_of(const problem& p, round_router& router, const guest_dimension& dimension,
                          std::size_t further) {
  return router.route(pairs_along(participants_of(p.requested), dimension, further)).steps;
}

step_schedule exchange_along(const problem& p, round_router& router, const guest& along) {
  const std::vector<node_id> nodes = participants_of(p.requested);
  std::vector<std::size_t> position(p.network.nodes());
  for (std::size_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = i;
  relay r(p, router);
  for (const guest_dimension& d : along) {
    const auto digit = [&](node_id n) { return position[n] / d.stride % d.size; };
    for (const dimension_round& round : rounds_of(p.requested.what, d)) {
      const auto goes = [&](const message& m, node_id from, node_id) {
        if (m.destination == message::Everyone) return true;
        return goes_with(d, round.further, (digit(m.destination) + d.size - digit(from)) % d.size);
      };
      r.round(pairs_along(nodes, d, round.further), goes);
    }
  }
  return r.schedule();
}

std::vector<step_schedule> grid_exchanges(const problem& p, const search_control& control) {
  std::vector<step_schedule> found;
  unless_over([&] {
    round_router router(p, control);
    guest_search guests(p, router);
    while (const std::optional<guest> along = guests.next()) found.push_back(exchange_along(p, router, *along));
  });
  return non_dominated(std::move(found));
}

const method& combining_exchange() {
  static const method Method{"combining_exchange",
                             "combining along rows and columns, or along the dimensions of a hypercube, one after the "
                             "other (RINGS, section 3.1; FATTREE, section IV)",
                             method::kind::Construction, unfit_for_exchange, run_exchange};
  return Method;
}

}  // namespace weft::schedule
