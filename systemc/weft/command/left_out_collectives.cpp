// SPDX-License-Identifier: Apache-2.0
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/configuration/left_out.h"

namespace weft::experiment {

void add_collective(command_set& commands) {
  commands.add_left_out("collective", left_out_collectives("weft collective"));
}

void add_schedule(command_set& commands) { commands.add_left_out("schedule", left_out_collectives("weft schedule")); }

void add_forwarding(command_set& commands) {
  commands.add_left_out("forwarding", left_out_collectives("weft forwarding"));
}

}  // namespace weft::experiment
