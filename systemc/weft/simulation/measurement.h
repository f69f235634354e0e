// SPDX-License-Identifier: Apache-2.0
/// Observes a network: measures latency and throughput, and checks that every flit arrives as it was sent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/simulation/batch_series.h"
#include "weft/simulation/estimation.h"
#include "weft/simulation/event_log.h"
#include "weft/simulation/flight_table.h"
#include "weft/simulation/packet_group.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/traffic_mix.h"

namespace weft::experiment {

/// A traffic whose packets are measured separately.
struct measured_traffic {
  std::string name;
  unsigned message_class = 0;
  std::optional<unsigned> reply_class{};  ///< if its packets are requests
};

struct measurement_options {
  std::uint32_t nodes = 0;
  unsigned payload_bits = 64;
  cycle_t warmup = 0;                        ///< first cycle of the window; Never: open_window() sets it
  cycle_t measure = 0;                       ///< length of the window in cycles; 0: until close_window()
  bool keep_answers = false;                 ///< whether to store the result of each packet
  bool keep_pairs = false;                   ///< whether to count the packets of each pair of nodes
  double hurst = 0.5;                        ///< of the load, see batch_series
  bool exact_cut = true;                     ///< codec_parameters::exact, on which doubles after LSB-cut depend
  bool assumed_size = false;                 ///< whether compressed packets arrive without payload
  std::vector<measured_traffic> traffics{};  ///< measured separately; see traffic_mix.h for the ids of their packets
  unsigned classes = 0;                      ///< message classes that are measured separately; 0: none
  std::vector<cycle_t> node_channels{};      ///< latency of the channels of each node; empty: no breakdown
};

/// Counts of packets with a common property, such as their length, the number of routers they pass, or the interval of
/// their creation.
struct packet_class {
  std::uint64_t count = 0;
  std::uint64_t latency_sum = 0;  ///< cycles
  std::uint64_t compressed = 0;   ///< number of these packets that traveled compressed
};

/// Effect of compression on the measured packets that were delivered.
struct compression_metrics {
  std::uint64_t packets = 0;
  std::uint64_t compressed = 0;       ///< packets that traveled compressed
  std::uint64_t flits_created = 0;    ///< flits of all packets before compression
  std::uint64_t flits_travelled = 0;  ///< flits of all packets as sent into the network
  std::uint64_t send_cycles = 0;      ///< total time of compressed packets from source queue to router
  std::uint64_t receive_cycles = 0;   ///< total time of the tails of compressed packets to the node
  /// Total time in cycles from leaving the source queue until the head leaves the NIC, over all packets that leave the
  /// source queue in the window.
  std::uint64_t waiting_cycles = 0;
  std::int64_t most_waiting = 0;        ///< largest number of packets between source queue and router of a node
  cycle_t interval = 1;                 ///< length in cycles; doubled if there would be more than 1,048,576 intervals
  std::vector<packet_class> over_time;  ///< by creation time, one for each interval of the window
};

/// Measured packets from one node to another.
struct pair_metrics {
  std::uint64_t packets = 0;      ///< delivered packets
  std::uint64_t latency_sum = 0;  ///< cycles
};

/// Parts of the latency of measured packets, in cycles, as totals over these packets. The sum of the parts is the sum
/// of the latencies.
struct latency_parts {
  std::uint64_t source_queue = 0;       ///< until the head leaves the source queue
  std::uint64_t injection = 0;          ///< stages of the NIC, its register, and the channel to the router
  std::uint64_t vc_allocation = 0;      ///< wait in routers for an output VC
  std::uint64_t switch_allocation = 0;  ///< wait in routers for the switch, with an output VC and a credit
  std::uint64_t credit_wait = 0;        ///< wait in routers for a credit, with an output VC
  std::uint64_t pipeline = 0;           ///< pipelines of routers, and channels between routers
  std::uint64_t serialisation = 0;      ///< one cycle for each flit behind the head
  std::uint64_t ejection = 0;           ///< channel to the node, ejection buffer, and stages of the NIC
};

/// Totals since cycle 0, both inside and outside the window.
struct traffic_totals {
  std::uint64_t flits_created = 0;
  std::uint64_t flits_received = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t latency_sum = 0;     ///< of delivered packets, in cycles
  std::uint64_t packets_queued = 0;  ///< packets in source queues now
};

/// Measures latency and throughput in a window. Packets created in the window are measured, even if they are delivered
/// after it. The latency of a packet is the time from its creation to the delivery of its tail. Its network latency is
/// the time from the injection of its head to the ejection of its tail. Throughput counts flits of all packets in the
/// window: offered flits when they are created, accepted flits when the node receives them, and carried flits when they
/// leave the network. If packets are compressed, fewer flits are carried than accepted.
class measurement final : public network_observer {
 public:
  /// \param source provides the expected payload; must outlive the measurement, and so must \p log if it is not null
  measurement(const packet_source& source, const measurement_options& options, event_log* log = nullptr);

