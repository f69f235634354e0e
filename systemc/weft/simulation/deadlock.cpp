// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/deadlock.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/members.h"
#include "weft/core/network_model.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

std::string vcs_text(vc_set vcs) {
  std::vector<unsigned> list;
  for (unsigned v = 0; v < MaxVcs; ++v)
    if (vcs >> v & 1) list.push_back(v);
  return fmt::format("VC {}", fmt::join(list, ", "));
}

/// The place of \p b and what it waits for, for a packet in a NIC.
std::string describe_in_nic(const topology& graph, const blocked_packet& b) {
  if (b.why == blocked_packet::reason::Acceptance)
    return fmt::format("node {}, ejection VC {}: packet {} waits for {} of node {} for class {}", b.node, b.vc, b.id,
                       awaited(b), b.node, b.message_class);
  const std::string packet = fmt::format("node {}, injection: packet {} of class {}", b.node, b.id, b.message_class);
  if (b.why == blocked_packet::reason::Port)
    return fmt::format("{} waits for {}, which another packet occupies", packet, awaited(b));
  return fmt::format("{} waits for {} of router {}, {}", packet, awaited(b), graph.nodes[b.node].ports[b.port].router,
                     vcs_text(b.output_vcs));
}

/// Calls \p f(port, VCs) for each output port at which \p b waits for a VC or a credit.
template <class F>
void for_each_offer(const blocked_packet& b, F f) {
  if (b.output_vcs != 0) f(b.output_port, b.output_vcs);
  for_each_member(b.choices, [&](unsigned port) { f(port, b.choice_vcs); });
}

std::string describe(const topology& graph, const blocked_packet& b) {
  if (is_in_nic(b)) return describe_in_nic(graph, b);
  std::vector<std::string> offers;
  for_each_offer(b, [&](unsigned port, vc_set vcs) {
    offers.push_back(fmt::format("{}, {}", port_name(graph, port_ref{b.router, port}), vcs_text(vcs)));
  });
  return fmt::format("{}, VC {}: packet {} waits for {} of {}", full_name(graph, port_ref{b.router, b.port}), b.vc,
                     b.id, awaited(b), fmt::join(offers, " or "));
}

/// Finds blocked packets by the input VC at whose front they wait, by the output VC that they hold, or by their place
/// in a NIC.
class blocked_places {
 public:
  blocked_places(const topology& graph, const std::vector<blocked_packet>& blocked, const awaited_answers& answers)
      : m_graph(graph), m_wires(graph), m_answers(answers) {
    using reason = blocked_packet::reason;
    for (std::size_t i = 0; i < blocked.size(); ++i) {
      const blocked_packet& b = blocked[i];
      if (b.why == reason::Injection || b.why == reason::Port) {
        m_at_source[b.node].push_back({i, b.message_class});
        if (b.why == reason::Injection) m_on_port[{b.node, b.port}] = i;
      } else if (b.why == reason::Acceptance) {
        const port_ref from = graph.nodes[b.node].ports[b.port];
        m_in_ejection[{from.router, from.port, b.vc}] = i;
      } else {
        m_at_input[{b.router, b.port, b.vc}] = i;
        if (b.why != reason::OutputVc)
          for_each_member(b.output_vcs, [&](unsigned v) { m_holds_output[{b.router, b.output_port, v}] = i; });
      }
    }
  }

  /// Calls \p f(packets) for each output VC that \p b waits for. The argument lists the packets that block this VC: the
  /// packet that holds the VC, and the packet at the front of the downstream buffer. Both are needed, because all flits
  /// of the holder may have moved on to that buffer, or its tail may still be upstream. A packet that waits for room in
  /// a shared buffer waits for any VC that takes some: for its flits to leave, or for the holder of a kept slot.
  template <class F>
  void for_each_alternative(const blocked_packet& b, F f) const {
    if (b.why == blocked_packet::reason::Acceptance) return for_each_answer(b, f);
    if (b.why == blocked_packet::reason::Port) {
      const auto occupant = m_on_port.find({b.node, b.port});
      f(occupant == m_on_port.end() ? std::vector<std::size_t>() : std::vector{occupant->second});
      return;
    }
    if (b.why == blocked_packet::reason::Injection) {
      const port_ref to = m_graph.nodes[b.node].ports[b.port];
      for_each_member(b.output_vcs, [&](unsigned v) { f(found_at(m_at_input, {to.router, to.port, v})); });
      return;
    }
    const bool waits_for_vc = b.why == blocked_packet::reason::OutputVc;
    if (b.why == blocked_packet::reason::Room) {
      for_each_member(b.pool_vcs, [&](unsigned v) { f(packets_at(b, b.output_port, v, false, true)); });
      for_each_member(b.kept_vcs, [&](unsigned v) { f(packets_at(b, b.output_port, v, true, false)); });
      return;
    }
    for_each_offer(b, [&](unsigned port, vc_set vcs) {
      for_each_member(vcs, [&](unsigned v) { f(packets_at(b, port, v, waits_for_vc, true)); });
    });
  }

