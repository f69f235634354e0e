// SPDX-License-Identifier: Apache-2.0
/// Collectives without groups.
#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "weft/collectives/communication/collective_generators.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;

std::vector<step_id> level_steps(collective_builder& builder, collective_algorithm a,
                                 const std::vector<broadcast_job>& jobs) {
  if (!has_rounds(a)) return {builder.step("send")};
  std::uint32_t levels = 1;
  for (const broadcast_job& job : jobs) {
    if (!job.sends->empty()) levels = std::max(levels, job.sends->back().level + 1);
  }
  std::vector<step_id> steps;
  for (std::uint32_t level = 1; level <= levels; ++level) steps.push_back(builder.step(std::to_string(level)));
  return steps;
}

}  // namespace

void broadcast_by_trees(collective_builder& builder, const collective_parameters& p,
                        const collective_network& network) {
  const bool everyone = p.receivers.size() == network.nodes;
  std::deque<node_grid> grids;  // one for all sources, or one for each
  std::deque<broadcast_trees> trees;
  std::deque<std::vector<tree_send>> sends;
  std::vector<broadcast_job> jobs;
  for (datum_id d = 0; d < builder.data().size(); ++d) {
    const node_id owner = builder.data()[d].owner;
    if (d == 0 || owner != builder.data()[d - 1].owner) {
      if (grids.empty() || !everyone) {
        grids.push_back(nodes_of_tree(owner, p.receivers, network));
        trees.emplace_back(p.algorithm, grids.back(), network);
      }
      sends.push_back(trees.back().from(index_of(grids.back(), owner)));
    }
    broadcast_job job;
    job.grid = &grids.back();
    job.sends = &sends.back();
    job.operands = {d};
    jobs.push_back(std::move(job));
  }
  builder.run(jobs, level_steps(builder, p.algorithm, jobs));
}

void exchange_by_doubling(collective_builder& builder, payload_form form, const collective_network& network) {
  const node_grid all = all_nodes(network);
  std::vector<std::vector<datum_id>> has(all.size());
  std::vector<std::vector<message_id>> arrived(all.size());
  for (datum_id d = 0; d < builder.data().size(); ++d) has[builder.data()[d].owner].push_back(d);
  unsigned round = 0;
  std::uint32_t stride = 1;
  for (const std::uint32_t side : all.sides) {
    for (std::uint32_t bit = 1; bit < side; bit *= 2) {
      const step_id step = builder.step(std::to_string(++round));
      std::vector<message_id> sent(all.size());
      for (node_id n = 0; n < all.size(); ++n) {
        sent[n] = builder.add(n, n ^ (bit * stride), step, has[n].size() == 1 ? payload_form::Datum : form, has[n],
                              arrived[n]);
      }
      const std::vector<std::vector<datum_id>> before = has;
      for (node_id n = 0; n < all.size(); ++n) {
        const node_id partner = n ^ (bit * stride);
        has[n].insert(has[n].end(), before[partner].begin(), before[partner].end());
        std::sort(has[n].begin(), has[n].end());
        arrived[n].push_back(sent[partner]);
      }
    }
    stride *= side;
  }
}

void broadcast_by_butterfly(collective_builder& builder, const collective_parameters& p) {
  const bool coded = p.algorithm == algorithm::Butterfly;
  const node_id first = p.relays.front(), last = p.relays.back();
  const step_id direct = builder.step("direct"), shared = builder.step("shared"), out = builder.step("out");
  std::vector<message_id> at_relay;
  std::vector<std::vector<datum_id>> of(2);
  for (datum_id d = 0; d < builder.data().size(); ++d) {
    const std::size_t i = builder.data()[d].owner == p.sources[0] ? 0 : 1;
    of[i].push_back(d);
    builder.add(p.sources[i], p.receivers[i], direct, payload_form::Datum, {d}, {});
    const message_id m = builder.add(p.sources[i], first, direct, payload_form::Datum, {d}, {});
    builder.add_received(first, d, m);
  }
  const auto relay = [&](payload_form form, const std::vector<datum_id>& operands, const std::vector<node_id>& to) {
    std::vector<message_id> after = builder.after(first, operands);
    if (first != last) after = {builder.add(first, last, shared, form, operands, after)};
    for (const node_id receiver : to) builder.add(last, receiver, out, form, operands, after);
  };
  for (std::size_t i = 0; i < of[0].size(); ++i) {
    if (coded) {
      relay(payload_form::Xor, {of[0][i], of[1][i]}, p.receivers);
    } else {
      relay(payload_form::Datum, {of[0][i]}, {p.receivers[1]});
      relay(payload_form::Datum, {of[1][i]}, {p.receivers[0]});
    }
  }
}

void broadcast_with_parity(collective_builder& builder, const collective_parameters& p) {
  const step_id step = builder.step("send");
  for (std::size_t s = 0; s < p.sources.size(); ++s) {
    const node_id source = p.sources[s];
    const auto first = static_cast<datum_id>(s * p.packets);
    for (datum_id block = first; block < first + p.packets; block += p.parity) {
      std::vector<datum_id> covered;
      for (datum_id d = block; d < std::min(block + p.parity, first + p.packets); ++d) covered.push_back(d);
      const payload_form form = covered.size() == 1 ? payload_form::Datum : payload_form::Xor;
      for (const datum_id d : covered) {
        for (const node_id r : p.receivers) {
          if (r != source) builder.add(source, r, step, payload_form::Datum, {d}, {});
        }
      }
      for (const node_id r : p.receivers) {
        if (r != source) builder.add(source, r, step, form, covered, {});
      }
    }
  }
}

}  // namespace weft
