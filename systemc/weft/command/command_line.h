// SPDX-License-Identifier: Apache-2.0
/// The entry point of the `weft` command.
#pragma once

#include "weft/command/exit_status.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// Runs the command that the arguments select, and returns the exit status. Throws nothing. \param rtl makes verilated
/// modules for `implementation: rtl`; its functions are empty in a program built without RTL
int run_command_line(int argc, const char* const* argv, const rtl_provider& rtl);

}  // namespace weft::experiment
