// SPDX-License-Identifier: Apache-2.0
#include "weft/report/format.h"

#include <new>

#include <fmt/format.h>

namespace weft::experiment {

const char* version() { return WEFT_VERSION; }

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * ratio(part, whole));
}

std::string plus_minus(double mean, const std::optional<double>& half_width, int digits) {
  std::string text = fmt::format("{:.{}f}", mean, digits);
  if (half_width) text += fmt::format(" ± {:.{}f}", *half_width, digits);
  return text;
}

std::string describe(const router_parameters& router) {
  std::string buffers = fmt::format("{} VCs of {} flits", router.vcs, router.depth);
  if (shares_buffer(router)) {
    buffers = fmt::format("{} VCs that share {} flits ({} reserved for each", router.vcs, router.vcs * router.depth,
                          router.buffer.reserved);
    buffers += router.buffer.limit != 0 ? fmt::format(", at most {})", router.buffer.limit) : ")";
  }
  return fmt::format("{}, {} pipeline cycles", buffers, router.pipeline);
}

std::string message_of(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e) == nullptr) return e.what();
  return "out of memory; lower network.topology.shape, network.router.vcs or network.router.depth, set "
         "simulation.level: engine, or run fewer simulations at a time with --jobs";
}

}  // namespace weft::experiment
