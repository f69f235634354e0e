// SPDX-License-Identifier: Apache-2.0
/// The keys of generated traffic and packet lists.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/key_table.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/workload/markov_chain.h"
#include "weft/workload/pattern.h"

namespace weft::experiment {

namespace {

/// The keys of one traffic: `workload` itself, or one of `workload.traffics`.
class traffic_keys {
 public:
  /// \param section the section of the keys, such as "workload" or "workload.traffics.video"
  traffic_keys(key_table& table, std::string section, traffic_parameters& traffic)
      : m_table(table),
        m_section(std::move(section)),
        m_traffic(traffic),
        m_is_one_of_several(m_section != "workload") {}

  void add() {
    if (m_is_one_of_several) add_own_keys();
    add_pattern_keys();
    add_injection_keys();
    add_length_keys();
    add_payload_keys();
  }

 private:
  std::string path_of(const std::string& key) const { return m_section + "." + key; }

  void add_key(const std::string& name, field f, const std::string& unit, const std::string& description,
               std::vector<condition> needs = {}, const std::string& default_text = {}) {
    m_table.add(path_of(name), std::move(f), unit, description, std::move(needs), default_text);
  }

  /// The conditions of keys of `injection` except `load`, with the further condition \p c. If there are several
  /// traffics, `workload.injection` has only `load`.
  std::vector<condition> of_process(const condition& c) const {
    return m_is_one_of_several ? std::vector<condition>{c} : std::vector<condition>{{TrafficsSection, ""}, c};
  }

  /// The condition that another key of this traffic has the value \p value.
  condition with(const std::string& key, const std::string& value, bool differs = false) const {
    return {path_of(key), value, differs};
  }

  /// The condition that the pattern is one of those with the key \p key.
  std::vector<condition> patterns_with(const std::string& key) const {
    condition needed = with("pattern.kind", "");
    for (const pattern_kind& p : pattern_kinds()) {
      if (std::count(p.keys.begin(), p.keys.end(), key) == 0) continue;
      if (needed.value.empty())
        needed.value = p.name;
      else
        needed.others.push_back(p.name);
    }
    return {needed};
  }

  void add_own_keys();
  void add_pattern_keys();
  void add_pattern_details();
  void add_injection_keys();
  void add_chain_keys();
  void add_loop_keys();
  void add_protocol_keys(const condition& closed);
  void add_load();
  void add_length_keys();
  void add_payload_keys();

