// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/pareto.h"

#include <memory>
#include <optional>
#include <stdexcept>

#include "weft/collectives/schedule/constructions/combining_grid.h"
#include "weft/collectives/schedule/constructions/combining_groups.h"
#include "weft/collectives/schedule/constructions/combining_halving.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {
namespace {

/// The full search, from fast constructions to CaDiCaL.
class pareto_search {
 public:
  pareto_search(const problem& p, const search_control& control, const combined_effort& effort)
      : m_p(p), m_control(control), m_effort(effort), m_router(p, control) {}

  std::vector<step_schedule> run() {
    unless_over([this] {
      construct();
      search();
    });
    return std::move(m_front);
  }

 private:
  /// The first nodes of groups of one size, and their exchange. If the group size is one, these are all nodes.
  struct core {
    std::size_t size;
    problem question;
    std::vector<schedule_cost> known{};
    std::unique_ptr<combined_search> search{};
  };

  /// Runs the constructions. It starts with large groups, because the search is faster with fewer groups.
  void construct() {
    const std::size_t nodes = participants_of(m_p.requested).size();
    for (std::size_t size = nodes / 2; size >= 2; --size) {
      if (const std::optional<collective> requested = between_groups(m_p.requested, size)) {
        m_cores.push_back({size, {m_p.network, *requested, m_p.paths, true}});
      }
    }
    m_cores.push_back({1, m_p});
    for (core& c : m_cores) {
      for (const step_schedule& s : grid_exchanges(c.question, m_control)) {
        c.known.push_back(cost_of(s));
        keep(c, s);
      }
    }
  }

  /// Searches with CaDiCaL for exchanges between as many first nodes as it can handle, and between fewer.
  void search() {
    for (core& c : m_cores) {
      if (!unfit_for_combined(c.question).empty()) continue;
      c.search = std::make_unique<combined_search>(c.question, c.known, m_control, m_effort);
    }
    for (bool is_done = false; !is_done && !m_control.over();) {
      is_done = true;
      for (auto c = m_cores.rbegin(); c != m_cores.rend(); ++c) {
        if (!c->search || c->search->is_done()) continue;
        is_done = false;
        c->search->pass([&](const step_schedule& s) { keep(*c, s); });
      }
    }
  }

  void keep(const core& c, const step_schedule& s) {
    m_front.push_back(c.size == 1 ? s : in_groups(m_p, m_router, c.size, s));
    m_front = non_dominated(std::move(m_front));
  }

  const problem& m_p;
  const search_control& m_control;
  const combined_effort& m_effort;
  round_router m_router;
  std::vector<core> m_cores;
  std::vector<step_schedule> m_front;
};

}  // namespace

std::vector<step_schedule> pareto(const problem& p, const search_control& control, const combined_effort& effort) {
  if (!p.combining) throw std::invalid_argument("pareto: messages are not combined, expected combining schedules");
  if (p.requested.senders.size() == 1) return halvings(p, control);
  return pareto_search(p, control, effort).run();
}

const method& combining_pareto() {
  static const method Method{
      "combining_pareto",
      "combining schedules of all kinds: by exchange, in groups, and by CaDiCaL where nodes are few",
      method::kind::Search, [](const problem& p) { return std::string(p.combining ? "" : "combining is off"); },
      [](const problem& p, const search_control& control) { return as_result(pareto(p, control)); }};
  return Method;
}

}  // namespace weft::schedule
