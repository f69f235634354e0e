// SPDX-License-Identifier: Apache-2.0
/// What replays of a program took, as a table and as JSON. The reference is docs/02_user/replay.md.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/program/program_replay.h"

namespace weft::experiment {

/// One of several replays.
struct named_replay {
  std::string compression;  ///< mode
  program_figures figures;
};

struct program_report {
  const configuration& config;
  std::string trace;
  const replay_program& program;
  const replay_choices& choices;
  std::vector<named_replay> replays;  ///< at least one
};

std::string to_table(const program_report& r);
json to_json(const program_report& r);

}  // namespace weft::experiment
