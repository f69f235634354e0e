// SPDX-License-Identifier: Apache-2.0
#include "weft/network.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

namespace weft {

/// The packets of all nodes: the source and the observer of the model.
class network::packets : public packet_source, public network_observer {
 public:
  /// A node as its module calls it. Between two clock edges, calls and events only fill the lists `sent` and `arrived`,
  /// which settle() empties one delta cycle later, when no process of the edge is left.
  struct place : node_if {
    place(packets& all, node_id n) : owner(all), own(n) {}
    node_id number() const override { return own; }
    void send(node_id destination, std::vector<std::uint64_t> words, unsigned message_class) override {
      owner.add(*this, destination, std::move(words), message_class);
    }
    std::uint64_t queued() const override { return sent.size() + source.size() + owner.m_model->queued(own); }
    std::optional<received_packet> receive() override {
      if (inbox.empty()) return {};
      received_packet first = std::move(inbox.front());
      inbox.pop_front();
      return first;
    }
    const sc_core::sc_event& default_event() const override { return has_arrived; }

    packets& owner;
    const node_id own;
    std::vector<packet> sent;
    std::deque<packet> source;  // packets that the model has not created yet
    std::vector<received_packet> arrived;
    std::deque<received_packet> inbox;
    sc_core::sc_event has_arrived{sc_core::sc_gen_unique_name("has_arrived")};
  };

  packets(const network_settings& settings) : m_bits(settings.payload_bits), m_classes(settings.router.classes) {
    for (node_id n = 0; n < settings.graph.nodes.size(); ++n) m_places.push_back(std::make_unique<place>(*this, n));
  }

  void attach(pin::audited_model& model) { m_model = &model; }
  place& at(node_id n) { return *m_places[n]; }
  const sc_core::sc_event& changed() const { return m_changed; }
  network_statistics statistics() const {
    network_statistics s = m_counts;
    s.mean_latency = s.delivered == 0 ? 0 : m_latencies / static_cast<double>(s.delivered);
    s.mean_routers = s.delivered == 0 ? 0 : m_routers / static_cast<double>(s.delivered);
    return s;
  }

  void settle() {
    for (const std::unique_ptr<place>& p : m_places) {
      const bool was_empty = p->source.empty();
      for (packet& one : p->sent) {
        one.created = m_model->now() + 1;
        p->source.push_back(one);
      }
      if (was_empty && !p->sent.empty()) m_model->reschedule_source(p->own);
      p->sent.clear();
      if (p->arrived.empty()) continue;
      std::move(p->arrived.begin(), p->arrived.end(), std::back_inserter(p->inbox));
      p->arrived.clear();
      p->has_arrived.notify(sc_core::SC_ZERO_TIME);
    }
  }

  cycle_t next_creation(node_id n) const override {
    return m_places[n]->source.empty() ? Never : m_places[n]->source.front().created;
  }
  packet pop(node_id n) override {
    const packet first = m_places[n]->source.front();
    m_places[n]->source.pop_front();
    return first;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned, std::uint64_t* words) const override {
    const std::vector<std::uint64_t>& all = m_cargo.at(p.id).words;
    if (m_bits == 32) {
      *words = sequence / 2 < all.size() ? all[sequence / 2] >> 32 * (sequence % 2) & 0xffff'ffff : 0;
      return;
    }
    for (std::size_t i = 0, at = std::size_t{sequence} * m_bits / 64; i < m_bits / 64; ++i, ++at)
      words[i] = at < all.size() ? all[at] : 0;
  }

  void created(const packet&) override { ++m_counts.sent; }
  void received(const flit_event& event, const std::uint64_t* payload) override {
    std::vector<std::uint64_t>& words = m_cargo.at(event.id).received;
    if (m_bits != 32)
      words.insert(words.end(), payload, payload + m_bits / 64);
    else if (event.sequence % 2 == 0)
      words.push_back(*payload & 0xffff'ffff);
    else
      words.back() |= *payload << 32;
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    const auto found = m_cargo.find(p.id);
    m_places[p.destination]->arrived.push_back(
        {p.source, p.message_class, std::move(found->second.received), p.created, cycle, routers});
    m_cargo.erase(found);
    ++m_counts.delivered;
    m_counts.flits_delivered += p.flits;
    m_counts.max_latency = std::max(m_counts.max_latency, cycle - p.created);
    m_latencies += static_cast<double>(cycle - p.created);
    m_routers += routers;
    m_changed.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  struct cargo {
    std::vector<std::uint64_t> words, received;
  };

  void add(place& source, node_id destination, std::vector<std::uint64_t> words, unsigned message_class) {
    if (destination >= m_places.size())
      return report("there is no node " + std::to_string(destination) + "; the network has nodes 0 to " +
                    std::to_string(m_places.size() - 1));
    if (message_class >= m_classes)
      return report("there is no message class " + std::to_string(message_class) + "; router.classes is " +
                    std::to_string(m_classes));
    packet p;
    p.id = m_next++;
    p.source = source.own;
    p.destination = destination;
    p.flits = static_cast<std::uint32_t>(std::max<std::size_t>(1, (words.size() * 64 + m_bits - 1) / m_bits));
    p.message_class = static_cast<std::uint8_t>(message_class);
    m_cargo[p.id].words = std::move(words);
    source.sent.push_back(p);
    m_changed.notify(sc_core::SC_ZERO_TIME);
  }

  static void report(const std::string& message) { SC_REPORT_ERROR("weft/network", message.c_str()); }

  const unsigned m_bits, m_classes;
  pin::audited_model* m_model = nullptr;
  std::vector<std::unique_ptr<place>> m_places;
  std::unordered_map<packet_id, cargo> m_cargo;
  packet_id m_next = 0;
  network_statistics m_counts;
  double m_latencies = 0, m_routers = 0;  // sums
  sc_core::sc_event m_changed{sc_core::sc_gen_unique_name("changed")};
};

network::network(const sc_core::sc_module_name& name, const network_settings& settings)
    : sc_module(name), node("node", settings.graph.nodes.size()), m_packets(std::make_unique<packets>(settings)) {
  pin::model_options options;
  options.payload_bits = settings.payload_bits;
  options.clock_period = settings.clock.value();
  options.vcd_file = settings.vcd_file;
  options.routers = settings.routers;
  options.nics = settings.nics;
  if (!settings.vcd_file.empty()) options.vcd_patterns = settings.vcd_patterns;
  m_model = pin::make_model(settings.graph, settings.router, settings.nic, options, *m_packets, *m_packets);
  m_packets->attach(*m_model);
  for (node_id n = 0; n < node.size(); ++n) node[n].bind(m_packets->at(n));
  SC_HAS_PROCESS(network);
  SC_METHOD(settle);
  sensitive << m_packets->changed();
  dont_initialize();
}

network::~network() = default;

void network::settle() { m_packets->settle(); }

network_statistics network::statistics() const {
  network_statistics s = m_packets->statistics();
  s.cycles = m_model->now();
  return s;
}

}  // namespace weft
