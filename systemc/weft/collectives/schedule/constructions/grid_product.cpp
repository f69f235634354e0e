// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/grid_product.h"

#include <algorithm>
#include <numeric>

#include "weft/collectives/schedule/constructions/grid_shape.h"
#include "weft/collectives/schedule/constructions/random_order.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {
namespace {

/// A block: transfers that belong together, because they come from one piece in each dimension.
struct block {
  step transfers;
  std::size_t moving = 0;  ///< dimensions in which the pieces move
};

/// All requested messages whose moves are in the parts, routed dimension by dimension. In each dimension, a path uses a
/// row that the end positions of the dimensions before it and the start positions of the dimensions after it determine.
/// Therefore parts A and B yield disjoint paths. So do the unions of A1 x B1, A2 x B2, … if the A parts end at
/// different positions and the B parts begin at different positions, as the parts of a class do.
class product {
 public:
  product(const problem& p, const grid_shape& shape) : m_p(p), m_shape(shape) {
    for (const grid_shape::side& s : shape.sides()) m_classes.push_back(line_classes(s.kind, s.length));
    // With a single dimension, its parts follow one another.
    if (m_classes.size() == 1) m_classes.push_back(line_classes(line_kind::Line, 1));
    m_sends.assign(p.network.nodes(), false);
    m_receives = m_sends;
    for (const node_id n : p.requested.senders) m_sends[n] = true;
    for (const node_id n : p.requested.receivers) m_receives[n] = true;
  }

  /// Blocks of each step.
  std::vector<std::vector<block>> run() {
    std::vector<std::vector<block>> steps;
    std::vector<std::size_t> chosen(m_classes.size(), 0);
    do add_class(chosen, steps);
    while (advance(chosen, [&](std::size_t d) { return m_classes[d].size(); }));
    return steps;
  }

 private:
  template <class Limit>
  static bool advance(std::vector<std::size_t>& digits, Limit limit) {
    for (std::size_t d = 0; d < digits.size(); ++d) {
      if (++digits[d] < limit(d)) return true;
      digits[d] = 0;
    }
    return false;
  }

  /// Combines part i of the first dimension with parts i + offset of the others, for all offsets.
  void add_class(const std::vector<std::size_t>& chosen, std::vector<std::vector<block>>& steps) {
    std::size_t parts = 1;
    for (std::size_t d = 0; d < chosen.size(); ++d) parts = std::max(parts, m_classes[d][chosen[d]].size());
    std::vector<std::size_t> offsets(chosen.size() - 1, 0);
    do {
      std::vector<block> made;
      for (std::size_t i = 0; i < parts; ++i) {
        std::vector<const line_part*> together;
        for (std::size_t d = 0; d < chosen.size(); ++d) {
          const std::size_t part = (i + (d == 0 ? 0 : offsets[d - 1])) % parts;
          if (part < m_classes[d][chosen[d]].size()) together.push_back(&m_classes[d][chosen[d]][part]);
        }
        if (together.size() == chosen.size()) add_parts(together, made);
      }
      if (!made.empty()) steps.push_back(std::move(made));
    } while (advance(offsets, [&](std::size_t) { return parts; }));
  }

  void add_parts(const std::vector<const line_part*>& parts, std::vector<block>& made) {
    std::vector<std::size_t> piece(parts.size(), 0);
    do {
      block b;
      std::vector<const line_piece*> pieces;
      for (std::size_t d = 0; d < parts.size(); ++d) {
        pieces.push_back(&(*parts[d])[piece[d]]);
        b.moving += pieces.back()->front().from != pieces.back()->front().to;
      }
      add_pieces(pieces, b.transfers);
      if (!b.transfers.empty()) made.push_back(std::move(b));
    } while (advance(piece, [&](std::size_t d) { return parts[d]->size(); }));
  }

  void add_pieces(const std::vector<const line_piece*>& pieces, step& transfers) {
    std::vector<std::size_t> digit(pieces.size(), 0);
    std::vector<line_move> moves(pieces.size());
    do {
      node_id from = 0, to = 0;
      for (std::size_t d = 0; d < pieces.size(); ++d) {
        moves[d] = (*pieces[d])[digit[d]];
        if (d >= m_shape.sides().size()) continue;
        from += static_cast<node_id>(moves[d].from * m_shape.sides()[d].stride);
        to += static_cast<node_id>(moves[d].to * m_shape.sides()[d].stride);
      }
      if (from == to || !m_sends[from] || !m_receives[to]) continue;
      const node_id name = m_p.requested.what == operation::Scatter ? to : message::Everyone;
      transfers.push_back({from, to, {{from, name}}, m_shape.path(from, to, moves)});
    } while (advance(digit, [&](std::size_t d) { return pieces[d]->size(); }));
  }

