// SPDX-License-Identifier: Apache-2.0
/// Shared parts of the tests of workloads.
#pragma once

#include "support/files.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

/// Sum of (counted - expected)^2 / expected. Its mean is f and its standard deviation sqrt(2f), with f = number of
/// classes - 1.
double chi_square(const std::vector<std::uint64_t>& counted, const std::vector<double>& expected);

/// A chi-square value that a correct distribution exceeds for about one seed in a million (f + 5 standard deviations +
/// 10).
double chi_square_limit(std::size_t classes);

/// Expects that \p action throws exactly the type Exception with exactly this text.
template <class Exception>
void expect_error(const std::function<void()>& action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "no error; expected: " << text;
  } catch (const Exception& error) {
    EXPECT_EQ(error.what(), text);
  }
}
