// SPDX-License-Identifier: Apache-2.0
/// Packets for XOR stages, drawn at random, and an observer that knows what they must be when they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

struct coded_traffic_parameters {
  std::uint32_t nodes = 2;
  unsigned words_per_flit = 2;
  std::uint32_t longest = 8;  ///< flits of a packet
  std::uint32_t depth = 8;    ///< flits of what an encoder is given to hold
  std::uint32_t groups = 20;  ///< of data that are sent together
  weft::cycle_t spread = 10;  ///< mean cycles between two packets of a node
  unsigned classes = 1;       ///< message classes
  std::uint64_t seed = 1;
};

/// Groups of data go to a receiver, joined by the encoder of a sender: in pairs with the one that is held, in chains,
/// as coded packets that the node made, some to be relayed, and alone, from anywhere, so that most can be decoded, in
/// whatever order they arrive. Some data come twice; some coded packets cannot be decoded; some packets have no code.
class coded_traffic final : public weft::packet_source {
 public:
  explicit coded_traffic(const coded_traffic_parameters& p);

  weft::cycle_t next_creation(weft::node_id node) const override;
  weft::packet take(weft::node_id node) override;
  /// A function of the data that the code of \p p names: of what is created as of what is delivered.
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override;

  std::uint32_t packets() const { return m_packets; }

 private:
  std::vector<std::vector<weft::packet>> m_queues;  ///< of each node
  std::vector<std::size_t> m_next;
  std::uint32_t m_packets = 0;
};

/// Holds XOR stages to their law: what comes out, decoded or as it is, is what was sent, bit for bit; nothing comes out
/// twice, but that a relay packet may come as it is and decoded; nothing comes out that did not go in.
class coding_law final : public weft::network_observer {
 public:
  coding_law(const coded_traffic& source, unsigned payload_bits)
      : m_source(source), m_payload_bits(payload_bits), m_words((payload_bits + 63) / 64) {}

  void created(const weft::packet& p) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// The first thing that was wrong, or nothing.
  const std::string& broken() const { return m_broken; }
  std::uint64_t delivered() const { return m_delivered; }
  std::uint64_t decoded() const { return m_decoded; }
  std::uint64_t overflows() const { return m_overflows; }

 private:
  struct fate {
    weft::packet what;
    bool arrived = false;
    unsigned as_it_was = 0;
    unsigned decoded = 0;
  };

  const coded_traffic& m_source;
  const unsigned m_payload_bits;
  const unsigned m_words;
  std::unordered_map<weft::packet_id, fate> m_fates;
  std::map<weft::node_id, std::vector<std::uint64_t>> m_payload;  ///< of what is arriving at a node
  std::string m_broken;
  std::uint64_t m_delivered = 0, m_decoded = 0, m_overflows = 0;
};
