// SPDX-License-Identifier: Apache-2.0
/// Combines several observers of one network.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "weft/core/network_observer.h"

namespace weft {

/// Forwards every callback to all given observers, in their order. The observers must outlive this object; null
/// pointers are skipped.
class observers final : public network_observer {
 public:
  observers(std::initializer_list<network_observer*> all) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(m_all), [](const network_observer* one) { return one; });
    for (const network_observer* const one : m_all) {
      m_needs_payload |= one->needs_payload();
      m_needs_waits |= one->needs_waits();
      m_needs_activity |= one->needs_activity();
      m_event_interest |= one->event_interest();
    }
  }

  bool needs_payload() const override { return m_needs_payload; }
  network_events event_interest() const override { return m_event_interest; }
  bool needs_waits() const override { return m_needs_waits; }
  bool needs_activity() const override { return m_needs_activity; }

  void created(const packet& p) override {
    for (network_observer* const one : m_all) one->created(p);
  }
  void sent(packet_id id, node_id node, cycle_t cycle) override {
    for (network_observer* const one : m_all) one->sent(id, node, cycle);
  }
  void injected(const flit_event& event, const header& head) override {
    for (network_observer* const one : m_all) one->injected(event, head);
  }
  void ejected(const flit_event& event, const std::uint64_t* payload) override {
    for (network_observer* const one : m_all) one->ejected(event, payload);
  }
  void waited(packet_id id, const router_waits& waits, cycle_t left) override {
    for (network_observer* const one : m_all) one->waited(id, waits, left);
  }
  void received(const flit_event& event, const std::uint64_t* payload) override {
    for (network_observer* const one : m_all) one->received(event, payload);
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    for (network_observer* const one : m_all) one->delivered(p, cycle, routers);
  }

 private:
  std::vector<network_observer*> m_all;
  network_events m_event_interest{};
  bool m_needs_payload = false, m_needs_waits = false, m_needs_activity = false;
};

}  // namespace weft
