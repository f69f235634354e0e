// SPDX-License-Identifier: Apache-2.0
/// How verilated RTL ends: $stop, $fatal and failed assertions throw. Verilator itself aborts the process,
/// which neither a test nor a user's run wants.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

#include <verilated.h>

namespace weft::tb {

/// A rule that the RTL found broken: the text names the source line and the instance. The model cannot go on after it.
class rtl_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The surroundings of one or more models.
/// \param seed 0: registers without reset start as 0. Else they start with random bits, repeatable.
std::unique_ptr<VerilatedContext> make_context(int seed = 0);

/// To be called when the models of \p context have done their work and are still there: what they ran through goes to
/// a file of its own in the folder that WEFT_RTL_COVERAGE_FOLDER names. Without such a folder, and in a build that does
/// not count (the CMake option WEFT_RTL_COVERAGE), nothing happens.
void write_coverage(VerilatedContext& context);

}  // namespace weft::tb
