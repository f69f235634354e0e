// SPDX-License-Identifier: Apache-2.0
/// The keys of schedules in steps.

#include "weft/configuration/key_table.h"

namespace weft::experiment {

namespace {

using weft::schedule::path_rule;
using weft::schedule::port_rule;

constexpr const char* CollectiveNames[] = {"oab", "aab", "oas", "aas", "mnb", "mns"};  // by step_collective

condition any_schedule() { return {"schedule.collective", "none", true}; }
condition many_to_many() { return {"schedule.collective", "mnb", false, {"mns"}}; }

value_type name_type() {
  value_type t;
  t.what = value_type::kind::Name;
  return t;
}

/// `as_built`, `all`, `one`, or a number.
field ports_field(port_rule& value) {
  value_type t = integer_type(1, 1U << 16);
  t.names = {"as_built", "all", "one"};
  return {t,
          [&value](const json& j) {
            if (j.is_number())
              value = {port_rule::kind::Number, j.get<unsigned>()};
            else if (j == "one")
              value = {port_rule::kind::Number, 1};
            else
              value = {j == "all" ? port_rule::kind::All : port_rule::kind::AsBuilt, 1};
          },
          [&value] {
            if (value.rule == port_rule::kind::Number) return json(value.number);
            return json(value.rule == port_rule::kind::All ? "all" : "as_built");
          }};
}

}  // namespace

void add_schedule_keys(key_table& t) {
  auto& s = t.c.schedule;
  const std::vector<condition> one_to_all{{"schedule.collective", "oab", false, {"oas"}}};
  t.add(
      "schedule.collective", choice_or(s.collective, "none", numbered<step_collective>(CollectiveNames)), "",
      "Broadcast of one node (`oab`), of all (`aab`), of many to many (`mnb`): every receiver gets the one message of "
      "every sender. Scatter (`oas`, `aas`, `mns`): every receiver gets a separate message from every sender.");
  t.add("schedule.root", plain(name_type(), s.root), "nodes",
        "The sending node: `3` or `n3`; or a router that has one node: `r3` or its name.", one_to_all, "0");
  t.add("schedule.senders", list_or_none(s.senders, name_type()), "nodes",
        "Nodes that send: `3` or `n3`, a range `0-7`, or `r2` or its name, all nodes of router 2.", {many_to_many()},
        "all");
  t.add("schedule.receivers", list_or_none(s.receivers, name_type()), "nodes",
        "Nodes that receive, named in the same way. None sends to itself.", {many_to_many()}, "all");
  t.add("schedule.ports", ports_field(s.ports), "",
        "Limit on the messages that a node sends in a step, and on those that it receives. `as_built`: the number of "
        "its channels to routers; `all`: the number of links of its router if every router has one node, otherwise as "
        "`as_built`; `one` or a number: that many, at most `all`.");
  t.add("schedule.paths", choice(s.paths, {{"minimal", path_rule::Minimal}, {"any", path_rule::Any}}), "",
        "Paths that a message may take: shortest ones, or any that visits no router twice.");
  t.add("schedule.combining", boolean(s.combining), "", "Whether messages may be combined into one longer message.");
  t.add("schedule.method", text(s.method), "",
        "`auto`: all applicable methods, until the bound is met or the time is over. Otherwise the name of one method; "
        "`weft schedule --methods` lists them.",
        {any_schedule()});
  t.add("schedule.seconds", number(s.seconds, 0, 1e9), "s", "Time limit of the search. 0: constructions only.",
        {any_schedule()});
  t.add("schedule.length", integer(s.length, 1, MaxFlits / 2), "flits",
        "Length of a message in a replay on the network.");
}

}  // namespace weft::experiment
