// SPDX-License-Identifier: Apache-2.0
/// Sets the seed of RapidCheck. With WEFT_SEED=42, the random tests of a run that printed seed 42 are repeated.
#include <cstdlib>
#include <string>

namespace {

// RapidCheck reads RC_PARAMS at its first property, which is after the construction of all static objects. It prints
// the seed that it uses.
const int SeedTaken = [] {
  const char* seed = std::getenv("WEFT_SEED");
  return seed ? setenv("RC_PARAMS", (std::string("seed=") + seed).c_str(), 0) : 0;
}();

}  // namespace
