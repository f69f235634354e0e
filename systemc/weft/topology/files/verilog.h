// SPDX-License-Identifier: Apache-2.0
/// Generates a network in SystemVerilog: instances of the routers and links of rtl/, wired according to a topology.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

enum class verilog_nics : std::uint8_t {
  None,
  Streams,  ///< weft_nic: flits with valid and ready
  Axi,      ///< weft_axi_stream_nic
};

/// Hardware parameters that the topology does not contain.
struct verilog_options {
  std::string name = "weft_network";  ///< of the top module; converted to an identifier
  router_parameters router{};
  unsigned payload_bits = 64;  ///< a multiple of 32
  nic_parameters nic{};
  verilog_nics nics = verilog_nics::None;  ///< NICs at the nodes; None: the ports of the top are the nodes' channels
};

/// Generated SystemVerilog files, which go into one folder.
struct verilog_network {
  std::string name;         ///< name of the module of routers and links
  std::string outer;        ///< name of the top module: `name`, or the module with NICs
  std::string top;          ///< NAME.sv: the module of routers and links
  std::string package;      ///< NAME_pkg.sv: its parameters
  std::string nics;         ///< NAME_with_nics.sv: the module around it, with a NIC at every node; empty without NICs
  std::string list;         ///< NAME.f: the file list; refers to rtl/ by the environment variable WEFT_RTL
  std::string constraints;  ///< OUTER.sdc: clock and delays of the top module
};

/// Thrown for a feature that the RTL does not support. The message names a change that avoids the feature.
class verilog_error : public std::invalid_argument {
 public:
  /// \param key the configuration key that causes the error
  verilog_error(std::string key, const std::string& why) : std::invalid_argument(why), m_key(std::move(key)) {}
  const std::string& key() const { return m_key; }

 private:
  std::string m_key;
};

/// Generates the network of \p t as SystemVerilog. The top module has clock and reset and, for every port of a node,
/// the wires of the channel to its router (weft_pkg): flit_i with credit_o in the opposite direction, and flit_o with
/// credit_i in the opposite direction. It contains the repeaters of channels that take more than one cycle.
/// Grids and hypercubes in dimension order and fat trees use the RTL module of their routing rule. All other routing
/// without choices uses tables, except source routing, which reads the path id. With NICs, an outer module has the data
/// streams of the nodes instead of these wires.
/// \throws verilog_error for a feature that the RTL does not support
verilog_network to_verilog(const topology& t, const verilog_options& options);

}  // namespace weft
