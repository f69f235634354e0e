// SPDX-License-Identifier: Apache-2.0
#include "weft/energy/cost_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/quote.h"
#include "weft/core/suggest.h"

namespace weft {

namespace {

constexpr unsigned MostPower = 4, MostFactors = 8;
constexpr std::size_t Depth = 2;  ///< the parameter depth

/// The values of all parameters, in the order of cost_parameter_names().
std::array<double, CostParameters> values_of(const cost_parameters& p) {
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

const std::array<std::string, CostParameters>& cost_parameter_names() {
  static const std::array<std::string, CostParameters> names = {"ports",     "vcs",        "depth",    "payload_bits",
                                                                "flit_bits", "log2_ports", "log2_vcs", "log2_depth"};
  return names;
}

std::optional<std::string> cost_terms::add(const std::string& product, double coefficient) {
  const auto& names = cost_parameter_names();
  powers_t powers{};
  for (const std::string& part : factors_of(product)) {
    if (part == "1") continue;
    const std::size_t sign = part.find('^');
    const std::string name = trimmed(part.substr(0, sign));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return fmt::format("expected 1, or factors of {} joined by ' * ', got {}{}", fmt::join(names, ", "),
                         quoted(product), did_you_mean(name, {names.begin(), names.end()}));
    const auto power = sign == std::string::npos ? 1U : parse_number<unsigned>(trimmed(part.substr(sign + 1)));
    if (!power || *power == 0 || *power > MostPower)
      return fmt::format("expected a power from 1 to {} behind '^', got {}", MostPower, quoted(product));
    powers[static_cast<std::size_t>(found - names.begin())] += *power;
  }
  if (std::accumulate(powers.begin(), powers.end(), 0U) > MostFactors)
    return fmt::format("expected at most {} factors, got {}", MostFactors, quoted(product));
  const auto is_same = [&powers](const term& t) { return t.powers == powers; };
  if (std::any_of(m_terms.begin(), m_terms.end(), is_same))
    return fmt::format("the product {} is given twice; give it once", quoted(product));
  m_terms.push_back({coefficient, powers});
  return std::nullopt;
}

double cost_terms::at(const cost_parameters& p) const { return sum(p, false); }

double cost_terms::part_with_depth(const cost_parameters& p) const { return sum(p, true); }

double cost_terms::sum(const cost_parameters& p, bool only_with_depth) const {
  const std::array<double, CostParameters> values = values_of(p);
  double result = 0;
  for (const term& t : m_terms) {
    if (only_with_depth && t.powers[Depth] == 0) continue;
    double product = t.coefficient;
    for (std::size_t i = 0; i < CostParameters; ++i)
      for (unsigned n = 0; n < t.powers[i]; ++n) product *= values[i];
    result += product;
  }
  return result;
}

}  // namespace weft
