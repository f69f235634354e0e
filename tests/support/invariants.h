// SPDX-License-Identifier: Apache-2.0
/// One run of a network with all invariant checkers.
#pragma once

#include "support/network_case.h"
#include <string>

/// Runs \p c until its sources stop, and drains it. Call it in its own process. \return the first violation, or
/// `ok <packets> <flits>`: what was delivered
///
/// audit() checks the conservation invariants in each of the first 300 cycles and in every 13th cycle later;
/// invariant_checker checks the delivery invariants at every event. The time limit for draining suffices if at least
/// one flit of every credit loop advances by one hop per loop time. So the run also shows that the network never
/// deadlocks, at any load.
std::string run_checking_invariants(const network_case& c);
