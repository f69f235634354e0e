// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/sat_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

constexpr literal Never = 0, Always = std::numeric_limits<literal>::max();

}  // namespace

/// The clauses of one question.
class sat_model {
 public:
  sat_model(const forwarding_problem& p, const sat_question& q, const chunk_symmetry& symmetry, solver& s)
      : m_problem(p),
        m_question(q),
        m_symmetry(symmetry),
        m_solver(s),
        m_in(links_in(p.graph)),
        m_loads(q.steps, std::vector<std::vector<literal>>(p.graph.links.size())) {
    for (const chunk_id c : symmetry.chunk_representatives) {
      add_chunk(c);
      check_size(0);
    }
    add_rounds();
    add_limits();
  }

  forwarding_algorithm read() const {
    forwarding_algorithm a;
    for (std::size_t t = 0; t < m_question.steps; ++t) a.steps.push_back({rounds_of(t), {}});
    for (const one_send& send : m_sends) {
      if (!m_solver.value(send.holds)) continue;
      for (std::size_t g = 0; g < m_symmetry.order(); ++g) {
        const graph_link& link = m_problem.graph.links[m_symmetry.links[g][send.link]];
        a.steps[send.step].sends.push_back({m_symmetry.chunks[g][send.chunk], link.from, link.to, false});
      }
    }
    return without_idle(m_problem, a);
  }

 private:
  struct one_send {
    literal holds;
    chunk_id chunk;
    link_id link;
    std::size_t step;
  };

  /// Properties of one chunk.
  struct chunk_view {
    chunk_id id;
    std::vector<std::uint32_t> from, to;  // distance in links from its holders, and to its nearest receiver, by node
    std::vector<bool> holds, receives;    // by node
    bool one_receiver;
    std::uint32_t length;  // from the holders to the only receiver
  };

  chunk_view view_of(chunk_id c) const {
    const forwarding_chunk& chunk = m_problem.list[c];
    chunk_view view{c,
                    hops_from(m_problem.graph, chunk.holders),
                    hops_to(m_problem.graph, chunk.receivers),
                    {},
                    {},
                    chunk.receivers.size() == 1,
                    0};
    view.holds.assign(m_problem.graph.nodes, false);
    view.receives = view.holds;
    for (const node_id node : chunk.holders) view.holds[node] = true;
    for (const node_id node : chunk.receivers) view.receives[node] = true;
    view.length = view.from[chunk.receivers.front()];
    return view;
  }

  /// Whether the chunk may be at \p node after \p steps steps.
  bool may_have(const chunk_view& view, node_id node, std::size_t steps) const {
    if (view.from[node] == Unreached || view.to[node] == Unreached || view.from[node] > steps) return false;
    if (m_question.minimal && view.one_receiver && view.from[node] + view.to[node] != view.length) return false;
    return steps + view.to[node] <= m_question.steps;
  }

  bool may_use(const chunk_view& view, const graph_link& link) const {
    return !view.holds[link.to] && (!m_question.minimal || view.from[link.to] == view.from[link.from] + 1);
  }

  void add_chunk(chunk_id c) {
    const chunk_view view = view_of(c);
    const std::size_t nodes = m_problem.graph.nodes;
    std::vector<literal> before(nodes, Never);
    for (node_id node = 0; node < nodes; ++node) before[node] = view.holds[node] ? Always : Never;
    for (std::size_t t = 0; t < m_question.steps; ++t) {
      std::vector<literal> now(nodes, Never);
      for (node_id node = 0; node < nodes; ++node) {
        if (view.holds[node]) {
          now[node] = Always;
        } else if (may_have(view, node, t + 1)) {
          now[node] = add_node(view, node, t, before);
        }
      }
      before = std::move(now);
    }
    for (node_id node = 0; node < nodes; ++node) {
      if (!view.receives[node] || before[node] == Always) continue;
      m_solver.clause(before[node] == Never ? std::vector<literal>{} : std::vector<literal>{before[node]});
    }
  }

  /// Returns a literal for whether \p node has the chunk after step \p t. It has the chunk if it had it before, or if
  /// one of its links carries it.
  literal add_node(const chunk_view& view, node_id node, std::size_t t, const std::vector<literal>& before) {
    std::vector<literal> brought;
    for (const link_id l : m_in[node]) {
      const graph_link& link = m_problem.graph.links[l];
      if (before[link.from] == Never || !may_use(view, link)) continue;
      const literal send = m_solver.fresh();
      brought.push_back(send);
      m_sends.push_back({send, view.id, l, t});
      if (before[link.from] != Always) m_solver.implies({send}, before[link.from]);
      if (before[node] != Never) m_solver.clause({-send, -before[node]});
      for (std::size_t g = 0; g < m_symmetry.order(); ++g) m_loads[t][m_symmetry.links[g][l]].push_back(send);
    }
    if (brought.empty() && before[node] == Never) return Never;
    const literal now = m_solver.fresh();
    for (const literal send : brought) m_solver.implies({send}, now);
    if (before[node] != Never) m_solver.implies({before[node]}, now);
    m_solver.at_most(brought, 1);
    std::vector<literal> reasons = brought;
    if (before[node] != Never) reasons.push_back(before[node]);
    reasons.push_back(-now);
    m_solver.clause(reasons);
    return now;
  }

