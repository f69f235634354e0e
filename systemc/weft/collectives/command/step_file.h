// SPDX-License-Identifier: Apache-2.0
/// Implements `weft forwarding --ccsched`, which writes a store-and-forward algorithm as a schedule in steps. `weft
/// schedule` and `weft collective` can simulate such a schedule.
#pragma once

#include <string>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/configuration/configuration.h"

namespace weft::experiment {

class step_file {
 public:
  /// Prepares a file for the network of \p c, whose nodes use all ports. \throws configuration_error if \p p cannot be
  /// expressed as a schedule in steps
  step_file(std::string file, const configuration& c, const schedule::forwarding_problem& p);

  /// Writes the algorithm \p a for the problem \p p. \return the line for the report. \throws configuration_error if
  /// writing fails
  std::string write(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a) const;

 private:
  std::string m_file, m_name;
  schedule::step_network m_network;
  schedule::collective m_collective;
};

}  // namespace weft::experiment
