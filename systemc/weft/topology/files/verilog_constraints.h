// SPDX-License-Identifier: Apache-2.0
/// Synthesis constraints of a generated SystemVerilog network.
#pragma once

#include <string>

namespace weft {

/// Constraints in SDC, like those of synth/sdc: the clock of the top \p name, the delays of its inputs and outputs,
/// which \p module declares one a line, and its reset, asynchronous or not.
std::string constraints_of(const std::string& name, const std::string& module);

}  // namespace weft
