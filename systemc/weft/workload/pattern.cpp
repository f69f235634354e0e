// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/pattern.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

bool is_power_of_two(std::uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

/// log2 of a power of two.
unsigned bits_of(std::uint32_t nodes) {
  unsigned bits = 0;
  while (nodes >> (bits + 1) != 0) ++bits;
  return bits;
}

/// map[s] = function(s) for every node s.
template <class Function>
std::vector<node_id> map_nodes(std::uint32_t nodes, Function function) {
  std::vector<node_id> map(nodes);
  for (node_id s = 0; s < nodes; ++s) map[s] = function(s);
  return map;
}

/// A pattern on the bits of the node number: function(s, bits). Rotations need at least one bit.
template <class Function>
std::vector<node_id> map_bits(const char* name, std::uint32_t nodes, Function function) {
  if (!is_power_of_two(nodes)) {
    throw std::invalid_argument(
        fmt::format("pattern {}: needs a number of nodes that is a power of two, but this network has {}; choose "
                    "one with {} or {} nodes, or another pattern, such as uniform",
                    name, nodes, 1u << bits_of(nodes), std::uint64_t{2} << bits_of(nodes)));
  }
  const unsigned bits = bits_of(nodes);
  return map_nodes(nodes, [&](node_id s) { return bits == 0 ? s : function(s, bits); });
}

/// Maps node i of each place to node i of the place function(place).
template <class Function>
std::vector<node_id> map_places(std::uint32_t nodes, const node_placement& grid, Function function) {
  std::vector<node_id> map(nodes);
  for (std::uint32_t place = 0; place < nodes / grid.nodes; ++place) {
    const std::uint32_t to = function(place);
    for (std::uint32_t i = 0; i < grid.nodes; ++i) map[grid.at(place, i)] = grid.at(to, i);
  }
  return map;
}

/// A pattern that shifts every coordinate by step(side), with wrap-around.
template <class Function>
std::vector<node_id> map_coordinates(const char* name, std::uint32_t nodes, const node_placement& grid, Function step) {
  if (!grid.is_of(nodes)) {
    throw std::invalid_argument(fmt::format(
        "pattern {}: needs a grid, such as a mesh, torus or ring, in which every router has the same number of nodes, "
        "but this network of {} nodes is no such grid; choose another pattern, such as uniform",
        name, nodes));
  }
  return map_places(nodes, grid, [&](std::uint32_t place) {
    std::uint32_t to = 0, stride = 1;
    for (const std::uint32_t side : grid.shape) {
      const std::uint64_t x = place / stride % side;
      to += static_cast<std::uint32_t>((x + step(side)) % side) * stride;
      stride *= side;
    }
    return to;
  });
}

std::vector<node_id> transpose(std::uint32_t nodes, const node_placement& grid) {
  if (grid.shape.size() == 2 && grid.shape[0] == grid.shape[1] && grid.is_of(nodes)) {
    const std::uint32_t k = grid.shape[0];
    return map_places(nodes, grid, [k](std::uint32_t place) { return place % k * k + place / k; });
  }
  if (!is_power_of_two(nodes) || bits_of(nodes) % 2 != 0) {
    throw std::invalid_argument(
        fmt::format("pattern transpose: needs a square grid of two dimensions or 4, 16, 64, … nodes, but this network "
                    "of {} nodes has neither; choose another pattern, such as uniform",
                    nodes));
  }
  const unsigned half = bits_of(nodes) / 2;
  return map_nodes(nodes, [&](node_id s) { return s >> half | (s << half & (nodes - 1)); });
}

node_id reverse(node_id s, unsigned bits) {
  node_id d = 0;
  for (unsigned i = 0; i < bits; ++i) d |= (s >> i & 1) << (bits - 1 - i);
  return d;
}

std::vector<node_id> read_permutation(const std::filesystem::path& file, std::uint32_t nodes) {
  if (file.empty()) {
    throw std::invalid_argument("pattern permutation: needs a file with a line `source destination` for each node");
  }
  const std::string text = read_file(file);
  text_table table(text, file.string(), {"source", "destination"});
  const node_id none = nodes;
  std::vector<node_id> map(nodes, none);
  std::uint64_t row[2];
  while (table.next(row)) {
    if (row[0] >= nodes || row[1] >= nodes)
      table.wrong(fmt::format("expected a node in 0…{}, found {}", nodes - 1, row[0] >= nodes ? row[0] : row[1]));
    else if (map[row[0]] != none)
      table.wrong(fmt::format("source {} already has the destination {}", row[0], map[row[0]]));
    else
      map[row[0]] = static_cast<node_id>(row[1]);
  }
  const auto missing = std::find(map.begin(), map.end(), none);
  if (missing != map.end()) {
    table.fail(
        fmt::format("the file ends without a destination for source {}; expected a line for each of the {} nodes",
                    missing - map.begin(), nodes));
  }
  return map;
}

std::vector<node_id> checked_hotspots(std::vector<node_id> hotspots, double share, std::uint32_t nodes) {
  if (hotspots.empty()) throw std::invalid_argument("pattern hotspot: needs at least one node in hotspots");
  if (!(share >= 0 && share <= 1)) {
    throw std::invalid_argument(fmt::format("pattern hotspot: hotspot_share must be 0…1, not {}", share));
  }
  std::sort(hotspots.begin(), hotspots.end());
  if (hotspots.back() >= nodes) {
    throw std::invalid_argument(
        fmt::format("pattern hotspot: node {} does not exist; expected 0…{}", hotspots.back(), nodes - 1));
  }
  const auto duplicate = std::adjacent_find(hotspots.begin(), hotspots.end());
  if (duplicate != hotspots.end()) {
    throw std::invalid_argument(fmt::format("pattern hotspot: node {} is listed twice; list it once", *duplicate));
  }
  return hotspots;
}

pattern_destinations mapped(std::vector<node_id> map) {
  pattern_destinations to;
  to.map = std::move(map);
  return to;
}

// Implementations of pattern_kind::make.

using parameters_t = pattern_parameters;

pattern_destinations make_uniform(const parameters_t&, std::uint32_t, const node_placement&) { return {}; }

pattern_destinations make_transpose(const parameters_t&, std::uint32_t nodes, const node_placement& grid) {
  return mapped(transpose(nodes, grid));
}

pattern_destinations make_bit_reversal(const parameters_t&, std::uint32_t nodes, const node_placement&) {
  return mapped(map_bits("bit_reversal", nodes, reverse));
}

pattern_destinations make_bit_complement(const parameters_t&, std::uint32_t nodes, const node_placement&) {
  std::vector<node_id> map(nodes);
  for (node_id s = 0; s < nodes; ++s) map[s] = nodes - 1 - s;
  return mapped(std::move(map));
}

pattern_destinations make_bit_rotation(const parameters_t&, std::uint32_t nodes, const node_placement&) {
  return mapped(
      map_bits("bit_rotation", nodes, [](node_id s, unsigned bits) { return s >> 1 | (s & 1) << (bits - 1); }));
}

pattern_destinations make_shuffle(const parameters_t&, std::uint32_t nodes, const node_placement&) {
  return mapped(map_bits("shuffle", nodes,
                         [nodes](node_id s, unsigned bits) { return (s << 1 & (nodes - 1)) | s >> (bits - 1); }));
}

pattern_destinations make_tornado(const parameters_t&, std::uint32_t nodes, const node_placement& grid) {
  return mapped(map_coordinates("tornado", nodes, grid, [](std::uint64_t k) { return (k + 1) / 2 - 1; }));
}

pattern_destinations make_neighbour(const parameters_t&, std::uint32_t nodes, const node_placement& grid) {
  return mapped(map_coordinates("neighbour", nodes, grid, [](std::uint64_t) { return std::uint64_t{1}; }));
}

pattern_destinations make_shift(const parameters_t& p, std::uint32_t nodes, const node_placement&) {
  std::vector<node_id> map(nodes);
  for (node_id s = 0; s < nodes; ++s) map[s] = static_cast<node_id>((std::uint64_t{s} + p.shift) % nodes);
  return mapped(std::move(map));
}

pattern_destinations make_hotspot(const parameters_t& p, std::uint32_t nodes, const node_placement&) {
  pattern_destinations to;
  to.hotspots = checked_hotspots(p.hotspots, p.hotspot_share, nodes);
  to.hotspot_share = p.hotspot_share;
  return to;
}

pattern_destinations make_permutation(const parameters_t& p, std::uint32_t nodes, const node_placement&) {
  return mapped(read_permutation(p.file, nodes));
}

pattern_destinations make_matrix(const parameters_t& p, std::uint32_t nodes, const node_placement&) {
  if (p.file.empty()) {
    throw std::invalid_argument(fmt::format(
        "pattern matrix: needs a file with lines `source destination rate`, or with {0} rows of {0} rates", nodes));
  }
  pattern_destinations to;
  to.matrix = std::make_shared<const traffic_matrix>(read_traffic_matrix(p.file, nodes));
  return to;
}

/// Builds an entry of pattern_kinds() from named parts.
class pattern {
 public:
  pattern(const char* name, decltype(pattern_kind::make) make) {
    m_kind.name = name;
    m_kind.make = make;
  }
  pattern& described(const char* text) { return set(m_kind.description, text); }
  pattern& formula(const char* text) { return set(m_kind.formula, text); }
  pattern& needs(const char* text) { return set(m_kind.needs, text); }
  pattern& by_place() { return set(m_kind.by_place, true); }
  pattern& keys(std::vector<std::string> names) { return set(m_kind.keys, std::move(names)); }
  operator pattern_kind() const { return m_kind; }

 private:
  template <class Field, class Value>
  pattern& set(Field& field, Value value) {
    field = std::move(value);
    return *this;
  }

  pattern_kind m_kind{};
};

const char* const PowerOfTwo = "N a power of two";
const char* const Grid =
    "a grid, also with several nodes per router, or a topology file with the coordinates of a grid";

/// Returns \p nodes; throws if it is 0.
std::uint32_t checked_nodes(std::uint32_t nodes) {
  if (nodes == 0) throw std::invalid_argument("traffic pattern: the network has no nodes");
  return nodes;
}

}  // namespace

