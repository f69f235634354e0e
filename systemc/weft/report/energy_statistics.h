// SPDX-License-Identifier: Apache-2.0
/// The statistics of energy, area and clock, which runs, collectives and replays have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/report/statistic.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// The energy of a simulation, with what its statistics need.
struct energy_view {
  const run_energy& energy;
  const topology& graph;
  const std::vector<channel_count>& counts;  ///< of all output ports
  double flits = 0;                          ///< flits that nodes received, before compression
  unsigned payload_bits = 0;
};

/// Mean power in mW if \p cost spends \p femtojoules in \p cycles cycles.
double milliwatts(double femtojoules, cycle_t cycles, const network_cost& cost);

/// A statistic that is computed from an energy_view.
struct energy_statistic : statistic_declaration {
  std::function<json(const energy_view&)> value;
  std::function<row_text(const energy_view&)> row;  ///< null: none
};

const std::vector<energy_statistic>& energy_statistics();

/// The energy in the summary of a simulation; nothing if output.energy selects no technology.
template <class Summary>
using energy_finder = std::function<std::optional<energy_view>(const Summary&)>;

template <class Summary>
void add_energy(statistic_table<Summary>& t, const energy_finder<Summary>& find) {
  t.section("energy", "", "[energy, area and clock](../03_reference/energy.md); present only with `output.energy`",
            [find](const Summary& s) { return find(s).has_value(); });
  for (const energy_statistic& e : energy_statistics()) {
    statistic<Summary>& added = t.add(e.name, e.unit, e.description, [find, &e](const Summary& s) {
      const std::optional<energy_view> view = find(s);
      return view ? e.value(*view) : json();
    });
    added.in_csv(e.columns);
    if (e.row)
      added.on_terminal(e.block, e.label, [find, &e](const Summary& s) -> std::optional<row_text> {
        const std::optional<energy_view> view = find(s);
        if (!view) return std::nullopt;
        row_text text = e.row(*view);
        return text.value.empty() ? std::nullopt : std::optional(std::move(text));
      });
  }
}

}  // namespace weft::experiment
