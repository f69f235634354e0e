#include "weft/experiment/report/collective_results.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/network_model.h"
#include "weft/experiment/configuration/network.h"
#include "weft/experiment/report/results.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// A NIC and its flits.
using nic_count = std::pair<node_id, std::uint64_t>;

nic_count busiest(const std::vector<std::uint64_t>& flits) {
  const auto most = std::max_element(flits.begin(), flits.end());
  return {static_cast<node_id>(most - flits.begin()), *most};
}

/// Figures that are derived from those of a report.
struct summary {
  explicit summary(const collective_report& r)
      : all(r.work.traffic().total()),
        sender(busiest(r.work.traffic().sent_flits())),
        receiver(busiest(r.work.traffic().received_flits())) {
    for (const collective_figures& s : r.work.traffic().steps()) sum_of_maxima += s.max_latency;
    const wiring wires(r.work.graph());
    for (const channel_count& c : r.result.counts)
      if (wires.output({c.router, c.port}).what == port_end::kind::Channel) flit_hops += c.flits;
    if (const channel_count* const most = busiest_link(r.result.counts, wires)) {
      const port_ref from{most->router, most->port};
      link = most->flits;
      link_from = full_name(r.work.graph(), from);
      link_to = far_end(r.work.graph(), wires.output(from));
    }
  }

  collective_figures all;
  cycle_t sum_of_maxima = 0;
  std::uint64_t flit_hops = 0;
  std::uint64_t link = 0;
  std::string link_from, link_to;
  nic_count sender, receiver;
};

json to_json(const collective_figures& f) {
  json j = {{"messages", f.messages}, {"flits", f.flits}, {"hops", f.hops}};
  if (f.messages == 0) return j;
  j["begin"] = f.begin;
  j["end"] = f.end;
  j["latency"] = {{"mean", ratio(f.latency_sum, f.messages)}, {"max", f.max_latency}};
  return j;
}

const char* name_of(payload_form form) {
  constexpr const char* Names[] = {"datum", "xor", "join", "sum"};
  return Names[static_cast<std::size_t>(form)];
}

/// The messages, by their numbers; of a collective so small that one may want to read them.
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

std::string outcome_text(outcome how) {
  switch (how) {
    case outcome::Complete:
      return "complete: every node has what it should, word for word";
    case outcome::Interrupted:
      return "INTERRUPTED: what was measured until then";
    case outcome::Deadlock:
      return "DEADLOCK: nothing moves while packets wait";
    case outcome::Undelivered:
      return "UNDELIVERED: nodes lack data that they should have";
    default:
      return "CORRUPT: data contradict each other";
  }
}

/// By which bound no algorithm can be faster.
std::string limit_text(const collective_floors& b) {
  const char* const what = b.cycles() == b.ejection    ? "flits that a node must get"
                           : b.cycles() == b.injection ? "flits that a node must send"
                                                       : "flits that must cross the bisection";
  return fmt::format("at least {}, by the {}", grouped(b.cycles()), what);
}

std::string operation_of(const configuration& c) {
  return CollectiveOperationNames[static_cast<std::size_t>(c.collective.what.operation)];
}

/// Columns of equal width, the first to the left.
class columns {
 public:
  explicit columns(std::size_t first) : m_first(first) {}

  void row(const std::vector<std::string>& cells) {
    m_text += fmt::format("  {:<{}}", cells.front(), m_first);
    for (std::size_t i = 1; i < cells.size(); ++i) m_text += fmt::format("{:>16}", cells[i]);
    m_text += "\n";
  }
  const std::string& text() const { return m_text; }

 private:
  std::size_t m_first;
  std::string m_text;
};

std::string steps_table(const collective_report& r) {
  const std::vector<collective_figures>& steps = r.work.traffic().steps();
  columns table(28);
  table.row({"step", "messages", "hops", "begin", "end", "mean latency", "max latency"});
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const collective_figures& f = steps[s];
    const bool any = f.messages > 0;
    table.row({r.work.played().steps[s], grouped(f.messages), grouped(f.hops), any ? grouped(f.begin) : "",
               any ? grouped(f.end) : "", any ? fmt::format("{:.2f}", ratio(f.latency_sum, f.messages)) : "",
               any ? grouped(f.max_latency) : ""});
  }
  return table.text();
}

}  // namespace

std::string algorithm_of(const configuration& c) {
  return CollectiveAlgorithmNames[static_cast<std::size_t>(*c.collective.algorithm)];
}

