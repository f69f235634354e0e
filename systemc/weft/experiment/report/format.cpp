// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/format.h"

#include <fmt/format.h>

namespace weft::experiment {

const char* version() { return WEFT_VERSION; }

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string number_of(std::uint64_t count, const std::string& what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string plus_minus(double mean, const std::optional<double>& half_width, int digits) {
  std::string text = fmt::format("{:.{}f}", mean, digits);
  if (half_width) text += fmt::format(" ± {:.{}f}", *half_width, digits);
  return text;
}

std::string csv_text(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\"");
  return "\"" + text + "\"";
}

}  // namespace weft::experiment
