// SPDX-License-Identifier: Apache-2.0
/// The exit statuses of `weft`.
#pragma once

namespace weft::experiment {

/// A run stopped by a signal ends with 128 + the signal's number, 130 for Ctrl-C.
enum exit_status : int {
  Done = 0,
  Failed = 1,  ///< the run failed: deadlock, not drained, corrupt, output not written
  Wrong = 2,   ///< wrong usage or input
};

}  // namespace weft::experiment
