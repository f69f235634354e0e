// SPDX-License-Identifier: Apache-2.0
/// The two forms of clocked_process.h: methods for simulation, threads for synthesis.
#include "support/random.h"
#include "support/subprocess.h"
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace weft_simulation::pin {
std::string trace_of_form(std::uint64_t seed, unsigned cycles);
}
namespace weft_synthesis::pin {
std::string trace_of_form(std::uint64_t seed, unsigned cycles);
}

namespace {

constexpr unsigned Cycles = 1500;

TEST(levels_pin_clocked_process, behaves_equally_as_method_and_as_thread) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  const std::string methods =
      run_in_subprocess_or_throw([&] { return weft_simulation::pin::trace_of_form(seed, Cycles); });
  const std::string threads =
      run_in_subprocess_or_throw([&] { return weft_synthesis::pin::trace_of_form(seed, Cycles); });
  std::istringstream expected(methods), found(threads);
  std::string a, b;
  for (unsigned line = 1; std::getline(expected, a); ++line) {
    ASSERT_TRUE(std::getline(found, b)) << "line " << line;
    ASSERT_EQ(a, b) << "line " << line;
  }
  EXPECT_FALSE(std::getline(found, b));
  EXPECT_GT(methods.size(), std::size_t{Cycles} * 100) << "nothing moved";
}

}  // namespace
