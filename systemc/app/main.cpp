// SPDX-License-Identifier: Apache-2.0
/// The `weft` program: the main functions that SystemC requires, around weft::experiment::run_command_line(). If Weft
/// is built with RTL, the program provides the verilated modules.
#include <cstdlib>
#include <iostream>

#include <systemc>

#ifdef WEFT_RTL
#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#include "weft/cosim/rtl_stages.h"
#endif
#include "weft/command/command_line.h"

namespace {

/// By default, SystemC prints its messages to standard output and aborts on fatal ones. This handler prints warnings to
/// standard error and throws errors, which the command line converts to a message and an exit status.
void report(const sc_core::sc_report& message, const sc_core::sc_actions&) {
  if (message.get_severity() >= sc_core::SC_ERROR) throw message;
  if (message.get_severity() == sc_core::SC_WARNING) std::cerr << "weft: " << message.what() << "\n";
}

weft::experiment::rtl_provider rtl() {
#ifdef WEFT_RTL
  return {weft::tb::make_rtl_stages, weft::tb::make_rtl_routers, weft::tb::make_rtl_nics};
#else
  return {};
#endif
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_handler(report);
  return weft::experiment::run_command_line(argc, argv, rtl());
}

// Replaces the library's main() to suppress its banner.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
