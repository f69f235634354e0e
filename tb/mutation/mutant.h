// SPDX-License-Identifier: Apache-2.0
/// A verilated netlist that contains mutations. A lockstep test instantiates it in place of the verilated module.
#pragma once

#include <cstdlib>

#include <verilated.h>

namespace weft::mutation {

/// \tparam Model verilated netlist from mutate.sh; its port `mutsel` gets the number in the environment variable
///         WEFT_MUTANT, and no mutation is active if the number is 0 or not set
template <class Model>
class mutant : public Model {
 public:
  mutant(VerilatedContext* context, const char* name) : Model(context, name) {
    const char* const number = std::getenv("WEFT_MUTANT");
    if (number != nullptr) this->mutsel = static_cast<SData>(std::strtoul(number, nullptr, 10));
  }
};

}  // namespace weft::mutation
