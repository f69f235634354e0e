#include "support.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace {

/// RapidCheck prints its seed when a property fails; WEFT_SEED repeats that run.
const bool seed_taken = [] {
  const char* const seed = std::getenv("WEFT_SEED");
  return seed != nullptr && setenv("RC_PARAMS", ("seed=" + std::string(seed)).c_str(), 0) == 0;
}();

}  // namespace

temporary_file::temporary_file(std::string_view content) {
  static int count = 0;
  m_path = std::filesystem::path(testing::TempDir()) /
           ("weft_workload_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::ofstream(m_path, std::ios::binary) << content;
}

temporary_file::~temporary_file() { std::filesystem::remove(m_path); }

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

std::string shared_data(const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(WEFT_SHARED_DATA) / file;
  if (!std::filesystem::exists(path)) return {};
  std::string text;
  std::FILE* const pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  char block[65536];
  while (const std::size_t count = std::fread(block, 1, sizeof block, pipe)) text.append(block, count);
  pclose(pipe);
  return text;
}
