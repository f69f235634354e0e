// SPDX-License-Identifier: Apache-2.0
/// The `weft` program: what SystemC asks of a program, around weft::experiment::run_command_line(). Where Weft is built
/// with RTL, the program brings the verilated modules.
#include <cstdlib>
#include <iostream>

#include <systemc>

#ifdef WEFT_RTL
#include "tb/rtl_nics.h"
#include "tb/rtl_routers.h"
#include "tb/rtl_stages.h"
#endif
#include "weft/experiment/command/command_line.h"

namespace {

/// SystemC prints its messages to standard output and aborts on fatal ones. Here warnings go to standard
/// error and errors become exceptions, which the command line turns into a message and an exit status.
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

// In place of the library's, to keep its banner off the terminal.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
