// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/waiting_ring.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::experiment {

namespace {

std::string place_of(const json& w) {
  if (!w.contains("node"))
    return fmt::format("router {}, {}, VC {}", w.at("router").get<std::uint32_t>(), w.at("port").get<std::string>(),
                       w.at("vc").get<unsigned>());
  const auto node = w["node"].get<std::uint32_t>();
  if (w.contains("vc")) return fmt::format("node {}, ejection VC {}", node, w["vc"].get<unsigned>());
  return fmt::format("node {}, injection, class {}", node, w.at("class").get<unsigned>());
}

std::string awaited_by(const json& w) {
  const auto what = w.at("waits_for").get<std::string>();
  if (w.contains("node") && w.contains("vc"))
    return fmt::format("{} of node {} for class {}", what, w["node"].get<std::uint32_t>(),
                       w.at("class").get<unsigned>());
  std::vector<std::string> offers;
  for (const json& offer : w.at("of"))
    offers.push_back(fmt::format("{}, VC {}", offer.at("port").get<std::string>(),
                                 fmt::join(offer.at("vcs").get<std::vector<unsigned>>(), ", ")));
  return offers.empty() ? what : fmt::format("{} of {}", what, fmt::join(offers, " or "));
}

}  // namespace

std::vector<waiting_packet> waiting_ring_of(const stored_result& run) {
  std::vector<waiting_packet> ring;
  for (const json& w : run.content.value("ring", json::array()))
    ring.push_back(
        {w.at("packet").get<std::uint64_t>(), w.at("router").get<std::uint32_t>(), place_of(w), awaited_by(w)});
  return ring;
}

}  // namespace weft::experiment
