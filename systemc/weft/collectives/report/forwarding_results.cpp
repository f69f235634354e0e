// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/forwarding_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/core/join_with_and.h"
#include "weft/core/printable.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

using schedule::forwarding_algorithm;
using schedule::forwarding_bound;
using schedule::forwarding_problem;
using schedule::forwarding_question;
using schedule::forwarding_result;

std::string line_of(const char* name, const std::string& text) {
  return fmt::format("  {:<12}{}\n", name, printable(text));
}

std::string text_of(const forwarding_bound& bound) {
  return fmt::format("{}: {}", number_of(bound.rounds, "round"), bound.reason);
}

/// The chunks, steps and rounds of an algorithm: "C 6, S 3, R 7, R/C 1.167".
std::string size_of(unsigned chunks, const forwarding_algorithm& a) {
  return fmt::format("C {}, S {}, R {}, R/C {:.4g}", chunks, a.steps.size(), a.rounds(),
                     static_cast<double>(a.rounds()) / chunks);
}

/// The limits in the request, such as " of at most 3 steps and 7 rounds"; empty if there are none.
std::string requested_limits(const forwarding_question& q) {
  if (q.steps && q.rounds)
    return fmt::format(" of at most {} and {}", number_of(*q.steps, "step"), number_of(*q.rounds, "round"));
  if (q.steps) return " of at most " + number_of(*q.steps, "step");
  return q.rounds ? " of at most " + number_of(*q.rounds, "round") : "";
}

/// The algorithms among which one is optimal. If links share limits, a step of several rounds may do more than as many
/// steps of one round.
std::string scope_of(const forwarding_problem& p, const forwarding_question& q) {
  const bool is_shared = !p.graph.shared.empty();
  if (q.steps) return fmt::format(" in {}{}", is_shared ? "" : "at most ", number_of(*q.steps, "step"));
  return is_shared ? " in steps of one round" : "";
}

std::string optimality_of(const forwarding_algorithm& a, const forwarding_bound& bound, const std::string& scope,
                          const std::string& optimal_among = {}) {
  if (a.rounds() <= bound.rounds) return line_of("", fmt::format("R optimal{}: the bound is met", scope));
  std::string text;
  if (!optimal_among.empty()) text += line_of("", "R optimal among algorithms " + optimal_among);
  return text + line_of("", fmt::format("R not proved optimal{}: the least R is from {} to {}",
                                        optimal_among.empty() ? "" : " among all", bound.rounds, a.rounds()));
}

/// The reason why there is no algorithm: too few steps, or fewer rounds than a bound.
std::string infeasible_text(const forwarding_question& q, const forwarding_result& r) {
  const bool is_rounds = q.rounds && r.bound.rounds > *q.rounds;
  return is_rounds && !r.refuted ? fmt::format("at least {}", text_of(r.bound)) : r.bound.reason;
}

std::string answer_text(const forwarding_problem& p, const forwarding_question& q, const forwarding_result& r) {
  switch (r.answer) {
    case forwarding_result::status::Found:
      return line_of("bound", text_of(r.bound)) + line_of("found", size_of(p.chunks, r.found)) +
             line_of("", "by " + r.method) + optimality_of(r.found, r.bound, scope_of(p, q), r.optimal_among);
    case forwarding_result::status::Infeasible:
      return line_of("infeasible", "there is no algorithm" + requested_limits(q)) + line_of("", infeasible_text(q, r));
    default:
      return line_of("bound", text_of(r.bound)) +
             line_of("unanswered",
                     fmt::format("no algorithm{} was found, and none was proved impossible", requested_limits(q)));
  }
}

std::string tried_text(const forwarding_result& r) {
  std::string text;
  for (const schedule::forwarding_trial& trial : r.tried)
    text += line_of(text.empty() ? "tried" : "", fmt::format("{}: {}", trial.by, trial.outcome));
  return text;
}

/// A range with its name, such as "C 3 to 6"; for a single number "C 3".
std::string range_text(const char* name, std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{} {}", name, first) : fmt::format("{} {} to {}", name, first, last);
}

