// SPDX-License-Identifier: Apache-2.0
#include "support/invariant_checker.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/core/lsb_cut.h"
#include "weft/core/network_observer.h"

using namespace weft;

bool invariant_checker::require(bool condition, const char* violation, cycle_t cycle, const packet& p) {
  if (!condition && m_broken.empty())
    m_broken = fmt::format("cycle {}, packet {} ({} flits from node {} to node {}, created in {}): {}", cycle, p.id,
                           p.flits, p.source, p.destination, p.created, violation);
  return condition;
}

/// Computes all distances by breadth-first searches from the routers of every node.
void invariant_checker::find_distances() {
  const topology& graph = m_case.graph;
  constexpr std::uint32_t Unreached = ~0U;
  std::vector<std::vector<router_id>> next(graph.routers.size());
  for (const channel& c : graph.channels) next[c.from.router].push_back(c.to.router);
  for (const node_attachment& source : graph.nodes) {
    std::vector<std::uint32_t> passed(graph.routers.size(), Unreached);
    std::vector<router_id> reached;
    const auto reach = [&](router_id r, std::uint32_t routers) {
      if (passed[r] != Unreached) return;
      passed[r] = routers;
      reached.push_back(r);
    };
    for (const port_ref port : source.ports) reach(port.router, 1);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const router_id r : next[reached[i]]) reach(r, passed[reached[i]] + 1);
    for (const node_attachment& destination : graph.nodes) {
      std::uint32_t least = Unreached;
      for (const port_ref port : destination.ports) least = std::min(least, passed[port.router]);
      m_routers.push_back(least);
      m_most_routers = std::max(m_most_routers, least);
    }
  }
  m_one_path =
      std::none_of(graph.routing.begin(), graph.routing.end(), [](const route_rule& r) { return r.adaptive(); }) &&
      std::none_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& n) { return n.path_ids.drawn(); });
  if (!graph.channels.empty()) m_fastest_link = graph.channels.front().cycles;
  for (const channel& c : graph.channels) m_fastest_link = std::min(m_fastest_link, c.cycles);
}

/// Returns the latency as zero_load_latency() does, but for a path of \p routers routers.
cycle_t invariant_checker::least_latency(const flight& f, std::uint32_t routers) const {
  const unsigned s = m_case.router.pipeline;
  return 1 + m_case.graph.nodes[f.what.source].cycles + (routers - 1) * (s + m_fastest_link) + s +
         m_case.graph.nodes[f.what.destination].cycles + f.travels - 1;
}

/// Counts a flit. Returns false if its node has more flits in this cycle than channels.
bool invariant_checker::channel_is_free(std::unordered_map<node_id, traffic>& counts, const flit_event& e) const {
  traffic& t = counts[e.node];
  if (t.cycle != e.cycle) t = {e.cycle, 0};
  return ++t.flits <= m_case.graph.nodes[e.node].ports.size();
}

void invariant_checker::created(const packet& p) {
  flight fresh;
  fresh.what = p;
  require(m_packets.emplace(p.id, fresh).second, "created twice", p.created, p);
  require(p.created < m_case.stop, "created after the source has stopped", p.created, p);
  m_order[queue_of(p)].push_back(p.id);
  m_arrivals[{p.source, p.destination, p.urgent}].push_back(p.id);
}

void invariant_checker::injected(const flit_event& e, const header& head) {
  const auto at = m_packets.find(e.id);
  if (!require(at != m_packets.end(), "injected, but never created", e.cycle, {e.id})) return;
  flight& f = at->second;
  if (e.sequence == 0) {
    f.injection_vc = e.vc;
    f.travels = head.flits;
    f.form = head.codec;
    const bool coded = f.form != codec::Raw;
    require(coded ? m_case.nic.compression.enabled() : f.travels == f.what.flits, "raw, but with another length",
            e.cycle, f.what);
    // An assumed ratio of 1 keeps the length.
    require(f.travels < f.what.flits + (m_case.nic.compression.ratio || !coded), "coded, but not shorter", e.cycle,
            f.what);
    require(head.destination == f.what.destination && head.source == f.what.source &&
                head.words == f.what.flits * m_case.payload_bits / 32,
            "injected with a wrong header", e.cycle, f.what);
  }
  require(e.node == f.what.source, "injected at another node than its source", e.cycle, f.what);
  require(e.sequence == f.injected && e.sequence < f.travels, "injected out of sequence", e.cycle, f.what);
  require(e.vc == f.injection_vc && e.vc < m_case.router.vcs, "injected on another VC than its head", e.cycle, f.what);
  require(is_of_class(e.vc, f.what), "injected on a VC of another class", e.cycle, f.what);
  require(e.cycle >= f.what.created, "injected before it was created", e.cycle, f.what);
  require(channel_is_free(m_in, e), "more flits injected in a cycle than the node has channels", e.cycle, f.what);
  if (m_case.graph.nodes[e.node].ports.size() == 1) {
    const queue from = queue_of(f.what);
    std::size_t& next = m_next_to_enter[from];
    require(m_order[from][next] == e.id, "injected before an earlier packet had left", e.cycle, f.what);
    next += e.sequence + 1 == f.travels;
  }
  ++f.injected;
  ++m_injected;
}

