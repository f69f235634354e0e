// SPDX-License-Identifier: Apache-2.0
/// Declares the commands of `weft`. The command NAME is implemented in NAME_command.cpp; search_command.cpp implements
/// `saturation` and `curve`.
#pragma once

namespace weft::experiment {

class command_set;

void add_run(command_set& commands);
void add_sweep(command_set& commands);
void add_plot(command_set& commands);
void add_report(command_set& commands);
void add_saturation(command_set& commands);
void add_curve(command_set& commands);
void add_explore(command_set& commands);
void add_bounds(command_set& commands);
void add_export(command_set& commands);
void add_diff(command_set& commands);
void add_collective(command_set& commands);
void add_schedule(command_set& commands);
void add_forwarding(command_set& commands);
void add_topology(command_set& commands);
void add_check(command_set& commands);
void add_import(command_set& commands);
void add_codec(command_set& commands);
void add_trace(command_set& commands);
void add_replay(command_set& commands);
void add_map(command_set& commands);
void add_schema(command_set& commands);
void add_completion(command_set& commands);
void add_manual(command_set& commands);

}  // namespace weft::experiment
