// SPDX-License-Identifier: Apache-2.0
/// WEFT_SEED=42 repeats the random tests of a run that printed seed 42.
#include <cstdlib>
#include <string>

namespace {

// RapidCheck reads RC_PARAMS at its first property, after the construction of all static objects, and
// prints the seed that it uses.
const int SeedTaken = [] {
  const char* seed = std::getenv("WEFT_SEED");
  return seed ? setenv("RC_PARAMS", (std::string("seed=") + seed).c_str(), 0) : 0;
}();

}  // namespace
