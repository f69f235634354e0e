// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/names.h"

#include <fmt/format.h>

#include "weft/core/printable.h"

namespace weft {

std::string router_name(const topology& t, router_id router) {
  if (router >= t.routers.size()) return fmt::format("router {}", router);
  if (!t.routers[router].name.empty()) return fmt::format("router {} ({})", router, abridged(t.routers[router].name));
  if (t.routers[router].coordinates.empty()) return fmt::format("router {}", router);
  return fmt::format("router {} ({})", router, fmt::join(t.routers[router].coordinates, ","));
}

std::string port_name(const topology& t, port_ref port) {
  if (port.router < t.routers.size() && port.port < t.routers[port.router].port_names.size()) {
    return t.routers[port.router].port_names[port.port];
  }
  return fmt::format("port {}", port.port);
}

std::string full_name(const topology& t, port_ref port) {
  return router_name(t, port.router) + ' ' + abridged(port_name(t, port));
}

std::string full_name(const topology& t, const channel& c) {
  return full_name(t, c.from) + " -> " + full_name(t, c.to);
}

}  // namespace weft
