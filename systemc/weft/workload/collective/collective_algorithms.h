// SPDX-License-Identifier: Apache-2.0
/// The algorithms of collective communication as generators of messages. docs/03_reference/collectives.md has their
/// steps.
///
/// Sources: A. Shalaby, I. Fujiwara, M. Koibuchi, "The Case for Network Coding for Collective Communication on HPC
/// Interconnection Networks" (2015), called HNC here; the trees are those of its section 2.1.
#pragma once

#include "weft/workload/collective/collective.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// Most messages and most operands that one collective may have.
inline constexpr std::uint64_t MaxCollectiveMessages = std::uint64_t{1} << 24;
inline constexpr std::uint64_t MaxCollectiveOperands = std::uint64_t{1} << 26;

/// All messages of a collective. Throws std::invalid_argument that says what is wrong and what would do: nodes that the
/// network does not have, algorithms that cannot do the operation, groups that do not fit, and more than
/// MaxCollectiveMessages.
collective make_collective(const collective_parameters& parameters, const collective_network& network);

}  // namespace weft
