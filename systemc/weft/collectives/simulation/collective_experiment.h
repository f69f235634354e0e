// SPDX-License-Identifier: Apache-2.0
/// Runs a collective communication: builds the network and messages of a configuration, simulates them, and measures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_bounds.h"
#include "weft/collectives/communication/collective_hops.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/collectives/communication/collective_traffic.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/configuration/configuration.h"
#include "weft/core/network_model.h"
#include "weft/simulation/energy_watch.h"
#include "weft/simulation/event_log.h"
#include "weft/simulation/run.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// The properties of the network of \p c that the algorithms need. A grid with a node at every router is described by
/// its sides; any other network is built and its distances are computed by search.
collective_network collective_network_of(const configuration& c);

/// Steps, messages and hops of the collective of \p c without simulation. They are computed in closed form or, if there
/// is none, counted.
/// \throws configuration_error
std::vector<collective_count> count_collective(const configuration& c);

struct collective_result {
  outcome how = outcome::Complete;
  cycle_t simulated = 0;                 ///< number of simulated cycles
  std::vector<channel_count> counts;     ///< flits sent, by output port
  std::optional<run_energy> energy;      ///< if output.energy selects a technology
  std::vector<std::string> explanation;  ///< reasons, line by line, if the outcome is not Complete
};

/// A schedule that replaces an algorithm.
struct played_schedule {
  schedule::collective requested;
  schedule::step_schedule steps;
  schedule::port_rule ports;  ///< port rule of its network, on which the numbers of channels depend
};

/// If the algorithm of \p c is `schedule`, reads and checks the schedule, and stores its collective in
/// \p c.collective.what. Returns nothing for other algorithms. \throws configuration_error
std::optional<played_schedule> read_schedule_of(configuration& c);

/// Reads and checks the schedule in \p file for \p graph, the network of \p c. \throws std::invalid_argument
played_schedule read_schedule_file(const configuration& c, const topology& graph, const std::filesystem::path& file);

/// Sets operation, sources and receivers in \p c.
void set_collective(configuration& c, const schedule::collective& requested);

/// How closely the network follows a schedule.
struct schedule_metrics {
  struct step {
    std::size_t messages = 0;  ///< number of unit messages in its longest transfer
    cycle_t alone = 0;         ///< cycles that its slowest packet takes if it meets no other packet
    cycle_t took = 0;          ///< from the creation of its first packet to the arrival of its last
  };
  std::vector<step> steps;
  std::uint64_t waits = 0;  ///< number of packets that arrived later than without other packets
  std::string first_wait;   ///< the first such packet, and its delay; empty if there is none
};

/// A collective. The constructor builds it, and run() simulates it. Then the measurements are available.
class collective_experiment {
 public:
  /// run() writes the event log \p log unless it is null, and the waveforms \p vcd_file unless it is empty. For \p rtl,
  /// see build_model(). If \p played is not null, packets use the ports and paths of this schedule instead of the
  /// routing, and its unit messages have `collective.length` flits. The schedule must pass schedule::check().
  /// \throws configuration_error
  collective_experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                        const rtl_provider& rtl, const played_schedule* played = nullptr);
  ~collective_experiment();
  collective_experiment(const collective_experiment&) = delete;
  collective_experiment& operator=(const collective_experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const collective& played() const { return m_collective; }
  const collective_traffic& traffic() const { return *m_traffic; }

  collective_result run(const run_hooks& hooks);

  /// How closely the network followed the schedule. Call this after run(), and only for a schedule.
  schedule_metrics schedule_kept() const;

  /// Lower bounds that hold for any algorithm of this collective.
  collective_floors floors() const;

  /// Destroys the network, which then closes its waveform file.
  void tear_down() { m_model.reset(); }

 private:
  class wait_counter;

  void set_up_send_sequences(const played_schedule& played);

  outcome play(const run_hooks& hooks, std::vector<std::string>& explanation);

  const configuration& m_configuration;
  topology m_graph;
  collective_network m_network;
  schedule_metrics m_predicted;          ///< for a schedule: metrics of its steps that need no simulation
  std::vector<cycle_t> m_latency_alone;  ///< for a schedule, by message
  collective m_collective;
  std::unique_ptr<collective_traffic> m_traffic;
  std::unique_ptr<wait_counter> m_wait_counter;
  std::shared_ptr<const network_cost> m_cost;  ///< null if output.energy selects no technology
  energy_watch m_energy;
  std::unique_ptr<network_observer> m_observer;
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
