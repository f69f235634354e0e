// SPDX-License-Identifier: Apache-2.0
/// Packet sources for tests, which wrap other sources.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "weft/core/packet.h"

/// Wraps a source and stops it at a given cycle, so that the network can be drained.
class stopping_source final : public weft::packet_source {
 public:
  stopping_source(std::unique_ptr<weft::packet_source> source, weft::cycle_t stop)
      : m_source(std::move(source)), m_stop(stop) {}

  weft::cycle_t next_creation(weft::node_id node) const override {
    const weft::cycle_t next = m_source->next_creation(node);
    return next < m_stop ? next : weft::Never;
  }
  weft::packet pop(weft::node_id node) override { return m_source->pop(node); }
  weft::packet following(const weft::packet& p) const override { return m_source->following(p); }
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override {
    m_source->payload(p, sequence, payload_bits, words);
  }

 private:
  std::unique_ptr<weft::packet_source> m_source;
  weft::cycle_t m_stop;
};

/// Wraps a source: assigns its packets to message classes, and makes some of them urgent.
class classed_source final : public weft::packet_source {
 public:
  classed_source(std::unique_ptr<weft::packet_source> source, unsigned classes, bool urgent)
      : m_source(std::move(source)), m_classes(classes), m_urgent(urgent) {}

  weft::cycle_t next_creation(weft::node_id node) const override { return m_source->next_creation(node); }
  weft::packet pop(weft::node_id node) override {
    weft::packet p = m_source->pop(node);
    p.message_class = static_cast<std::uint8_t>(p.id / 3 % m_classes);
    p.urgent = m_urgent && p.id % 10 < 3;
    return p;
  }
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override {
    m_source->payload(p, sequence, payload_bits, words);
  }

 private:
  std::unique_ptr<weft::packet_source> m_source;
  unsigned m_classes;
  bool m_urgent;
};

/// Wraps a source: each packet is multiplied to at most four packets that are created at once. They are popped one by
/// one, or together with the first one.
class multiplied_source final : public weft::packet_source {
 public:
  multiplied_source(std::unique_ptr<weft::packet_source> source, bool together)
      : m_source(std::move(source)), m_together(together) {}

  weft::cycle_t next_creation(weft::node_id node) const override {
    const auto last = m_last.find(node);
    return last != m_last.end() && last->second.more > 0 ? last->second.created : m_source->next_creation(node);
  }
  weft::packet pop(weft::node_id node) override {
    weft::packet& last = m_last[node];
    if (last.more > 0)
      last = following(last);
    else
      last = first_of(m_source->pop(node));
    weft::packet p = last;
    (m_together ? last : p).more = 0;
    return p;
  }
  weft::packet following(const weft::packet& p) const override {
    weft::packet next = p;
    ++next.id;
    --next.more;
    return next;
  }
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override {
    weft::packet from = p;
    from.id /= Most;
    m_source->payload(from, sequence, payload_bits, words);
  }

 private:
  static constexpr std::uint32_t Most = 4;

  /// Packets with named data are not multiplied, because the data must be unique.
  static weft::packet first_of(weft::packet p) {
    if (p.code == weft::xor_code()) p.more = static_cast<std::uint32_t>(p.id * 7 / 3 % Most);
    p.id *= Most;
    return p;
  }

  std::unique_ptr<weft::packet_source> m_source;
  const bool m_together;
  std::map<weft::node_id, weft::packet> m_last;  ///< by node: its last packet, with the number of its copies that
                                                 ///< remain
};
