// SPDX-License-Identifier: Apache-2.0
/// Options that all network generators share.
#pragma once

namespace weft {

struct network_options {
  unsigned link_cycles = 1;  ///< L ≥ 1: cycles of a channel between routers
  unsigned node_cycles = 1;  ///< Ln ≥ 1: cycles of the channels between node and router
  unsigned nic_ports = 1;    ///< ≥ 1: channels between a node and each router it is attached to, each way
  unsigned vcs = 4;          ///< 1…MaxVcs VCs of every port; the routing determines how packets use them
  unsigned link_phits = 1;   ///< channel::phits of the channels between routers whose generator sets none
};

}  // namespace weft
