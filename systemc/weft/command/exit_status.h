// SPDX-License-Identifier: Apache-2.0
/// The exit statuses of `weft`.
#pragma once

namespace weft::experiment {

/// A run that a signal stops ends with 128 plus the number of the signal, for example with 130 after Ctrl-C.
enum exit_status : int {
  Done = 0,
  Failed = 1,  ///< the run failed, for example by a deadlock, or the output could not be written
  Wrong = 2,   ///< wrong usage or input
};

}  // namespace weft::experiment
