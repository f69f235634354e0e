// SPDX-License-Identifier: Apache-2.0
/// Error handling of verilated RTL: $stop, $fatal and failed assertions throw an exception. By default, Verilator
/// aborts the process, which is not acceptable in tests and in simulations of users.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

#include <verilated.h>

namespace weft::tb {

/// Exception: an assertion of the RTL failed. The text contains the source line and the instance. The model must not be
/// used any more.
class rtl_failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a context for one or more models.
/// \param seed seed of the random initial bits of registers without reset; 0: these registers start as 0
std::unique_ptr<VerilatedContext> make_context(int seed = 0);

/// Writes the coverage of the models of \p context to a new file in the folder WEFT_RTL_COVERAGE_FOLDER. To be called
/// when the simulation of the models has ended, but before they are deleted. Does nothing if there is no such folder,
/// or if Weft was built without the CMake option WEFT_RTL_COVERAGE.
void write_coverage(VerilatedContext& context);

}  // namespace weft::tb
