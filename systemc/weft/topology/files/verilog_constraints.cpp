// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/verilog_constraints.h"

#include <cstddef>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {
namespace {

constexpr std::size_t Columns = 120;

/// The ports of \p module in \p direction, except the clock, in get_ports syntax: a vector ends with a star.
std::vector<std::string> ports_in(const std::string& module, const std::string& direction) {
  std::vector<std::string> ports;
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  " + direction + " ", 0) != 0) continue;
    std::string name = line.substr(line.rfind(' ') + 1);
    if (name.back() == ',') name.pop_back();
    if (name != "clk_i") ports.push_back(name + (line.find('[') == std::string::npos ? "" : "*"));
  }
  return ports;
}

/// The delay of \p ports, wrapped if it is long.
std::string delay(const std::string& direction, const std::vector<std::string>& ports) {
  const std::string begin = fmt::format("set_{}_delay $weft_outside -clock clk [get_ports {{", direction);
  const std::string all = fmt::format("{}", fmt::join(ports, " "));
  if (begin.size() + all.size() + 2 <= Columns) return begin + all + "}]\n";
  std::string text = begin + "\n", line = " ";
  for (const std::string& port : ports) {
    if (line.size() + 1 + port.size() > Columns) {
      text += line + "\n";
      line = " ";
    }
    line += " " + port;
  }
  return text + line + "\n}]\n";
}

}  // namespace

std::string constraints_of(const std::string& name, const std::string& module) {
  return fmt::format(R"(# SPDX-License-Identifier: Apache-2.0
# Constraints of {}, made by weft topology --verilog.
set_units -time ns
if {{![info exists weft_period]}} {{ set weft_period 3.1 }}
if {{![info exists weft_outside]}} {{ set weft_outside 0.3 }}

create_clock -name clk -period $weft_period [get_ports clk_i]
)",
                     name) +
         delay("input", ports_in(module, "input")) + delay("output", ports_in(module, "output"));
}

}  // namespace weft