  void created(const packet& p) override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void injected(const flit_event& event, const header& head) override;
  void ejected(const flit_event& event, const std::uint64_t* payload) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;
  bool needs_waits() const override { return breaks_down(); }
  void waited(packet_id id, const router_waits& waits, cycle_t left) override;

  /// For a closed loop: records that the reply to a request created in cycle \p requested was delivered in \p cycle.
  /// \p traffic is the number of its traffic if there are several.
  void answered(std::size_t traffic, cycle_t requested, cycle_t cycle);

  /// Begins the window at cycle \p first, which must be at least two cycles ahead.
  void open_window(cycle_t first);
  /// Ends the window at \p end unless it has ended before. If its length is not fixed, call this at least two cycles
  /// before \p end, because packets are counted up to two cycles in advance.
  void close_window(cycle_t end);

  // State of the run
  std::uint64_t flits_injected() const { return m_flits_injected; }
  std::uint64_t flits_ejected() const { return m_flits_ejected; }
  /// Flits of packets whose head is in the source queue, by node.
  const std::vector<std::uint32_t>& flits_waiting() const { return m_flits_waiting; }
  /// Totals of the cycles before \p end, up to which the network has been simulated. Excludes packets that the network
  /// has already created in cycle \p end.
  traffic_totals totals_before(cycle_t end) const;
  /// The latest cycle in which a packet was created; Never if there was none.
  cycle_t last_created() const { return m_newest.packets == 0 ? Never : m_newest.cycle; }
  /// The latest cycle in which a packet was delivered; Never if there was none.
  cycle_t last_delivered() const { return m_last_delivered; }
  const std::vector<std::uint64_t>& flits_injected_by() const { return m_injected_by; }  ///< by node
  std::uint64_t packets_under_way() const { return m_flights.size(); }                   ///< created but not delivered
  std::uint64_t measured_under_way() const { return measured() - latency().count(); }
  /// The flight of packet \p id; nullptr if the packet is not in flight.
  const flight* find(packet_id id) { return m_flights.find(id); }
  /// The first violation; empty if there is none.
  const std::string& error() const { return m_error; }