json to_json(const collective_report& r) {
  const collective_traffic& t = r.work.traffic();
  const collective& c = r.work.played();
  const summary s(r);
  json j;
  j["weft"] = version();
  j["name"] = r.asked.output.name;
  j["seed"] = r.asked.simulation.seed;
  j["outcome"] = name_of(r.result.how);
  j["complete"] = r.result.how == outcome::Complete;
  j["explanation"] = r.result.explanation;
  j["configuration"] = to_json(r.asked);
  j["collective"] = {{"name", c.name}, {"nodes", c.nodes}, {"data", c.data.size()}, {"messages", c.messages.size()}};
  j["cycles"] = {{"execution", t.end()}, {"sum_of_step_maxima", s.sum_of_maxima}, {"simulated", r.result.simulated}};
  j["total"] = to_json(s.all);
  j["flit_hops"] = s.flit_hops;
  j["bounds"] = {{"cycles", r.floors.cycles()},
                 {"ejection", r.floors.ejection},
                 {"injection", r.floors.injection},
                 {"bisection", r.floors.bisection},
                 {"flit_hops", r.floors.flit_hops}};
  json steps = json::array();
  for (std::size_t i = 0; i < t.steps().size(); ++i) {
    json step = {{"step", c.steps[i]}};
    step.update(to_json(t.steps()[i]));
    steps.push_back(std::move(step));
  }
  j["steps"] = std::move(steps);
  j["busiest"] = {{"link", {{"from", s.link_from}, {"to", s.link_to}, {"flits", s.link}}},
                  {"sender", {{"node", s.sender.first}, {"flits", s.sender.second}}},
                  {"receiver", {{"node", s.receiver.first}, {"flits", s.receiver.second}}}};
  const xor_figures x = t.xors();
  j["xor"] = {{"made", x.made},
              {"sent_on", x.sent_on},
              {"decoded", x.decoded},
              {"redundant", x.redundant},
              {"most_waiting", x.most_waiting}};
  j["lost"] = t.lost();
  j["channels"] = channels_json(r.work.graph(), r.result.counts, t.end());
  j["messages"] = messages_json(c);
  return j;
}

std::string to_csv(const collective_report& r) {
  const collective_traffic& t = r.work.traffic();
  const summary s(r);
  const xor_figures x = t.xors();
  const std::vector<std::pair<const char*, std::string>> cells = {
      {"name", csv_text(r.asked.output.name)},
      {"seed", std::to_string(r.asked.simulation.seed)},
      {"operation", operation_of(r.asked)},
      {"algorithm", algorithm_of(r.asked)},
      {"nodes", std::to_string(r.work.played().nodes)},
      {"outcome", name_of(r.result.how)},
      {"cycles", std::to_string(t.end())},
      {"cycles_bound", std::to_string(r.floors.cycles())},
      {"sum_of_step_maxima", std::to_string(s.sum_of_maxima)},
      {"messages", std::to_string(s.all.messages)},
      {"flits", std::to_string(s.all.flits)},
      {"hops", std::to_string(s.all.hops)},
      {"flit_hops", std::to_string(s.flit_hops)},
      {"flit_hops_bound", std::to_string(r.floors.flit_hops)},
      {"latency_mean", fmt::format("{}", ratio(s.all.latency_sum, s.all.messages))},
      {"latency_max", std::to_string(s.all.max_latency)},
      {"busiest_link", std::to_string(s.link)},
      {"busiest_sender", std::to_string(s.sender.second)},
      {"busiest_receiver", std::to_string(s.receiver.second)},
      {"xors_made", std::to_string(x.made)},
      {"xors_sent_on", std::to_string(x.sent_on)},
      {"xors_decoded", std::to_string(x.decoded)},
      {"xors_redundant", std::to_string(x.redundant)},
      {"lost", std::to_string(t.lost().size())},
  };
  std::string names, values;
  for (const auto& [name, value] : cells) {
    names += (names.empty() ? "" : ",") + std::string(name);
    values += (values.empty() ? "" : ",") + value;
  }
  return names + "\n" + values + "\n";
}

