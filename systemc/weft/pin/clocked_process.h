// SPDX-License-Identifier: Apache-2.0
/// The clocked process of a hardware module, in one form for simulation and one for synthesis.
///
/// A module with such a process has the clock input clk_i and the active-low asynchronous reset rst_ni. It defines
/// `void reset()`, which initializes registers and outputs, and `void step()`, which performs one clock edge.
/// - For simulation the process is a method, which clock gates call without a process switch (clock_gate.h).
/// - For synthesis it is a thread, because compilers from SystemC to Verilog accept registers with a reset only in
///   threads.
///
/// Both forms behave the same at every edge; tests/levels/clocked_process_test.cpp compares them.
#pragma once

#include <systemc>

#ifdef WEFT_SYNTHESIS

/// Declares the clocked process. Place this macro in the private part of a module.
#define WEFT_CLOCKED_PROCESS \
  void clocked() {           \
    reset();                 \
    this->wait();            \
    while (true) {           \
      step();                \
      this->wait();          \
    }                        \
  }                          \
  static_assert(true, "takes a semicolon")

/// Starts the clocked process. Place this macro in the constructor, after SC_HAS_PROCESS.
#define WEFT_START_CLOCKED_PROCESS        \
  SC_CTHREAD(clocked, this->clk_i.pos()); \
  this->async_reset_signal_is(this->rst_ni, false)

#else

namespace weft::pin {

class gated_clock;

}  // namespace weft::pin

#define WEFT_CLOCKED_PROCESS             \
  friend class ::weft::pin::gated_clock; \
  void clocked() {                       \
    if (this->rst_ni.read())             \
      step();                            \
    else                                 \
      reset();                           \
  }                                      \
  static_assert(true, "takes a semicolon")

#define WEFT_START_CLOCKED_PROCESS \
  SC_METHOD(clocked);              \
  this->sensitive << this->clk_i.pos() << this->rst_ni.neg()

#endif