  // Results
  cycle_t window_first() const { return m_first; }
  cycle_t window_end() const { return m_end; }
  std::uint64_t measured() const { return m_all.measured(); }  ///< packets created in the window
  const histogram& latency() const { return m_all.latency(); }
  interval latency_interval() const { return latency_interval(m_end); }
  /// The interval of the mean latency if the window ended at \p end.
  interval latency_interval(cycle_t end) const { return m_all.latency_interval(end); }
  trend latency_trend() const { return m_all.latency_trend(m_end); }
  const histogram& network_latency() const { return m_all.network_latency(); }
  interval network_latency_interval() const { return m_all.network_latency_interval(m_end); }
  trend network_latency_trend() const { return m_all.network_latency_trend(m_end); }
  /// For a closed loop: times from the creation of a request to the delivery of its reply, if the reply is delivered in
  /// the window.
  const histogram& round_trips() const { return m_all.round_trips(); }
  interval round_trip_interval() const { return m_all.round_trip_interval(m_end); }
  const std::map<std::uint32_t, packet_class>& by_length() const { return m_by_length; }
  const std::map<std::uint32_t, packet_class>& by_routers() const { return m_by_routers; }
  double mean_routers() const;
  double mean_length() const;  ///< mean length in flits of packets created in the window
  rate offered() const { return m_all.offered(m_end); }
  rate accepted() const { return m_all.accepted(m_end); }
  /// Offered minus accepted load: the growth of the flits in flight, per node and cycle of the window.
  rate growth() const { return m_all.growth(m_end); }
  rate carried() const { return rate_of(m_flits_carried, m_carried_batches, m_first, m_end, m_options.nodes); }
  /// Flits received in the window, by source node.
  const std::vector<std::uint64_t>& accepted_of_sources() const { return m_accepted_of; }
  /// Whether \p node has created a packet, in or before the window.
  bool is_source(node_id node) const { return m_is_source[node]; }
  /// The parts of the latency; nothing if no breakdown was requested.
  std::optional<latency_parts> parts() const { return breaks_down() ? std::optional(m_parts) : std::nullopt; }
  /// Metrics of all pairs of nodes, by source and then by destination; empty without keep_pairs.
  const std::vector<pair_metrics>& pairs() const { return m_pairs; }
  /// The packets of each traffic; empty if they are not measured separately.
  const std::vector<packet_group>& by_traffic() const { return m_by_traffic; }
  const std::vector<measured_traffic>& traffics() const { return m_options.traffics; }
  /// The packets of each message class; empty if they are not measured separately.
  const std::vector<packet_group>& by_class() const { return m_by_class; }
  const compression_metrics& compression() const { return m_compression; }
  /// Number of packets between source queue and router, mean over time and nodes.
  double mean_waiting() const;
  const std::vector<packet_answer>& answers() const { return m_answers; }

 private:
  bool breaks_down() const { return !m_options.node_channels.empty(); }
  cycle_t end_of_window() const;
  bool in_window(cycle_t cycle) const { return cycle >= m_first && cycle < m_end; }
  /// Calls \p use for each group that \p p belongs to.
  template <class Use>
  void for_groups_of(const packet& p, Use use) {
    if (!m_by_traffic.empty() && p.id < FirstInjectedId)
      use(m_by_traffic[weft::traffic_of(p.id, m_options.nodes, m_by_traffic.size())]);
    if (!m_by_class.empty()) use(m_by_class[p.message_class]);
  }
  template <class... Arguments>
  void fail(const char* text, const Arguments&... arguments);
  void accept(const flight& f, cycle_t cycle, std::uint32_t flits, bool are_part);
  void start_groups();
  bool has_groups() const { return !m_by_traffic.empty() || !m_by_class.empty(); }
  // The groups are rare, so these functions are not inlined into those that every flit calls.
  [[gnu::noinline]] void note_created(const packet& p);
  [[gnu::noinline]] void note_accepted(const packet& p, cycle_t cycle, std::uint32_t flits, bool are_part);
  [[gnu::noinline]] void note_delivered(const packet& p, cycle_t latency, cycle_t network_latency);
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
  std::vector<std::int64_t> m_waiting;    ///< packets between source queue and router, by node
  std::string m_error;

  std::uint64_t m_flits_injected = 0;
  std::uint64_t m_flits_ejected = 0;
  std::vector<std::uint32_t> m_flits_waiting;  ///< of packets whose head is in the source queue, by node
  std::vector<std::uint64_t> m_injected_by;    ///< flits, by node
  traffic_totals m_totals;
  /// Packets and flits that were created in one cycle.
  struct creations {
    cycle_t cycle = 0;
    std::uint64_t packets = 0, flits = 0;
  };
  creations m_newest;  ///< creations of the latest cycle that has any
  cycle_t m_last_delivered = Never;

  packet_group m_all;  ///< the packets of all groups
  std::uint64_t m_flits_carried = 0;
  batch_series m_carried_batches;
  compression_metrics m_compression;
  std::map<std::uint32_t, packet_class> m_by_length;
  std::map<std::uint32_t, packet_class> m_by_routers;
  std::vector<std::uint64_t> m_accepted_of;  ///< flits, by source
  std::vector<bool> m_is_source;             ///< by node: whether it has created a packet
  std::vector<pair_metrics> m_pairs;
  std::vector<packet_group> m_by_traffic, m_by_class;
  latency_parts m_parts;
  std::vector<packet_answer> m_answers;
};

}  // namespace weft::experiment
