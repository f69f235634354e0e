// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/slim_fly.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/hop_ordered.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::reject;

/// A field whose elements are polynomials over the integers modulo `prime`. The digits of the number of an element, to
/// base `prime`, are its coefficients.
struct field_shape {
  std::uint32_t order;
  std::uint32_t prime;
  /// The remainder of x^n, n the degree of the irreducible polynomial, as an element; unused if the order is prime.
  std::uint32_t reduction;
};

/// The orders for which a router has at most MaxPorts ports. The irreducible polynomials are x² + x + 1 for 4 elements,
/// x³ + x + 1 for 8, and x² + 1 for 9.
constexpr std::array<field_shape, 6> Fields{{{3, 3, 0}, {4, 2, 3}, {5, 5, 0}, {7, 7, 0}, {8, 2, 3}, {9, 3, 2}}};

class finite_field {
 public:
  explicit finite_field(const field_shape& shape) : m_shape(shape) {}

  std::uint32_t order() const { return m_shape.order; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    return combine(a, b, [this](std::uint32_t x, std::uint32_t y) { return (x + y) % m_shape.prime; });
  }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    return combine(a, b, [this](std::uint32_t x, std::uint32_t y) { return (x + m_shape.prime - y) % m_shape.prime; });
  }
  /// Horner's scheme over the coefficients of \p b, highest first.
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t product = 0;
    for (std::uint32_t place = m_shape.order / m_shape.prime; place > 0; place /= m_shape.prime) {
      product = times_x(product);
      for (std::uint32_t i = b / place % m_shape.prime; i > 0; --i) product = add(product, a);
    }
    return product;
  }
  /// The powers 1, ξ, ξ², …, ξ^(order-2) of the lowest primitive element.
  std::vector<std::uint32_t> powers() const {
    for (std::uint32_t base = 2;; ++base) {
      std::vector<std::uint32_t> all{1};
      while (all.size() < order() && multiply(all.back(), base) != 1) all.push_back(multiply(all.back(), base));
      if (all.size() + 1 == order()) return all;
    }
  }

 private:
  template <class Operation>
  std::uint32_t combine(std::uint32_t a, std::uint32_t b, Operation of_digits) const {
    std::uint32_t result = 0;
    for (std::uint32_t place = 1; place < m_shape.order; place *= m_shape.prime)
      result += place * of_digits(a / place % m_shape.prime, b / place % m_shape.prime);
    return result;
  }
  /// The product with the polynomial x; only of 0 if the order is prime.
  std::uint32_t times_x(std::uint32_t a) const {
    const std::uint32_t highest = m_shape.order / m_shape.prime, carried = a / highest;
    std::uint32_t result = a % highest * m_shape.prime;
    for (std::uint32_t i = 0; i < carried && m_shape.order != m_shape.prime; ++i)
      result = add(result, m_shape.reduction);
    return result;
  }

  field_shape m_shape;
};

/// The sets X and X' of make_slim_fly().
std::array<std::vector<std::uint32_t>, 2> differences(const finite_field& field) {
  const std::vector<std::uint32_t> powers = field.powers();
  const std::uint32_t q = field.order(), count = q - 1;
  std::array<std::vector<std::uint32_t>, 2> sets;
  if (q % 4 == 3) {
    const std::uint32_t w = (q + 1) / 4;
    for (std::uint32_t i = 0; i < w; ++i) {
      sets[0].insert(sets[0].end(), {powers[2 * i], powers[2 * w - 1 + 2 * i]});
      sets[1].insert(sets[1].end(), {powers[2 * i + 1], powers[(2 * w + 2 * i) % count]});
    }
    return sets;
  }
  for (std::uint32_t i = 0; i < q / 2; ++i) {
    sets[0].push_back(powers[2 * i % count]);
    sets[1].push_back(powers[(2 * i + 1) % count]);
  }
  return sets;
}

/// The neighbors of every router, in increasing order.
std::vector<std::vector<router_id>> neighbours_in(const finite_field& field) {
  const std::uint32_t q = field.order();
  const auto sets = differences(field);
  const auto number = [q](std::uint32_t half, std::uint32_t x, std::uint32_t y) { return (half * q + x) * q + y; };
  std::vector<std::vector<router_id>> lists(std::size_t{2} * q * q);
  for (std::uint32_t x = 0; x < q; ++x) {
    for (std::uint32_t y = 0; y < q; ++y) {
      for (std::uint32_t half = 0; half < 2; ++half)
        for (const std::uint32_t difference : sets[half])
          lists[number(half, x, y)].push_back(number(half, x, field.add(y, difference)));
      for (std::uint32_t m = 0; m < q; ++m) {
        const std::uint32_t c = field.subtract(y, field.multiply(m, x));
        lists[number(0, x, y)].push_back(number(1, m, c));
        lists[number(1, m, c)].push_back(number(0, x, y));
      }
    }
  }
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

const field_shape& check(const slim_fly_parameters& p) {
  generator_detail::check_options(p.options, 2, "routing in a Slim Fly");
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  const auto* const field =
      std::find_if(Fields.begin(), Fields.end(), [&](const field_shape& f) { return f.order == p.order; });
  if (field == Fields.end())
    reject("order is {}; give a prime power of at most 9 that is not 2 modulo 4: 3, 4, 5, 7, 8 or 9", p.order);
  const std::uint32_t degree = (3 * p.order + (p.order % 4 == 3)) / 2;
  generator_detail::check_ports(degree, p.nodes, p.options, "order, ");
  return *field;
}

topology_kind make_slim_fly_kind() {
  topology_kind kind{};
  kind.name = "slim_fly";
  kind.noun = "a Slim Fly";
  kind.description = "a graph of diameter 2 with few links for each router";
  kind.keys = {{"order", integer_option<topology_options, std::uint32_t>{&topology_options::order, 3, 9}, "",
                "Order q of a Slim Fly, which has 2 q² routers: 3, 4, 5, 7, 8 or 9."},
               generator_detail::nodes_per_router_key()};
  kind.usual = &shortest_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    const std::uint64_t order = plan.topology.order;
    return 2 * order * order * plan.topology.nodes_per_router;
  };
  kind.make = [](const network_plan& plan) {
    return make_slim_fly({plan.topology.order, plan.network, plan.topology.nodes_per_router});
  };
  return kind;
}

}  // namespace

topology make_slim_fly(const slim_fly_parameters& p) {
  const finite_field field(check(p));
  const std::vector<std::vector<router_id>> neighbours = neighbours_in(field);
  topology t;
  t.kind = "slim_fly";
  for (router_id r = 0; r < neighbours.size(); ++r) {
    router_info router;
    for (std::size_t port = 0; port < neighbours[r].size(); ++port)
      router.port_names.push_back(fmt::format("link{}", port));
    generator_detail::connect(t, r, neighbours, p.options.link_cycles);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  route_shortest_by_hops(t, p.options.vcs);
  return t;
}

const topology_kind& slim_fly_topology() {
  static const topology_kind Kind = make_slim_fly_kind();
  return Kind;
}

}  // namespace weft
