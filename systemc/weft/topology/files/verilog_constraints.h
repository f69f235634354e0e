// SPDX-License-Identifier: Apache-2.0
/// Constraints of a network in SystemVerilog, for synthesis.
#pragma once

#include <string>

namespace weft {

/// In SDC, as those of synth/sdc: the clock of the top \p name, delays of its inputs and outputs, which are declared in
/// \p module, one a line, and its reset, asynchronous or not.
std::string constraints_of(const std::string& name, const std::string& module);

}  // namespace weft
