// SPDX-License-Identifier: Apache-2.0
#include "weft/cosim/verilator_runtime.h"

#include <cstdlib>
#include <string>

#if VM_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>
#endif

namespace weft::tb {

std::unique_ptr<VerilatedContext> make_context(int seed) {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // otherwise every context has an unused thread pool
  context->randReset(seed == 0 ? 0 : 2);
  context->randSeed(seed);
  return context;
}

#if VM_COVERAGE
void write_coverage(VerilatedContext& context) {
  static unsigned models = 0;
  const char* const folder = std::getenv("WEFT_RTL_COVERAGE_FOLDER");
  if (folder == nullptr) return;
  const std::string name = std::to_string(getpid()) + "." + std::to_string(models++) + ".dat";
  context.coveragep()->write((std::string(folder) + "/" + name).c_str());
}
#else
void write_coverage(VerilatedContext&) {}
#endif

}  // namespace weft::tb

// If VL_USER_STOP and VL_USER_FATAL are defined, Verilator calls these functions but does not define them.

void vl_stop(const char* filename, int linenum, const char* hier) {
  throw weft::tb::rtl_failure(std::string(filename) + ":" + std::to_string(linenum) +
                              ": failed assertion or $stop in " + hier);
}

void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) {
  throw weft::tb::rtl_failure(std::string(filename) + ":" + std::to_string(linenum) + ": " + msg + " in " + hier);
}
