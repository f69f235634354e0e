// SPDX-License-Identifier: Apache-2.0
/// `weft forwarding --ccsched`: writes a store-and-forward algorithm as a schedule in steps, which `weft schedule` and
/// `weft collective` can simulate.
#pragma once

#include <string>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/configuration/configuration.h"

namespace weft::experiment {

class step_file {
 public:
  /// For the network of \p c, whose nodes use all ports.
  /// \throws configuration_error if \p p cannot be expressed as a schedule in steps
  step_file(std::string file, const configuration& c, const schedule::forwarding_problem& p);

  /// \return the line for the report. \throws configuration_error if writing fails
  std::string write(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a) const;

 private:
  std::string m_file, m_name;
  schedule::step_network m_network;
  schedule::collective m_collective;
};

}  // namespace weft::experiment
