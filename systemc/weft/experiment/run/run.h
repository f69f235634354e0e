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

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/configuration/network.h"
#include "weft/experiment/run/event_log.h"
#include "weft/experiment/run/measurement.h"
#include "weft/experiment/run/steady_state.h"
#include "weft/experiment/run/time_series.h"
#include "weft/topology/topology.h"
#include "weft/workload/request_reply.h"

namespace weft::pin {
struct foreign_routers;
struct foreign_nics;
struct foreign_stages;
}  // namespace weft::pin

namespace weft::experiment {

/// How a run ended.
enum class outcome : std::uint8_t {
  Complete,  ///< every measured packet was delivered
  /// Source queues grow without limit, see queue_watch: stopped after the window, or in the drain, if it was seen then.
  Saturated,
  Undecided,    ///< they grew, in a time too short to tell whether without limit; stopped after it
  Interrupted,  ///< stopped by the user
  NotDrained,   ///< measured packets were still on their way at the end of the drain limit
  Deadlock,     ///< no flit moved while packets waited
  Corrupt,      ///< a flit was lost, doubled, changed or misled
  Undelivered,  ///< a collective ended, and nodes lack data that they should have
  Empty,        ///< no packet was created in the window: nothing was measured
};

/// "complete", "saturated", "undecided", "interrupted", "not_drained", "deadlock", "corrupt", "undelivered",
/// "nothing_measured".
const char* name_of(outcome how);

/// Whether a run that ends so, by that name, has measured its whole window: complete, saturated or undecided.
bool has_whole_window(const std::string& name);

/// Whether a run that ends so, by that name, shows that the network carries the load it was offered: all measured
/// packets were delivered, and mean latency did not change over the window, as far as that could be tested. The one
/// definition: searches for the saturation load, curves and pictures all go by it.
bool carries_load(const std::string& name, const std::optional<bool>& stationary);

/// What a run needs of its configuration once everything is built.
struct run_plan {
  std::optional<cycle_t> warmup = 0;  ///< none: until the transient has ended
  cycle_t measure = 0;                ///< 0 = until the source has no more packets
  cycle_t drain = 0;
  cycle_t deadlock_after = 0;
  bool finite = false;  ///< the source ends: run until all its packets are delivered
  /// Of a window that tells whether the network is saturated, see window_that_tells(); none: it cannot be.
  std::optional<cycle_t> least_window = 0;
  /// Half width of the interval of mean latency, as a share of it, until which the window goes on after `measure`; 0:
  /// it does not.
  double relative_error = 0;
  cycle_t at_most = 0;        ///< longest window then
  cycle_t interval = 0;       ///< of the time series; 0: none
  bool queues = false;        ///< in it
  bool may_deadlock = false;  ///< routing does not exclude it, so that packets may be stuck while others move
};

enum class run_phase : std::uint8_t { WarmUp, Measure, Drain, Collective };

/// How far a run is.
struct run_progress {
  run_phase phase = run_phase::WarmUp;
  cycle_t now = 0;
  cycle_t end_of_window = 0;  ///< 0 when not known
  /// Drain: measured packets on their way. Collective: messages that have not arrived.
  std::uint64_t packets_awaited = 0;
};

/// What a run asks and reports while it goes on, many times a second.
struct run_hooks {
  std::function<bool()> stop = [] { return false; };
  std::function<void(const run_progress&)> progress = [](const run_progress&) {};
};

/// Runs a network in slices so short that the hooks are asked about ten times a second, however slow it is, and so long
/// that a time in which nothing goes on takes few of them.
class time_slices {
 public:
  /// \p end is near, unless nothing goes on until then: a slice is as long as the one before. \return false if it was
  /// stopped before \p end
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
  cycle_t transient = 0;  ///< cycles that MSER-5 cuts off
  bool settled = false;   ///< it does so; else it was looked for in vain, as long as allowed
};

struct run_result {
  outcome how = outcome::Complete;
  cycle_t cycles = 0;                        ///< simulated
  std::vector<channel_count> window_counts;  ///< flits sent in the window, by output port
  std::vector<node_state> nodes;             ///< at the end of the run
  std::vector<std::string> explanation;      ///< deadlock, corrupt: what happened, line by line
  std::vector<blocked_packet> ring;          ///< deadlock: packets that wait for each other, each for the next
  std::optional<found_warmup> warmup;        ///< if it was looked for
  queue_watch::growth queues;                ///< of the source queues over the window, or until `queues_until`
  cycle_t queues_until = 0;                ///< end of the time in which queues grow, where it reaches beyond the window
  cycle_t window_needed = 0;               ///< to tell whether the network is saturated, if the window was shorter
  std::vector<time_series::entry> series;  ///< if it was asked for
};

/// Makes verilated modules, which belong to the co-simulation: that stands above this library, so the program hands in
/// what makes them. A function is null in a program that was built without RTL, and throws std::invalid_argument for
/// parameters that the RTL was not compiled with, naming what there is.
struct rtl_provider {
  /// Compression stages for these nodes, all of them if none are named.
  std::function<std::shared_ptr<const pin::foreign_stages>(const compression_parameters& parameters,
                                                           std::vector<node_id> nodes)>
      stages{};
  /// The routers of that network which are named, all of them if none are.
  std::function<std::shared_ptr<const pin::foreign_routers>(const topology& graph, unsigned payload_bits,
                                                            const router_parameters& router, const nic_parameters& nic,
                                                            std::vector<router_id> routers)>
      routers{};
  /// The NICs of that network at the nodes which are named, all of them if none are, with all their stages.
  std::function<std::shared_ptr<const pin::foreign_nics>(const topology& graph, unsigned payload_bits,
                                                         const router_parameters& router, const nic_parameters& nic,
                                                         std::vector<node_id> nodes)>
      nics{};
};

/// The network of \p c at its level; \p vcd_file as in pin::model_options. Source and observer outlive it. \p rtl is
/// asked for each `implementation: rtl`: of `network.router`, `nic` and `nic.compression`.
/// \throws configuration_error
std::unique_ptr<network_model> build_model(const configuration& c, const topology& graph, packet_source& source,
                                           network_observer& observer, const std::filesystem::path& vcd_file,
                                           const rtl_provider& rtl);

/// Runs warm-up, window and drain. Decides at fixed cycles only: the result does not depend on the speed of
/// the machine nor on how often the hooks are asked. \p watch is the observer of \p model.
run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks);

/// An experiment: the constructor builds it, run() simulates it, then its measurements can be read.
class experiment {
 public:
  /// \p log, if not null, and \p vcd_file, if not empty, are written by run(). \p rtl as in build_model().
  /// \throws configuration_error
  experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file, const rtl_provider& rtl);
  experiment(const experiment&) = delete;
  experiment& operator=(const experiment&) = delete;

  const topology& graph() const { return m_graph; }
  const measurement& measured() const { return m_measurement; }

  run_result run(const run_hooks& hooks);

  /// Closes what the network writes itself (waveforms).
  void tear_down() { m_model.reset(); }

 private:
  packet_source& source();

  const configuration& m_configuration;
  topology m_graph;
  std::unique_ptr<request_reply_source> m_closed_loop;  ///< null for traffic that does not depend on what arrives
  std::unique_ptr<packet_source> m_open_loop;           ///< the other
  measurement m_measurement;
  std::unique_ptr<network_observer> m_observer;  ///< of a closed loop
  std::unique_ptr<network_model> m_model;
};

}  // namespace weft::experiment
