// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/schedule_json.h"

#include <algorithm>

#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

using schedule::answer;
using schedule::problem;

/// The strongest of \p bounds as JSON.
json to_json(const std::vector<schedule::bound>& bounds) {
  const schedule::bound& best = schedule::best_of(bounds);
  return {{"value", best.steps}, {"by", schedule::name_of(best.why)}, {"text", best.text}};
}

json found_json(const problem& p, const answer& a) {
  if (!a.best) return nullptr;
  const schedule::schedule_cost cost = schedule::cost_of(*a.best);
  const std::size_t least = std::max(schedule::best_of(a.bounds.occupancy).steps,
                                     p.combining ? schedule::least_occupancy(p, cost.start_ups) : cost.start_ups);
  return {{"R", cost.start_ups},
          {"TCO", cost.occupancy},
          {"by", a.by->name},
          {"restricted_to", a.restricted_to},
          {"least_TCO_of_R", least}};
}

json attempts_json(const answer& a) {
  json list = json::array();
  for (const schedule::attempt& tried : a.attempts) {
    if (!tried.unfit.empty()) continue;
    json one = {{"method", tried.by->name},
                {"restricted_to", tried.restricted_to},
                {"R", nullptr},
                {"TCO", nullptr},
                {"seconds", tried.seconds}};
    if (tried.found) {
      one["R"] = tried.found->start_ups;
      one["TCO"] = tried.found->occupancy;
    }
    list.push_back(std::move(one));
  }
  return list;
}

json formulas_json(const std::vector<schedule::papers_formula>& formulas) {
  json list = json::array();
  for (const schedule::papers_formula& f : formulas) {
    const bool is_bound = f.what == schedule::papers_formula::claim::LowerBound;
    list.push_back({{"source", f.source},
                    {"claim", is_bound ? "lower_bound" : "reached"},
                    {"text", f.text},
                    {"R", f.printed.start_ups},
                    {"TCO", f.printed.occupancy},
                    {"holds", f.holds},
                    {"remark", f.remark}});
  }
  return list;
}

json thresholds_json(const std::vector<schedule::papers_threshold>& thresholds) {
  json list = json::array();
  for (const schedule::papers_threshold& t : thresholds) {
    list.push_back({{"source", t.source},
                    {"text", t.text},
                    {"printed", t.printed},
                    {"holds", t.holds ? json(*t.holds) : json(nullptr)},
                    {"remark", t.remark}});
  }
  return list;
}

/// The problem \p p as JSON.
json question_json(const std::string& name, const problem& p) {
  return {{"weft", version()},
          {"name", name},
          {"collective", schedule::name_of(p.requested, p.network.nodes())},
          {"nodes", p.network.nodes()},
          {"routers", p.network.routers()},
          {"paths", p.paths == schedule::path_rule::Minimal ? "minimal" : "any"},
          {"combining", p.combining}};
}

}  // namespace

json answer_json(const std::string& name, const problem& p, const answer& a, const printed_claims& printed) {
  json all = question_json(name, p);
  all.update({{"bounds", {{"R", to_json(a.bounds.start_ups)}, {"TCO", to_json(a.bounds.occupancy)}}},
              {"found", found_json(p, a)},
              {"optimal", a.optimal()},
              {"refuted_below", a.refuted_below},
              {"refuted", a.refuted},
              {"out_of_time", a.out_of_time},
              {"attempts", attempts_json(a)},
              {"printed", formulas_json(printed.formulas)},
              {"thresholds", thresholds_json(printed.thresholds)}});
  return all;
}

json check_json(const std::string& name, const problem& p, const schedule::step_schedule& s,
                const std::vector<schedule::violation>& violations) {
  const schedule::schedule_cost cost = schedule::cost_of(s);
  json texts = json::array();
  for (const schedule::violation& f : violations) texts.push_back(f.text);
  json all = question_json(name, p);
  all.update({{"found", {{"R", cost.start_ups}, {"TCO", cost.occupancy}}}, {"faults", std::move(texts)}});
  return all;
}

}  // namespace weft::experiment