 private:
  using place = std::tuple<router_id, unsigned, unsigned>;
  using places = std::map<place, std::size_t>;
  struct packet_at_source {
    std::size_t index;
    std::uint8_t message_class;
  };

  static std::vector<std::size_t> found_at(const places& where, const place& key) {
    const auto found = where.find(key);
    return found == where.end() ? std::vector<std::size_t>() : std::vector{found->second};
  }

  /// Calls \p f(packets) for each answer whose departure lets the node of \p b accept further packets of its class. If
  /// no such answer is blocked, the argument is an empty list: the node will accept packets by itself.
  template <class F>
  void for_each_answer(const blocked_packet& b, F f) const {
    bool found = false;
    if (const auto at = m_at_source.find(b.node); at != m_at_source.end())
      for (const packet_at_source& s : at->second) {
        if (!(m_answers.at(b.message_class) >> s.message_class & 1)) continue;
        f(std::vector{s.index});
        found = true;
      }
    if (!found) f(std::vector<std::size_t>());
  }

  /// The blocked packets that hold VC \p v of output port \p port, or are at the front of the buffer behind it. The
  /// port is one of the router of \p b.
  std::vector<std::size_t> packets_at(const blocked_packet& b, unsigned port, unsigned v, bool holder,
                                      bool front) const {
    std::vector<std::size_t> packets;
    const auto add = [&packets](const places& where, const place& key) {
      for (const std::size_t i : found_at(where, key)) packets.push_back(i);
    };
    const port_end far = m_wires.output({b.router, port});
    if (holder) add(m_holds_output, {b.router, port, v});
    if (front && far.what == port_end::kind::Channel) {
      const port_ref to = m_graph.channels[far.index].to;
      add(m_at_input, {to.router, to.port, v});
    }
    if (front && far.what == port_end::kind::Node) add(m_in_ejection, {b.router, port, v});
    return packets;
  }

  const topology& m_graph;
  wiring m_wires;
  const awaited_answers& m_answers;
  places m_at_input, m_holds_output;
  places m_in_ejection;  ///< by the output VC that leads to the ejection VC
  std::map<node_id, std::vector<packet_at_source>> m_at_source;
  std::map<std::pair<node_id, unsigned>, std::size_t> m_on_port;  ///< by port of a node: the packet that it offers
};

}  // namespace

const char* awaited(const blocked_packet& b) {
  switch (b.why) {
    case blocked_packet::reason::OutputVc:
      return "an output VC";
    case blocked_packet::reason::Credit:
      return "a credit";
    case blocked_packet::reason::Acceptance:
      return "a place in the queue";
    case blocked_packet::reason::Injection:
      return "a VC with a credit";
    case blocked_packet::reason::Port:
      return "the port of its NIC";
    case blocked_packet::reason::Room:
      break;
  }
  return "room in the shared buffer";
}

bool is_in_nic(const blocked_packet& b) {
  using reason = blocked_packet::reason;
  return b.why == reason::Acceptance || b.why == reason::Injection || b.why == reason::Port;
}

std::vector<blocked_packet> all_blocked(const network_model& model, const awaited_answers& answers) {
  std::vector<blocked_packet> blocked = model.blocked();
  if (answers.empty()) return blocked;
  const std::vector<blocked_packet> in_nics = model.blocked_in_nics();
  blocked.insert(blocked.end(), in_nics.begin(), in_nics.end());
  return blocked;
}

std::vector<std::vector<std::size_t>> wait_for_graph(const topology& graph, const std::vector<blocked_packet>& blocked,
                                                     const awaited_answers& answers) {
  const blocked_places where(graph, blocked, answers);
  std::vector<std::vector<std::size_t>> edges(blocked.size());
  for (std::size_t i = 0; i < blocked.size(); ++i)
    where.for_each_alternative(blocked[i], [&](const std::vector<std::size_t>& keep) {
      std::copy_if(keep.begin(), keep.end(), std::back_inserter(edges[i]), [i](std::size_t k) { return k != i; });
    });
  return edges;
}

