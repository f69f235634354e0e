// SPDX-License-Identifier: Apache-2.0
/// A network without contention: every node sends one flit per cycle, and every flit arrives after a fixed time. On
/// request it has the faults that a real network must not have.
#pragma once

#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

namespace weft::experiment {

struct fake_options {
  cycle_t latency = 10;              ///< cycles from injection to ejection of a flit
  cycle_t interval = 1;              ///< cycles between the flits of a node
  std::optional<node_id> slow_node;  ///< a node with another interval
  cycle_t slow_interval = 1;
  cycle_t collapsed_from = Never;  ///< from this cycle on all nodes have the interval of the slow one
  cycle_t stuck_from = Never;      ///< nothing moves from this cycle on
  unsigned payload_bits = 64;
  std::optional<packet_id> flips_bit_of;        ///< the last flit of this packet arrives with another payload
  std::optional<packet_id> misleads;            ///< this packet arrives at the wrong node
  std::optional<packet_id> swaps_flits_of;      ///< the first two flits of this packet arrive in the wrong order
  std::vector<blocked_packet> waiting;          ///< the result of blocked()
  std::vector<blocked_packet> waiting_in_nics;  ///< the result of blocked_in_nics()
  std::vector<std::uint32_t> buffered;          ///< the result of buffered()
};

class fake_network final : public network_model {
 public:
  fake_network(node_id nodes, packet_source& source, network_observer& observer, fake_options options = {})
      : m_options(std::move(options)), m_source(source), m_observer(observer), m_queues(nodes), m_sent(nodes) {}

  void run(cycle_t cycles) override {
    for (; cycles > 0; --cycles, ++m_now) {
      create();
      if (m_now >= m_options.stuck_from) continue;
      eject();
      inject();
    }
  }

  cycle_t now() const override { return m_now; }
  std::uint32_t received_in_window(node_id) const override { return 7; }
  std::uint64_t queued(node_id node) const override { return m_queues[node].size() - (m_sent[node] > 0); }
  std::vector<channel_count> channel_counts() const override { return {{0, 0, m_ejected}}; }
  std::vector<channel_activity> activity() const override { return {}; }
  std::vector<std::uint32_t> buffered() const override { return m_options.buffered; }
  std::vector<blocked_packet> blocked() const override { return m_options.waiting; }
  void reschedule_source(node_id) override {}  // no effect: create() checks the source in every cycle
  void set_ready(node_id, bool) override {
    throw std::logic_error("set_ready() is not supported: all nodes accept all flits");
  }
  std::vector<blocked_packet> blocked_in_nics() const override { return m_options.waiting_in_nics; }
  void set_accepted(node_id, class_set) override {
    throw std::logic_error("set_accepted() is not supported: all nodes accept all flits");
  }

 private:
  struct moving {
    packet what;
    std::uint32_t sequence;
    cycle_t due;
  };

  void create() {
    for (node_id n = 0; n < m_queues.size(); ++n)
      while (m_source.next_creation(n) <= m_now) {
        m_queues[n].push_back(m_source.pop(n));
        m_observer.created(m_queues[n].back());
        while (m_queues[n].back().more > 0) {
          m_queues[n].push_back(m_source.following(m_queues[n].back()));
          m_observer.created(m_queues[n].back());
        }
      }
  }

  void inject() {
    for (node_id n = 0; n < m_queues.size(); ++n) {
      const bool slow = m_options.slow_node == n || m_now >= m_options.collapsed_from;
      const cycle_t interval = slow ? m_options.slow_interval : m_options.interval;
      if (m_now % interval != 0 || m_queues[n].empty()) continue;
      const packet p = m_queues[n].front();
      if (m_sent[n] == 0) m_observer.sent(p.id, n, m_now);
      m_observer.injected({m_now, n, 0, p.id, m_sent[n]}, {p.destination, p.source, p.flits});
      std::uint32_t sequence = m_sent[n];
      if (m_options.swaps_flits_of == p.id && sequence < 2) sequence = 1 - sequence;
      m_moving.push_back({p, sequence, m_now + m_options.latency});
      if (++m_sent[n] < p.flits) continue;
      m_sent[n] = 0;
      m_queues[n].pop_front();
    }
  }

  void eject() {
    for (; !m_moving.empty() && m_moving.front().due <= m_now; m_moving.pop_front()) {
      const auto& [p, sequence, due] = m_moving.front();
      std::vector<std::uint64_t> words((m_options.payload_bits + 63) / 64);
      m_source.payload(p, sequence, m_options.payload_bits, words.data());
      if (m_options.flips_bit_of == p.id && sequence + 1 == p.flits) words[0] ^= 1;
      const node_id at =
          m_options.misleads == p.id ? (p.destination + 1) % static_cast<node_id>(m_queues.size()) : p.destination;
      ++m_ejected;
      m_observer.ejected({m_now, at, 0, p.id, sequence}, words.data());
      m_observer.received({m_now, at, 0, p.id, sequence}, words.data());
      if (sequence + 1 == p.flits) m_observer.delivered(p, m_now, 1);
    }
  }

  fake_options m_options;
  packet_source& m_source;
  network_observer& m_observer;
  cycle_t m_now = 0;
  std::uint64_t m_ejected = 0;
  std::vector<std::deque<packet>> m_queues;
  std::vector<std::uint32_t> m_sent;  ///< for each node, flits sent of the packet at the front
  std::deque<moving> m_moving;        ///< sorted by due cycle
};

}  // namespace weft::experiment
