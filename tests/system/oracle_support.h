// SPDX-License-Identifier: Apache-2.0
/// The arrival of each packet at the pin level and in the engine, compared with the answers of another simulator.
#pragma once

#include "support/files.h"
#include "support/subprocess.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/topology/topology.h"
#include "weft/workload/packet_list.h"

namespace weft::oracle {

/// Collects flits and answers.
class answer_recorder final : public network_observer {
 public:
  void injected(const flit_event& e, const header&) override {
    in.push_back(e);
    if (e.sequence == 0) m_open[e.id] = {e.id, e.cycle, 0, 0, 0};
  }
  void ejected(const flit_event& e, const std::uint64_t*) override {
    out.push_back(e);
    if (e.sequence == 0) m_open[e.id].head_delivered = e.cycle;
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    packet_answer& a = m_open[p.id];
    a.tail_delivered = cycle;
    a.routers = routers;
    answers.push_back(a);
  }

  std::vector<flit_event> in, out;
  std::vector<packet_answer> answers;

 private:
  std::unordered_map<packet_id, packet_answer> m_open;
};

enum class level { Pin, Engine, Generic };
constexpr level Levels[] = {level::Pin, level::Engine, level::Generic};
inline const char* name_of(level which) {
  return which == level::Pin ? "pin" : which == level::Engine ? "engine" : "generic path of the engine";
}

/// Sends \p packets over \p graph for \p cycles cycles.
inline answer_recorder run(level which, const topology& graph, const router_parameters& router,
                           std::vector<packet> packets, cycle_t cycles, const nic_parameters& nic = {}) {
  packet_list_source source(std::move(packets), static_cast<std::uint32_t>(graph.nodes.size()), {}, 1);
  answer_recorder recorder;
  std::unique_ptr<network_model> model;
  if (which == level::Pin)
    model = pin::make_model(graph, router, nic, {}, source, recorder);
  else
    model = (which == level::Generic ? engine::make_generic_model : engine::make_model)(graph, router, nic, 64, source,
                                                                                        recorder);
  model->run(cycles + 1);  // an event of a cycle is reported at its end
  return recorder;
}

inline std::string text(const packet_answer& a) {
  return fmt::format("injected {}, head delivered {}, tail delivered {}, {} routers", a.injected, a.head_delivered,
                     a.tail_delivered, a.routers);
}

/// Describes the first packet of \p expected whose answer in \p found differs or is missing; empty when none differs.
inline std::string compare(std::vector<packet_answer> expected, const std::vector<packet_answer>& found) {
  std::unordered_map<packet_id, packet_answer> by_id;
  for (const packet_answer& a : found) by_id[a.id] = a;
  std::sort(expected.begin(), expected.end(),
            [](const auto& a, const auto& b) { return std::tie(a.injected, a.id) < std::tie(b.injected, b.id); });
  std::size_t wrong = 0;
  const packet_answer* first = nullptr;
  for (const packet_answer& e : expected) {
    const auto at = by_id.find(e.id);
    if (at != by_id.end() && at->second == e) continue;
    if (wrong++ == 0) first = &e;
  }
  if (first == nullptr) return {};
  const auto at = by_id.find(first->id);
  return fmt::format("{} of {} packets differ; packet {}: expected {}; found {}", wrong, expected.size(), first->id,
                     text(*first), at == by_id.end() ? "no delivery" : text(at->second));
}

/// Compares the deliveries of \p packets over \p graph at each level with \p expected, all of which another simulator
/// delivered before it stopped in the last of these cycles.
/// \return the first difference; empty if there is none
inline std::string compare_levels(const topology& graph, const router_parameters& router,
                                  const std::vector<packet>& packets, const std::vector<packet_answer>& expected,
                                  const nic_parameters& nic = {}) {
  cycle_t last = 0;
  for (const packet_answer& a : expected) last = std::max(last, a.tail_delivered);
  const auto difference_at = [&](level which) {
    const answer_recorder found = run(which, graph, router, packets, last + 1, nic);
    const auto before_last = [last](const packet_answer& a) { return a.tail_delivered < last; };
    const auto due = std::count_if(expected.begin(), expected.end(), before_last);
    const auto came = std::count_if(found.answers.begin(), found.answers.end(), before_last);
    const std::string difference = compare(expected, found.answers);
    if (!difference.empty() || due == came) return difference;
    return fmt::format("{} packets delivered before cycle {}; the reference lists {}", came, last, due);
  };
  std::string result;
  for (const level which : Levels) {
    const std::string difference = run_in_subprocess_or_throw([&] { return difference_at(which); });
    if (!difference.empty()) result += fmt::format("{}: {}\n", name_of(which), difference);
  }
  return result;
}

}  // namespace weft::oracle