const std::vector<pattern_kind>& pattern_kinds() {
  static const std::vector<pattern_kind> All = {
      pattern("uniform", make_uniform)
          .described("every node with the same probability")
          .formula("any node; all are equally likely"),
      pattern("transpose", make_transpose)
          .described("node (x, y) sends to node (y, x)")
          .formula("(x, y) → (y, x); elsewhere d_i = s_(i + b/2 mod b)")
          .needs("a square grid of two dimensions, or N = 4, 16, 64, …")
          .by_place(),
      pattern("bit_reversal", make_bit_reversal)
          .described("the source number with its bits reversed")
          .formula("d_i = s_(b−1−i)")
          .needs(PowerOfTwo),
      pattern("bit_complement", make_bit_complement)
          .described("the source number with its bits inverted; in general, N − 1 minus the source number, for N nodes")
          .formula("N − 1 − s; this is d_i = ¬s_i if N is a power of two"),
      pattern("bit_rotation", make_bit_rotation)
          .described("the source number with its bits rotated right")
          .formula("d_i = s_(i+1 mod b), rotate right")
          .needs(PowerOfTwo),
      pattern("shuffle", make_shuffle)
          .described("the source number with its bits rotated left")
          .formula("d_i = s_(i−1 mod b), rotate left")
          .needs(PowerOfTwo),
      pattern("tornado", make_tornado)
          .described("the node almost halfway around each dimension")
          .formula("x → x + ⌈k/2⌉ − 1 mod k, in every dimension")
          .needs(Grid)
          .by_place(),
      pattern("neighbour", make_neighbour)
          .described("the node one router further in each dimension")
          .formula("x → x + 1 mod k, in every dimension")
          .needs(Grid)
          .by_place(),
      pattern("shift", make_shift)
          .described("the node that is `shift` nodes further")
          .formula("(s + `shift`) mod N")
          .keys({"shift"}),
      pattern("hotspot", make_hotspot)
          .described("random nodes, but the nodes in `hotspots` receive extra traffic")
          .formula("one of the nodes in `hotspots` with probability `share`; otherwise as in `uniform`")
          .keys({"hotspots", "share"}),
      pattern("permutation", make_permutation)
          .described("the destination that a file gives for each source")
          .formula("given by a file with a line `source destination` for every node; several sources may have the same "
                   "destination. `#` begins a comment")
          .keys({"file"}),
      pattern("matrix", make_matrix)
          .described("destinations and loads by the rates that a file gives for pairs of nodes")
          .formula(
              "d with the probability r(s, d) / r(s), where a file gives the [rates](#matrices) r(s, d) and r(s) is "
              "their sum over d; the load of s is in proportion to r(s)")
          .keys({"file", "rates"}),
  };
  return All;
}

