// SPDX-License-Identifier: Apache-2.0
/// Runs a network with all invariant checkers.
#pragma once

#include "support/network_case.h"
#include <string>

/// Runs \p c until its sources stop, and drains it. To be called in a process of its own.
/// \return the first violation, or `ok <packets> <flits>` with the numbers of delivered packets and flits
///
/// audit() checks the conservation invariants in each of the first 300 cycles and in every 13th cycle after them.
/// invariant_checker checks the delivery invariants at every event. The time limit for draining is sufficient if at
/// least one flit of every credit loop advances by one hop per loop time. So the run also shows that the network never
/// deadlocks, at any load.
std::string run_checking_invariants(const network_case& c);
