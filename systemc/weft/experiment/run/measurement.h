// SPDX-License-Identifier: Apache-2.0
/// Watches a network: measures latency and throughput, and checks that every flit arrives as it was sent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/experiment/run/batch_series.h"
#include "weft/experiment/run/estimation.h"
#include "weft/experiment/run/event_log.h"
#include "weft/experiment/run/flight_table.h"
#include "weft/workload/packet_list.h"

namespace weft::experiment {

struct measurement_options {
  std::uint32_t nodes = 0;
  unsigned payload_bits = 64;
  cycle_t warmup = 0;                    ///< first cycle of the window; Never = until open_window()
  cycle_t measure = 0;                   ///< cycles of the window; 0 = until close_window()
  bool keep_answers = false;             ///< remember what became of each packet
  bool keep_pairs = false;               ///< count the packets of each pair of nodes
  bool exact_cut = true;                 ///< codec_parameters::exact: what a double looks like after LSB-cut
  bool assumed_size = false;             ///< compressed packets arrive without payload
  std::vector<cycle_t> node_channels{};  ///< cycles of each node's, to break latency down; empty: it is not
};

/// Packets with a property in common: a length, a number of routers passed, a time of creation.
struct packet_class {
  std::uint64_t count = 0;
  std::uint64_t latency_sum = 0;  ///< cycles
  std::uint64_t compressed = 0;   ///< packets of them that travelled in code
};

/// What compression did to the measured packets that were delivered.
struct compression_figures {
  std::uint64_t packets = 0;
  std::uint64_t compressed = 0;       ///< packets that travelled in code
  std::uint64_t flits_created = 0;    ///< of all packets
  std::uint64_t flits_travelled = 0;  ///< of all packets
  std::uint64_t send_cycles = 0;      ///< of compressed ones, from source queue to router
  std::uint64_t receive_cycles = 0;   ///< of compressed ones, tail from router to node
  /// Of all packets that left the source queue in the window, until their head reached the router.
  std::uint64_t waiting_cycles = 0;
  std::int64_t most_waiting = 0;        ///< packets at once between source queue and router of a node
  cycle_t interval = 1;                 ///< cycles; twice as long whenever there would be more than 1,048,576 of them
  std::vector<packet_class> over_time;  ///< by time of creation, interval by interval of the window
};

/// A rate in flits per node and cycle, and its 95 % interval.
struct rate {
  double mean = 0;
  interval around;
};

/// Measured packets from one node to another.
struct pair_figures {
  std::uint64_t packets = 0;      ///< that were delivered
  std::uint64_t latency_sum = 0;  ///< cycles
};

/// Where measured packets spent their latency; cycles, added up. The sum of all is the sum of latencies.
struct latency_parts {
  std::uint64_t source_queue = 0;       ///< until the head left the source queue
  std::uint64_t injection = 0;          ///< stages of the NIC, its register, the channel to the router
  std::uint64_t vc_allocation = 0;      ///< in routers, for an output VC
  std::uint64_t switch_allocation = 0;  ///< in routers, for the switch, with an output VC and a credit
  std::uint64_t credit_wait = 0;        ///< in routers, for a credit, with an output VC
  std::uint64_t pipeline = 0;           ///< of routers, and channels between them
  std::uint64_t serialisation = 0;      ///< one for each flit behind the head
  std::uint64_t ejection = 0;           ///< the channel to the node, ejection buffer, stages of the NIC
};

/// What has passed since cycle 0, inside the window or not.
struct traffic_totals {
  std::uint64_t flits_created = 0;
  std::uint64_t flits_received = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t latency_sum = 0;     ///< of packets that were delivered, cycles
  std::uint64_t packets_queued = 0;  ///< now in source queues
};

/// Packets created in the window are measured, whenever they are delivered. Latency of a packet counts from
/// its creation to the delivery of its tail, network latency from the injection of its head to the ejection of its
/// tail. Throughput counts the flits of messages that are created (offered) and received (accepted) in the window, of
/// whichever packets; carried are the flits that left the network, which are fewer where packets are compressed.
class measurement final : public network_observer {
 public:
  /// \p source says what payload must arrive; it outlives the measurement, and so does \p log, if not null.
  measurement(const packet_source& source, const measurement_options& options, event_log* log = nullptr);

  void created(const packet& p) override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void injected(const flit_event& event, const header& head) override;
  void ejected(const flit_event& event, const std::uint64_t* payload) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;
  bool wants_waits() const override { return breaks_down(); }
  void waited(packet_id id, const router_waits& waits, cycle_t left) override;

  /// In a closed loop: a reply was delivered in \p cycle, to a request that was created in \p asked.
  void answered(cycle_t asked, cycle_t cycle);

  /// Begins the window at \p first, which is two cycles ahead at least.
  void open_window(cycle_t first);
  /// Ends the window at \p end, if it has not ended before. A window that goes on until then is two cycles ahead of its
  /// end, so that no packet has been counted that is created later.
  void close_window(cycle_t end);

