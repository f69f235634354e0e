// SPDX-License-Identifier: Apache-2.0
/// A network at pin level for one's own sc_main(): modules send and receive packets by a port at each node.
///
///     weft::network_settings settings;
///     settings.graph = weft::make_grid({{4, 4}});
///     weft::network network("network", settings);
///     my_module.node(network.node[3]);  // weft::node_port node{"node"};
///
/// This header also includes the generators of topologies. examples/own_modules is a complete program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/flattened_butterfly.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/generators/slim_fly.h"
#include "weft/topology/topology.h"

namespace weft {

/// A packet that arrived at a node.
struct received_packet {
  node_id source = 0;
  unsigned message_class = 0;
  std::vector<std::uint64_t> words;  ///< the words that were sent, padded with zeros to whole flits
  cycle_t sent = 0;                  ///< cycle in which the packet entered the source queue
  cycle_t delivered = 0;             ///< cycle in which its last flit reached the node
  std::uint32_t routers = 0;         ///< number of routers that it passed
};

/// What a module can do at a node. Modules may call it at any time, also before the simulation starts. The results do
/// not depend on the order in which SystemC runs the processes of one delta cycle.
class node_if : public virtual sc_core::sc_interface {
 public:
  /// Number of the node.
  virtual node_id number() const = 0;
  /// Sends \p words, low bits first, as one packet. Without words, the packet is one flit of zeros. A packet that is
  /// sent in cycle c enters the source queue of the node, which has no limit, in cycle c + 1.
  /// Reports SC_ERROR "weft/network" if \p destination or \p message_class does not exist.
  virtual void send(node_id destination, std::vector<std::uint64_t> words, unsigned message_class = 0) = 0;
  /// Number of packets that were sent and have not begun to enter the network.
  virtual std::uint64_t queued() const = 0;
  /// Removes and returns the first packet that arrived; nothing if there is none. A packet that was delivered in cycle
  /// c can be received after the clock edge that ends the cycle.
  virtual std::optional<received_packet> receive() = 0;
  /// Notified whenever packets arrive. Static sensitivity to the port, as in `sensitive << node`, means this event.
  const sc_core::sc_event& default_event() const override = 0;
};

using node_port = sc_core::sc_port<node_if>;

struct network_settings {
  topology graph;  ///< with routing; make_grid({{4, 4}}) makes a 4x4 mesh
  router_parameters router{};
  nic_parameters nic{};
  unsigned payload_bits = 64;                  ///< of a flit: one of pin::PayloadWidths
  sc_core::sc_time clock{1, sc_core::SC_NS};   ///< period; cycle c begins at c periods
  std::filesystem::path vcd_file{};            ///< waveforms of the wires of the network; empty: none
  std::vector<std::string> vcd_patterns{"*"};  ///< see pin::model_options::vcd_patterns
  /// Modules that replace routers or NICs, such as one's own ones; null: none. See pin::model_options.
  std::shared_ptr<const pin::external_routers> routers{};
  std::shared_ptr<const pin::external_nics> nics{};
};

/// Counts of all packets until now.
struct network_statistics {
  cycle_t cycles = 0;
  std::uint64_t sent = 0;       ///< packets that entered a source queue
  std::uint64_t delivered = 0;  ///< packets
  std::uint64_t flits_delivered = 0;
  double mean_latency = 0;  ///< cycles from entering the source queue to the delivery of the last flit
  cycle_t max_latency = 0;
  double mean_routers = 0;
};

/// The network with its clock and its reset, which lasts until the first clock edge.
class network : public sc_core::sc_module {
  class packets;

 public:
  /// \throws std::invalid_argument for parameters out of range; the message names the parameter
  /// \throws pin::no_such_wire if one of vcd_patterns matches no wire
  network(const sc_core::sc_module_name& name, const network_settings& settings);
  ~network() override;

  /// One for each node of the graph.
  sc_core::sc_vector<sc_core::sc_export<node_if>> node;

  network_statistics statistics() const;
  /// Flits of each channel, contents of buffers, blocked packets, and audits.
  const pin::audited_model& model() const { return *m_model; }

 private:
  void settle();

  std::unique_ptr<packets> m_packets;
  std::unique_ptr<pin::audited_model> m_model;
};

}  // namespace weft
