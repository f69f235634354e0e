// SPDX-License-Identifier: Apache-2.0
/// Records the events of a network as rows, which a program takes in batches.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/network_observer.h"

namespace weft::python {

/// A flit that entered or left the network: a line of the event log.
struct flit_row {
  std::uint64_t cycle;
  std::uint8_t ejected;  ///< 0: from the NIC into the network; 1: out of the network
  std::uint32_t node, vc;
  std::uint64_t packet;
  std::uint32_t sequence;  ///< number of the flit in its packet; 0 is the head
};

/// A packet that entered the source queue of its source.
struct creation_row {
  std::uint64_t cycle, packet;
  std::uint32_t source, destination, flits;
};

/// A packet whose tail reached its destination.
struct delivery_row {
  std::uint64_t cycle, packet;
  std::uint32_t source, destination, flits;
  std::uint64_t created;
  std::uint32_t routers;  ///< number of routers that it passed
};

/// Records the kinds of events that are enabled. Each take_…() returns the events of the cycles before \p now that were
/// not taken before, sorted by all columns, in the order of columns.
class recorder final : public network_observer {
 public:
  bool flits = false, creations = false, deliveries = false;  ///< the kinds that are enabled

  std::vector<flit_row> take_flits(cycle_t now);
  std::vector<creation_row> take_creations(cycle_t now);
  std::vector<delivery_row> take_deliveries(cycle_t now);

  bool needs_payload() const override { return false; }
  void created(const packet& p) override;
  void injected(const flit_event& event, const header& head) override;
  void ejected(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

 private:
  void add(const flit_event& event, std::uint8_t is_ejected);

  std::vector<flit_row> m_flits;
  std::vector<creation_row> m_creations;
  std::vector<delivery_row> m_deliveries;
};

}  // namespace weft::python
