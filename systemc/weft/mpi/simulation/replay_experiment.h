// SPDX-License-Identifier: Apache-2.0
/// Replays a program on the network of a configuration, and measures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/mpi/replay/replay_traffic.h"
#include "weft/simulation/event_log.h"
#include "weft/simulation/run.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

struct replay_result {
  outcome how = outcome::Complete;
  std::vector<std::string> explanation;  ///< reasons for any other outcome, line by line
  std::vector<channel_count> counts;     ///< flits sent, by output port
  cycle_t cycles = 0;                    ///< the makespan; for any other outcome, the time until everything stopped
};

/// A replay: the constructor reads the program and builds the network, run() simulates it, then its measurements are
/// available.
class replay_experiment {
 public:
  /// run() writes \p log, if not null, and \p vcd_file, if not empty. \p rtl as in build_model().
  /// \throws configuration_error without `workload.trace`, for a trace that cannot be read, and for keys that do not
  /// fit program or network
  replay_experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                    const rtl_provider& rtl);
  ~replay_experiment();
  replay_experiment(const replay_experiment&) = delete;
  replay_experiment& operator=(const replay_experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const replay_program& program() const { return m_program; }
  const std::vector<node_id>& nodes() const { return m_nodes; }  ///< of the ranks
  std::uint64_t mapping_cost() const { return m_mapping_cost; }  ///< bytes times hops
  const replay_traffic& traffic() const { return *m_traffic; }   ///< its metrics

  replay_result run(const run_hooks& hooks);

  /// Closes files that the network writes itself (waveforms).
  void tear_down() { m_model.reset(); }

 private:
  outcome play(const run_hooks& hooks, std::vector<std::string>& explanation);

  const configuration& m_configuration;
  const replay_program m_program;
  const topology m_graph;
  const std::vector<node_id> m_nodes;
  const std::uint64_t m_mapping_cost;
  std::optional<replayed_schedule> m_scheduled;
  std::unique_ptr<replay_traffic> m_traffic;
  std::unique_ptr<network_observer> m_observer;
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
