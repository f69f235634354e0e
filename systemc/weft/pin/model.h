// SPDX-License-Identifier: Apache-2.0
/// The pin level as an experiment sees it: a network of SystemC modules behind network_model.
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

struct foreign_stages;
struct foreign_routers;
struct foreign_nics;

/// Payload bits a flit can have at this level.
inline constexpr unsigned PayloadWidths[] = {32, 64, 128, 256};

struct model_options {
  unsigned payload_bits = 64;      ///< one of PayloadWidths
  bool clock_gating = true;        ///< clock only modules with something to do; the event log does not depend on it
  std::filesystem::path vcd_file;  ///< waveforms, with the suffix .vcd; empty = none
  /// Shell patterns on hierarchical names ("network.router_3*"): what to trace. One of them at least matches a wire,
  /// with or without a file.
  std::vector<std::string> vcd_patterns;
  /// In the place of the compression modules of this level; null = none.
  std::shared_ptr<const foreign_stages> compression_stages{};
  /// In the place of routers of this level; null = none. It has to have the width of the flits.
  std::shared_ptr<const foreign_routers> routers{};
  /// The same for NICs, with their stages.
  std::shared_ptr<const foreign_nics> nics{};
  /// sc_time::value() of the clock of a network that is part of a larger simulation and runs when that does: cycle c
  /// begins at c periods, and its events are told at its end. 0: a simulation of its own, which run() takes further.
  std::uint64_t clock_period = 0;
};

/// No wire of the network matches model_options::vcd_patterns.
class no_such_wire : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A network that can be asked whether the laws of conservation hold within it, and reset.
class audited_model : public network_model {
 public:
  /// Resets every module through \p edges clock edges, 1 and more: what is within and what waits in source queues is
  /// lost. Cycles go on to be counted. \throws std::logic_error before the first run(), of a network that runs by
  /// itself, and for an observer that wants waits
  virtual void reset(unsigned edges) = 0;
  /// The first law that is broken, in words, or nothing: of every VC of every channel, credits and flits add up to the
  /// depth of the buffer; no output VC has two holders; the flits that went in and did not come out are inside.
  virtual std::string audit() const = 0;
  /// The same for a network that has been drained: nothing is inside, and every credit is home.
  virtual std::string audit_at_rest() const = 0;
};

/// Builds (elaborates) the network. Only before the simulation of this process has started, a rule of SystemC; several
/// networks may be built. \p source and \p observer must outlive the model. run() of a network with a
/// model_options::clock_period throws std::logic_error. \throws std::invalid_argument for parameters out of range,
/// naming the parameter; no_such_wire.
std::unique_ptr<audited_model> make_model(const topology& graph, const router_parameters& router,
                                          const nic_parameters& nic, const model_options& options,
                                          packet_source& source, network_observer& observer);

}  // namespace weft::pin
