// SPDX-License-Identifier: Apache-2.0
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/configuration/left_out.h"

namespace weft::experiment {

void add_trace(command_set& commands) { commands.add_left_out("trace", left_out_mpi("weft trace")); }

void add_replay(command_set& commands) { commands.add_left_out("replay", left_out_mpi("weft replay")); }

void add_map(command_set& commands) { commands.add_left_out("map", left_out_mpi("weft map")); }

}  // namespace weft::experiment
