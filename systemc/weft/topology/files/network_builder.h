// SPDX-License-Identifier: Apache-2.0
/// Builds a network from routers, links and nodes. If a link or node names no port, the builder selects one. All file
/// readers use it. Errors are std::invalid_argument without a place in the file; the readers add the place.
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

/// Checks that the product of the sides of \p shape is the number of \p routers. An empty shape is valid.
/// \throws std::invalid_argument if the numbers differ
void expect_filled(const std::vector<std::uint32_t>& shape, std::size_t routers);

class network_builder {
 public:
  /// One end of a link. If it names no port, the builder selects a free one.
  struct end {
    router_id router = 0;
    std::optional<std::uint32_t> port;
  };

  /// \param ports names of all ports; if empty, the router gets as many ports as its links and nodes need
  router_id add_router(std::string name, std::vector<std::string> ports, std::vector<std::uint32_t> coordinates);

  /// The port of \p router with the given name. A router that was added without a list of ports gets a new port if it
  /// has none of this name.
  std::optional<std::uint32_t> port_named(router_id router, const std::string& name);

  /// Reserves the port that the end \p e of a link names, so that no other link gets this port.
  void reserve(const end& e);

  /// \param two_way whether the link is two channels between the same two ports, or one channel
  /// \param what    name of the link in messages, such as "links[3]"
  /// \param sizes   cycles and phits of the channels; the ends are not read
  void add_link(const end& from, const end& to, bool two_way, const channel& sizes, const std::string& what);
  void add_node(const std::vector<end>& ends, unsigned cycles, const std::string& what);

  /// The name of a router in messages, such as "router 2 (hub)".
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
