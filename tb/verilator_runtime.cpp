// SPDX-License-Identifier: Apache-2.0
#include "tb/verilator_runtime.h"

#include <string>

namespace weft::tb {

std::unique_ptr<VerilatedContext> make_context(int seed) {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // or every context has a pool of them, with nothing to do
  context->randReset(seed == 0 ? 0 : 2);
  context->randSeed(seed);
  return context;
}

}  // namespace weft::tb

// Verilator calls these where VL_USER_STOP and VL_USER_FATAL are defined, and defines none of its own.

void vl_stop(const char* filename, int linenum, const char* hier) {
  throw weft::tb::rtl_failure(std::string(filename) + ":" + std::to_string(linenum) +
                              ": failed assertion or $stop in " + hier);
}

void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) {
  throw weft::tb::rtl_failure(std::string(filename) + ":" + std::to_string(linenum) + ": " + msg + " in " + hier);
}
