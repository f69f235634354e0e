#include "support.h"

#include <cmath>
#include <cstdlib>

namespace {

/// RapidCheck prints its seed when a property fails; WEFT_SEED repeats that run.
const bool seed_taken = [] {
  const char* const seed = std::getenv("WEFT_SEED");
  return seed != nullptr && setenv("RC_PARAMS", ("seed=" + std::string(seed)).c_str(), 0) == 0;
}();

}  // namespace

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
