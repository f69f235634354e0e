// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/schedule_results.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/core/printable.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

using schedule::answer;
using schedule::method;
using schedule::problem;
using schedule::step_network;
using schedule::step_schedule;
using schedule::violation;

const char* name_of(method::kind kind) {
  constexpr const char* Names[] = {"construction", "search", "exact", "baseline"};
  return Names[static_cast<std::size_t>(kind)];
}

/// The number of ports of the nodes: "1 port", or "2 to 4 ports" if it differs.
std::string ports_text(const step_network& network) {
  unsigned least = network.ports_out(0), most = least;
  for (node_id n = 0; n < network.nodes(); ++n) {
    least = std::min({least, network.ports_out(n), network.ports_in(n)});
    most = std::max({most, network.ports_out(n), network.ports_in(n)});
  }
  return least == most ? number_of(most, "port") : fmt::format("{} to {} ports", least, most);
}

std::size_t links_of(const step_network& network) {
  std::size_t links = 0;
  for (const schedule::step_channel& c : network.channels())
    links += c.kind == schedule::channel_kind::Link ? c.capacity : 0;
  return links;
}

std::string row(const char* name, const std::string& text) {
  return fmt::format("  {:<11}{}\n", name, printable(text));
}

std::string cost_text(const schedule::schedule_cost& cost) {
  return fmt::format("{}, TCO {}", number_of(cost.start_ups, "step"), grouped(cost.occupancy));
}

/// The bounds of R and, if transfers may carry more than one message, of TCO.
std::string bounds_text(const problem& p, const schedule::lower_bounds& bounds) {
  const schedule::bound& steps = schedule::best_of(bounds.start_ups);
  std::string text = row(
      "bound", fmt::format("{}, by {}: {}", number_of(steps.steps, "step"), schedule::name_of(steps.why), steps.text));
  if (!p.combining) return text;
  const schedule::bound& occupancy = schedule::best_of(bounds.occupancy);
  return text + row("", fmt::format("TCO {}, by {}: {}", grouped(occupancy.steps), schedule::name_of(occupancy.why),
                                    occupancy.text));
}

/// States that \p value meets \p bound, or the range in which the minimum lies.
std::string gap_text(const char* what, std::size_t value, std::size_t bound) {
  return row("", value <= bound ? fmt::format("{} optimal: the bound is met", what)
                                : fmt::format("{0} not proved optimal: the least {0} is from {1} to {2}", what,
                                              grouped(bound), grouped(value)));
}

/// States whether TCO meets the bound for all schedules, or at least the bound for schedules with this number of steps.
std::string occupancy_text(const problem& p, const step_schedule& s, const schedule::lower_bounds& bounds) {
  const std::size_t of_all = schedule::best_of(bounds.occupancy).steps;
  const std::size_t of_these = schedule::least_occupancy(p, s.start_ups());
  if (s.occupancy() <= of_all || of_these <= of_all) return gap_text("TCO", s.occupancy(), of_all);
  const std::string steps = number_of(s.start_ups(), "step");
  return row("", s.occupancy() <= of_these
                     ? fmt::format("TCO optimal for {}: they take at least {}", steps, of_these)
                     : fmt::format("TCO not proved optimal: {} take at least {}", steps, of_these));
}

std::string optimality_text(const problem& p, const step_schedule& s, const schedule::lower_bounds& bounds) {
  const std::string steps = gap_text("R", s.start_ups(), schedule::best_of(bounds.start_ups).steps);
  return p.combining ? steps + occupancy_text(p, s, bounds) : steps;
}

/// Like the other optimality_text(), but with the results of exact methods. For a scatter, exact methods do not
/// consider schedules in which nodes forward messages; for a broadcast, they consider all schedules.
std::string optimality_text(const problem& p, const answer& a) {
  const bool is_met = a.best && a.best->start_ups() <= a.refuted_below;
  std::string text = a.best && (a.optimal() || !is_met) ? optimality_text(p, *a.best, a.bounds) : "";
  if (a.refuted_below <= schedule::best_of(a.bounds.start_ups).steps) return text;
  const bool of_all = p.requested.what == schedule::operation::Broadcast;
  const char* const meaning = !is_met ? "" : of_all ? "R optimal: " : "R optimal of its kind: ";
  return text + row("", fmt::format("{}fewer than {} are impossible {}", meaning, number_of(a.refuted_below, "step"),
                                    a.refuted));
}

/// A method with its restriction, if there is one: "tabu", or "tabu, 1 port".
std::string method_text(const method* m, const std::string& restricted_to) {
  return restricted_to.empty() ? m->name : fmt::format("{}, {}", m->name, restricted_to);
}

std::string attempts_text(const answer& a) {
  std::string text;
  for (const schedule::attempt& tried : a.attempts) {
    if (!tried.unfit.empty()) continue;
    text += row(text.empty() ? "tried" : "",
                fmt::format("{:<23} {:<24}{:>8.2f} s", method_text(tried.by, tried.restricted_to),
                            tried.found ? cost_text(*tried.found) : "nothing better", tried.seconds));
  }
  return text;
}

