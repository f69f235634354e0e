// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/step_file.h"

#include <stdexcept>
#include <utility>

#include "weft/collectives/schedule/files/ccsched.h"
#include "weft/collectives/schedule/forwarding/to_step_schedule.h"
#include "weft/command/command.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/configuration/network.h"

namespace weft::experiment {

namespace {

/// Calls \p make, and reports its errors at the option.
template <class Make>
auto with_file_errors(const std::string& file, Make make) {
  try {
    return make();
  } catch (const std::invalid_argument& e) {
    fail("--ccsched " + file, e.what());
  }
}

}  // namespace

step_file::step_file(std::string file, const configuration& c, const schedule::forwarding_problem& p)
    : m_file(std::move(file)),
      m_name(c.output.name),
      m_network(build_channels(c), {schedule::port_rule::kind::All}),
      m_collective(with_file_errors(m_file, [&] { return collective_of_problem(m_network, p); })) {}

std::string step_file::write(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a) const {
  const schedule::step_schedule steps = with_file_errors(m_file, [&] { return to_step_schedule(m_network, p, a); });
  write_text("--ccsched", m_file, to_ccsched(m_network, {m_name, m_collective, steps}));
  return written_line(m_file);
}

}  // namespace weft::experiment
