// SPDX-License-Identifier: Apache-2.0
/// Errors of a build that lacks an optional part of Weft.
#pragma once

#include <string>

#include "weft/configuration/configuration.h"

namespace weft::experiment {

inline diagnostic left_out_collectives(const std::string& place) {
  return {place, "this build of Weft has no collectives; build it with -DWEFT_COLLECTIVES=ON"};
}

inline diagnostic left_out_mpi(const std::string& place) {
  return {place, "this build of Weft has no traces and replays; build it with -DWEFT_MPI=ON"};
}

}  // namespace weft::experiment
