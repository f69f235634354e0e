// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "weft/collectives/schedule/papers_formulas_parts.h"
#include "weft/collectives/schedule/papers_numbers.h"

namespace weft::schedule {
namespace {

using family_kind = network_family::kind;
using papers_claim = papers_formula::claim;

/// The four collectives of the tables: OAB, AAB, OAS, AAS.
enum class column : std::uint8_t { Oab, Aab, Oas, Aas };

column column_of(operation what, bool from_all) {
  if (what == operation::Broadcast) return from_all ? column::Aab : column::Oab;
  return from_all ? column::Aas : column::Oas;
}

column column_of(const problem& p) {
  return column_of(p.requested.what, pattern_of(p.requested, p.network.nodes()) == pattern::AllToAll);
}

/// A table entry for one collective.
struct entry {
  const char* text;  ///< R, TCO
  schedule_cost printed;
};

papers_formula reached(std::string source, const entry& e) {
  return {std::move(source), papers_claim::Reached, e.text, e.printed};
}

entry on_ring(column c, std::size_t p) {
  const std::size_t log = ceil_log2(p);
  switch (c) {
    case column::Oab:
      return {"R = TCO = ceil(log2 P)", {log, log}};
    case column::Aab:
      return {"R = TCO = P-1", {p - 1, p - 1}};
    case column::Oas:
      return {"R = ceil(log2 P), TCO = P-1", {log, p - 1}};
    case column::Aas:
      break;
  }
  return {"R = P-1, TCO = P(P-1)/2", {p - 1, p * (p - 1) / 2}};
}

/// FATTREE Table III, for a mesh with a rows and b columns.
entry on_mesh(column c, std::size_t a, std::size_t b) {
  const std::size_t logs = ceil_log2(a) + ceil_log2(b);
  const auto up = [](std::size_t x) { return std::size_t{1} << ceil_log2(x); };
  switch (c) {
    case column::Oab:
      return {"R = TCO = ceil(log2 A) + ceil(log2 B)", {logs, logs}};
    case column::Aab:
      return {"R = A+B-2, TCO = AB-1", {a + b - 2, a * b - 1}};
    case column::Oas:
      return {"R = ceil(log2 A) + ceil(log2 B), TCO = A(B'-1) + A'-1, X' = 2^ceil(log2 X)",
              {logs, a * (up(b) - 1) + up(a) - 1}};
    case column::Aas:
      break;
  }
  return {"R = A+B-2, TCO = AB(A+B-2)/2", {a + b - 2, a * b * (a + b - 2) / 2}};
}

/// RINGS, second Table 2, for a square of P = s * s.
entry on_square_mesh(column c, std::size_t s) {
  const std::size_t logs = 2 * ceil_log2(s);
  switch (c) {
    case column::Oab:
      return {"R = TCO = 2 ceil(log2 sqrt(P))", {logs, logs}};
    case column::Aab:
      return {"R = 2(sqrt(P)-1), TCO = P-1", {2 * (s - 1), s * s - 1}};
    case column::Oas:
      return {"R = 2 ceil(log2 sqrt(P)), TCO = P-1", {logs, s * s - 1}};
    case column::Aas:
      break;
  }
  return {"R = 2(sqrt(P)-1), TCO = P(sqrt(P)-1)", {2 * (s - 1), s * s * (s - 1)}};
}

/// FATTREE Table IV, P = 2^n.
entry on_hypercube(column c, std::size_t p) {
  const std::size_t log = ceil_log2(p);
  switch (c) {
    case column::Oab:
      return {"R = TCO = log2 P", {log, log}};
    case column::Aab:
    case column::Oas:
      return {"R = log2 P, TCO = P-1", {log, p - 1}};
    case column::Aas:
      break;
  }
  return {"R = log2 P, TCO = (P/2) log2 P", {log, p / 2 * log}};
}

/// Whether the table contains these rings. It contains networks of 16 and 64 nodes, in rings of four.
bool is_in_table_three(const std::vector<std::uint32_t>& sizes) {
  return (sizes.size() == 2 || sizes.size() == 3) &&
         std::all_of(sizes.begin(), sizes.end(), [](std::uint32_t members) { return members == 4; });
}

/// Returns the source of a cost of hierarchical rings: the table, or the algorithm from which it comes.
const char* source_of_rings(const std::vector<std::uint32_t>& sizes) {
  return is_in_table_three(sizes) ? "RINGS Table 3" : "RINGS section 3.2";
}

/// RINGS Table 3, for rings of any sizes: a ring of level l has s_l members, and S_l nodes are below each of them.
/// Section 3.2 gathers and distributes level by level, and rotates on the topmost ring.
entry on_hierarchical_rings(column c, const std::vector<std::uint32_t>& sizes) {
  std::size_t p = 1, logs = 0, gathered = 0;  // contributions of the levels below the topmost ring
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    gathered += p * (sizes[l] - 1);
    logs += ceil_log2(sizes[l]);
    p *= sizes[l];
  }
  const std::size_t top = sizes.back(), below = p;
  p *= top;
  switch (c) {
    case column::Oab:
      return {"R = TCO = sum of ceil(log2 s_l)", {logs + ceil_log2(top), logs + ceil_log2(top)}};
    case column::Aab:
      return {"gather, rotate on top, broadcast: TCO = P-1 + P times the sum of log2 s_l below the top",
              {2 * logs + top - 1, gathered + (top - 1) * below + p * logs}};
    case column::Oas:
      return {"R = sum of ceil(log2 s_l), TCO = P-1", {logs + ceil_log2(top), p - 1}};
    case column::Aas:
      break;
  }
  return {
      "gather, exchange on top, scatter: TCO = 2(P-1) times the sum of S_l(s_l-1) below the top, + (s-1) S^2 on top",
      {2 * logs + top - 1, 2 * (p - 1) * gathered + (top - 1) * below * below}};
}

bool is_power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }

