// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/solver.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

#include <cadical.hpp>
#include <fmt/format.h>

namespace weft::schedule {
namespace {

/// Up to this number of literals, pairwise clauses are no more than the clauses of a counter, and they need no
/// variables.
constexpr std::size_t FewLiterals = 6;
constexpr std::size_t ClausesBetweenPolls = 4096;  // clauses between checks of the control

class until_over : public CaDiCaL::Terminator {
 public:
  explicit until_over(const search_control& control) : m_control(control) {}
  bool terminate() override { return m_control.over(); }

 private:
  const search_control& m_control;
};

[[noreturn]] void fail_to_write(const std::string& file) {
  throw std::invalid_argument(fmt::format("{}: cannot be written", file));
}

}  // namespace

struct solver::backend {
  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<unfinished_proof> proof;    // null: no proof is written, or it is complete
  std::unique_ptr<std::FILE, closing> trace;  // the refutation; must outlive the solver, which writes it
  std::unique_ptr<CaDiCaL::Solver> cadical = std::make_unique<CaDiCaL::Solver>();
  std::vector<literal> written;  // clauses of the proof, each terminated by 0

  void trace_to(proof_sink& sink) {
    proof = sink.begin();
    const std::string path = proof->refutation();
    trace.reset(std::fopen(path.c_str(), "wb"));
    if (!trace || !cadical->trace_proof(trace.get(), path.c_str())) fail_to_write(path);
  }

  void write_clauses(std::size_t variables, std::size_t clauses) const {
    const std::string path = proof->clauses();
    std::ofstream file(path);
    file << "p cnf " << variables << ' ' << clauses << '\n';
    for (const literal l : written) file << l << (l == 0 ? '\n' : ' ');
    if (!file.flush()) fail_to_write(path);
  }

  void keep_proof(std::size_t variables, std::size_t clauses) {
    cadical->close_proof_trace();
    if (std::fflush(trace.get()) != 0 || std::ferror(trace.get()) != 0) fail_to_write(proof->refutation());
    write_clauses(variables, clauses);
    proof->keep();
    proof.reset();
  }
};

solver::solver(const solver_options& options) : m_backend(std::make_unique<backend>()), m_control(options.control) {
  constexpr std::uint64_t SeedsOfCadical = 2'000'000'000;
  m_backend->cadical->set("quiet", 1);
  m_backend->cadical->set("seed", static_cast<int>(options.seed % SeedsOfCadical));
  if (options.proof) m_backend->trace_to(*options.proof);
}

solver::~solver() = default;

literal solver::fresh() { return static_cast<literal>(++m_variables); }

void solver::clause(const std::vector<literal>& any_of) {
  if (++m_clauses % ClausesBetweenPolls == 0 && m_control) m_control->go_on();
  for (const literal l : any_of) m_backend->cadical->add(l);
  m_backend->cadical->add(0);
  if (!m_backend->proof) return;
  m_backend->written.insert(m_backend->written.end(), any_of.begin(), any_of.end());
  m_backend->written.push_back(0);
}

void solver::implies(const std::vector<literal>& conditions, literal then) {
  std::vector<literal> all{then};
  for (const literal l : conditions) all.push_back(-l);
  clause(all);
}

void solver::at_most(const std::vector<literal>& of, std::size_t most) {
  if (of.size() <= most) return;
  if (most == 0) {
    for (const literal l : of) clause({-l});
    return;
  }
  if (most == 1 && of.size() <= FewLiterals) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) clause({-of[i], -of[j]});
    }
    return;
  }
  std::vector<literal> before;  // [n]: more than n of the literals so far hold
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (before.size() == most) clause({-before.back(), -of[i]});
    if (i + 1 == of.size()) return;
    std::vector<literal> now(std::min(i + 1, most));
    for (std::size_t n = 0; n < now.size(); ++n) {
      now[n] = fresh();
      if (n < before.size()) clause({-before[n], now[n]});
      if (n == 0) clause({-of[i], now[n]});
      if (n > 0) clause({-of[i], -before[n - 1], now[n]});
    }
    before = std::move(now);
  }
}

void solver::exactly_one(const std::vector<literal>& of) {
  clause(of);
  at_most(of, 1);
}

void solver::prefer(literal value) { m_backend->cadical->phase(value); }

solver::answer solver::solve(const search_control& control, std::size_t conflicts,
                             const std::vector<literal>& assumptions) {
  CaDiCaL::Solver& cadical = *m_backend->cadical;
  if (control.over()) return answer::Unknown;
  for (const literal l : assumptions) cadical.assume(l);
  if (conflicts != NoLimit) {
    const auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
    cadical.limit("conflicts", static_cast<int>(std::min(conflicts, most)));
  }
  until_over terminator(control);
  cadical.connect_terminator(&terminator);
  const int status = cadical.solve();
  cadical.disconnect_terminator();
  constexpr int Satisfiable = 10, Unsatisfiable = 20;  // exit codes of the SAT competition
  if (status == Satisfiable) return answer::Satisfiable;
  if (status != Unsatisfiable) return answer::Unknown;
  if (m_backend->proof && assumptions.empty()) m_backend->keep_proof(m_variables, m_clauses);
  return answer::Unsatisfiable;
}

bool solver::value(literal of) const { return m_backend->cadical->val(of) > 0; }

}  // namespace weft::schedule
