// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/collective_statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/report/energy_statistics.h"
#include "weft/report/format.h"
#include "weft/report/other_statistics.h"
#include "weft/report/statistic_views.h"

namespace weft::experiment {

namespace {

using digest = collective_digest;
using collective_table = statistic_table<digest>;
using optional_row = std::optional<row_text>;

// ---------------------------------------------------------------------------------------------------------------------
// Values

const char* name_of(payload_form form) {
  constexpr const char* Names[] = {"datum", "xor", "join", "sum"};
  return Names[static_cast<std::size_t>(form)];
}

/// The messages in the order of their numbers. Empty for a collective with more than 4,096 messages.
json messages_json(const collective& c) {
  constexpr std::size_t MostMessages = 4096;
  json list = json::array();
  if (c.messages.size() > MostMessages) return list;
  for (message_id m = 0; m < c.messages.size(); ++m)
    list.push_back({{"message", m},
                    {"step", c.steps[c.messages[m].step]},
                    {"source", c.messages[m].source},
                    {"destination", c.messages[m].destination},
                    {"form", name_of(c.messages[m].form)},
                    {"data", std::vector<datum_id>(c.operands_begin(m), c.operands_end(m))},
                    {"flits", c.flits(m)}});
  return list;
}

/// The largest lower bound of the cycles of any algorithm, with its reason.
std::string limit_text(const collective_floors& b) {
  const char* const what = b.cycles() == b.ejection    ? "flits that a node must get"
                           : b.cycles() == b.injection ? "flits that a node must send"
                                                       : "flits that must leave some nodes for others";
  return fmt::format("at least {}, by the {}", grouped(b.cycles()), what);
}

digest::nic_count busiest(const std::vector<std::uint64_t>& flits) {
  const auto most = std::max_element(flits.begin(), flits.end());
  return {static_cast<node_id>(most - flits.begin()), *most};
}

json to_json(const digest::nic_count& nic) { return {{"node", nic.first}, {"flits", nic.second}}; }

/// A metric that exists for each step and for all steps together.
struct step_metric {
  const char* name;  ///< path within the step
  const char* unit;
  const char* description;
  bool always;  ///< whether it also exists if no message has arrived
  json (*value)(const collective_metrics&);
};

const step_metric StepMetrics[] = {
    {"messages", "messages", "number of messages that have arrived", true,
     [](const collective_metrics& f) { return json(f.messages); }},
    {"flits", "flits", "number of flits of these messages", true,
     [](const collective_metrics& f) { return json(f.flits); }},
    {"hops", "hops",
     "number of channels between routers that these messages crossed, added up; a message that passes R routers "
     "crosses R - 1",
     true, [](const collective_metrics& f) { return json(f.hops); }},
    {"begin", "cycle", "cycle in which the first message was created", false,
     [](const collective_metrics& f) { return json(f.begin); }},
    {"end", "cycle", "cycle in which the last message arrived", false,
     [](const collective_metrics& f) { return json(f.end); }},
    {"latency.mean", "cycles", "mean time from the creation of a message to its arrival", false,
     [](const collective_metrics& f) { return json(ratio(f.latency_sum, f.messages)); }},
    {"latency.max", "cycles", "maximum time from the creation of a message to its arrival", false,
     [](const collective_metrics& f) { return json(f.max_latency); }},
};

json steps_json(const digest& d) {
  const std::vector<std::string>& names = d.summary.work.played().steps;
  const std::vector<collective_metrics>& metrics = d.summary.work.traffic().steps();
  json list = json::array();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    json step = {{"step", names[i]}};
    for (const step_metric& f : StepMetrics)
      if (f.always || metrics[i].messages > 0) step[pointer_to(f.name)] = f.value(metrics[i]);
    list.push_back(std::move(step));
  }
  return list;
}

// ---------------------------------------------------------------------------------------------------------------------
// The table

void add_identity(collective_table& t) {
  t.add("weft", "", "version of Weft", [](const digest&) { return version(); });
  t.add("name", "", "name of the experiment, `output.name`", [](const digest& d) {
     return d.summary.config.output.name;
   }).in_csv("name");
  t.add("seed", "", "`simulation.seed`", [](const digest& d) {
     return d.summary.config.simulation.seed;
   }).in_csv("seed");
  t.add("operation", "", "`collective.operation`", [](const digest& d) { return operation_of(d.summary.config); })
      .in_csv("operation")
      .not_in_json();
  t.add("algorithm", "", "`collective.algorithm`", [](const digest& d) { return algorithm_of(d.summary.config); })
      .in_csv("algorithm")
      .not_in_json();
  t.add("nodes", "", "number of nodes of the network", [](const digest& d) { return d.summary.work.played().nodes; })
      .in_csv("nodes")
      .not_in_json();
  t.add("outcome", "",
        "`complete` if every node has all data that it should receive, `undelivered` if a node lacks data or a decoder "
        "overflowed, `corrupt` if data contradict each other, `deadlock` if packets block each other, `interrupted` if "
        "the run was stopped",
        [](const digest& d) { return name_of(d.summary.result.how); })
      .in_csv("outcome");
  t.add("complete", "", "whether the outcome is `complete`",
        [](const digest& d) { return d.summary.result.how == outcome::Complete; });
  t.add("explanation", "",
        "why the collective is not complete: each line names a node, a datum that it lacks, and the messages that "
        "carry this datum",
        [](const digest& d) { return d.summary.result.explanation; });
  t.add("configuration", "",
        "the value of every key that affects the results, including defaults. Paths are relative to the result file. "
        "`weft collective` accepts this file as a configuration",
        [](const digest& d) { return to_json_in(d.summary.config.result_file(".json"), d.summary.config); });
  t.add("collective", "", "the simulated collective: its `name`, and the numbers of its `nodes`, `data` and `messages`",
        [](const digest& d) {
          const collective& c = d.summary.work.played();
          return json{{"name", c.name}, {"nodes", c.nodes}, {"data", c.data.size()}, {"messages", c.messages.size()}};
        });
}

void add_cycles(collective_table& t) {
  t.section("cycles", "", "time");
  t.add("cycles.execution", "cycles",
        "time from cycle 0, when the first messages are created, until the last tail reached its node",
        [](const digest& d) { return d.summary.work.traffic().end(); })
      .in_csv("cycles")
      .on_terminal(row_block::Time, "cycles", [](const digest& d) -> optional_row {
        return row_text{grouped(d.summary.work.traffic().end()), limit_text(d.summary.floors)};
      });
  t.add("bounds.cycles", "cycles", "lower bound on the execution time: the largest of the three bounds below",
        [](const digest& d) { return d.summary.floors.cycles(); })
      .in_csv("cycles_bound");
  t.add("cycles.sum_of_step_maxima", "cycles",
        "sum of the longest latencies of all steps, which is the measure used in the HNC paper",
        [](const digest& d) { return d.sum_of_maxima; })
      .in_csv("sum_of_step_maxima")
      .on_terminal(row_block::Time, "sum of maxima", [](const digest& d) -> optional_row {
        return row_text{grouped(d.sum_of_maxima), "cycles: the longest latency of each step"};
      });
  t.add("cycles.simulated", "cycles", "number of cycles that were simulated",
        [](const digest& d) { return d.summary.result.simulated; });
}

/// Adds a metric of all steps together.
statistic<digest>& add_total(collective_table& t, const std::string& name) {
  const step_metric* const metric = std::find_if(std::begin(StepMetrics), std::end(StepMetrics),
                                                 [&name](const step_metric& f) { return f.name == name; });
  statistic<digest>& s = t.add("total." + name, metric->unit, metric->description,
                               [metric](const digest& d) { return metric->value(d.all); });
  if (!metric->always) s.in_json_if([](const digest& d) { return d.all.messages > 0; });
  return s;
}

void add_messages(collective_table& t) {
  t.section("total", "", "messages of all steps");
  add_total(t, "messages")
      .in_csv("messages")
      .on_terminal(row_block::Traffic, "messages", [](const digest& d) -> optional_row {
        return row_text{
            grouped(d.all.messages),
            fmt::format("of {}; {} flits", grouped(d.summary.work.played().messages.size()), grouped(d.all.flits))};
      });
  add_total(t, "flits").in_csv("flits");
  add_total(t, "hops").in_csv("hops").on_terminal(row_block::Traffic, "hops", [](const digest& d) -> optional_row {
    return row_text{grouped(d.all.hops), "channels between routers"};
  });
  add_total(t, "begin");
  add_total(t, "end");
  t.add("flit_hops", "hops", "number of flits on all channels between routers, counted at the channels",
        [](const digest& d) { return d.flit_hops; })
      .in_csv("flit_hops")
      .on_terminal(row_block::Traffic, "flit hops", [](const digest& d) -> optional_row {
        return row_text{grouped(d.flit_hops), fmt::format("at least {}", grouped(d.summary.floors.flit_hops))};
      });
}

void add_bounds(collective_table& t) {
  t.section("bounds", "",
            "lower bounds for any algorithm; they ignore the latency of routers (see "
            "[floors](../03_reference/collectives.md#floors))");
  t.add("bounds.ejection", "cycles", "bound from the number of flits that a node must receive",
        [](const digest& d) { return d.summary.floors.ejection; });
  t.add("bounds.injection", "cycles", "bound from the number of flits that a node must send",
        [](const digest& d) { return d.summary.floors.injection; });
  t.add("bounds.cut", "cycles",
        "bound from the number of flits that must leave a set of nodes, and the number of channels that leave the set; "
        "the largest bound among the sets that were tried",
        [](const digest& d) { return d.summary.floors.cut; });
  t.add("bounds.flit_hops", "hops", "lower bound on `flit_hops`", [](const digest& d) {
     return d.summary.floors.flit_hops;
   }).in_csv("flit_hops_bound");
}

void add_latency(collective_table& t) {
  add_total(t, "latency.mean")
      .in_csv("latency_mean")
      .on_terminal(row_block::Time, "latency", [](const digest& d) -> optional_row {
        return row_text{fmt::format("{:.2f}", ratio(d.all.latency_sum, d.all.messages)),
                        fmt::format("cycles on average, {} at most", grouped(d.all.max_latency))};
      });
  add_total(t, "latency.max").in_csv("latency_max");
  t.add("steps", "", "for each step: its name (`step`) and the same members as in `total`", steps_json);
}

void add_busiest(collective_table& t) {
  t.section("busiest", "", "the link, the sender and the receiver with the most flits");
  t.add("busiest.link", "flits",
        "the channel between routers that carried the most flits: its ends `from` and `to`, each a `router` and a "
        "`port`, and the number of `flits`",
        [](const digest& d) {
          return json{{"from", d.link.from_port}, {"to", d.link.to_port}, {"flits", d.link.flits}};
        })
      .in_csv({{"busiest_link", "/flits"}})
      .on_terminal(row_block::Network, "busiest link", [](const digest& d) -> optional_row {
        if (d.link.flits == 0) return std::nullopt;
        return row_text{grouped(d.link.flits), fmt::format("flits, {} -> {}", d.link.from, d.link.to)};
      });
  t.add("busiest.sender", "flits", "the busiest sender: its `node`, and the number of `flits` that its NIC sent",
        [](const digest& d) { return to_json(d.sender); })
      .in_csv({{"busiest_sender", "/flits"}})
      .on_terminal(row_block::Network, "busiest sender", [](const digest& d) -> optional_row {
        return row_text{grouped(d.sender.second), fmt::format("flits, node {}", d.sender.first)};
      });
  t.add("busiest.receiver", "flits",
        "the busiest receiver: its `node`, and the number of `flits` that its NIC received",
        [](const digest& d) { return to_json(d.receiver); })
      .in_csv({{"busiest_receiver", "/flits"}})
      .on_terminal(row_block::Network, "busiest receiver", [](const digest& d) -> optional_row {
        return row_text{grouped(d.receiver.second), fmt::format("flits, node {}", d.receiver.first)};
      });
}

void add_xors(collective_table& t) {
  const auto xors = [](const digest& d) { return d.summary.work.traffic().xors(); };
  t.section("xor", "", "XORs that nodes and NICs made and decoded");
  t.add("xor.made", "XORs", "number of XORs that were made of two packets",
        [xors](const digest& d) { return xors(d).made; })
      .in_csv("xors_made")
      .on_terminal(row_block::Network, "XORs made", [xors](const digest& d) -> optional_row {
        const xor_metrics x = xors(d);
        if (x.made == 0) return std::nullopt;
        return row_text{grouped(x.made), fmt::format("of two packets; {} sent on as they came", grouped(x.sent_on))};
      });
  t.add("xor.sent_on", "XORs", "number of XORs that were forwarded unchanged", [xors](const digest& d) {
     return xors(d).sent_on;
   }).in_csv("xors_sent_on");
  t.add("xor.decoded", "data", "number of data that were recovered from XORs",
        [xors](const digest& d) { return xors(d).decoded; })
      .in_csv("xors_decoded")
      .on_terminal(row_block::Network, "data decoded", [xors](const digest& d) -> optional_row {
        const xor_metrics x = xors(d);
        if (x.made == 0) return std::nullopt;
        return row_text{grouped(x.decoded), fmt::format("{} XORs had nothing new", grouped(x.redundant))};
      });
  t.add("xor.redundant", "XORs", "number of XORs that contained nothing new", [xors](const digest& d) {
     return xors(d).redundant;
   }).in_csv("xors_redundant");
  t.add("xor.most_waiting", "XORs",
        "largest number of XORs that waited at one node at the same time, not counting XORs in NICs",
        [xors](const digest& d) { return xors(d).most_waiting; });
}

void add_parts(collective_table& t) {
  t.add("lost", "", "list of the numbers of the lost messages; in the CSV file, how many messages were lost",
        [](const digest& d) { return d.summary.work.traffic().lost(); })
      .in_csv("lost")
      .on_terminal(row_block::Network, "lost", [](const digest& d) -> optional_row {
        const std::size_t lost = d.summary.work.traffic().lost().size();
        if (lost == 0) return std::nullopt;
        return row_text{grouped(lost), "messages, between NIC and node"};
      });
  t.add("channels", "",
        "for each connected output port, including ejection ports: the same members as in `channels` of a run, with "
        "the `utilisation` over the execution",
        [](const digest& d) {
          return channels_json(d.summary.work.graph(), d.summary.result.counts, d.summary.work.traffic().end());
        });
  t.add("messages", "",
        "for each message: its number (`message`), `step`, `source`, `destination`, `form`, `data` and `flits`; empty "
        "if there are more than 4,096 messages",
        [](const digest& d) { return messages_json(d.summary.work.played()); });
}

/// The energy of a collective; nothing if output.energy selects no technology.
std::optional<energy_view> energy_of_collective(const digest& d) {
  const collective_result& result = d.summary.result;
  if (!result.energy) return std::nullopt;
  return energy_view{*result.energy, d.summary.work.graph(), result.counts, static_cast<double>(d.all.flits),
                     d.summary.config.flit.payload_bits};
}

collective_table make_collective_table() {
  collective_table t;
  add_identity(t);
  add_cycles(t);
  add_messages(t);
  add_bounds(t);
  add_latency(t);
  add_busiest(t);
  add_xors(t);
  add_parts(t);
  add_energy<digest>(t, energy_of_collective);
  return t;
}

}  // namespace

collective_digest::collective_digest(const collective_summary& of)
    : summary(of),
      all(summary.work.traffic().total()),
      link(busiest_link(summary.work.graph(), summary.result.counts)),
      sender(busiest(summary.work.traffic().sent_flits())),
      receiver(busiest(summary.work.traffic().received_flits())) {
  for (const collective_metrics& s : summary.work.traffic().steps()) sum_of_maxima += s.max_latency;
  const wiring wires(summary.work.graph());
  for (const channel_count& c : summary.result.counts)
    if (wires.output({c.router, c.port}).what == port_end::kind::Channel) flit_hops += c.flits;
}

std::string operation_of(const configuration& c) {
  return CollectiveOperationNames[static_cast<std::size_t>(c.collective.what.operation)];
}

std::string algorithm_of(const configuration& c) {
  return CollectiveAlgorithmNames[static_cast<std::size_t>(*c.collective.algorithm)];
}

const statistic_table<collective_digest>& collective_statistics() {
  static const collective_table all = make_collective_table();
  return all;
}

const statistic_declarations& collective_declarations() {
  static const statistic_declarations declarations = collective_statistics().declarations();
  return declarations;
}

}  // namespace weft::experiment
