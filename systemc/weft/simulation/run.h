// SPDX-License-Identifier: Apache-2.0
/// Runs an experiment: builds the network of a configuration, simulates warm-up, window and drain, and measures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/configuration/network.h"
#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/energy/network_cost.h"
#include "weft/simulation/deadlock.h"
#include "weft/simulation/energy_watch.h"
#include "weft/simulation/event_log.h"
#include "weft/simulation/measurement.h"
#include "weft/simulation/steady_state.h"
#include "weft/simulation/time_series.h"
#include "weft/topology/topology.h"
#include "weft/workload/reacting_source.h"

namespace weft::pin {
struct external_routers;
struct external_nics;
struct external_stages;
}  // namespace weft::pin

namespace weft::experiment {

/// How a run ended.
enum class outcome : std::uint8_t {
  Complete,  ///< every measured packet was delivered
  /// Source queues grow without limit (see queue_watch). The run stops after the window, or during the drain if this is
  /// detected only then.
  Saturated,
  Undecided,    ///< source queues grew, but the run was too short to decide whether without limit
  Interrupted,  ///< stopped by the user
  NotDrained,   ///< measured packets were still in flight at the end of the drain limit
  Deadlock,     ///< no flit moved while packets waited
  Corrupt,      ///< a flit was lost, duplicated, changed or misrouted
  Undelivered,  ///< a collective ended, but nodes lack required data
  Empty,        ///< no packet was created in the window, so nothing was measured
};

/// The name of an outcome in results: "complete", "saturated", "undecided", "interrupted", "not_drained", "deadlock",
/// "corrupt", "undelivered", "nothing_measured".
const char* name_of(outcome how);

/// Whether a run with the outcome \p name has measured its whole window: complete, saturated or undecided.
bool has_whole_window(const std::string& name);

/// Whether a run with the outcome \p name shows that the network carries its offered load: all measured packets were
/// delivered, and mean latency did not change over the window, as far as this could be tested. Searches for the
/// saturation load, curves and pictures all use this definition.
bool carries_load(const std::string& name, const std::optional<bool>& stationary);

/// The parts of the configuration that a run needs after network and traffic have been built.
struct run_plan {
  std::optional<cycle_t> warmup = 0;  ///< in cycles; no value: until the transient has ended
  cycle_t measure = 0;                ///< in cycles; 0: until the source has no more packets
  cycle_t drain = 0;
  cycle_t deadlock_after = 0;
  bool finite = false;  ///< whether the source ends; the run then ends when all its packets are delivered
  /// Length in cycles of the shortest window that shows whether the network is saturated, see sufficient_window(). No
  /// value: the traffic cannot saturate the network.
  std::optional<cycle_t> least_window = 0;
  /// The window is extended beyond `measure` until the half width of the interval of the mean latency, divided by this
  /// mean, is at most this number. 0: the window is not extended.
  double relative_error = 0;
  cycle_t at_most = 0;                   ///< longest window if relative_error is not 0
  cycle_t interval = 0;                  ///< interval of the time series in cycles; 0: no time series
  bool queues = false;                   ///< whether the time series includes queues
  const energy_watch* energy = nullptr;  ///< null: no energy is recorded
  const network_cost* cost = nullptr;    ///< for the energy over time; only with `energy`
  bool may_deadlock = false;  ///< whether routing or nodes permit deadlock, so that some packets may be stuck
  const reacting_source* reacting = nullptr;  ///< traffic that reacts to deliveries; null if there is none
  awaited_answers answers;                    ///< if nodes do not accept every packet
};

enum class run_phase : std::uint8_t { WarmUp, Measure, Drain, Collective };

/// Progress of a run.
struct run_progress {
  run_phase phase = run_phase::WarmUp;
  cycle_t now = 0;
  cycle_t end_of_window = 0;  ///< 0: unknown
  /// Drain: measured packets in flight. Collective: messages that have not arrived.
  std::uint64_t packets_awaited = 0;
};

/// Functions that a run calls many times a second. The run ends if `stop` returns true.
struct run_hooks {
  std::function<bool()> stop = [] { return false; };
  std::function<void(const run_progress&)> progress = [](const run_progress&) {};
};

/// Runs a network in time slices. The slices are short enough to call the hooks about ten times a second, even for a
/// slow network, and long enough to skip idle times in few slices.
class time_slices {
 public:
  /// Runs \p model to \p end and adapts the length of the slices to the time that they take. \return false if stopped
  /// before \p end
  bool run_to(network_model& model, cycle_t end, const run_hooks& hooks, const std::function<run_progress()>& progress);