  key_table& m_table;
  const std::string m_section;
  traffic_parameters& m_traffic;
  const bool m_is_one_of_several;
};

/// The keys that only one of several traffics has.
void traffic_keys::add_own_keys() {
  field sources = list_or_none(m_traffic.sources, integer_type(0, 0xffff'ffff));
  sources.type.if_empty = "; leave the key out to select all nodes";
  add_key("sources", std::move(sources), "nodes", "The nodes that create the packets of this traffic, or its requests.",
          {with("pattern.kind", "matrix", true)}, "all");
  add_key("class", integer(m_traffic.message_class, 0, MaxVcs - 1), "",
          "Message class of the packets, or of the requests, from 0 to `network.router.classes` − 1.");
  add_key("reply_class", or_name(m_traffic.reply_class, integer_type(0, MaxVcs - 1), "last"), "",
          "Message class of the replies.", {with("injection.process", "request_reply")}, "`last`");
}

void traffic_keys::add_pattern_keys() {
  pattern_parameters& pattern = m_traffic.pattern;
  choices_of<const pattern_kind*> patterns;
  std::string description = "How the destination of a packet is selected.";
  for (const pattern_kind& p : pattern_kinds()) {
    patterns.emplace_back(p.name, &p);
    description += fmt::format(" `{}`: {}.", p.name, p.description);
  }
  add_key("pattern.kind", choice(pattern.kind, patterns), "", description);
  add_key("pattern.to_self", boolean(pattern.to_self), "", "Whether a node may send to itself (`uniform`, `hotspot`).");
  add_key("pattern.hotspots", integers(pattern.hotspots, 0, 0xffff'ffff, 1, Unlimited), "nodes",
          "The nodes that receive extra traffic.", patterns_with("hotspots"));
  add_key("pattern.share", number(pattern.hotspot_share, 0, 1), "",
          "Fraction of all packets that go to the hotspots. The other packets have uniformly random destinations.",
          patterns_with("share"));
  add_pattern_details();
}

void traffic_keys::add_pattern_details() {
  pattern_parameters& pattern = m_traffic.pattern;
  add_key("pattern.file", path(pattern.file, m_table.c), "",
          "File with the permutation or with the [matrix](../03_reference/traffic.md#matrices). A permutation has one "
          "line `source destination` for each node. A matrix has lines `source destination rate`, or a row of rates "
          "with commas between them for each source.",
          patterns_with("file"), "none");
  add_key("pattern.shift", integer(pattern.shift, 0, 0xffff'ffff), "nodes",
          "Every node sends to the node whose number is greater by `shift`, and the last nodes to the first ones. In a "
          "dragonfly, all nodes of a group send to the next group if `shift` is the number of nodes of a group.",
          patterns_with("shift"));
  std::vector<condition> of_rates = patterns_with("rates");
  of_rates.push_back(with("injection.process", "request_reply", true));
  add_key("pattern.rates",
          choice(pattern.rates, {{"relative", matrix_rates::Relative}, {"absolute", matrix_rates::Absolute}}), "",
          fmt::format("The meaning of the rates of a matrix. With `relative`, they are scaled so that the mean load of "
                      "all nodes is `{}`. With `absolute`, they are the loads of pairs of nodes in flits per cycle.",
                      path_of("injection.load")),
          of_rates);
}

void traffic_keys::add_injection_keys() {
  injection_parameters& injection = m_traffic.injection;
  add_key("injection.process",
          choice(injection.kind, {{"bernoulli", injection_kind::Bernoulli},
                                  {"on_off", injection_kind::OnOff},
                                  {"self_similar", injection_kind::SelfSimilar},
                                  {"mmpp", injection_kind::Mmpp},
                                  {"request_reply", injection_kind::RequestReply}}),
          "",
          std::string("With `bernoulli`, a node creates a packet with the same probability in every cycle. With "
                      "`on_off`, it creates packets in bursts with pauses between them. With `self_similar`, the "
                      "lengths of bursts and pauses have heavy tails. With `mmpp`, the load of a node follows a Markov "
                      "chain with the states in `rates`. With `request_reply`, a node "
                      "sends requests, with destinations from `pattern` and lengths from `length`, while fewer than "
                      "`window` requests are outstanding. Each request causes a reply.") +
              (m_is_one_of_several ? ""
                                   : " Requests use the first message class of `network.router.classes`, and replies "
                                     "use the last."),
          m_is_one_of_several ? std::vector<condition>() : std::vector<condition>{{TrafficsSection, ""}});
  add_loop_keys();
  add_load();
  condition bursts = with("injection.process", "on_off");
  bursts.others.emplace_back("self_similar");
  add_key("injection.peak", number(injection.peak, 0, MaxPorts), "flits/node/cycle", "Load during a burst.",
          of_process(bursts));
  add_key("injection.mean_burst", number(injection.mean_burst, 1, 1e6), "cycles", "Mean length of a burst.",
          of_process(bursts));
  add_key("injection.hurst", number(injection.hurst, 0.51, 0.99), "",
          "Hurst parameter H of the load of a node. Bursts and pauses have Pareto distributions with the shape "
          "3 - 2 H.",
          of_process(with("injection.process", "self_similar")));
  add_chain_keys();
}

/// The keys of the Markov chain that modulates the load.
void traffic_keys::add_chain_keys() {
  injection_parameters& injection = m_traffic.injection;
  const condition modulated = with("injection.process", "mmpp");
  add_key("injection.rates", list_or_none(injection.rates, number_type(0, 1e9)), "",
          fmt::format("Load of a node in each state, 2 to {} states, relative to each other. The loads are scaled so "
                      "that their mean over time is `load`.",
                      MaxModulationStates),
          of_process(modulated), "none");
  add_key("injection.durations", list_or_none(injection.durations, number_type(1, 1e9)), "cycles",
          "Mean length of a visit to each state. The lengths have geometric distributions.", of_process(modulated),
          "none");
  add_key("injection.transitions",
          list_or_none(injection.transitions, list_type(number_type(0, 1), 2, MaxModulationStates)), "",
          "The probabilities with which the other states follow a state: a list for each state, with a 0 for the state "
          "itself. Without this key, all others are equally likely.",
          of_process(modulated), "none");
}

void traffic_keys::add_loop_keys() {
  injection_parameters& injection = m_traffic.injection;
  const condition closed = with("injection.process", "request_reply");
  add_key("injection.window", integer(injection.window, 1, 65536), "requests",
          "Maximum number of outstanding requests of each node.", of_process(closed));
  add_key("injection.reply", integer(injection.reply, 1, MaxFlits), "flits", "Length of every reply.",
          of_process(closed));
  add_key("injection.service", integer(injection.service, 0, 1'000'000'000), "cycles",
          "Time from the arrival of a request until its reply is created.", of_process(closed));
  add_key("injection.think", integer(injection.think, 0, 1'000'000'000), "cycles",
          "Time from the arrival of a reply until the next request is created.", of_process(closed));
  add_protocol_keys(closed);
}

/// The keys of forwards and of the queues of nodes.
void traffic_keys::add_protocol_keys(const condition& closed) {
  injection_parameters& injection = m_traffic.injection;
  field forwards = list_or_none(injection.forwards, integer_type(0, MaxVcs - 1));
  forwards.type.if_empty = "; leave the key out to have no forwards";
  add_key(
      "injection.forwards", std::move(forwards), "",
      "Message classes of the forwards between a request and its reply, as in a directory protocol. The destination "
      "of the request sends the first forward to another node, which is random. This node sends the next forward, "
      "and the node that gets the last one sends the reply.",
      of_process(closed), "none");
  std::vector<condition> forwarding = of_process(closed);
  forwarding.push_back(with("injection.forwards", "", true));
  add_key("injection.forward", integer(injection.forward, 1, MaxFlits), "flits", "Length of every forward.",
          std::move(forwarding));
  add_key("injection.queue", or_name(injection.queue, integer_type(1, 65536), "unlimited"), "packets",
          "Places in each queue of a node; there is a queue for each message class. A request or forward has a place "
          "from its arrival until the packet that the node sends in answer leaves the source queue. While the queue of "
          "a class is full, the node accepts no packets of this class, and they wait in the ejection buffer. This may "
          "cause a [protocol deadlock](../03_reference/traffic.md#protocol-deadlock).",
          of_process(closed));
}

void traffic_keys::add_load() {
  const std::string rates = path_of("pattern.rates");
  condition scaled = with("pattern.rates", "absolute", true);
  scaled.otherwise = fmt::format(
      "while {0} is absolute, because the matrix has the loads; leave it out, or set {0}: relative to scale the matrix",
      rates);
  add_key("injection.load", number(m_traffic.injection.load, 0, MaxPorts), "flits/node/cycle",
          m_is_one_of_several
              ? "Mean offered load of the nodes in `sources`. If `workload.injection.load` is set, it is scaled."
              : "Mean offered load of all nodes. A node creates at most one packet per cycle. With "
                "`workload.traffics`, the loads of the traffics are scaled so that this is their sum.",
          {with("injection.process", "request_reply", true), scaled},
          m_is_one_of_several ? "" : "`0.1`; with `workload.traffics`, the sum of their loads");
}

void traffic_keys::add_length_keys() {
  length_parameters& length = m_traffic.length;
  add_key(
      "length.kind",
      choice(length.kind,
             {{"fixed", length_kind::Fixed}, {"uniform", length_kind::Uniform}, {"weighted", length_kind::Weighted}}),
      "",
      "With `fixed`, all packets have `flits` flits. With `uniform`, the lengths are uniformly distributed from "
      "`min` to `max`. With `weighted`, they are drawn from `choices`.");
  add_key("length.flits", integer(length.flits, 1, MaxFlits), "flits",
          "Length of every packet, including head and tail.", {with("length.kind", "fixed")});
  add_key("length.min", integer(length.min, 1, MaxFlits), "flits", "Length of the shortest packet.",
          {with("length.kind", "uniform")});
  add_key("length.max", integer(length.max, 1, MaxFlits), "flits", "Longest packet.", {with("length.kind", "uniform")});
  add_key("length.choices", weights(length.choices, MaxFlits), "flits",
          "Lengths and their weights. For example, `{1: 4, 16: 1}` creates four packets of one flit for each packet of "
          "sixteen flits, on average.",
          {with("length.kind", "weighted")});
}

void traffic_keys::add_payload_keys() {
  payload_parameters& payload = m_traffic.payload;
  add_key("payload.kind",
          choice(payload.kind, {{"zero", payload_kind::Zero},
                                {"random", payload_kind::Random},
                                {"small_integers", payload_kind::SmallIntegers},
                                {"smooth_doubles", payload_kind::SmoothDoubles},
                                {"file", payload_kind::File}}),
          "",
          "The payload of packets. With `zero`, all bits are 0; with `random`, all bits are random. `small_integers` "
          "are 32-bit integers near 0, and `smooth_doubles` are doubles with small differences from one to the next. "
          "`file` takes the bytes of a file, repeatedly if necessary.");
  add_key("payload.file", path(payload.file, m_table.c), "", "The file with the bytes.", {with("payload.kind", "file")},
          "none");
  add_key("payload.type",
          choice(payload.type, {{"auto", declared_type::Auto},
                                {"other", declared_type::Other},
                                {"int", declared_type::Int},
                                {"double", declared_type::Double},
                                {"double_complex", declared_type::DoubleComplex}}),
          "",
          std::string("Data type of every packet, as in MPI. It selects the codec. With `auto`, the type is `int` for "
                      "`small_integers`, `double` for `smooth_doubles`, ") +
              (m_is_one_of_several ? "and otherwise `other`."
                                   : "the recorded type for a recording, and otherwise `other`. A packet list may give "
                                     "each packet its own type."));
}

void add_packet_list_key(key_table& t) {
  auto& c = t.c;
  t.add("workload.packet_list", path(c.workload.packet_list, c), "",
        "File with one line `packet cycle source destination length` per packet. It replaces `pattern`, `injection` "
        "and `length`. A line may have a sixth column with the data type (0 for `other`, 1 for `int`, 2 for `double`, "
        "3 for `double complex`) and a seventh with the message class. Without them, the type is "
        "`workload.payload.type`, and the class is 0.",
        flowing_traffic(), "none");
}

void add_flow_keys(key_table& t) {
  auto& flows = t.c.workload.flows;
  const condition given{"workload.flows.file", "", true};
  t.add("workload.flows.file", path(flows.file, t.c), "",
        "File with one line `name source destination flits rate burst` per flow. A flow releases at most `burst` + "
        "`rate` · t flits in a cycle and the t cycles after it, in packets of `flits` flits. A line may have a seventh "
        "column with the "
        "message class and an eighth with the cycle from which the flow may release packets.",
        {}, "none");
  t.add("workload.flows.release",
        choice(flows.release, {{"greedy", flow_release::Greedy}, {"random", flow_release::Random}}), "",
        "When a flow releases packets. With `greedy`, it releases each packet as early as its rate and burst permit. "
        "With `random`, packets arrive at random, and those that would exceed rate and burst wait.",
        {given});
  t.add("workload.flows.share", number(flows.share, 0.001, 1), "", "Share of its rate that a flow uses on average.",
        {given, {"workload.flows.release", "random"}});
}

/// The condition of keys that apply only to programs of kind \p kind or \p others.
condition of_program(program_kind kind, const std::vector<program_kind>& others = {}) {
  const auto name = [](program_kind k) { return ProgramKindNames[static_cast<std::size_t>(k)]; };
  condition c{"workload.trace", name(kind)};
  for (const program_kind other : others) c.others.emplace_back(name(other));
  c.of_file = true;
  return c;
}

void add_replay_keys(key_table& t) {
  auto& c = t.c;
  auto& r = c.workload.replay;
  const condition traced{"workload.trace", "", true}, of_mpi = of_program(program_kind::Mpi);
  t.add("workload.trace", path(c.workload.trace, c), "",
        "The program for `weft replay`. It replaces `pattern`, `injection` and `length`. Possible are the folder that "
        "`libweft_mpi.so` wrote, a single file with all ranks of such a folder, a [list of "
        "messages](../03_reference/message_list.md), and a [netrace or Chakra "
        "trace](../03_reference/external_traces.md).",
        {other_traffic()}, "none");
  t.keys.back().file_is = [&c]() -> std::string {
    return c.workload.program ? ProgramKindNames[static_cast<std::size_t>(*c.workload.program)] : "";
  };
  t.add("workload.replay.map", choice(r.map, {{"linear", rank_map::Linear}, {"optimised", rank_map::Optimised}}), "",
        "Placement of the ranks. With `linear`, rank r is on node r. With `optimised`, a search finds a placement with "
        "the smallest sum of bytes times hops that it can; its seed is `simulation.seed`.",
        {traced});
  t.add("workload.replay.nodes", list_or_none(r.nodes, integer_type(0, 0xffff'ffff)), "nodes",
        "List with the node of each rank; replaces `map`.", {traced, {"workload.replay.map", "optimised", true}},
        "none");
  t.add("workload.replay.computing", number(r.computing, 0, 1000), "",
        "Factor for the computing time between calls: 0 omits this time, 1 keeps it as recorded, and 10 makes it ten "
        "times as long.",
        {traced, of_program(program_kind::Mpi, {program_kind::Chakra})});
  t.add("workload.replay.eager", integer(r.eager, 0, std::numeric_limits<std::uint64_t>::max()), "bytes",
        "Length of the longest message that is sent eagerly. For a longer message, the sender first sends a request "
        "and waits for the receiver (rendezvous).",
        {traced, of_mpi});
  constexpr const char* Of[] = {"a broadcast",   "a gather", "a scatter",    "an all-gather",
                                "an all-to-all", "a reduce", "an all-reduce"};
  for (std::size_t i = 0; i < r.collectives.size(); ++i)
    t.add(std::string("workload.replay.collectives.") + ReplayedCollectiveNames[i], text(r.collectives[i]), "",
          std::string("Algorithm of ") + Of[i] + ".", {traced, of_mpi});
  t.add("workload.replay.collectives.group", list_or_none(r.group, integer_type(1, 1U << 20)), "nodes",
        "For algorithms with groups: the side lengths of a group, x first. If the ranks do not fill a grid, the number "
        "of ranks per group.",
        {traced, of_mpi}, "none");
  t.add("workload.replay.collectives.schedule", path(r.schedule, c), "",
        "For the algorithm `schedule`: a file in the format ccsched/1. The replay sends its messages in the order of "
        "the file, but routes them by the network's own routing.",
        {traced, of_mpi}, "none");
  t.add("workload.replay.packet", integer(r.packet, 1, MaxFlits), "flits",
        "Length of the longest packet. Longer messages are divided into several packets.", {traced});
  t.add("workload.replay.cuts", texts(r.truncation_rules), "",
        "Rules that determine how many bits LSB-cut removes from the doubles of a message; they replace "
        "`nic.compression.cut`. An example is `14 bits of double tag 7 from 4096`; a rule with `raw` removes no bits. "
        "The first [rule](../03_reference/replay.md#cuts-of-messages) that matches a message applies to it.",
        {traced, of_program(program_kind::Mpi, {program_kind::List}), {"nic.compression.mode", "none", true}});
  t.add("workload.replay.region", integer(r.region, 0, 100), "",
        "Number of the netrace region to replay; the first region is 1, and 0 is the whole trace.",
        {traced, of_program(program_kind::Netrace)});
}

}  // namespace

void add_workload_keys(key_table& t) {
  traffic_keys(t, "workload", t.c.workload).add();
  for (named_traffic& traffic : t.c.workload.traffics) traffic_keys(t, section_of_traffic(traffic.name), traffic).add();
  add_packet_list_key(t);
  add_flow_keys(t);
  add_replay_keys(t);
}

}  // namespace weft::experiment
