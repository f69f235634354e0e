// SPDX-License-Identifier: Apache-2.0
/// Replays a program on the network of a configuration, and measures the replay.
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
#include "weft/simulation/energy_watch.h"
#include "weft/simulation/event_log.h"
#include "weft/simulation/run.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

struct replay_result {
  outcome how = outcome::Complete;
  std::vector<std::string> explanation;  ///< reasons, line by line, if the outcome is not Complete
  std::vector<channel_count> counts;     ///< flits sent, by output port
  std::optional<run_energy> energy;      ///< if output.energy selects a technology
  cycle_t cycles = 0;                    ///< the makespan; if not Complete, the time until everything stopped
};

/// A replay. The constructor reads the program and builds the network, and run() simulates the program. Then the
/// measurements are available.
class replay_experiment {
 public:
  /// run() writes the event log \p log unless it is null, and the waveforms \p vcd_file unless it is empty. For \p rtl,
  /// see build_model().
  /// \throws configuration_error without `workload.trace`, for a trace that cannot be read, and for keys that do not
  /// fit program or network
  replay_experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                    const rtl_provider& rtl);
  ~replay_experiment();
  replay_experiment(const replay_experiment&) = delete;
  replay_experiment& operator=(const replay_experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const replay_program& program() const { return m_program; }
  const std::vector<node_id>& nodes() const { return m_nodes; }  ///< node of each rank
  std::uint64_t mapping_cost() const { return m_mapping_cost; }  ///< bytes times hops, over all messages
  const replay_traffic& traffic() const { return *m_traffic; }   ///< with its metrics

  replay_result run(const run_hooks& hooks);

  /// Destroys the network, which then closes its waveform file.
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
  std::shared_ptr<const network_cost> m_cost;  ///< null if output.energy selects no technology
  energy_watch m_energy;
  std::unique_ptr<network_observer> m_observer;
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
