// SPDX-License-Identifier: Apache-2.0
/// A verilated netlist with mutations instead of a verilated module: what a lockstep test instantiates as its RTL.
#pragma once

#include <cstdlib>

#include <verilated.h>

namespace weft::mutation {

/// \tparam Model made of a netlist of mutate.sh. Its port `mutsel` takes the number in WEFT_MUTANT; without it, and
/// with 0, the module is as written.
template <class Model>
class mutant : public Model {
 public:
  mutant(VerilatedContext* context, const char* name) : Model(context, name) {
    const char* const number = std::getenv("WEFT_MUTANT");
    if (number != nullptr) this->mutsel = static_cast<SData>(std::strtoul(number, nullptr, 10));
  }
};

}  // namespace weft::mutation
