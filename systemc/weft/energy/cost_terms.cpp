// SPDX-License-Identifier: Apache-2.0
#include "weft/energy/cost_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/quote.h"
#include "weft/core/suggest.h"

namespace weft {

namespace {

constexpr std::size_t Parameters = 8;

/// The values of all parameters, in the order of cost_parameter_names().
std::array<double, Parameters> values_of(const cost_parameters& p) {
  return {p.ports,           p.vcs, p.depth, p.payload_bits, p.flit_bits, std::log2(p.ports), std::log2(p.vcs),
          std::log2(p.depth)};
}

/// \p text without spaces at its ends.
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The parts of \p text between asterisks.
std::vector<std::string> factors_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first != std::string::npos;) {
    const std::size_t star = text.find('*', first);
    parts.push_back(trimmed(text.substr(first, star == std::string::npos ? star : star - first)));
    first = star == std::string::npos ? star : star + 1;
  }
  return parts;
}

}  // namespace

const std::vector<std::string>& cost_parameter_names() {
  static const std::vector<std::string> names = {"ports",     "vcs",        "depth",    "payload_bits",
                                                 "flit_bits", "log2_ports", "log2_vcs", "log2_depth"};
  return names;
}

std::optional<std::string> cost_terms::add(const std::string& product, double coefficient) {
  const std::vector<std::string>& names = cost_parameter_names();
  term made{coefficient, {}, false};
  for (const std::string& part : factors_of(product)) {
    if (part == "1") continue;
    const std::size_t sign = part.find('^');
    const std::string name = trimmed(part.substr(0, sign));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return fmt::format("expected 1, or factors of {} joined by ' * ', got {}{}", fmt::join(names, ", "),
                         quoted(product), did_you_mean(name, names));
    const auto power = sign == std::string::npos ? 1U : parse_number<unsigned>(trimmed(part.substr(sign + 1)));
    if (!power || *power == 0 || *power > 4)
      return fmt::format("expected a power from 1 to 4 behind '^', got {}", quoted(product));
    made.has_depth |= name == "depth";
    made.factors.push_back({static_cast<std::size_t>(found - names.begin()), *power});
  }
  m_terms.push_back(std::move(made));
  return std::nullopt;
}

double cost_terms::at(const cost_parameters& p) const { return sum(p, false); }

double cost_terms::part_with_depth(const cost_parameters& p) const { return sum(p, true); }

double cost_terms::sum(const cost_parameters& p, bool only_with_depth) const {
  const std::array<double, Parameters> values = values_of(p);
  double result = 0;
  for (const term& t : m_terms) {
    if (only_with_depth && !t.has_depth) continue;
    double product = t.coefficient;
    for (const factor& f : t.factors)
      for (unsigned i = 0; i < f.power; ++i) product *= values[f.parameter];
    result += product;
  }
  return result;
}

}  // namespace weft
