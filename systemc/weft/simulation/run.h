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
#include "weft/simulation/event_log.h"
#include "weft/simulation/measurement.h"
#include "weft/simulation/steady_state.h"
#include "weft/simulation/time_series.h"
#include "weft/topology/topology.h"
#include "weft/workload/request_reply.h"

namespace weft::pin {
struct external_routers;
struct external_nics;
struct external_stages;
}  // namespace weft::pin

namespace weft::experiment {

/// How a run ended.
enum class outcome : std::uint8_t {
  Complete,  ///< every measured packet was delivered
  /// Source queues grow without limit, see queue_watch; stopped after the window, or in the drain if detected then.
  Saturated,
  Undecided,    ///< source queues grew, but the time was too short to determine whether without limit
  Interrupted,  ///< stopped by the user
  NotDrained,   ///< measured packets were still in flight at the end of the drain limit
  Deadlock,     ///< no flit moved while packets waited
  Corrupt,      ///< a flit was lost, duplicated, changed or misrouted
  Undelivered,  ///< a collective ended, but nodes lack required data
  Empty,        ///< no packet was created in the window, so nothing was measured
};

/// "complete", "saturated", "undecided", "interrupted", "not_drained", "deadlock", "corrupt", "undelivered",
/// "nothing_measured".
const char* name_of(outcome how);

/// Whether a run with the outcome \p name has measured its whole window: complete, saturated or undecided.
bool has_whole_window(const std::string& name);

/// Whether a run with the outcome \p name shows that the network carries its offered load: all measured packets were
/// delivered, and mean latency did not change over the window, as far as this could be tested. Searches for the
/// saturation load, curves and pictures all use this definition.
bool carries_load(const std::string& name, const std::optional<bool>& stationary);

/// The parts of the configuration that a run needs once everything is built.
struct run_plan {
  std::optional<cycle_t> warmup = 0;  ///< nothing: until the transient has ended
  cycle_t measure = 0;                ///< 0 = until the source has no more packets
  cycle_t drain = 0;
  cycle_t deadlock_after = 0;
  bool finite = false;  ///< whether the source ends: run until all its packets are delivered
  /// Shortest window that shows whether the network is saturated, see sufficient_window(); nothing: it cannot be
  /// saturated.
  std::optional<cycle_t> least_window = 0;
  /// Half width of the interval of mean latency, relative to it, at which the window ends after `measure`; 0: the
  /// window is not extended.
  double relative_error = 0;
  cycle_t at_most = 0;        ///< longest window with relative_error
  cycle_t interval = 0;       ///< of the time series; 0: none
  bool queues = false;        ///< whether the time series includes queues
  bool may_deadlock = false;  ///< routing does not exclude deadlock, so packets may be stuck while others move
};

enum class run_phase : std::uint8_t { WarmUp, Measure, Drain, Collective };

/// Progress of a run.
struct run_progress {
  run_phase phase = run_phase::WarmUp;
  cycle_t now = 0;
  cycle_t end_of_window = 0;  ///< 0 when not known
  /// Drain: measured packets in flight. Collective: messages that have not arrived.
  std::uint64_t packets_awaited = 0;
};

/// Callbacks of a run, made many times a second.
struct run_hooks {
  std::function<bool()> stop = [] { return false; };
  std::function<void(const run_progress&)> progress = [](const run_progress&) {};
};

/// Runs a network in slices that are short enough to call the hooks about ten times a second, however slow the network
/// is, and long enough to skip idle times in few slices.
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
  bool settled = false;   ///< whether it was found; otherwise the search reached its limit
};

struct run_result {
  outcome how = outcome::Complete;
  cycle_t cycles = 0;                        ///< simulated
  std::vector<channel_count> window_counts;  ///< flits sent in the window, by output port
  std::vector<node_state> nodes;             ///< at the end of the run
  std::vector<std::string> explanation;      ///< deadlock, corrupt: description of the event, line by line
  std::vector<blocked_packet> ring;          ///< deadlock: packets in a ring, each waiting for the next
  std::optional<found_warmup> warmup;        ///< if it was searched for
  queue_watch::growth queues;                ///< growth of the source queues over the window, or until `queues_until`
  cycle_t queues_until = 0;                  ///< end of the time in which queues grow, if it extends beyond the window
  cycle_t window_needed = 0;                 ///< window length that would show saturation, if longer
  std::vector<time_series::entry> series;    ///< if requested
};

/// Makes verilated modules. These belong to the co-simulation, which is above this library, so the program passes the
/// functions that make them. A function is empty in a program built without RTL. It throws std::invalid_argument for
/// parameters that the RTL was not compiled with, and lists the available ones.
struct rtl_provider {
  /// Compression stages of the given nodes; of all if none are given.
  std::function<std::shared_ptr<const pin::external_stages>(const compression_parameters& parameters,
                                                            std::vector<node_id> nodes)>
      stages{};
  /// The given routers of the network; all if none are given.
  std::function<std::shared_ptr<const pin::external_routers>(const topology& graph, unsigned payload_bits,
                                                             const router_parameters& router, const nic_parameters& nic,
                                                             std::vector<router_id> routers)>
      routers{};
  /// The NICs at the given nodes of the network, with all their stages; at all nodes if none are given.
  std::function<std::shared_ptr<const pin::external_nics>(const topology& graph, unsigned payload_bits,
                                                          const router_parameters& router, const nic_parameters& nic,
                                                          std::vector<node_id> nodes)>
      nics{};
};

/// The network of \p c at its level; \p vcd_file as in pin::model_options. Source and observer must outlive it. \p rtl
/// is called for each `implementation: rtl` in `network.router`, `nic` and `nic.compression`.
/// \throws configuration_error
std::unique_ptr<network_model> build_model(const configuration& c, const topology& graph, packet_source& source,
                                           network_observer& observer, const std::filesystem::path& vcd_file,
                                           const rtl_provider& rtl);

/// Runs warm-up, window and drain. Makes decisions only at fixed cycles, so the result does not depend on the speed of
/// the machine or on how often the hooks are called. \p watch is the observer of \p model.
run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks);

/// An experiment: the constructor builds it, run() simulates it, then its measurements are available.
class experiment {
 public:
  /// run() writes \p log, if not null, and \p vcd_file, if not empty. \p rtl as in build_model().
  /// \throws configuration_error
  experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file, const rtl_provider& rtl);
  experiment(const experiment&) = delete;
  experiment& operator=(const experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const measurement& measured() const { return m_measurement; }

  run_result run(const run_hooks& hooks);

  /// Closes files that the network writes itself (waveforms).
  void tear_down() { m_model.reset(); }

 private:
  packet_source& source();

  const configuration& m_configuration;
  topology m_graph;
  std::unique_ptr<request_reply_source> m_closed_loop;  ///< null for traffic that does not depend on arrivals
  std::unique_ptr<packet_source> m_open_loop;           ///< otherwise
  measurement m_measurement;
  std::unique_ptr<network_observer> m_observer;  ///< for a closed loop
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
