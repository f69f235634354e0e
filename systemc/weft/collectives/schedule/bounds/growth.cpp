// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/growth.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

constexpr std::size_t MostThresholds = 16;

/// Returns the number of transfers that each node can send, or receive, in a step. This is the number of its ports, or
/// less if fewer links lie behind them.
std::vector<std::uint64_t> degrees_of(const step_network& network, transfer_flow& flow, bool out) {
  std::vector<std::uint64_t> degrees;
  node_set one(network.nodes(), false);
  for (node_id n = 0; n < network.nodes(); ++n) {
    one[n] = true;
    node_set others = one;
    others.flip();
    degrees.push_back(out ? flow.most(one, others) : flow.most(others, one));
    one[n] = false;
  }
  return degrees;
}

/// The nodes that participate so far. The nodes with the highest degree are assumed to join first.
class crowd {
 public:
  /// \param waiting degrees of the nodes that do not participate yet
  crowd(std::uint64_t degrees, std::vector<std::uint64_t> waiting) : m_sum(degrees), m_waiting(std::move(waiting)) {
    std::sort(m_waiting.begin(), m_waiting.end(), std::greater<>());
  }
  std::uint64_t transfers() const { return m_sum; }
  std::size_t joined() const { return m_joined; }
  void join(std::uint64_t more) {
    for (; more > 0 && m_joined < m_waiting.size(); --more) m_sum += m_waiting[m_joined++];
  }

 private:
  std::uint64_t m_sum;
  std::vector<std::uint64_t> m_waiting;
  std::size_t m_joined = 0;
};

struct supply {
  const traffic& demand;
  const std::vector<std::uint64_t>& out;
  const std::vector<std::uint64_t>& in;
  node_set senders;
  std::uint64_t first;  ///< number of transfers from senders to any nodes in a step
};

/// Returns the minimum number of steps until the receivers \p q can have everything they need.
std::size_t steps_for(const supply& s, const node_set& q, transfer_flow& flow) {
  std::uint64_t lacking = 0, ports = 0, degrees = 0;
  std::vector<std::uint64_t> waiting;
  for (node_id n = 0; n < q.size(); ++n) {
    if (q[n]) {
      lacking += s.demand.received_by(n);
      ports += s.in[n];
    }
    if (s.senders[n])
      degrees += s.out[n];
    else
      waiting.push_back(s.out[n]);
  }
  const std::uint64_t first = flow.most(s.senders, q);
  if (first == 0 && s.first == 0) return 0;  // nothing moves, so there is no bound
  crowd holders(degrees, std::move(waiting));
  holders.join(s.first);
  std::size_t steps = 1;
  lacking -= std::min(lacking, first);
  while (lacking > 0) {
    const std::uint64_t transfers = std::min(holders.transfers(), ports);
    if (transfers == 0) return 0;
    ++steps;
    if (transfers == ports) return steps - 1 + divided_up(lacking, ports);  // no further growth
    lacking -= std::min(lacking, transfers);
    holders.join(holders.transfers());
  }
  return steps;
}

std::size_t steps_to_reach(std::size_t start, const std::vector<std::uint64_t>& degrees, std::size_t others) {
  if (degrees[start] == 0) return 0;
  std::vector<std::uint64_t> waiting = degrees;
  waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(start));
  crowd reached(degrees[start], std::move(waiting));
  std::size_t steps = 0;
  while (reached.joined() < others) {
    reached.join(reached.transfers());
    ++steps;
  }
  return steps;
}

}  // namespace

growth growth_of_transfers(const step_network& network, const traffic& t) {
  transfer_flow flow(network);
  const std::vector<std::uint64_t> out = degrees_of(network, flow, true), in = degrees_of(network, flow, false);
  supply s{t, out, in, node_set(network.nodes()), 0};
  std::set<std::uint64_t, std::greater<>> needs;  // the different numbers of steps that receivers need to receive
  std::vector<std::uint64_t> need(network.nodes(), 0);
  for (node_id n = 0; n < network.nodes(); ++n) {
    s.senders[n] = t.units(n) > 0;
    if (t.received_by(n) > 0 && in[n] > 0) needs.insert(need[n] = divided_up(t.received_by(n), in[n]));
  }
  s.first = flow.most(s.senders, node_set(network.nodes(), true));

  growth best;
  std::size_t tried = 0;
  for (const std::uint64_t threshold : needs) {
    if (++tried > MostThresholds) break;
    node_set q(network.nodes());
    for (node_id n = 0; n < network.nodes(); ++n) q[n] = need[n] >= threshold;
    const std::size_t steps = steps_for(s, q, flow);
    if (steps <= best.steps) continue;
    best = {steps,
            fmt::format("the senders make {} to nodes {} in the first step, and only a node that has received sends "
                        "more",
                        number_of(flow.most(s.senders, q), "transfer"), ranges_of(q))};
  }
  return best;
}

growth growth_of_reach(const step_network& network, const collective& requested) {
  transfer_flow flow(network);
  const std::vector<std::uint64_t> out = degrees_of(network, flow, true), in = degrees_of(network, flow, false);
  growth best;
  const auto consider = [&](const std::vector<node_id>& starts, const std::vector<node_id>& ends,
                            const std::vector<std::uint64_t>& degrees, const char* what) {
    for (const node_id start : starts) {
      const bool itself = std::binary_search(ends.begin(), ends.end(), start);
      const std::size_t others = ends.size() - (itself ? 1 : 0);
      const std::size_t steps = steps_to_reach(start, degrees, others);
      if (steps > best.steps)
        best = {steps, fmt::format("node {} must {} {}", start, what, number_of(others, "other"))};
    }
  };
  consider(requested.senders, requested.receivers, out, "reach");
  consider(requested.receivers, requested.senders, in, "be reached by");
  return best;
}

}  // namespace weft::schedule
