// SPDX-License-Identifier: Apache-2.0
/// The data that the send paths and receive paths of all NICs share: the network, the packets and the counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/engine/base/channel_meters.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"
#include "weft/engine/nic/packet_contents.h"
#include "weft/engine/nic/packet_queue.h"
#include "weft/engine/nic/received_counter.h"
#include "weft/engine/nic/travelling_payload.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// A node and its source queue.
struct nic_node {
  nic_port first = 0;            ///< number of its first port; its ports are numbered consecutively
  std::uint32_t ports = 0;       ///< number of its ports
  packet_queue queue{};          ///< source queue; not used if each port or each class has its own queue
  std::uint32_t queued = 0;      ///< number of waiting packets
  bool ready = true;             ///< whether the node accepts flits
  vc_set accepted = ~vc_set{0};  ///< VCs from which the node accepts further packets
};

/// The channel at a NIC port.
struct nic_channel {
  node_id node;
  unsigned cycles;
};

struct nic_context {
  nic_context(const topology& network, const fabric_parameters& fabric, const router_parameters& router,
              const nic_parameters& nic, unsigned payload_bits, packet_source& packets_from,
              network_observer& observer_of_network)
      : graph(network),
        words(payload_bits / 32),
        classes(router.classes),
        class_vcs(fabric.class_vcs),
        queues(nic.queue_count(router.classes)),
        compression(nic.compression),
        coding(nic.coding),
        source(packets_from),
        observer(observer_of_network),
        event_interest(observer_of_network.event_interest()),
        needs_payload(observer_of_network.needs_payload()),
        needs_waits(observer_of_network.needs_waits()),
        contents(packets_from, payload_bits),
        forms(contents, nic.compression.codec, words),
        payload(packets, forms, contents.flit_words(), !nic.compression.ratio),
        received(fabric.nic_ports, nic.window, nic.buckets) {
    for (node_id n = 0; n < graph.nodes.size(); ++n) {
      const auto ports = static_cast<std::uint32_t>(graph.nodes[n].ports.size());
      nodes.push_back({static_cast<nic_port>(channels.size()), ports});
      channels.insert(channels.end(), ports, {n, graph.nodes[n].cycles});
    }
    if (observer.needs_activity()) meters.emplace(graph, router.vcs, packets, payload);
  }
  nic_context(const nic_context&) = delete;
  nic_context& operator=(const nic_context&) = delete;

  /// N of COMPRESS: the number of flits that \p node received in the last window, summed over its ports.
  std::uint32_t received_in_window(node_id node) const {
    std::uint32_t sum = 0;
    for (nic_port port = nodes[node].first; port < nodes[node].first + nodes[node].ports; ++port)
      sum += received.received(port);
    return sum;
  }

  const topology graph;
  const unsigned words;    ///< 32-bit words per flit
  const unsigned classes;  ///< classes of packets
  const unsigned class_vcs;
  const unsigned queues;  ///< source queues of a node: 1, or one for each class
  const compression_parameters compression;
  const xor_parameters coding;
  packet_source& source;
  network_observer& observer;
  const network_events event_interest;
  const bool needs_payload;
  const bool needs_waits;

  cycle_t now = 0;
  std::size_t busy = 0;  ///< number of offered packets, plus stages that are not empty, plus ejectors with pending work
  packet_pool packets;
  packet_contents contents;
  coded_forms forms;
  const travelling_payload payload;
  std::optional<channel_meters> meters;  ///< if an observer needs the activity of channels
  std::vector<nic_node> nodes;
  std::vector<nic_channel> channels;  ///< by NIC port
  received_counter received;          ///< by NIC port
};

}  // namespace weft::engine
