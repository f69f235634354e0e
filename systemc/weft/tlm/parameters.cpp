// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/parameters.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "weft/topology/analysis/check.h"

namespace weft::tlm2 {

namespace {

using errors = std::vector<parameter_error>;

void require(errors& found, bool condition, std::vector<std::string> keys, std::string message) {
  if (!condition) found.push_back({std::move(keys), std::move(message)});
}

void check_packets(const noc_parameters& p, errors& found) {
  const unsigned bits = p.payload_bits;
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256)
    return require(found, false, {"payload_bits"}, "payload_bits must be 32, 64, 128 or 256");
  const unsigned least = 256 / bits;
  require(found, p.max_packet_flits >= least, {"max_packet_flits"},
          "max_packet_flits must be at least " + std::to_string(least) + " with " + std::to_string(bits) +
              " payload_bits: a packet has 32 bytes or more");
  require(found,
          !reserves_whole_packets(p.router.flow) ||
              (p.max_packet_flits <= p.router.depth && p.max_packet_flits <= p.nic.ejection_depth),
          {"max_packet_flits"},
          "max_packet_flits must be at most router.depth and nic.ejection_depth with virtual cut-through and with "
          "store and forward, which need room for a whole packet");
  const compression_parameters& c = p.nic.compression;
  if (!c.enabled()) return;
  require(found, !c.ratio, {"nic.compression.size"},
          "nic.compression.ratio must be left out: an assumed size has no bits that could be delivered");
  require(found, c.codec.exact, {"nic.compression.exact"},
          "nic.compression.codec.exact must be true: addresses travel among the data and must not be changed");
  require(found, p.max_packet_flits <= c.depth, {"max_packet_flits"},
          "max_packet_flits must be at most nic.compression.depth");
}

}  // namespace

std::vector<parameter_error> find_parameter_errors(const noc_parameters& p, const std::string& prefix) {
  errors found = weft::find_parameter_errors(p.router, p.nic, prefix);
  if (found.empty()) found = weft::find_parameter_errors(p.graph, p.router, p.nic, prefix);
  check_packets(p, found);
  require(found, p.queue_depth >= 1, {"queue_depth"}, "queue_depth must be at least 1");
  require(found, p.receive_depth >= 1, {"receive_depth"}, "receive_depth must be at least 1");
  require(found, p.clock_period > sc_core::SC_ZERO_TIME, {"clock_period"}, "clock_period must be above zero");
  require(found, p.contention_window >= 1, {"contention_window"}, "contention_window must be at least 1 cycle");
  require(found, !p.contention || p.mode == timing::Loose, {"contention"},
          "contention is only for the loose mode, because the cycle mode simulates all waits; set mode to loose, or "
          "leave contention out");
  require(found, !p.make_network || p.mode == timing::Cycle, {"make_network"},
          "make_network is only for the cycle mode; set mode to cycle, or leave make_network out");
  for (const node_id n : p.blocking_targets)
    require(found, p.graph.nodes.empty() || n < p.graph.nodes.size(), {"blocking_targets"},
            "blocking_targets names node " + std::to_string(n) + "; nodes are 0 to " +
                std::to_string(p.graph.nodes.size() - 1));
  return found;
}

void check_parameters(const noc_parameters& p) {
  const errors found = find_parameter_errors(p);
  if (!found.empty()) throw std::invalid_argument(found.front().message);
}

nic_parameters nics_with_ejection_buffer() {
  nic_parameters nic;
  nic.ejection_depth = 8;
  return nic;
}

}  // namespace weft::tlm2
