/// What a run found, as files and as a table.
///
/// Files hold nothing that depends on the machine, the clock or the directory: the same configuration and
/// seed give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/run/run.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

/// A run with all that is needed to tell of it.
struct report {
  const configuration& asked;
  const topology& graph;
  const measurement& measured;
  const run_result& result;
};

/// Version of Weft, "0.1.0".
const char* version();

/// Digits in groups of three.
std::string grouped(std::uint64_t value);

/// A text that a user chose, quoted as RFC 4180 says where it must be.
std::string csv_text(std::string text);

/// Where an output port leads: "router 1 (1,0) -x", "node 3".
std::string far_end(const topology& graph, const port_end& end);

/// What each channel has carried in \p cycles.
json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles);

/// The channel between routers that carried the most flits; nullptr if there is none.
const channel_count* busiest_link(const std::vector<channel_count>& counts, const wiring& wires);

/// Everything. The reference is docs/02_user/results.md.
json to_json(const report& r);

/// Header line and one row.
std::string to_csv(const report& r);

/// For the terminal. \p cycles_a_second is printed if above 0.
std::string to_table(const report& r, double cycles_a_second);

}  // namespace weft::experiment
