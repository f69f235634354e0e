// SPDX-License-Identifier: Apache-2.0
/// Simulates a collective on a small network, at the pin level or with the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/collectives/communication/collective_traffic.h"
#include "weft/core/parameters.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/topology.h"

struct collective_case {
  weft::grid_parameters grid{{4, 4}};
  std::optional<weft::topology> graph{};  ///< the network to use instead of the grid
  weft::router_parameters router{4, 8, 3};
  weft::nic_parameters nic;  ///< XOR stages and ejection buffer are set as the options require
  weft::collective_options options;

  weft::collective_network network() const;
};

struct collective_outcome {
  bool finished = false;
  std::vector<std::string> lacks;  ///< the result of collective_traffic::verify()
  std::string error;
  std::vector<weft::collective_metrics> steps;
  weft::collective_metrics total;
  weft::xor_metrics xors;
  weft::cycle_t end = 0;
  std::vector<weft::message_id> lost;
  std::string events;  ///< all events, in the format of event_log
};

enum class played_at { Engine, Pin };

/// Runs \p c until the collective is finished, or until nothing has moved for a while. At the pin level a process can
/// call it only once.
collective_outcome play(const weft::collective& c, const collective_case& where, played_at level = played_at::Engine);