papers_formula embedded_hypercube(column c, std::size_t nodes) {
  papers_formula f = reached("FATTREE Table IV", on_hypercube(c, nodes));
  f.remark = "on an embedded hypercube, if no two paths of a dimension share a channel";
  return f;
}

void add_mesh(column c, const std::vector<std::uint32_t>& sizes, std::vector<papers_formula>& all) {
  if (sizes.size() != 2) return;
  if (sizes[0] == sizes[1]) all.push_back(reached("RINGS Table 2 (the second)", on_square_mesh(c, sizes[0])));
  papers_formula f = reached("FATTREE Table III", on_mesh(c, sizes[1], sizes[0]));
  if (c == column::Oas) f.remark = "eq. 4 prints the first size as mA'B'/2: it is mAB'/2";
  all.push_back(f);
}

papers_threshold threshold(std::string source, std::string text, const schedule_cost& direct,
                           const schedule_cost& combining, double below) {
  papers_threshold t{std::move(source), std::move(text)};
  t.printed = (static_cast<double>(direct.start_ups) - static_cast<double>(combining.start_ups)) / below;
  t.holds = break_even(direct, combining);
  t.remark = "printed with <=: direct schedules win from there on, at >=";
  if (!t.holds) {
    t.remark = dominates(combining, direct) ? "the combining schedule is faster at any length"
                                            : "the direct schedule is faster at any length";
  }
  return t;
}

double difference(std::size_t a, std::size_t b) { return static_cast<double>(a) - static_cast<double>(b); }

void add_mesh_threshold(column c, const network_family& family, const problem& p, std::vector<papers_threshold>& all) {
  const std::size_t nodes = p.network.nodes();
  const schedule_cost combining = on_mesh(c, family.sizes[1], family.sizes[0]).printed;
  std::size_t r = ceil_div(nodes - 1, ports_of(p));
  const char* text = "(ceil((P-1)/k) - R)/(TCO - ceil((P-1)/k))";
  if (c == column::Aas) {
    r = ceil_div(nodes * nodes, 4 * std::min(family.sizes[0], family.sizes[1]));
    text = "(ceil(P^2/(4A)) - R)/(TCO - ceil(P^2/(4A)))";
  }
  all.push_back(threshold("FATTREE eq. 8", text, {r, r}, combining, difference(combining.occupancy, r)));
}

}  // namespace

void add_combining_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  const column c = column_of(p);
  const std::size_t nodes = p.network.nodes();
  if (family.nodes_per_router > 1) return;
  switch (family.what) {
    case family_kind::Ring:
      all.push_back(reached("RINGS Table 2 (the second)", on_ring(c, nodes)));
      break;
    case family_kind::HierarchicalRing:
      all.push_back(reached(source_of_rings(family.sizes), on_hierarchical_rings(c, family.sizes)));
      break;
    case family_kind::Mesh:
      add_mesh(c, family.sizes, all);
      break;
    case family_kind::Hypercube:
      all.push_back(reached("FATTREE Table IV", on_hypercube(c, nodes)));
      break;
    case family_kind::FatTree:
      if (is_power_of_two(nodes)) all.push_back(embedded_hypercube(c, nodes));
      break;
    case family_kind::Torus:
    case family_kind::Octagon:
    case family_kind::Other:
      break;
  }
}

