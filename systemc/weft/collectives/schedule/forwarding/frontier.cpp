// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "weft/collectives/schedule/forwarding/solve.h"

namespace weft::schedule {
namespace {

class frontier_search {
 public:
  frontier_search(const link_graph& graph, forwarding_collective what, node_id root, unsigned most_chunks,
                  std::size_t most_steps, std::size_t conflicts, const search_control& control)
      : m_graph(graph),
        m_what(what),
        m_root(root),
        m_most_chunks(most_chunks),
        m_most_steps(most_steps),
        m_conflicts(conflicts),
        m_control(control),
        m_phases(what == forwarding_collective::Allreduce ? 2 : 1) {}

  forwarding_front run() {
    std::size_t steps = m_phases * least_steps(problem_of(1)).rounds;
    for (; steps <= m_most_steps && !m_front.out_of_time; steps += m_phases) {
      m_best.reset();
      for (unsigned chunks = 1; chunks <= m_most_chunks && !m_front.out_of_time; ++chunks) solve(chunks, steps);
      if (m_best) m_front.points.push_back(std::move(*m_best));
    }
    if (m_front.out_of_time && steps <= m_most_steps)
      m_front.unanswered.push_back({1, m_most_chunks, steps, m_most_steps});
    return std::move(m_front);
  }

 private:
  forwarding_problem problem_of(unsigned chunks) const { return make_forwarding(m_graph, m_what, chunks, m_root); }

  /// Whether this algorithm has fewer rounds per chunk than all points so far.
  bool is_better(std::size_t rounds, unsigned chunks) const {
    const frontier_point* than = m_best ? &*m_best : m_front.points.empty() ? nullptr : &m_front.points.back();
    return than == nullptr || rounds * than->chunks < than->result.found.rounds() * chunks;
  }

  void solve(unsigned chunks, std::size_t steps) {
    using status = forwarding_result::status;
    const forwarding_problem p = problem_of(chunks);
    if (!is_better(least_rounds(p, m_control).rounds, chunks)) return;
    forwarding_question q;
    q.steps = steps;
    q.conflicts = m_conflicts;
    forwarding_result result = solve_forwarding(p, q, m_control);
    const bool found = result.answer == status::Found && is_better(result.found.rounds(), chunks);
    const bool over = m_control.over() && result.answer != status::Infeasible && !result.optimal();
    if (found) {
      m_best = {chunks, steps, std::move(result)};
    } else if (over || result.answer == status::Unanswered) {
      leave_open(chunks, chunks, steps);
    }
    if (!over) return;
    m_front.out_of_time = true;
    if (chunks < m_most_chunks) leave_open(chunks + 1, m_most_chunks, steps);
  }

  void leave_open(unsigned first, unsigned last, std::size_t steps) {
    auto& open = m_front.unanswered;
    if (!open.empty() && open.back().last_steps == steps && open.back().last_chunks + 1 == first) {
      open.back().last_chunks = last;
    } else {
      open.push_back({first, last, steps, steps});
    }
  }

  const link_graph& m_graph;
  const forwarding_collective m_what;
  const node_id m_root;
  const unsigned m_most_chunks;
  const std::size_t m_most_steps, m_conflicts;
  const search_control& m_control;
  const std::size_t m_phases;            // each with half of the steps
  std::optional<frontier_point> m_best;  // for this number of steps
  forwarding_front m_front;
};

}  // namespace

forwarding_front forwarding_frontier(const link_graph& graph, forwarding_collective what, node_id root,
                                     unsigned most_chunks, std::size_t most_steps, std::size_t conflicts,
                                     const search_control& control) {
  return frontier_search(graph, what, root, most_chunks, most_steps, conflicts, control).run();
}

}  // namespace weft::schedule
