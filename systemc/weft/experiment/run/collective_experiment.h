// SPDX-License-Identifier: Apache-2.0
/// Runs a collective communication: builds network and messages of a configuration, plays them, and measures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/run/event_log.h"
#include "weft/experiment/run/run.h"
#include "weft/topology/topology.h"
#include "weft/workload/collective/collective.h"
#include "weft/workload/collective/collective_bounds.h"
#include "weft/workload/collective/collective_hops.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_traffic.h"

namespace weft::experiment {

/// What the algorithms need to know of the network of \p c. A grid with a node at every router is described by its
/// sides; any other network is built, and its distances are searched.
collective_network collective_network_of(const configuration& c);

/// Steps, messages and hops of the collective of \p c, without simulating it: in closed form, or counted where there is
/// none.
/// \throws configuration_error
std::vector<collective_count> count_collective(const configuration& c);

struct collective_result {
  outcome how = outcome::Complete;
  cycle_t simulated = 0;
  std::vector<channel_count> counts;     ///< flits sent, by output port
  std::vector<std::string> explanation;  ///< of any other outcome, line by line
};

/// A collective: the constructor builds it, run() plays it, then its measurements can be read.
class collective_experiment {
 public:
  /// \p log, if not null, and \p vcd_file, if not empty, are written by run(). \p rtl_stages as in build_model().
  /// \throws configuration_error
  collective_experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                        const stage_provider& rtl_stages);
  ~collective_experiment();
  collective_experiment(const collective_experiment&) = delete;
  collective_experiment& operator=(const collective_experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const collective& played() const { return m_collective; }
  const collective_traffic& traffic() const { return *m_traffic; }

  collective_result run(const run_hooks& hooks);

  /// What it cannot go below, whatever the algorithm.
  collective_floors floors() const;

  /// Closes what the network writes itself (waveforms).
  void tear_down() { m_model.reset(); }

 private:
  class logged_traffic;

  outcome play(const run_hooks& hooks, std::vector<std::string>& explanation);

  const configuration& m_configuration;
  topology m_graph;
  collective_network m_network;
  collective m_collective;
  std::unique_ptr<collective_traffic> m_traffic;
  std::unique_ptr<logged_traffic> m_observer;
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
