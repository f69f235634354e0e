// SPDX-License-Identifier: Apache-2.0
/// The algorithms of collective communication, as generators of messages. docs/03_reference/collectives.md describes
/// their steps.
/// Source: A. Shalaby, I. Fujiwara, M. Koibuchi, "The Case for Network Coding for Collective Communication on HPC
/// Interconnection Networks" (2015), called HNC here. Its section 2.1 defines the trees.
#pragma once

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// Maximum number of messages and of operands of one collective.
inline constexpr std::uint64_t MaxCollectiveMessages = std::uint64_t{1} << 24;
inline constexpr std::uint64_t MaxCollectiveOperands = std::uint64_t{1} << 26;

/// Generates all messages of a collective.
/// \throws std::invalid_argument, which names a valid alternative, for nodes that the network does not have, algorithms
/// that cannot carry out the operation, groups that do not fit, and more than MaxCollectiveMessages messages
collective make_collective(const collective_parameters& parameters, const collective_network& network);

}  // namespace weft
