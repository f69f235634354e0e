// SPDX-License-Identifier: Apache-2.0
/// A network as SystemVerilog: the routers and links of rtl/, wired as a topology says.
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

/// What the hardware is, beside the topology.
struct verilog_options {
  std::string name = "weft_network";  ///< of the top module; made an identifier
  router_parameters router{};
  unsigned payload_bits = 64;  ///< a multiple of 32
  nic_parameters nic{};
  verilog_nics nics = verilog_nics::None;  ///< that stand at the nodes; none: the top ends at their channels
};

/// Files of SystemVerilog, which go into one folder.
struct verilog_network {
  std::string name;         ///< of the module of routers and links
  std::string outer;        ///< of the top module: the same, or that with NICs
  std::string top;          ///< NAME.sv: the module
  std::string package;      ///< NAME_pkg.sv: its parameters
  std::string nics;         ///< NAME_with_nics.sv: the module around it, with a NIC at every node; empty without NICs
  std::string list;         ///< NAME.f: the files, those of rtl/ in the folder that the environment calls WEFT_RTL
  std::string constraints;  ///< OUTER.sdc: clock and delays of the top module
};

/// What the RTL does not do, and what to change.
class verilog_refusal : public std::invalid_argument {
 public:
  /// \p key of a configuration: what is wrong there
  verilog_refusal(std::string key, const std::string& why) : std::invalid_argument(why), m_key(std::move(key)) {}
  const std::string& key() const { return m_key; }

 private:
  std::string m_key;
};

/// The network of \p t. Its top has clock, reset and, at every port of a node, the wires of the channel to the router,
/// repeaters of longer channels included: flit_i with credit_o back, flit_o with credit_i back, as weft_pkg says. A
/// grid or a hypercube in dimension order and a fat tree get the module for it, other routing that does not choose gets
/// tables; source routing reads the way. With NICs, a module around it has the streams of the nodes in place of those
/// wires. \throws verilog_refusal
verilog_network to_verilog(const topology& t, const verilog_options& options);

}  // namespace weft
