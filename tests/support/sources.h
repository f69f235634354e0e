// SPDX-License-Identifier: Apache-2.0
/// Sources of packets for tests.
#pragma once

#include <memory>
#include <utility>

#include "weft/core/packet.h"

/// Another source, silent from a cycle on, so that its network can be drained.
class stopping_source final : public weft::packet_source {
 public:
  stopping_source(std::unique_ptr<weft::packet_source> source, weft::cycle_t stop)
      : m_source(std::move(source)), m_stop(stop) {}

  weft::cycle_t next_creation(weft::node_id node) const override {
    const weft::cycle_t next = m_source->next_creation(node);
    return next < m_stop ? next : weft::Never;
  }
  weft::packet take(weft::node_id node) override { return m_source->take(node); }
  void payload(const weft::packet& p, std::uint32_t sequence, unsigned payload_bits,
               std::uint64_t* words) const override {
    m_source->payload(p, sequence, payload_bits, words);
  }

 private:
  std::unique_ptr<weft::packet_source> m_source;
  weft::cycle_t m_stop;
};

/// Another source, its packets divided among message classes, and some of them urgent.
class classed_source final : public weft::packet_source {
 public:
  classed_source(std::unique_ptr<weft::packet_source> source, unsigned classes, bool urgent)
      : m_source(std::move(source)), m_classes(classes), m_urgent(urgent) {}

  weft::cycle_t next_creation(weft::node_id node) const override { return m_source->next_creation(node); }
  weft::packet take(weft::node_id node) override {
    weft::packet p = m_source->take(node);
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