  /// Checks the number of clauses. \throws too_many_clauses if \p more clauses would exceed the limit
  void check_size(double more) const {
    if (static_cast<double>(m_solver.clauses()) + more > static_cast<double>(MostClauses)) throw too_many_clauses{};
  }

  /// Returns the approximate number of clauses of solver::at_most() if it uses a counter.
  static double clauses_of_counter(std::size_t literals, std::size_t most) {
    constexpr double OfEachCount = 3;
    const auto counts = static_cast<double>(most) * (static_cast<double>(literals) - static_cast<double>(most) / 2);
    return literals <= most ? 0 : OfEachCount * counts;
  }

  /// Adds variables for the rounds of each step if they are free: m_more[t][k] is whether step t has more than k + 1
  /// rounds.
  void add_rounds() {
    if (!m_question.split.empty()) return;
    const std::size_t extra = m_question.rounds - m_question.steps;
    check_size(clauses_of_counter(m_question.steps * extra, extra));
    m_more.assign(m_question.steps, {});
    std::vector<literal> all;
    for (std::vector<literal>& more : m_more) {
      for (std::size_t k = 0; k < extra; ++k) {
        more.push_back(m_solver.fresh());
        all.push_back(more.back());
        if (k > 0) m_solver.implies({more[k]}, more[k - 1]);
      }
    }
    m_solver.at_most(all, extra);
  }

  void add_limits() {
    std::vector<bool> first(m_problem.graph.links.size(), false);
    for (const link_id l : m_symmetry.link_representatives) first[l] = true;
    std::vector<bandwidth_limit> limits;
    std::size_t number = 0;
    for (bandwidth_limit& limit : limits_of(m_problem.graph)) {
      const std::size_t i = number++;
      if (i < first.size() && !first[i]) continue;  // equal to the limit of its representative
      limits.push_back(std::move(limit));
    }
    double clauses = 0;
    for (const bandwidth_limit& limit : limits) {
      for (std::size_t t = 0; t < m_question.steps; ++t) clauses += clauses_of(limit, t);
    }
    check_size(clauses);  // checked first, because generation takes time
    for (const bandwidth_limit& limit : limits) {
      for (std::size_t t = 0; t < m_question.steps; ++t) {
        std::vector<literal> load;
        for (const link_id l : limit.links) load.insert(load.end(), m_loads[t][l].begin(), m_loads[t][l].end());
        add_limit(load, limit.bandwidth, t);
      }
    }
  }

  /// Approximate number of clauses of add_limit().
  double clauses_of(const bandwidth_limit& limit, std::size_t t) const {
    std::size_t sends = 0;
    for (const link_id l : limit.links) sends += m_loads[t][l].size();
    if (!m_question.split.empty()) return clauses_of_counter(sends, std::size_t{limit.bandwidth} * m_question.split[t]);
    const std::size_t rounds = std::min(1 + m_more[t].size(), sends / limit.bandwidth + 1);
    const std::size_t most = limit.bandwidth * rounds;
    return sends <= limit.bandwidth ? 0 : clauses_of_counter(sends + most - limit.bandwidth, most);
  }

  void add_limit(std::vector<literal> load, unsigned bandwidth, std::size_t t) {
    if (!m_question.split.empty()) {
      m_solver.at_most(load, std::size_t{bandwidth} * m_question.split[t]);
      return;
    }
    // A round that the step does not have counts as `bandwidth` sends.
    const std::size_t sends = load.size();
    std::size_t most = bandwidth;
    for (std::size_t k = 0; k < m_more[t].size() && most < sends; ++k) {
      load.insert(load.end(), bandwidth, -m_more[t][k]);
      most += bandwidth;
    }
    if (sends > bandwidth) m_solver.at_most(load, most);
  }

  unsigned rounds_of(std::size_t t) const {
    if (!m_question.split.empty()) return m_question.split[t];
    unsigned rounds = 1;
    for (const literal more : m_more[t]) rounds += m_solver.value(more) ? 1 : 0;
    return rounds;
  }

  const forwarding_problem& m_problem;
  const sat_question& m_question;
  const chunk_symmetry& m_symmetry;
  solver& m_solver;
  const std::vector<std::vector<link_id>> m_in;
  std::vector<one_send> m_sends;
  std::vector<std::vector<std::vector<literal>>> m_loads;  // by step, then link
  std::vector<std::vector<literal>> m_more;                // by step
};

struct sat_search::parts {
  sat_question question;
  chunk_symmetry none;
  solver clauses;
  std::unique_ptr<sat_model> model;
};

sat_search::sat_search(const forwarding_problem& p, const sat_question& q, const solver_options& options)
    : m_parts(new parts{q, q.symmetry == nullptr ? no_symmetry(p) : chunk_symmetry{}, solver(options), nullptr}) {
  const chunk_symmetry& symmetry = q.symmetry == nullptr ? m_parts->none : *q.symmetry;
  m_parts->model = std::make_unique<sat_model>(p, m_parts->question, symmetry, m_parts->clauses);
}

sat_search::~sat_search() = default;
sat_search::sat_search(sat_search&&) noexcept = default;

std::size_t sat_search::clauses() const { return m_parts->clauses.clauses(); }

sat_answer sat_search::solve(const search_control& control, std::size_t conflicts) {
  sat_answer answer{m_parts->clauses.solve(control, conflicts), {}};
  if (answer.status == solver::answer::Satisfiable) answer.found = m_parts->model->read();
  return answer;
}

}  // namespace weft::schedule
