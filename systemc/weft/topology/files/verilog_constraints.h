// SPDX-License-Identifier: Apache-2.0
/// Synthesis constraints of a generated SystemVerilog network.
#pragma once

#include <string>

namespace weft {

/// Returns constraints in SDC, like the files in synth/sdc, for the top module \p name: its clock, the delays of its
/// inputs and outputs, and its reset, asynchronous or not. \p module is the text of the top module, with one port
/// declaration in each line.
std::string constraints_of(const std::string& name, const std::string& module);

}  // namespace weft
