// SPDX-License-Identifier: Apache-2.0
/// The pin level: a network of SystemC modules behind the interface network_model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::pin {

struct external_stages;
struct external_routers;
struct external_nics;

/// Payload widths of a flit that this level supports, in bits.
inline constexpr unsigned PayloadWidths[] = {32, 64, 128, 256};

struct model_options {
  unsigned payload_bits = 64;      ///< one of PayloadWidths
  bool clock_gating = true;        ///< clocks only modules with pending work; the event log does not depend on it
  std::filesystem::path vcd_file;  ///< waveform file with the suffix .vcd; empty = none
  /// Shell patterns on hierarchical names ("network.router_3*") that select the wires to trace. Each pattern must match
  /// at least one wire, even if no file is written.
  std::vector<std::string> vcd_patterns;
  /// Implementation that replaces the compression modules of this level; null = none.
  std::shared_ptr<const external_stages> compression_stages{};
  /// Implementation that replaces routers of this level; null = none. It must support the payload width.
  std::shared_ptr<const external_routers> routers{};
  /// Implementation that replaces NICs of this level together with their stages; null = none. It must support the
  /// payload width.
  std::shared_ptr<const external_nics> nics{};
  /// Clock period, as sc_time::value(), of a network that is part of a larger simulation and advances with it: cycle c
  /// begins at time c * clock_period, and its events are reported at its end. 0 = the network is simulated on its own
  /// and advances only in run().
  std::uint64_t clock_period = 0;
};

/// Exception: a pattern in model_options::vcd_patterns matches no wire of the network.
class no_such_wire : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A network whose conservation invariants can be audited, and which can be reset.
class audited_model : public network_model {
 public:
  /// Resets every module for \p edges ≥ 1 clock edges. Packets inside the network and in source queues are lost. The
  /// cycle count continues.
  /// \throws std::logic_error before the first run(), for a network with a clock_period, and if the observer has
  ///         needs_waits()
  virtual void reset(unsigned edges) = 0;
  /// Returns a description of the first violated invariant, or an empty string. The invariants are: for every VC of
  /// every channel, credits and flits add up to the depth of the buffer; no output VC has two holders; all flits that
  /// entered and have not left are inside.
  virtual std::string audit() const = 0;
  /// Does the same as audit() for a drained network, and also checks that it holds no flits and that all credits are at
  /// the senders.
  virtual std::string audit_at_rest() const = 0;
};

/// Builds (elaborates) the network. SystemC allows this only before the simulation of the process starts, but several
/// networks may be built. \p source and \p observer must outlive the model. If model_options::clock_period is set,
/// run() throws std::logic_error.
/// \throws std::invalid_argument for parameters out of range; the message names the parameter
/// \throws no_such_wire if one of vcd_patterns matches no wire
std::unique_ptr<audited_model> make_model(const topology& graph, const router_parameters& router,
                                          const nic_parameters& nic, const model_options& options,
                                          packet_source& source, network_observer& observer);

}  // namespace weft::pin