 private:
  cycle_t m_slice = 100;
};

/// The congestion counters of a node.
struct node_state {
  std::uint64_t queued = 0;              ///< Q: packets in the source queue that have not begun to leave
  std::uint32_t received_in_window = 0;  ///< N: flits received in the last full window of the NIC
};

/// How the end of the transient was found.
struct found_warmup {
  cycle_t transient = 0;  ///< cycles that MSER-5 removes
  bool settled = false;   ///< whether the end was found; otherwise the search reached its limit
};

/// The energy that a network spent.
struct run_energy {
  std::shared_ptr<const network_cost> cost;
  cycle_t cycles = 0;
  network_counts counts;  ///< of these cycles
  energy_account spent;
};

/// The energy of \p cycles cycles in which the network did \p counts. Nothing without a cost.
std::optional<run_energy> energy_of(const std::shared_ptr<const network_cost>& cost, network_counts counts,
                                    cycle_t cycles);

struct run_result {
  outcome how = outcome::Complete;
  cycle_t cycles = 0;                        ///< number of simulated cycles
  std::vector<channel_count> window_counts;  ///< flits sent in the window, by output port
  network_counts window_activity;            ///< of the window, if it is recorded
  std::optional<run_energy> energy;          ///< if output.energy selects a technology
  std::vector<node_state> nodes;             ///< at the end of the run
  std::vector<std::string> explanation;      ///< deadlock, corrupt: description of the event, line by line
  std::vector<blocked_packet> ring;          ///< deadlock: packets in a ring, each waiting for the next
  std::optional<found_warmup> warmup;        ///< if the end of the transient was searched for
  queue_watch::growth queues;                ///< growth of the source queues over the window, or until `queues_until`
  cycle_t queues_until = 0;                  ///< cycle until which queues grow, if it is after the window; otherwise 0
  cycle_t window_needed = 0;                 ///< required length of the window, if it was too short; otherwise 0
  std::vector<time_series::entry> series;    ///< if requested
};

/// Functions that make verilated modules. The co-simulation contains them, and it is above this library, so the program
/// passes them here. A program built without RTL passes empty functions. A function throws std::invalid_argument if the
/// RTL was not compiled for its parameters. The message lists the available parameters.
struct rtl_provider {
  /// Makes the compression stages of \p nodes; an empty list selects all nodes.
  std::function<std::shared_ptr<const pin::external_stages>(const compression_parameters& parameters,
                                                            std::vector<node_id> nodes)>
      stages{};
  /// Makes \p routers of the network; an empty list selects all routers.
  std::function<std::shared_ptr<const pin::external_routers>(const topology& graph, unsigned payload_bits,
                                                             const router_parameters& router, const nic_parameters& nic,
                                                             std::vector<router_id> routers)>
      routers{};
  /// Makes the NICs at \p nodes of the network, with all their stages; an empty list selects all nodes.
  std::function<std::shared_ptr<const pin::external_nics>(const topology& graph, unsigned payload_bits,
                                                          const router_parameters& router, const nic_parameters& nic,
                                                          std::vector<node_id> nodes)>
      nics{};
};

/// Number of threads for a run of \p c: `simulation.threads`, or with `auto` as many as the processors that one of
/// `runs_at_once` runs may use and as are worthwhile for the number of routers.
unsigned find_threads(const configuration& c, const topology& graph);

/// Builds the network of \p c at its abstraction level. \p vcd_file has the meaning described at pin::model_options.
/// \p source and \p observer must outlive the network. \p rtl is called for each `implementation: rtl` in
/// `network.router`, `nic` and `nic.compression`.
/// \throws configuration_error
std::unique_ptr<network_model> build_model(const configuration& c, const topology& graph, packet_source& source,
                                           network_observer& observer, const std::filesystem::path& vcd_file,
                                           const rtl_provider& rtl);

/// Runs warm-up, window and drain. Makes decisions only at fixed cycles, so the result does not depend on the speed of
/// the machine or on how often the hooks are called. \p watch is the observer of \p model.
run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks);

/// What a program adds to an experiment.
struct additions {
  network_observer* observer = nullptr;  ///< receives all events, as the measurement does; must outlive the experiment
  /// Makes the source of all packets from the source of the workload. Empty: there are no further packets. Not called
  /// if packets of the workload react to deliveries.
  std::function<std::unique_ptr<packet_source>(std::unique_ptr<packet_source>)> extend{};
};

/// An experiment. The constructor builds network and traffic, and run() simulates them. Then the measurements are
/// available.
class experiment {
 public:
  /// run() writes the event log \p log unless it is null, and the waveforms \p vcd_file unless it is empty. For \p rtl,
  /// see build_model().
  /// \throws configuration_error
  experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file, const rtl_provider& rtl,
             const additions& added = {});
  experiment(const experiment&) = delete;
  experiment& operator=(const experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const measurement& measured() const { return m_measurement; }
  /// The network, for programs that advance it themselves in place of run().
  network_model& model() { return *m_model; }
  /// The costs of the network; null if output.energy selects no technology.
  const std::shared_ptr<const network_cost>& cost() const { return m_cost; }
  /// What the network has done since the start; empty without a cost.
  network_counts counts() const { return m_cost ? m_energy.counts(*m_model) : network_counts(); }

  run_result run(const run_hooks& hooks);

  /// Destroys the network, which then closes its waveform file.
  void tear_down() { m_model.reset(); }

 private:
  packet_source& source() { return m_reacting ? static_cast<packet_source&>(*m_reacting) : *m_other; }

  const configuration& m_configuration;
  topology m_graph;
  std::unique_ptr<reacting_source> m_reacting;  ///< null for traffic that does not react to deliveries
  std::unique_ptr<packet_source> m_other;       ///< null for traffic that does
  measurement m_measurement;
  std::shared_ptr<const network_cost> m_cost;
  energy_watch m_energy;
  std::unique_ptr<network_observer> m_observer;  ///< if there are several: the measurement and the others
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
