// SPDX-License-Identifier: Apache-2.0
/// Error handling of verilated RTL: $stop, $fatal and failed assertions throw. By default Verilator aborts the process,
/// which is not acceptable in tests and in simulations of users.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

#include <verilated.h>

namespace weft::tb {

/// A failed assertion of the RTL. The text contains the source line and the instance. The model cannot continue after
/// it.
class rtl_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a context for one or more models.
/// \param seed 0: registers without reset start as 0; else they start with reproducible random bits
std::unique_ptr<VerilatedContext> make_context(int seed = 0);

/// Writes the coverage of the models of \p context to a separate file in the folder WEFT_RTL_COVERAGE_FOLDER. Call it
/// when the models are done, before they are deleted. Does nothing without this folder, and in a build without the
/// CMake option WEFT_RTL_COVERAGE.
void write_coverage(VerilatedContext& context);

}  // namespace weft::tb