const pattern_kind& find_pattern(const std::string& name) {
  for (const pattern_kind& kind : pattern_kinds())
    if (kind.name == name) return kind;
  throw std::invalid_argument(fmt::format("pattern: expected a name of pattern_kinds(), got {}", name));
}

const pattern_kind& uniform_pattern() { return find_pattern("uniform"); }

traffic_pattern::traffic_pattern(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid)
    : m_nodes(checked_nodes(nodes)),
      m_to_self(parameters.to_self),
      m_rates(parameters.rates),
      m_to(parameters.kind->make(parameters, nodes, grid)),
      m_is_uniform(m_to.map.empty() && m_to.hotspots.empty() && !m_to.matrix) {}

node_id traffic_pattern::chosen(node_id source, random_stream& random) const {
  if (!m_to.map.empty()) return m_to.map[source];
  if (m_to.matrix) return m_to.matrix->destination(source, random);
  if (!m_to.hotspots.empty() && random.chance(m_to.hotspot_share)) {
    const auto count = static_cast<std::uint32_t>(m_to.hotspots.size());
    std::uint32_t own = count;
    if (!m_to_self) {
      const auto found = std::lower_bound(m_to.hotspots.begin(), m_to.hotspots.end(), source);
      if (found != m_to.hotspots.end() && *found == source) {
        own = static_cast<std::uint32_t>(found - m_to.hotspots.begin());
      }
    }
    if (count > 1 || own == count) return m_to.hotspots[below_except(count, own, random)];
    // The only hotspot may not send to itself: this packet goes to any node, like its others.
  }
  return anywhere(source, random);
}

traffic_pattern::shares traffic_pattern::shares_of(node_id source) const {
  if (!m_to.map.empty()) return {0, {{m_to.map[source], 1}}};
  if (m_to.matrix) {
    shares s;
    m_to.matrix->for_each_share(source, [&s](node_id destination, double of_all) {
      s.directed.push_back({destination, of_all});
    });
    return s;
  }
  shares s{1, {}};
  for (const node_id hot : m_to.hotspots)
    if (m_to_self || hot != source) s.directed.push_back({hot, 0});
  if (s.directed.empty()) return s;
  s.spread = 1 - m_to.hotspot_share;
  for (shares::share& hot : s.directed) hot.of_all = m_to.hotspot_share / static_cast<double>(s.directed.size());
  return s;
}

bool traffic_pattern::active(node_id node) const {
  if (m_to.matrix) return m_to.matrix->row_sum(node) > 0;
  if (!m_to.map.empty() || m_to_self) return true;
  const bool nothing_else = m_to.hotspot_share >= 1 && m_to.hotspots.size() == 1 && m_to.hotspots.front() == node;
  return m_nodes > 1 && !nothing_else;
}

}  // namespace weft
