// SPDX-License-Identifier: Apache-2.0
/// The keys of schedules in steps.

#include "weft/configuration/key_table.h"

namespace weft::experiment {

namespace {

constexpr const char* CollectiveNames[] = {"oab", "aab", "oas", "aas", "mnb", "mns"};  // by step_collective

condition any_schedule() { return {"schedule.collective", "none", true}; }
condition many_to_many() { return {"schedule.collective", "mnb", false, {"mns"}}; }

value_type name_type() {
  value_type t;
  t.what = value_type::kind::Name;
  return t;
}

/// A field that accepts `as_built`, `all`, `one`, or a number.
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
  t.add("schedule.collective", choice_or(s.collective, "none", numbered<step_collective>(CollectiveNames)), "",
        "The collective communication. In a broadcast, every sender has one message for all receivers; the senders are "
        "one node (`oab`), all nodes (`aab`), or the nodes in `senders` (`mnb`). In a scatter, every sender has a "
        "separate message for every receiver; the senders are one node (`oas`), all nodes (`aas`), or the nodes in "
        "`senders` (`mns`).");
  t.add("schedule.root", plain(name_type(), s.root), "nodes",
        "The sending node, written `3` or `n3`. A router with a single node can be given instead, as `r3` or by its "
        "name.",
        one_to_all, "0");
  t.add("schedule.senders", list_or_none(s.senders, name_type()), "nodes",
        "Nodes that send: single nodes (`3` or `n3`), ranges of nodes (`0-7`), and routers (`r2`, or the name of the "
        "router) for all nodes of a router.",
        {many_to_many()}, "all");
  t.add("schedule.receivers", list_or_none(s.receivers, name_type()), "nodes",
        "Nodes that receive, written in the same way as `senders`. No node sends to itself.", {many_to_many()}, "all");
  t.add("schedule.ports", ports_field(s.ports), "",
        "Maximum number of messages that a node sends per step, and maximum number that it receives. With `as_built`, "
        "this is the number of the node's channels to routers. With `all`, it is the number of links of the router if "
        "every router has one node; otherwise `all` is the same as `as_built`. A number, or `one`, sets the limit "
        "directly, up to the value of `all`.");
  t.add("schedule.paths", choice(s.paths, {{"minimal", path_rule::Minimal}, {"any", path_rule::Any}}), "",
        "Paths that a message may take: only shortest paths (`minimal`), or any path that visits no router more than "
        "once (`any`).");
  t.add("schedule.combining", boolean(s.combining), "", "Whether messages may be combined into one longer message.");
  t.add("schedule.method", text(s.method), "",
        "Name of the search method, as `weft schedule --methods` lists it. `auto` runs all applicable methods until a "
        "schedule meets the bound or the time limit expires.",
        {any_schedule()});
  t.add("schedule.seconds", number(s.seconds, 0, 1e9), "s",
        "Time limit of the search. With 0, only constructions are tried.", {any_schedule()});
  t.add("schedule.length", integer(s.length, 1, MaxFlits / 2), "flits",
        "Length of a message in a replay on the network.");
}

}  // namespace weft::experiment
