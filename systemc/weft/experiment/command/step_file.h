// SPDX-License-Identifier: Apache-2.0
/// `weft forwarding --ccsched`: an algorithm by store and forward as a schedule in steps, which `weft schedule` and
/// `weft collective` play on the network.
#pragma once

#include <string>

#include "weft/experiment/configuration/configuration.h"
#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/schedule.h"
#include "weft/schedule/step_network.h"

namespace weft::experiment {

class step_file {
 public:
  /// For the network of \p c, whose nodes have all ports.
  /// \throws configuration_error where schedules in steps cannot say what \p p asks
  step_file(std::string file, const configuration& c, const schedule::forwarding_problem& p);

  /// \return what was written, for the report. \throws configuration_error if it cannot be
  std::string write(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a) const;

 private:
  std::string m_file, m_name;
  schedule::step_network m_network;
  schedule::collective m_asked;
};

}  // namespace weft::experiment