  const problem& m_p;
  const grid_shape& m_shape;
  std::vector<std::vector<line_class>> m_classes;  // by dimension
  std::vector<bool> m_sends, m_receives;           // by node
};

/// Returns steps in which each block is in the first step that has enough capacity.
std::vector<std::vector<std::size_t>> first_fit(const step_network& network, const std::vector<block>& blocks,
                                                const std::vector<std::size_t>& order) {
  std::vector<std::vector<std::size_t>> steps;
  std::vector<residual_capacity> capacities;
  for (const std::size_t b : order) {
    const auto fits = [&](residual_capacity& capacity) {
      std::size_t taken = 0;
      for (const transfer& t : blocks[b].transfers) {
        if (!capacity.fits(t.path)) break;
        capacity.reserve(t.path);
        ++taken;
      }
      if (taken == blocks[b].transfers.size()) return true;
      while (taken > 0) capacity.release(blocks[b].transfers[--taken].path);
      return false;
    };
    std::size_t s = 0;
    while (s < capacities.size() && !fits(capacities[s])) ++s;
    if (s == capacities.size()) {
      capacities.emplace_back(network);
      fits(capacities.back());
      steps.emplace_back();
    }
    steps[s].push_back(b);
  }
  return steps;
}

/// If there are few blocks, packs them again. First come the blocks that move in most dimensions and have the most
/// transfers; further attempts use random orders.
void repack(const problem& p, const search_control& control, std::vector<std::vector<block>>& steps) {
  constexpr std::size_t MostTransfers = 10'000, Attempts = 24;
  std::vector<block> blocks;
  std::size_t transfers = 0;
  for (const auto& s : steps) {
    for (const block& b : s) transfers += b.transfers.size();
    if (transfers > MostTransfers) return;
    blocks.insert(blocks.end(), s.begin(), s.end());
  }
  std::size_t best = steps.size();
  std::vector<std::vector<std::size_t>> packed;
  for (std::size_t i = 0; i < Attempts && best > control.enough && !control.over(); ++i) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (i > 0) random_order(control.seed, i).shuffle(order);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::make_pair(blocks[a].moving, blocks[a].transfers.size()) >
             std::make_pair(blocks[b].moving, blocks[b].transfers.size());
    });
    auto found = first_fit(p.network, blocks, order);
    if (found.size() >= best) continue;
    best = found.size();
    packed = std::move(found);
  }
  if (packed.empty()) return;
  steps.assign(packed.size(), {});
  for (std::size_t s = 0; s < packed.size(); ++s) {
    for (const std::size_t b : packed[s]) steps[s].push_back(std::move(blocks[b]));
  }
}

search_result run_grid_product(const problem& p, const search_control& control) {
  const grid_shape shape = *grid_shape::of(p.network);
  auto blocks = product(p, shape).run();
  repack(p, control, blocks);
  step_schedule found;
  for (auto& of_step : blocks) {
    found.steps.emplace_back();
    for (block& b : of_step) {
      std::move(b.transfers.begin(), b.transfers.end(), std::back_inserter(found.steps.back()));
    }
  }
  return {std::move(found), 0, {}};
}

std::string why_not_grid_product(const problem& p) {
  if (p.requested.what == operation::Broadcast || p.requested.senders.size() == 1)
    return "it is for a scatter from several nodes";
  if (!grid_shape::of(p.network)) {
    return "the network is not a mesh, torus, ring or hypercube with one node at each router, numbered row by row";
  }
  return {};
}

}  // namespace

const method& grid_product() {
  static const method m{"grid_product",
                        "exchange on meshes, tori, rings and hypercubes: products of patterns of one dimension (after "
                        "Hinrichs et al. 1994)",
                        method::kind::Construction, why_not_grid_product, run_grid_product};
  return m;
}

}  // namespace weft::schedule
