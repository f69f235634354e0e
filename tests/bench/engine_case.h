// SPDX-License-Identifier: Apache-2.0
/// What the measurements of the engine have in common: uniform traffic, and an observer with little work.
#pragma once

#include <cstdint>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/workload/workload.h"

/// Counts latencies, as other simulators do in comparable runs.
class latency_meter : public weft::network_observer {
 public:
  bool needs_payload() const override { return false; }
  weft::network_events event_interest() const override { return {weft::network_event::Delivered}; }
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t) override {
    ++m_packets;
    m_cycles += cycle - p.created;
  }
  double mean() const { return static_cast<double>(m_cycles) / static_cast<double>(m_packets); }

 private:
  std::uint64_t m_packets = 0, m_cycles = 0;
};

/// Packets of \p flits flits; 0: of 10 to 200, all lengths equally likely.
inline weft::workload_parameters uniform_traffic(double load, unsigned flits) {
  weft::workload_parameters traffic;
  traffic.injection.load = load;
  if (flits != 0) {
    traffic.length.flits = flits;
  } else {
    traffic.length.kind = weft::length_kind::Uniform;
    traffic.length.min = 10;
    traffic.length.max = 200;
  }
  return traffic;
}
