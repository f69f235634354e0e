// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/waiting_ring.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::experiment {

std::vector<waiting_packet> waiting_ring_of(const stored_result& run) {
  std::vector<waiting_packet> ring;
  for (const json& w : run.content.value("ring", json::array())) {
    std::vector<std::string> offers;
    for (const json& offer : w.at("of"))
      offers.push_back(fmt::format("{}, VC {}", offer.at("port").get<std::string>(),
                                   fmt::join(offer.at("vcs").get<std::vector<unsigned>>(), ", ")));
    ring.push_back({w.at("packet").get<std::uint64_t>(), w.at("router").get<std::uint32_t>(),
                    fmt::format("router {}, {}, VC {}", w["router"].get<std::uint32_t>(),
                                w.at("port").get<std::string>(), w.at("vc").get<unsigned>()),
                    fmt::format("{} of {}", w.at("waits_for").get<std::string>(), fmt::join(offers, " or "))});
  }
  return ring;
}

}  // namespace weft::experiment
