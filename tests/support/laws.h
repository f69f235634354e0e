// SPDX-License-Identifier: Apache-2.0
/// One run of a network under the eyes of all laws.
#pragma once

#include "support/network_case.h"
#include <string>

/// Runs \p c until its sources stop, drains it, and returns the first law that was broken, or
/// `ok <packets> <flits>`: what was delivered. To be called in a process of its own.
///
/// The laws of conservation (audit()) are checked in every one of the first 300 cycles and in every 13th
/// later, those of delivery (law_checker) at every event. A network drains in time if in every credit loop at
/// least one flit moves on by one hop, as long as there is one: that it never deadlocks, at any load.
std::string run_under_laws(const network_case& c);
