// SPDX-License-Identifier: Apache-2.0
/// Random packets for XOR stages, and an observer that checks their contents on arrival.
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
  std::uint32_t longest = 8;  ///< maximum length of a packet in flits
  std::uint32_t depth = 8;    ///< maximum length of a datum that an encoder holds, in flits
  std::uint32_t groups = 20;  ///< number of groups of data; a group is sent together
  weft::cycle_t spread = 10;  ///< mean number of cycles between two packets of a node
  unsigned classes = 1;       ///< number of message classes
  std::uint64_t seed = 1;
};

/// A source of groups of data that belong together; each group goes to one receiver. The encoder of a sender combines
/// the data, in pairs with a held datum or in chains, or the node itself makes coded packets, some of them for
/// relaying. Some data are also sent plain, from any node, so that most packets can be decoded, whatever their order
/// is. Some data are sent twice, some coded packets cannot be decoded, and some packets have no code.
class coded_traffic final : public weft::packet_source {
 public:
  explicit coded_traffic(const coded_traffic_parameters& p);

  weft::cycle_t next_creation(weft::node_id node) const override;
  weft::packet pop(weft::node_id node) override;
  /// The payload depends only on the data that the code of \p p names, so it is the same for created and delivered
  /// packets.
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override;

  std::uint32_t packets() const { return m_packets; }

 private:
  std::vector<std::vector<weft::packet>> m_queues;  ///< packets to send, by node
  std::vector<std::size_t> m_next;
  std::uint32_t m_packets = 0;
};

/// Checks the invariants of XOR stages. Every output, decoded or unchanged, equals the packet that was sent, bit for
/// bit. No output is duplicated, except that a relay packet may arrive both unchanged and decoded. No output is
/// missing.
class coding_checker final : public weft::network_observer {
 public:
  coding_checker(const coded_traffic& source, unsigned payload_bits)
      : m_source(source), m_payload_bits(payload_bits), m_words((payload_bits + 63) / 64) {}

  void created(const weft::packet& p) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// The first violation, or an empty string if there is none.
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
  std::map<weft::node_id, std::vector<std::uint64_t>> m_payload;  ///< by node: payload of the packet that is arriving
  std::string m_broken;
  std::uint64_t m_delivered = 0, m_decoded = 0, m_overflows = 0;
};