std::string printed_text(const problem& p, const std::vector<schedule::papers_formula>& printed) {
  std::string text;
  for (const schedule::papers_formula& f : printed) {
    const bool is_bound = f.what == schedule::papers_formula::claim::LowerBound;
    text += row(text.empty() ? "printed" : "",
                fmt::format("{}: {} {}{}{}{}", f.source, is_bound ? "at least" : "reached", f.printed.start_ups,
                            p.combining && !is_bound ? fmt::format("/{}", f.printed.occupancy) : "",
                            f.text == "printed" ? "" : ", " + f.text,
                            f.remark.empty() ? "" : (f.holds ? "; " : "; does not hold: ") + f.remark));
  }
  return text;
}

/// Describes a schedule by two maxima: how many channels a path is longer than a shortest path, and how many messages a
/// transfer carries.
std::string kind_of(const problem& p, const step_schedule& s) {
  std::size_t longest = 0, most = 0;
  std::vector<std::vector<std::uint32_t>> distances(p.network.nodes());  // to each receiver
  for (const schedule::step& one : s.steps) {
    most = std::max(most, schedule::size_of(one));
    for (const schedule::transfer& t : one) {
      if (distances[t.to].empty()) distances[t.to] = schedule::distances_to(p.network, t.to);
      const std::uint32_t shortest = distances[t.to][t.from];
      longest = std::max<std::size_t>(longest, t.path.size() > shortest ? t.path.size() - shortest : 0);
    }
  }
  return fmt::format("{}, {}",
                     longest == 0
                         ? "shortest paths only"
                         : fmt::format("paths up to {} longer than the shortest", number_of(longest, "channel")),
                     most <= 1 ? "one message a transfer" : fmt::format("up to {} messages a transfer", grouped(most)));
}

}  // namespace

std::string describe(const schedule::collective& requested, const step_network& network) {
  const std::size_t nodes = network.nodes();
  const std::string name = schedule::name_of(requested, nodes);
  const char* const what = requested.what == schedule::operation::Broadcast ? "broadcast" : "scatter";
  if (name[0] == 'A') return fmt::format("{}, all-to-all {}, {}", name, what, number_of(nodes, "node"));
  if (name[0] == 'O')
    return fmt::format("{}, one-to-all {} from {}, {}", name, what, network.name(requested.senders[0]),
                       number_of(nodes, "node"));
  return fmt::format("{}, {} of {} to {} of {}", name, what, requested.senders.size(), requested.receivers.size(),
                     number_of(nodes, "node"));
}

std::string heading_of(const std::string& name, const problem& p) {
  return heading_of(name, p, p.combining ? "messages combined" : "one message a transfer");
}

std::string heading_of(const std::string& name, const problem& p, const char* messages) {
  return fmt::format("{}: {}\n{}, {} between routers, {} at a node, {} paths, {}\n", printable(name),
                     printable(describe(p.requested, p.network)), number_of(p.network.routers(), "router"),
                     number_of(links_of(p.network), "channel"), ports_text(p.network),
                     p.paths == schedule::path_rule::Minimal ? "shortest" : "any simple", messages);
}

std::string to_table(const problem& p, const answer& a, const std::vector<schedule::papers_formula>& printed,
                     bool interrupted) {
  std::string text = bounds_text(p, a.bounds);
  if (a.best) {
    text += row("schedule",
                fmt::format("{}, by {}", cost_text(schedule::cost_of(*a.best)), method_text(a.by, a.restricted_to)));
    text += row("", kind_of(p, *a.best));
  } else {
    text += row("schedule", "none found");
  }
  text += optimality_text(p, a);
  if (interrupted)
    text += row("", "interrupted");
  else if (a.out_of_time)
    text += row("", "time limit reached; raise --seconds");
  return text + attempts_text(a) + printed_text(p, printed);
}

std::string check_text(const problem& p, const step_schedule& s, const std::vector<violation>& violations) {
  constexpr std::size_t Most = 20;
  std::string text = row("schedule", cost_text(schedule::cost_of(s)));
  text += row("", kind_of(p, s));
  if (violations.empty())
    return text + row("", "correct: no step has a conflict, and every node gets its data") +
           optimality_text(p, s, schedule::find_bounds(p));
  text += row("", "WRONG: " + number_of(violations.size(), "fault"));
  std::set<violation::kind> reported;
  std::size_t lines = 0;
  for (const violation& f : violations) {  // the first violations, and the first of each kind
    const bool is_first = reported.insert(f.what).second;
    if (lines >= Most && !is_first) continue;
    text += fmt::format("    {}\n", printable(f.text));
    ++lines;
  }
  return lines < violations.size() ? text + fmt::format("    and {} more\n", violations.size() - lines) : text;
}

std::string methods_table(const problem* p) {
  std::string text;
  for (const method* m : schedule::methods()) {
    text += fmt::format("  {:<24}{:<14}{}\n", m->name, name_of(m->what), m->description);
    const std::string unfit = p ? m->unfit(*p) : std::string();
    if (!unfit.empty()) text += fmt::format("  {:<24}does not fit: {}\n", "", unfit);
  }
  return text;
}

}  // namespace weft::experiment