void add_ring_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  if (family.what != family_kind::HierarchicalRing || family.nodes_per_router > 1) return;
  const column c = column_of(p);
  const std::vector<std::uint32_t>& s = family.sizes;
  if (c == column::Oab || c == column::Oas) return;
  std::size_t exchange = 0, below = 1;  // steps of AAS, level by level
  std::size_t gossip = 0, spread = 1;   // steps of AAB from the topmost level down, each of `spread` messages
  std::size_t occupancy = 0;
  for (const std::uint32_t members : s) {
    exchange += (members - 1) * below * below;
    below *= members;
  }
  for (std::size_t l = s.size(); l-- > 0;) {
    below /= s[l];
    gossip += (s[l] - 1) * below;
    occupancy += (s[l] - 1) * below * spread;
    spread *= s[l];
  }
  if (c == column::Aas) {
    all.push_back(reached(source_of_rings(s), {"sum of (s_l-1) S_l^2", {exchange, exchange}}));
    return;
  }
  papers_formula f = reached(source_of_rings(s), {"sum of (s_l-1) S_l steps, of as many messages as rings above", {}});
  f.printed = {gossip, occupancy};
  f.holds = s.size() == 1;
  if (!f.holds) f.remark = "printed as non-combining, but steps below the topmost ring carry several messages";
  if (is_in_table_three(s) && s.size() == 3) {
    const std::size_t low = (s[0] - 1) + (s[1] - 1) * std::size_t{s[0]} * s[0], top = (s[2] - 1) * s[0] * s[1];
    f.remark += fmt::format("; the table prints {}/{}, with the steps of AAS below the topmost ring", top + low,
                            top + low * s[2]);
  }
  all.push_back(f);
}

papers_formula embedded_mesh_formula(operation what, bool from_all, std::size_t rows, std::size_t columns, unsigned e1,
                                     unsigned e2) {
  const column c = column_of(what, from_all);
  papers_formula f = reached("FATTREE Table III", on_mesh(c, rows, columns));
  if (from_all) {
    f.source = "FATTREE eq. 11";
    f.text =
        fmt::format("R = e1(B-1) + e2(A-1), {}", what == operation::Broadcast ? "TCO = AB-1" : "TCO = AB(A+B-2)/2");
    f.printed.start_ups = e1 * (columns - 1) + e2 * (rows - 1);
    if (e1 > 1 || e2 > 1) {
      f.holds = false;
      f.remark = "TCO stays only if repeated steps carry parts of the messages; whole ones multiply it as R";
    }
  }
  return f;
}

std::vector<papers_threshold> papers_thresholds(const network_family& family, const problem& p) {
  std::vector<papers_threshold> all;
  const std::size_t nodes = p.network.nodes();
  if (pattern_of(p.requested, nodes) == pattern::ManyToMany || family.nodes_per_router > 1) return all;
  const column c = column_of(p);
  if (c == column::Oab) return all;
  if (family.what == family_kind::Mesh && family.sizes.size() == 2) add_mesh_threshold(c, family, p, all);
  if (family.what == family_kind::FatTree && is_power_of_two(nodes)) {
    const std::size_t r = ceil_div(nodes - 1, family.parents[0]);
    const schedule_cost combining = on_hypercube(c, nodes).printed;
    if (c != column::Aas) {
      all.push_back(threshold("FATTREE eq. 10", "(ceil((P-1)/w1) - log2 P)/(P-1 - ceil((P-1)/w1))", {r, r}, combining,
                              difference(nodes - 1, r)));
      return all;
    }
    papers_threshold t =
        threshold("FATTREE eq. 10", "(ceil((P-1)/w1) - log2 P)/((P/2)(log2 P - ceil((P-1)/w1)))", {r, r}, combining,
                  static_cast<double>(nodes) / 2 * difference(combining.start_ups, r));
    t.remark += "; the denominator is (P/2) log2 P - ceil((P-1)/w1)";
    all.push_back(t);
  }
  return all;
}

}  // namespace weft::schedule