std::vector<std::size_t> find_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                    const awaited_answers& answers) {
  const blocked_places where(graph, blocked, answers);
  std::vector<bool> stuck(blocked.size(), true);
  const auto can_move = [&](std::size_t i) {
    bool free = false;
    where.for_each_alternative(blocked[i], [&](const std::vector<std::size_t>& keep) {
      free |= std::none_of(keep.begin(), keep.end(), [&](std::size_t k) { return stuck[k]; });
    });
    return free;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < blocked.size(); ++i)
      if (stuck[i] && can_move(i)) {
        stuck[i] = false;
        changed = true;
      }
  }
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < blocked.size(); ++i)
    if (stuck[i]) list.push_back(i);
  return list;
}

std::vector<std::size_t> find_ring(const std::vector<std::vector<std::size_t>>& graph) {
  enum class mark : std::uint8_t { New, OnPath, Done };
  struct step {
    std::size_t node;
    std::size_t next_edge;
  };
  std::vector<mark> marks(graph.size(), mark::New);
  for (std::size_t start = 0; start < graph.size(); ++start) {
    if (marks[start] != mark::New) continue;
    std::vector<step> path{{start, 0}};
    marks[start] = mark::OnPath;
    while (!path.empty()) {
      step& here = path.back();
      if (here.next_edge == graph[here.node].size()) {
        marks[here.node] = mark::Done;
        path.pop_back();
        continue;
      }
      const std::size_t next = graph[here.node][here.next_edge++];
      if (marks[next] == mark::New) {
        marks[next] = mark::OnPath;
        path.push_back({next, 0});
      } else if (marks[next] == mark::OnPath) {
        const auto first = std::find_if(path.begin(), path.end(), [&](const step& s) { return s.node == next; });
        std::vector<std::size_t> ring;
        for (auto at = first; at != path.end(); ++at) ring.push_back(at->node);
        return ring;
      }
    }
  }
  return {};
}

std::vector<std::string> describe_deadlock(const topology& graph, const std::vector<blocked_packet>& blocked,
                                           const awaited_answers& answers) {
  std::vector<std::string> lines;
  const std::vector<std::size_t> ring = find_ring(wait_for_graph(graph, blocked, answers));
  for (const std::size_t i : ring) lines.push_back(describe(graph, blocked[i]));
  if (!ring.empty()) {
    lines.push_back(fmt::format("… which packet {} holds up: a ring of {}", blocked[ring.front()].id, ring.size()));
    return lines;
  }
  for (const blocked_packet& b : blocked) lines.push_back(describe(graph, b));
  return lines;
}

std::vector<std::pair<unsigned, vc_set>> offers_to(const blocked_packet& b) {
  std::vector<std::pair<unsigned, vc_set>> offers;
  for_each_offer(b, [&](unsigned port, vc_set vcs) { offers.emplace_back(port, vcs); });
  return offers;
}

std::vector<std::string> explain_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                       std::size_t stuck, cycle_t time, const awaited_answers& answers) {
  std::vector<std::string> lines = {fmt::format(
      "{} packets have not moved for {} cycles, though others have: they wait for each other", stuck, time)};
  for (std::string& line : describe_deadlock(graph, blocked, answers)) lines.push_back(std::move(line));
  return lines;
}

std::vector<blocked_packet> standstill_watch::ring(const topology& graph) const {
  const std::vector<blocked_packet> blocked = all_blocked(m_model, m_answers);
  std::vector<blocked_packet> packets;
  for (const std::size_t i : find_ring(wait_for_graph(graph, blocked, m_answers))) packets.push_back(blocked[i]);
  return packets;
}

bool standstill_watch::stands_still(std::uint64_t at_the_border, bool waiting) {
  m_rests = !has_moved(at_the_border) && waiting;
  if (!m_rests) m_last_move = m_model.now();
  return m_model.now() - m_last_move >= m_patience;
}

/// Whether a flit has moved since the last call.
bool standstill_watch::has_moved(std::uint64_t at_the_border) {
  std::uint64_t moves = at_the_border;
  for (const channel_count& c : m_model.channel_counts()) moves += c.flits;
  return moves != std::exchange(m_moves, moves);
}

std::vector<std::string> standstill_watch::explain(const topology& graph, std::uint64_t packets) const {
  std::vector<std::string> lines = {
      fmt::format("no flit moved from cycle {} to {}, {} packets on their way", m_last_move, m_model.now(), packets)};
  for (std::string& line : describe_deadlock(graph, all_blocked(m_model, m_answers), m_answers))
    lines.push_back(std::move(line));
  for (node_id n = 0; n < graph.nodes.size(); ++n)
    if (const std::uint64_t queued = m_model.queued(n))
      lines.push_back(fmt::format("node {}: {} packets in the source queue", n, queued));
  return lines;
}

}  // namespace weft::experiment
