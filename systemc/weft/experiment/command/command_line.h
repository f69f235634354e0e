/// The `weft` command.
#pragma once

namespace weft::experiment {

/// Exit statuses; a run that a signal stopped ends with 128 + the signal's number, 130 for Ctrl-C.
enum exit_status : int {
  Done = 0,
  Failed = 1,  ///< the run failed: deadlock, not drained, corrupt, output not written
  Wrong = 2,   ///< wrong usage or input
};

/// Does what the arguments say; the result is the exit status. Throws nothing.
int run_command_line(int argc, const char* const* argv);

}  // namespace weft::experiment