std::string to_table(const collective_report& r) {
  const configuration& c = r.asked;
  const collective_traffic& t = r.work.traffic();
  const summary s(r);
  std::string table =
      fmt::format("{}: {} by {}, {} nodes\n{}, {} VCs of {} flits, {} pipeline cycles, seed {}\n\n", c.output.name,
                  operation_of(c), algorithm_of(c), grouped(r.work.played().nodes), describe(r.work.graph()),
                  c.router.vcs, c.router.depth, c.router.pipeline, c.simulation.seed);
  const auto row = [&table](const char* name, const std::string& value, const std::string& rest) {
    table += fmt::format("  {:<18}{:>14}  {}\n", name, value, rest);
  };
  row("cycles", grouped(t.end()), limit_text(r.floors));
  row("sum of maxima", grouped(s.sum_of_maxima), "cycles: the longest latency of each step");
  row("latency", fmt::format("{:.2f}", ratio(s.all.latency_sum, s.all.messages)),
      fmt::format("cycles in the mean, {} at most", grouped(s.all.max_latency)));
  row("messages", grouped(s.all.messages),
      fmt::format("of {}; {} flits", grouped(r.work.played().messages.size()), grouped(s.all.flits)));
  row("hops", grouped(s.all.hops), "channels between routers");
  row("flit hops", grouped(s.flit_hops), fmt::format("at least {}", grouped(r.floors.flit_hops)));
  if (s.link > 0) row("busiest link", grouped(s.link), fmt::format("flits, {} -> {}", s.link_from, s.link_to));
  row("busiest sender", grouped(s.sender.second), fmt::format("flits, node {}", s.sender.first));
  row("busiest receiver", grouped(s.receiver.second), fmt::format("flits, node {}", s.receiver.first));
  if (const xor_figures x = t.xors(); x.made > 0) {
    row("XORs made", grouped(x.made), fmt::format("of two packets; {} sent on as they came", grouped(x.sent_on)));
    row("data decoded", grouped(x.decoded), fmt::format("{} XORs had nothing new", grouped(x.redundant)));
  }
  if (const std::size_t lost = t.lost().size(); lost > 0) row("lost", grouped(lost), "messages, between NIC and node");
  table += "\n" + steps_table(r);
  table += fmt::format("\n  {}\n", outcome_text(r.result.how));
  for (const std::string& line : r.result.explanation) table += fmt::format("    {}\n", line);
  return table;
}

std::string comparison_csv(const std::vector<compared_collective>& rows) {
  std::string text;
  for (const compared_collective& row : rows) {
    if (row.csv.empty()) continue;
    const std::size_t end = row.csv.find('\n') + 1;
    text += text.empty() ? row.csv : row.csv.substr(end);
  }
  return text;
}

std::string comparison_table(const std::vector<compared_collective>& rows) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> list;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) list.push_back(cell);
    return list;
  };
  columns table(24);
  table.row({"algorithm", "cycles", "at least", "sum of maxima", "messages", "hops", "busiest link", "outcome"});
  for (const compared_collective& row : rows) {
    const std::size_t end = row.csv.find('\n');
    if (row.csv.empty()) {
      table.row({row.algorithm, "failed"});
      continue;
    }
    // From the right: the name, on the left, may hold commas.
    const std::vector<std::string> names = cells(row.csv.substr(0, end)), values = cells(row.csv.substr(end + 1));
    const auto value = [&](const char* name) {
      const auto at = std::find(names.rbegin(), names.rend(), name) - names.rbegin();
      std::string text = *(values.rbegin() + at);
      text.erase(text.find_last_not_of('\n') + 1);
      return text;
    };
    const auto number = [&](const char* name) { return grouped(std::stoull(value(name))); };
    table.row({row.algorithm, number("cycles"), number("cycles_bound"), number("sum_of_step_maxima"),
               number("messages"), number("hops"), number("busiest_link"), value("outcome")});
  }
  return table.text();
}

std::string analysis_table(const configuration& c,
                           const std::vector<std::pair<std::string, collective_counts>>& counts) {
  std::string text = fmt::format("{}: {}, {} nodes, counted without simulating\n\n", c.output.name, operation_of(c),
                                 grouped(c.nodes()));
  columns table(32);
  table.row({"step", "messages", "hops", "hops/message"});
  const auto row = [&table](const std::string& name, const collective_count& count) {
    table.row(
        {name, grouped(count.messages), grouped(count.hops), fmt::format("{:.3f}", ratio(count.hops, count.messages))});
  };
  for (const auto& [algorithm, steps] : counts) {
    if (steps.size() > 1)
      for (const collective_count& step : steps) row(fmt::format("{}, {}", algorithm, step.step), step);
    row(algorithm, total(steps));
  }
  return text + table.text();
}

json analysis_json(const configuration& c, const std::vector<std::pair<std::string, collective_counts>>& counts) {
  json list = json::array();
  for (const auto& [algorithm, steps] : counts) {
    json by_step = json::array();
    for (const collective_count& step : steps)
      by_step.push_back({{"step", step.step}, {"messages", step.messages}, {"hops", step.hops}});
    const collective_count all = total(steps);
    list.push_back(
        {{"algorithm", algorithm}, {"messages", all.messages}, {"hops", all.hops}, {"steps", std::move(by_step)}});
  }
  return {{"weft", version()}, {"configuration", to_json(c)}, {"algorithms", std::move(list)}};
}

}  // namespace weft::experiment
