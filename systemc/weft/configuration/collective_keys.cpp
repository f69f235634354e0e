// SPDX-License-Identifier: Apache-2.0
/// The keys of collective communications.

#include "weft/configuration/key_table.h"

namespace weft::experiment {

namespace {

// Conditions of the keys of collectives.

condition any_collective() { return {"collective.algorithm", "none", true}; }

/// A schedule file determines which node sends what to which node.
condition without_schedule() { return {"collective.algorithm", "schedule", true}; }

condition in_groups() {
  return {"collective.algorithm",
          "hierarchy",
          false,
          {"combining", "network_coding", "network_coding_direct", "spread_intermediates"}};
}

condition coded_in_groups() { return {"collective.algorithm", "network_coding", false, {"network_coding_direct"}}; }

value_type node_numbers() { return integer_type(0, 0xffff'ffff); }

choices_of<collective_algorithm> algorithms() { return numbered<collective_algorithm>(CollectiveAlgorithmNames); }

void add_task_keys(key_table& t) {
  auto& c = t.c;
  auto& what = c.collective.what;
  t.add("collective.algorithm", choice_or(c.collective.algorithm, "none", algorithms()), "",
        "`none`: other traffic. Trees from each source to all receivers: `all_at_once`, the source sends to each; "
        "`tree`: recursive halving along the row, then in every column; `interleaved_tree`: recursive halving along "
        "the dimension with the longest distance; `doubling_tree`: to the nearest first; `rank_tree`: by the nodes' "
        "numbers; `neighbour_forwarding`: a spanning tree of nearest neighbours; `ring`: once around a ring of all "
        "nodes. `recursive_doubling`: pairs exchange all data that they hold. With groups: `hierarchy`: through one "
        "intermediate node per group; `combining`: the same, with data concatenated into one message; "
        "`network_coding`: HNC, the intermediates exchange XORs; `network_coding_direct`: all nodes exchange XORs; "
        "`spread_intermediates`: every node sends to its counterparts. `butterfly`, `butterfly_uncoded`: HNC, Fig. 1; "
        "`parity`: an XOR of every few data repairs a loss. `schedule`: steps without conflicts, from a file.");
  t.add("collective.schedule", path(c.collective.schedule, c), "",
        "The schedule, a file of the form ccsched/1 as `weft schedule -o` writes it. The file specifies the transfers "
        "with their ports and paths, independently of the routing. Weft derives the port limit from the channels of "
        "the file, so `schedule.ports` need not be set.",
        {{"collective.algorithm", "schedule"}}, "none");
  t.add("collective.operation", choice(what.operation, numbered<collective_operation>(CollectiveOperationNames)), "",
        "`broadcast`: every receiver gets the data of every source; `scatter`: every receiver gets separate data from "
        "every source; `gather`: the one receiver gets the data of all sources; `reduce`: it gets their sum; "
        "`all_reduce`: every node gets the sum.",
        {any_collective(), without_schedule()});
  t.add("collective.sources", list_or_none(what.sources, node_numbers()), "nodes", "Nodes that send data.",
        {any_collective(), without_schedule()}, "all");
  t.add("collective.receivers", list_or_none(what.receivers, node_numbers()), "nodes",
        "Nodes that receive data; for `gather` and `reduce` the root.", {any_collective(), without_schedule()}, "all");
  t.add("collective.length", integer(c.collective.length, 1, MaxFlits), "flits", "Length of every datum.",
        {any_collective(), {"collective.lengths", ""}});
  t.add("collective.lengths", list_or_none(c.collective.lengths, integer_type(1, MaxFlits)), "flits",
        "One length for each source, in place of `length`.", {any_collective(), without_schedule()}, "none");
  t.add("collective.packets", integer(what.packets, 1, MaxFlits), "",
        "Number of data of each source; for `scatter`, for each receiver.", {any_collective(), without_schedule()});
}

void add_group_keys(key_table& t) {
  auto& what = t.c.collective.what;
  const value_type side_lengths = integer_type(1, 1U << 20);
  choices_of<collective_algorithm> trees = algorithms();
  trees.resize(static_cast<std::size_t>(collective_algorithm::Ring) + 1);
  t.add("collective.group", list_or_none(what.group, side_lengths), "nodes",
        "Sides of a group, x first; if the network is not a grid, one number: nodes of a group, in the order of their "
        "numbers.",
        {in_groups()}, "none");
  t.add("collective.groups", list_or_none(what.groups, list_type(node_numbers(), 1, Unlimited)), "nodes",
        "The nodes of every group, in place of `group`.", {in_groups()}, "none");
  t.add("collective.subgroups", list_or_none(what.subgroups, list_type(side_lengths, 1, Unlimited)), "nodes",
        "Sides of the groups inside groups, outermost first, in which step B is network coding again.",
        {coded_in_groups()}, "none");
  t.add("collective.placement", choice(what.placement, numbered<intermediate_placement>(IntermediatePlacementNames)),
        "",
        "The intermediate of a group: its first node (`corner`), the middle one (`centre`), the corner that faces the "
        "centre of the network (`mirror`), or the node that minimizes the hops of messages between intermediates and "
        "inside groups (`optimum`).",
        {in_groups()});
  t.add("collective.inner", choice(what.inner, trees), "", "Algorithm inside groups.", {in_groups()});
  t.add("collective.outer", choice(what.outer, trees), "", "Algorithm between intermediates.", {in_groups()});
  t.add("collective.plain", choice(what.plain, numbered<plain_sender>(PlainSenderNames)), "",
        "Which node of a group sends the plain datum of step F to a node of another group: its `counterpart` or the "
        "`nearest`.",
        {coded_in_groups()});
  t.add("collective.relays", list_or_none(what.relays, node_numbers()), "nodes",
        "First and last node of the shared path of a butterfly; may be one.",
        {{"collective.algorithm", "butterfly", false, {"butterfly_uncoded"}}}, "none");
  t.add("collective.parity", integer(what.parity, 1, 1U << 20), "packets", "Number of data in one XOR.",
        {{"collective.algorithm", "parity"}});
}

void add_message_keys(key_table& t) {
  auto& c = t.c;
  t.add("collective.barriers", boolean(c.collective.barriers), "",
        "`true`: a node sends no message of a step before all messages of earlier steps have arrived. `false`: a node "
        "sends each message as soon as it has the data.",
        {any_collective()});
  t.add("collective.xor_cycles", integer(c.collective.xor_cycles, 0, MaxXorOverhead), "cycles",
        "Time that an XOR takes at a node (HNC, Fig. 14); in a NIC it is `nic.coding.overhead`.", {any_collective()});
  t.add("collective.loss", number(c.collective.loss, 0, 1), "",
        "Probability that a message is lost between NIC and node. The seed determines which messages are lost.",
        {any_collective(), {"nic.coding.enabled", "false"}});
  t.add("collective.lost", list_or_none(c.collective.lost, node_numbers()), "messages",
        "Messages that are lost, by their numbers in the results.", {any_collective(), {"nic.coding.enabled", "false"}},
        "none");
}

}  // namespace

void add_collective_keys(key_table& t) {
  add_task_keys(t);
  add_group_keys(t);
  add_message_keys(t);
}

}  // namespace weft::experiment