  // The state of the run.
  std::uint64_t flits_injected() const { return m_flits_injected; }
  std::uint64_t flits_ejected() const { return m_flits_ejected; }
  /// Flits of packets whose head is in the source queue, by node.
  const std::vector<std::uint32_t>& flits_waiting() const { return m_flits_waiting; }
  /// Of what happened before cycle \p end, up to which the network has been simulated. Packets that it has created
  /// ahead of their time, in \p end, are not among them.
  traffic_totals totals_before(cycle_t end) const;
  /// The latest cycle in which a packet was created, so far; Never if there was none.
  cycle_t last_created() const { return m_newest.packets == 0 ? Never : m_newest.cycle; }
  /// The latest cycle in which a packet was delivered; Never if there was none.
  cycle_t last_delivered() const { return m_last_delivered; }
  const std::vector<std::uint64_t>& flits_injected_by() const { return m_injected_by; }  ///< by node
  std::uint64_t packets_under_way() const { return m_flights.size(); }                   ///< created and not delivered
  std::uint64_t measured_under_way() const { return m_measured - m_latency.count(); }
  /// The packet on its way, or nullptr.
  const flight* find(packet_id id) { return m_flights.find(id); }
  /// The first thing that was not as it must be; empty while all is well.
  const std::string& error() const { return m_error; }

  // What was measured.
  cycle_t window_first() const { return m_first; }
  cycle_t window_end() const { return m_end; }
  std::uint64_t measured() const { return m_measured; }  ///< packets created in the window
  const histogram& latency() const { return m_latency; }
  interval latency_interval() const { return latency_interval(m_end); }
  /// What it would be if the window ended at \p end.
  interval latency_interval(cycle_t end) const { return m_latency_batches.interval_of_mean(end); }
  trend latency_trend() const { return m_latency_batches.trend_of_mean(m_end); }
  const histogram& network_latency() const { return m_network_latency; }
  interval network_latency_interval() const { return m_network_batches.interval_of_mean(m_end); }
  trend network_latency_trend() const { return m_network_batches.trend_of_mean(m_end); }
  /// Of a closed loop: from the creation of a request to the delivery of its reply, of those delivered in the window.
  const histogram& round_trips() const { return m_round_trips; }
  interval round_trip_interval() const { return m_round_trip_batches.interval_of_mean(m_end); }
  const std::map<std::uint32_t, packet_class>& by_length() const { return m_by_length; }
  const std::map<std::uint32_t, packet_class>& by_routers() const { return m_by_routers; }
  double mean_routers() const;
  double mean_length() const;  ///< of packets created in the window, flits
  rate offered() const { return rate_of(m_flits_offered, m_offered_batches); }
  rate accepted() const { return rate_of(m_flits_accepted, m_accepted_batches); }
  /// Offered less accepted: by so much per node and cycle what is under way became more in the window.
  rate growth() const;
  rate carried() const { return rate_of(m_flits_carried, m_carried_batches); }
  /// Flits of each node's messages that were received in the window.
  const std::vector<std::uint64_t>& accepted_of_sources() const { return m_accepted_of; }
  /// None if it was not asked for.
  std::optional<latency_parts> parts() const { return breaks_down() ? std::optional(m_parts) : std::nullopt; }
  /// Row by row, a row a source; empty without keep_pairs.
  const std::vector<pair_figures>& pairs() const { return m_pairs; }
  const compression_figures& compression() const { return m_compression; }
  /// Packets between source queue and router, on average over time and nodes.
  double mean_waiting() const;
  const std::vector<packet_answer>& answers() const { return m_answers; }

 private:
  bool breaks_down() const { return !m_options.node_channels.empty(); }
  cycle_t end_of_window() const;
  bool in_window(cycle_t cycle) const { return cycle >= m_first && cycle < m_end; }
  rate rate_of(std::uint64_t flits, const batch_series& batches) const;
  template <class... Arguments>
  void fail(const char* text, const Arguments&... arguments);
  void accept(const flight& f, cycle_t cycle, std::uint32_t flits, bool are_part);
  void note_compression(const flight& f, cycle_t latency, cycle_t delivered);
  void note_parts(const flight& f, cycle_t delivered);
  void expect_payload(const flight& f, std::uint32_t sequence);
  void check_payload(const flight& f, const flit_event& event, const std::uint64_t* payload);

  const packet_source& m_source;
  measurement_options m_options;
  event_log* m_log;
  cycle_t m_first;
  cycle_t m_end;

  flight_table m_flights;
  std::vector<std::uint64_t> m_expected;  ///< payload words of a flit
  std::vector<std::int64_t> m_waiting;    ///< packets between source queue and router, of each node
  std::string m_error;

  std::uint64_t m_flits_injected = 0;
  std::uint64_t m_flits_ejected = 0;
  std::vector<std::uint32_t> m_flits_waiting;  ///< of packets whose head is in the source queue, by node
  std::vector<std::uint64_t> m_injected_by;    ///< flits, by node
  traffic_totals m_totals;
  /// What was created in one cycle.
  struct creations {
    cycle_t cycle = 0;
    std::uint64_t packets = 0, flits = 0;
  };
  creations m_newest;  ///< in the latest cycle with any
  cycle_t m_last_delivered = Never;

  std::uint64_t m_measured = 0;
  std::uint64_t m_flits_offered = 0;
  std::uint64_t m_flits_accepted = 0;
  std::uint64_t m_flits_carried = 0;
  histogram m_latency;
  histogram m_network_latency;
  histogram m_round_trips;
  batch_series m_latency_batches;
  batch_series m_network_batches;
  batch_series m_round_trip_batches;
  batch_series m_offered_batches;
  batch_series m_accepted_batches;
  batch_series m_carried_batches;
  compression_figures m_compression;
  std::map<std::uint32_t, packet_class> m_by_length;
  std::map<std::uint32_t, packet_class> m_by_routers;
  std::vector<std::uint64_t> m_accepted_of;  ///< flits, by source
  std::vector<pair_figures> m_pairs;
  latency_parts m_parts;
  std::vector<packet_answer> m_answers;
};

}  // namespace weft::experiment
