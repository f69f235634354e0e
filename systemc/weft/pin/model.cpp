// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/model.h"

#include <fstream>
#include <stdexcept>
#include <string>

#include <fnmatch.h>

#include "weft/pin/model_of_width.h"
#include "weft/topology/analysis/check.h"

namespace weft::pin {

std::size_t trace_matching(const sc_core::sc_object& object, const std::vector<std::string>& patterns,
                           sc_core::sc_trace_file* file, const extent_finder& extent_of, const trace_extent& around) {
  std::size_t traced = 0;
  const trace_extent extent = extent_of(object).value_or(around);
  if (const auto* signal = dynamic_cast<const traceable*>(&object)) {
    for (const std::string& pattern : patterns) {
      if (fnmatch(pattern.c_str(), object.name(), 0) != 0) continue;
      if (file != nullptr) signal->trace_into(file, extent);
      ++traced;
      break;
    }
  }
  for (const sc_core::sc_object* child : object.get_child_objects())
    traced += trace_matching(*child, patterns, file, extent_of, extent);
  return traced;
}

void blank_date(const std::filesystem::path& vcd_file) {
  std::fstream file(vcd_file, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(256, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const std::string begin = "$date\n";
  const std::size_t end = head.find("\n$end");
  if (head.compare(0, begin.size(), begin) != 0 || end == std::string::npos) return;
  file.clear();
  file.seekp(static_cast<std::streamoff>(begin.size()));
  file << std::string(end - begin.size(), ' ');
}

std::unique_ptr<audited_model> make_model(const topology& graph, const router_parameters& router,
                                          const nic_parameters& nic, const model_options& options,
                                          packet_source& source, network_observer& observer) {
  check_parameters(graph, router, nic);
  switch (options.payload_bits) {
    case 32:
      return make_model_of_width<32>(graph, router, nic, options, source, observer);
    case 64:
      return make_model_of_width<64>(graph, router, nic, options, source, observer);
    case 128:
      return make_model_of_width<128>(graph, router, nic, options, source, observer);
    case 256:
      return make_model_of_width<256>(graph, router, nic, options, source, observer);
    default:
      throw std::invalid_argument("payload_bits must be 32, 64, 128 or 256");
  }
}

}  // namespace weft::pin
