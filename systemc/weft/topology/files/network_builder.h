// SPDX-License-Identifier: Apache-2.0
/// Builds a network from routers, links and nodes, and selects the ports of links and nodes that name none. All file
/// readers use it. Errors are std::invalid_argument, without a place in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

inline constexpr std::uint64_t MaxFileCycles = 1'000'000;  ///< most cycles of a channel

/// Checks that the product of the sides of \p shape, if there are any, is the number of \p routers.
/// \throws std::invalid_argument if it is not
void expect_filled(const std::vector<std::uint32_t>& shape, std::size_t routers);

class network_builder {
 public:
  /// One end of a link; without a port, the builder selects a free one.
  struct end {
    router_id router = 0;
    std::optional<std::uint32_t> port;
  };

  /// \param ports names of all its ports; empty: the router gets as many ports as its links and nodes need
  router_id add_router(std::string name, std::vector<std::string> ports, std::vector<std::uint32_t> coordinates);

  /// The port called \p name. A router without a list of ports gets a new port if it has none of this name.
  std::optional<std::uint32_t> port_named(router_id router, const std::string& name);

  /// Reserves the port that a link names, so that no other link gets it.
  void reserve(const end& e);

  /// \param two_way two channels, between the same two ports
  /// \param what the name of the link in messages: "links[3]"
  void add_link(const end& from, const end& to, bool two_way, unsigned cycles, const std::string& what);
  void add_node(const std::vector<end>& ends, unsigned cycles, const std::string& what);

  /// "router 2 (hub)".
  std::string name_of(router_id router) const;
  const topology& network() const { return m_network; }
  topology take() { return std::move(m_network); }

 private:
  struct port_use {
    bool reserved = false, automatic = false;
    std::string out, in;  ///< link or node that uses the port
  };
  struct router_use {
    bool listed = false;
    std::vector<port_use> ports;
  };

  std::uint32_t new_port(router_id router, const std::string& name);
  port_ref occupy(const end& e, bool out, bool in, const std::string& name, const std::string& what);
  std::string label(router_id router) const;

  topology m_network;
  std::vector<router_use> m_use;
};

}  // namespace weft