std::string gaps_text(const schedule::forwarding_front& frontier, bool interrupted) {
  constexpr std::size_t Most = 20;
  const std::string ended = interrupted            ? line_of("interrupted", "the search is not complete")
                            : frontier.out_of_time ? line_of("time", "limit reached")
                                                   : "";
  if (frontier.unanswered.empty()) return ended.empty() ? "" : "\n" + ended;
  std::string text = "\n" + ended;
  const std::size_t lines = std::min(Most, frontier.unanswered.size());
  for (std::size_t i = 0; i < lines; ++i) {
    const schedule::frontier_gap& gap = frontier.unanswered[i];
    text += line_of(i == 0 ? "unanswered" : "", range_text("C", gap.first_chunks, gap.last_chunks) + ", " +
                                                    range_text("S", gap.first_steps, gap.last_steps));
  }
  if (lines < frontier.unanswered.size())
    text += line_of("", fmt::format("and {} more", frontier.unanswered.size() - lines));
  return text;
}

}  // namespace

std::string heading_of(const std::string& name, const std::string& collective_text, const forwarding_problem& p) {
  std::size_t bandwidth = 0;
  for (const schedule::graph_link& l : p.graph.links) bandwidth += l.bandwidth;
  std::string shared =
      p.graph.shared.empty() ? "" : ", " + number_of(p.graph.shared.size(), "limit") + " that links share";
  if (const std::vector<std::string> idle = schedule::idle_limits(p.graph); !idle.empty())
    shared += fmt::format(", of which {} has no link and limits nothing", join_with_and(idle));
  return fmt::format("{}: {}, {}\n{}, bandwidth {} in all{}\n", printable(name), collective_text,
                     number_of(p.graph.nodes, "node"), number_of(p.graph.links.size(), "link"), grouped(bandwidth),
                     printable(shared));
}

std::string to_table(const forwarding_problem& p, const forwarding_question& q, const forwarding_result& r,
                     double seconds, bool interrupted) {
  return answer_text(p, q, r) + (interrupted ? line_of("", "interrupted") : "") + tried_text(r) +
         line_of("time", fmt::format("{:.2f} s", seconds));
}

std::string check_text(const forwarding_problem& p, const forwarding_algorithm& a,
                       const std::vector<schedule::forwarding_violation>& violations,
                       const schedule::search_control& control) {
  constexpr std::size_t Most = 20;
  std::string text = line_of("algorithm", size_of(p.chunks, a));
  if (violations.empty()) {
    const forwarding_bound bound = schedule::least_rounds(p, control);
    return text + line_of("", "correct: no link is overloaded, and every node gets its data") +
           line_of("bound", text_of(bound)) + optimality_of(a, bound, "") +
           (control.over() ? line_of("", "interrupted: there may be a better bound") : "");
  }
  text += line_of("", "WRONG: " + number_of(violations.size(), "fault"));
  const std::size_t lines = std::min(Most, violations.size());
  for (std::size_t i = 0; i < lines; ++i) text += fmt::format("    {}\n", printable(violations[i].text));
  return lines < violations.size() ? text + fmt::format("    and {} more\n", violations.size() - lines) : text;
}

std::string to_table(const schedule::forwarding_front& frontier, bool interrupted) {
  std::string text = fmt::format("  {:>5}{:>7}{:>8}{:>10}  {}\n", "C", "S", "R", "R/C", "proved for these C and S");
  for (const schedule::frontier_point& point : frontier.points) {
    const forwarding_result& r = point.result;
    const std::size_t rounds = r.found.rounds();
    text += fmt::format("  {:>5}{:>7}{:>8}{:>10.4g}  {}{}\n", point.chunks, point.steps, rounds,
                        static_cast<double>(rounds) / point.chunks,
                        r.optimal() ? "" : fmt::format("not proved, at least {}: ", r.bound.rounds),
                        printable(r.bound.reason));
  }
  return text + gaps_text(frontier, interrupted);
}

}  // namespace weft::experiment
