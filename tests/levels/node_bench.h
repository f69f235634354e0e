// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of NIC, terminal and small networks: a stage, a workload that is a list, and an observer that
/// records all events.
#pragma once

#include "levels/bench.h"
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/pin/nic/packet_stage.h"

namespace weft::pin {

inline constexpr std::uint64_t Mask = 0xa5a5'0000'5a5a'ffff;

/// A test stage: holds one flit, XORs its payload with a mask, and stalls at random. Two of them with the same
/// mask, one on each path, cancel out.
class xor_slice : public packet_stage<64> {
 public:
  xor_slice(sc_core::sc_module_name name, std::uint64_t mask, std::uint64_t seed, double stalls)
      : packet_stage(name), m_mask(mask), m_random(seed, 0, stream_purpose::Payload), m_stalls(stalls) {
    SC_HAS_PROCESS(xor_slice);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }
  unsigned passed = 0;

 private:
  void clocked() {
    if (!rst_ni.read()) {
      m_flit_q = flit_t();
      m_ready_q = true;
      m_within = false;
    } else {
      const bool left = m_flit_q.valid && ready_i.read();
      if (left) m_flit_q = flit_t();
      if (flit_i.read().valid && m_ready_q) {
        EXPECT_FALSE(m_flit_q.valid);
        m_flit_q = flit_i.read();
        m_flit_q.payload[0] ^= m_mask + m_flit_q.tag.sequence();
        EXPECT_EQ(m_flit_q.head, !m_within) << "a packet is interleaved with another one: " << m_flit_q;
        m_within = !m_flit_q.tail;
        ++passed;
      }
      m_ready_q = !m_flit_q.valid && !m_random.chance(m_stalls);
    }
    flit_o.write(m_flit_q);
    ready_o.write(m_ready_q);
    busy_o.write(m_flit_q.valid);
  }

  const std::uint64_t m_mask;
  random_stream m_random;
  const double m_stalls;
  flit_t m_flit_q;
  bool m_ready_q = true;
  bool m_within = false;
};

/// A factory of slices, which it adds to \p made.
inline stage_factory<64> slices(std::uint64_t mask, double stalls, std::uint64_t seed = 1,
                                std::vector<xor_slice*>* made = nullptr) {
  return [=](sc_core::sc_module_name name, node_id node) {
    auto slice = std::make_unique<xor_slice>(name, mask, seed + node, stalls);
    if (made != nullptr) made->push_back(slice.get());
    return slice;
  };
}

/// A workload that is a list for each node.
class listed_packets : public packet_source {
 public:
  std::map<node_id, std::deque<packet>> packets;

  void add(node_id from, node_id to, std::uint32_t flits, cycle_t created) {
    packets[from].push_back({m_next++, from, to, flits, created});
  }
  std::uint64_t count() const { return m_next; }
  cycle_t next_creation(node_id node) const override {
    const auto list = packets.find(node);
    return list == packets.end() || list->second.empty() ? Never : list->second.front().created;
  }
  packet pop(node_id node) override {
    const packet p = packets[node].front();
    packets[node].pop_front();
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned, std::uint64_t* words) const override {
    words[0] = payload_of(p.id, sequence);
  }

 private:
  packet_id m_next = 0;
};

/// An observer that records all events.
class memory : public network_observer {
 public:
  struct arrival {
    packet what;
    cycle_t cycle;
    std::uint32_t routers;
  };
  void created(const packet& p) override { packets.push_back(p); }
  void sent(packet_id id, node_id node, cycle_t cycle) override { heads.push_back({cycle, node, 0, id, 0}); }
  void injected(const flit_event& e, const header&) override { in.push_back(e); }
  void received(const flit_event& e, const std::uint64_t* payload) override {
    EXPECT_EQ(*payload, payload_of(e.id, e.sequence)) << "packet " << e.id << ", flit " << e.sequence;
    EXPECT_EQ(e.sequence, next[e.id]++) << "packet " << e.id;
    out.push_back(e);
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    arrivals.push_back({p, cycle, routers});
  }
  std::vector<packet> packets;
  std::vector<flit_event> heads, in, out;
  std::vector<arrival> arrivals;
  std::map<packet_id, std::uint32_t> next;
};

}  // namespace weft::pin
