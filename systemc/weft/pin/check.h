// SPDX-License-Identifier: Apache-2.0
/// Assertions of the pin-level modules. A broken rule stops the simulation with a report that names module, cycle time
/// and rule; synthesis sees nothing of it.
#pragma once

#include <sstream>

#include <systemc>

#ifndef WEFT_SYNTHESIS
/// WEFT_ASSERT(condition, text << values): text is what was found, with the rule that it breaks.
#define WEFT_ASSERT(condition, text)                            \
  do {                                                          \
    if (__builtin_expect(!(condition), 0)) {                    \
      std::ostringstream weft_message;                          \
      weft_message << name() << ": " << text;                   \
      SC_REPORT_ERROR("/weft/pin", weft_message.str().c_str()); \
    }                                                           \
  } while (false)
#else
#define WEFT_ASSERT(condition, text) static_cast<void>(0)
#endif
