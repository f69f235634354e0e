// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cmath>

double chi_square(const std::vector<std::uint64_t>& counted, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const double difference = static_cast<double>(counted[i]) - expected[i];
    sum += difference * difference / expected[i];
  }
  return sum;
}

double chi_square_limit(std::size_t classes) {
  const double freedom = static_cast<double>(classes) - 1;
  return freedom + 5 * std::sqrt(2 * freedom) + 10;
}