void invariant_checker::ejected(const flit_event& e, const std::uint64_t*) {
  const auto at = m_packets.find(e.id);
  if (!require(at != m_packets.end(), "delivered, but never created", e.cycle, {e.id})) return;
  flight& f = at->second;
  if (e.sequence == 0) f.ejection_vc = e.vc;
  require(e.node == f.what.destination, "delivered at another node than its destination", e.cycle, f.what);
  require(e.sequence == f.ejected, "delivered out of sequence, or twice", e.cycle, f.what);
  require(e.sequence < f.injected, "delivered before it was injected", e.cycle, f.what);
  require(e.vc == f.ejection_vc && e.vc < m_case.router.vcs, "delivered on another VC than its head", e.cycle, f.what);
  require(is_of_class(e.vc, f.what), "delivered on a VC of another class", e.cycle, f.what);
  require(channel_is_free(m_out, e), "more flits delivered in a cycle than the node has channels", e.cycle, f.what);

  // A buffered ejector delivers packets one after the other, whatever their VC is.
  const std::uint32_t vc = m_case.nic.ejection_depth == 0 ? e.vc : 0;
  std::vector<packet_id>& open = m_open[{e.node, vc}];
  if (e.sequence == 0) open.push_back(e.id);
  require(open.size() <= m_case.graph.nodes[e.node].ports.size(), "begun while another packet of its VC was incomplete",
          e.cycle, f.what);
  if (e.sequence + 1 == f.travels) open.erase(std::remove(open.begin(), open.end(), e.id), open.end());
  ++f.ejected;
  ++m_ejected;
}

/// Returns the expected words of flit \p sequence of a message.
std::vector<std::uint64_t> invariant_checker::expected_payload(const flight& f, std::uint32_t sequence) const {
  const unsigned bits = m_case.payload_bits;
  std::vector<std::uint64_t> words((bits + 63) / 64);
  m_source->payload(f.what, sequence, bits, words.data());
  if (f.form != codec::LsbCut) return words;
  const codec_parameters& c = m_case.nic.compression.codec;
  if (bits >= 64) {
    for (std::uint64_t& word : words) word = after_cut(word, c.cut, c.exact);
  } else if ((sequence | 1) < f.what.flits) {  // the flit is half of a double
    std::uint64_t half[2];
    for (std::uint32_t i = 0; i < 2; ++i) m_source->payload(f.what, (sequence & ~1U) + i, bits, &half[i]);
    const std::uint64_t whole = after_cut(half[1] << 32 | half[0], c.cut, c.exact);
    words[0] = sequence % 2 == 0 ? whole & 0xffff'ffff : whole >> 32;
  }
  return words;
}

void invariant_checker::received(const flit_event& e, const std::uint64_t* payload) {
  const auto at = m_packets.find(e.id);
  if (!require(at != m_packets.end(), "received, but never created", e.cycle, {e.id})) return;
  flight& f = at->second;
  require(e.node == f.what.destination, "received at another node than its destination", e.cycle, f.what);
  require(e.sequence == f.received && e.sequence < f.what.flits, "received out of sequence, or twice", e.cycle, f.what);
  const std::vector<std::uint64_t> expected = expected_payload(f, e.sequence);
  require(std::equal(expected.begin(), expected.end(), payload), "payload altered", e.cycle, f.what);
  ++f.received;
}

void invariant_checker::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  const auto at = m_packets.find(p.id);
  if (!require(at != m_packets.end(), "reported as delivered, but never created", cycle, p)) return;
  flight& f = at->second;
  require(!f.delivered, "reported as delivered twice", cycle, f.what);
  require(f.ejected == f.travels, "reported as delivered before it was whole", cycle, f.what);
  const bool assumed = f.form != codec::Raw && m_case.nic.compression.ratio;  // in this case the bits of the packet are
                                                                              // not transported
  require(f.received == (assumed ? 0 : f.what.flits), "reported as delivered without its message", cycle, f.what);
  require(p.source == f.what.source && p.destination == f.what.destination && p.flits == f.what.flits &&
              p.created == f.what.created,
          fmt::format("reported with another source ({}), destination ({}), length ({}) or creation ({})", p.source,
                      p.destination, p.flits, p.created)
              .c_str(),
          cycle, f.what);
  const std::uint32_t least = least_routers(f.what.source, f.what.destination);
  require(m_case.minimal ? routers == least : routers >= least, "did not take a shortest path", cycle, f.what);
  require(cycle - f.what.created >= least_latency(f, routers), "faster than possible", cycle, f.what);
  if (m_one_path && m_case.router.vcs == 1 && m_case.graph.nodes[p.source].ports.size() == 1) {
    const std::tuple pair{f.what.source, f.what.destination, f.what.urgent};
    require(m_arrivals[pair][m_arrived[pair]++] == p.id, "overtook an earlier packet on the only VC", cycle, f.what);
  }
  f.delivered = true;
  ++m_delivered;
  m_flit_hops += std::uint64_t{routers} * f.travels;
}

std::uint64_t invariant_checker::flit_hops_due() const {
  std::uint64_t sum = 0;
  for (const auto& [id, f] : m_packets)
    if (!f.delivered)
      sum += std::uint64_t{m_case.minimal ? least_routers(f.what.source, f.what.destination) : 2 * m_most_routers} *
             f.what.flits;
  return sum;
}
