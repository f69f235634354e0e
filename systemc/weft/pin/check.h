// SPDX-License-Identifier: Apache-2.0
/// Assertions of the pin-level modules. A violation stops the simulation with a report that gives the module, the cycle
/// and the violated condition. Synthesis ignores assertions.
#pragma once

#include <sstream>

#include <systemc>

#ifndef WEFT_SYNTHESIS
/// WEFT_ASSERT(condition, text << values) reports \p text and the values if \p condition is false. The text describes
/// the violation and contains the values found.
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
