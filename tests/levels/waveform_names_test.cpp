// SPDX-License-Identifier: Apache-2.0
/// The names of wires in waveforms are exactly those of docs/02_user/waveforms.md.
#include "levels/bench.h"
#include "levels/node_bench.h"
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "weft/pin/network.h"
#include "weft/pin/nic/stages.h"
#include "weft/topology/generators/grid.h"

namespace weft::pin {
namespace {

using testing::IsEmpty;

/// Names of all traceable wires within \p object, with numbers as `#`.
void add_wires(const sc_core::sc_object& object, std::set<std::string>& found) {
  if (dynamic_cast<const traceable*>(&object) != nullptr)
    found.insert(std::regex_replace(std::string(object.name()), std::regex("_[0-9]+"), "_#"));
  for (const sc_core::sc_object* child : object.get_child_objects()) add_wires(*child, found);
}

/// The names in the table of the page, with placeholders as `#`.
std::set<std::string> names_of_the_page() {
  std::ifstream page(WEFT_SOURCE_DIR "/docs/02_user/waveforms.md");
  EXPECT_TRUE(page) << "no page";
  std::set<std::string> found;
  const std::regex name("`(network\\.[^`]*)`"), placeholder("_[RPNLI](?![a-z])");
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `network.", 0) != 0) continue;
    const std::string column = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator n(column.begin(), column.end(), name), end; n != end; ++n)
      found.insert(std::regex_replace((*n)[1].str(), placeholder, "_#"));
  }
  return found;
}

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& some) {
  std::set<std::string> rest;
  for (const std::string& name : all)
    if (some.count(name) == 0) rest.insert(name);
  return rest;
}

TEST(levels_pin_waveform, contains_the_documented_signal_names) {
  grid_parameters grid;
  grid.shape = {3, 3};
  grid.options.vcs = 2;
  grid.options.link_cycles = 2;
  grid.options.node_cycles = 2;
  router_parameters router;
  router.vcs = 2;
  nic_parameters nic;
  nic.ejection_depth = 3;
  nic.compression.selection.mode = selection_mode::Always;
  nic.coding.enabled = true;
  const compression_settings settings(nic.compression);
  listed_packets source;
  memory observer;
  network<64> network("network", make_grid(grid), router, nic, make_stages<64>(nic, settings, nullptr), true, source,
                      observer);
  std::set<std::string> wires;
  add_wires(network, wires);

  const std::set<std::string> page = names_of_the_page();
  EXPECT_GE(page.size(), 30U);
  EXPECT_THAT(without(page, wires), IsEmpty()) << "on the page only";
  EXPECT_THAT(without(wires, page), IsEmpty()) << "in the network only";
}

}  // namespace
}  // namespace weft::pin
