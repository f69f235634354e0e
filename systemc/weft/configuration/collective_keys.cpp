// SPDX-License-Identifier: Apache-2.0
/// The keys of collective communications.

#include "weft/configuration/key_table.h"

namespace weft::experiment {

namespace {

// Conditions of the keys of collectives.

condition any_collective() { return {"collective.algorithm", "none", true}; }

/// For keys that have no effect with a schedule, because its file determines which node sends what to which node.
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
        "`none` selects other traffic. The following algorithms use a tree from each source to all receivers. With "
        "`all_at_once`, the source sends to each receiver. With `tree`, recursive halving goes along the row first, "
        "then along every column; with `interleaved_tree`, along the dimension with the longest distance. "
        "`doubling_tree` sends to the nearest nodes first, and `rank_tree` orders the nodes by their numbers. "
        "`neighbour_forwarding` is a spanning tree of nearest neighbors, and `ring` goes once around a ring of all "
        "nodes. With `recursive_doubling`, pairs of nodes exchange all data that they hold. The next algorithms use "
        "groups of nodes. With `hierarchy`, data pass through one intermediate node per group; `combining` also "
        "concatenates the data into one message. With `network_coding` (HNC), the intermediates exchange XORs; with "
        "`network_coding_direct`, all nodes do. With `spread_intermediates`, every node sends to its counterparts in "
        "the other groups. `butterfly` and `butterfly_uncoded` are the example of Fig. 1 of HNC. With `parity`, one "
        "XOR of several data repairs the loss of one of them. `schedule` executes conflict-free steps from a file.");
  t.add("collective.schedule", path(c.collective.schedule, c), "",
        "The schedule, a file in the format ccsched/1 as `weft schedule -o` writes it. The file specifies the "
        "transfers with their ports and paths, independently of the routing. Weft derives the port limit from the "
        "channels of the file, so `schedule.ports` need not be set.",
        {{"collective.algorithm", "schedule"}}, "none");
  t.add("collective.operation", choice(what.operation, numbered<collective_operation>(CollectiveOperationNames)), "",
        "`broadcast`: every receiver gets the data of every source; `scatter`: every receiver gets separate data from "
        "every source; `gather`: the only receiver gets the data of all sources; `reduce`: the only receiver gets the "
        "sum of the data of all sources; `all_reduce`: every node gets this sum.",
        {any_collective(), without_schedule()});
  t.add("collective.sources", list_or_none(what.sources, node_numbers()), "nodes", "Nodes that send data.",
        {any_collective(), without_schedule()}, "all");
  t.add("collective.receivers", list_or_none(what.receivers, node_numbers()), "nodes",
        "Nodes that receive data. For `gather` and `reduce`, this is one node, the root.",
        {any_collective(), without_schedule()}, "all");
  t.add("collective.length", integer(c.collective.length, 1, MaxFlits), "flits", "Length of every datum.",
        {any_collective(), {"collective.lengths", ""}});
  t.add("collective.lengths", list_or_none(c.collective.lengths, integer_type(1, MaxFlits)), "flits",
        "List with one length for each source; replaces `length`.", {any_collective(), without_schedule()}, "none");
  t.add("collective.packets", integer(what.packets, 1, MaxFlits), "",
        "Number of data that each source sends; for `scatter`, the number that it sends to each receiver.",
        {any_collective(), without_schedule()});
}

void add_group_keys(key_table& t) {
  auto& what = t.c.collective.what;
  const value_type side_lengths = integer_type(1, 1U << 20);
  choices_of<collective_algorithm> trees = algorithms();
  trees.resize(static_cast<std::size_t>(collective_algorithm::Ring) + 1);
  t.add("collective.group", list_or_none(what.group, side_lengths), "nodes",
        "Side lengths of a group, x first. If the network is not a grid, the number of nodes per group; each group "
        "then consists of consecutive nodes.",
        {in_groups()}, "none");
  t.add("collective.groups", list_or_none(what.groups, list_type(node_numbers(), 1, Unlimited)), "nodes",
        "Lists of the nodes of every group; replaces `group`.", {in_groups()}, "none");
  t.add("collective.subgroups", list_or_none(what.subgroups, list_type(side_lengths, 1, Unlimited)), "nodes",
        "Side lengths of the nested groups inside each group, outermost first. Step B then uses network coding in "
        "these groups, too.",
        {coded_in_groups()}, "none");
  t.add("collective.placement", choice(what.placement, numbered<intermediate_placement>(IntermediatePlacementNames)),
        "",
        "The intermediate of a group: its first node (`corner`), its middle node (`centre`), the corner nearest to the "
        "center of the network (`mirror`), or the node that minimizes the hops of messages between intermediates and "
        "inside groups (`optimum`).",
        {in_groups()});
  t.add("collective.inner", choice(what.inner, trees), "", "Algorithm inside groups.", {in_groups()});
  t.add("collective.outer", choice(what.outer, trees), "", "Algorithm between intermediates.", {in_groups()});
  t.add("collective.plain", choice(what.plain, numbered<plain_sender>(PlainSenderNames)), "",
        "Which node of a group sends the uncoded datum of step F to a node of another group: the `counterpart` of that "
        "node, or the node `nearest` to it.",
        {coded_in_groups()});
  t.add("collective.relays", list_or_none(what.relays, node_numbers()), "nodes",
        "First and last node of the shared path of a butterfly; both may be the same node.",
        {{"collective.algorithm", "butterfly", false, {"butterfly_uncoded"}}}, "none");
  t.add("collective.parity", integer(what.parity, 1, 1U << 20), "packets", "Number of data in one XOR.",
        {{"collective.algorithm", "parity"}});
}

void add_message_keys(key_table& t) {
  auto& c = t.c;
  t.add("collective.barriers", boolean(c.collective.barriers), "",
        "`true`: a node sends the messages of a step only after all messages of earlier steps have arrived. `false`: a "
        "node sends each message as soon as it has the data.",
        {any_collective()});
  t.add("collective.xor_cycles", integer(c.collective.xor_cycles, 0, MaxXorOverhead), "cycles",
        "Time that a node takes for an XOR (HNC, Fig. 14). For an XOR in a NIC, see `nic.coding.overhead`.",
        {any_collective()});
  t.add("collective.loss", number(c.collective.loss, 0, 1), "",
        "Probability that a message is lost between NIC and node. The seed determines which messages are lost.",
        {any_collective(), {"nic.coding.enabled", "false"}});
  t.add("collective.lost", list_or_none(c.collective.lost, node_numbers()), "messages",
        "Numbers of the messages that are lost, as listed in the results.",
        {any_collective(), {"nic.coding.enabled", "false"}}, "none");
}

}  // namespace

void add_collective_keys(key_table& t) {
  add_task_keys(t);
  add_group_keys(t);
  add_message_keys(t);
}

}  // namespace weft::experiment
