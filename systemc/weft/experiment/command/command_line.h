// SPDX-License-Identifier: Apache-2.0
/// The `weft` command.
#pragma once

#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// Does what the arguments say; the result is the exit status. Throws nothing. \p rtl makes verilated modules for
/// `implementation: rtl`; without functions in a program that was built without RTL.
int run_command_line(int argc, const char* const* argv, const rtl_provider& rtl);

}  // namespace weft::experiment
