// SPDX-License-Identifier: Apache-2.0
/// The `weft` command.
#pragma once

#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// Does what the arguments say; the result is the exit status. Throws nothing. \p rtl_stages makes verilated stages for
/// `nic.compression.implementation: rtl`; null in a program that was built without RTL.
int run_command_line(int argc, const char* const* argv, const stage_provider& rtl_stages);

}  // namespace weft::experiment
