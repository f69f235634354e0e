// SPDX-License-Identifier: Apache-2.0
#include "platform.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

using sc_core::SC_NS;
using sc_core::sc_time;

namespace {

weft::tlm2::address_map make_map(unsigned cores) {
  std::vector<weft::tlm2::mapped_range> map = {{UartBase, DeviceSize, UartNode},
                                               {ControllerBase, DeviceSize, ControllerNode},
                                               {DmaBase, DeviceSize, DmaNode},
                                               {MailboxBase, DeviceSize, MailboxNode},
                                               {SharedBase, SharedSize, SharedNode}};
  for (unsigned c = 0; c < cores; ++c) map.push_back({local_base(c), LocalSize, CoreNodes[c]});
  return {map, Nodes};
}

}  // namespace

platform::platform(const platform_options& options, std::ostream& console)
    : m_options(options),
      m_map(make_map(options.cores)),
      m_shared("shared_memory", SharedSize, sc_time(8, SC_NS)),
      m_uart("uart", console),
      m_controller("system_controller", {options.cores, options.size, options.shared ? 1U : 0U}) {
  for (unsigned c = 0; c < options.cores; ++c) {
    const std::string number = std::to_string(c);
    m_cores.push_back(std::make_unique<processor>(("core_" + number).c_str(), c, ClockPeriod, options.dmi));
    m_locals.push_back(std::make_unique<memory>(("local_memory_" + number).c_str(), LocalSize, sc_time(1, SC_NS)));
  }
  connect_interrupts();
  if (options.traffic_file.empty()) return;
  m_traffic.open(options.traffic_file);
  if (!m_traffic) throw std::runtime_error(options.traffic_file + ": " + std::strerror(errno));
  m_traffic << "# SPDX-License-Identifier: Apache-2.0\n# packet cycle source destination length\n";
}

void platform::connect_interrupts() {
  m_controller.software_o(m_software);
  m_controller.timer_o(m_timer);
  m_mailbox.external_o(m_external);
  for (unsigned c = 0; c < m_cores.size(); ++c) {
    m_cores[c]->software_i(m_software[c]);
    m_cores[c]->timer_i(m_timer[c]);
    m_cores[c]->external_i(m_external[c]);
  }
}

std::uint32_t platform::program_base(unsigned c) const {
  return m_options.shared ? SharedBase + SharedSize / 2 + c * LocalSize : local_base(c);
}

void platform::load(const elf_program& program, const std::string& name) {
  for (const elf_segment& s : program.segments) {
    if (s.address < LocalBase || s.address - LocalBase + s.bytes.size() > LocalSize)
      throw elf_error(name +
                      ": a segment lies outside the local memory of a core, 64 KiB at 0x80000000; link it with " +
                      "software/link.ld");
    for (unsigned c = 0; c < m_cores.size(); ++c) {
      memory& to = m_options.shared ? m_shared : *m_locals[c];
      const std::uint32_t base = program_base(c) - (m_options.shared ? SharedBase : local_base(c));
      std::copy(s.bytes.begin(), s.bytes.end(), to.content().begin() + base + (s.address - LocalBase));
    }
  }
  for (unsigned c = 0; c < m_cores.size(); ++c) m_cores[c]->start_at(program_base(c) + (program.entry - LocalBase));
}

void platform::finish_traffic() {
  if (!m_traffic.is_open()) return;
  m_traffic.close();
  if (!m_traffic) throw std::runtime_error(m_options.traffic_file + ": could not be written");
}
