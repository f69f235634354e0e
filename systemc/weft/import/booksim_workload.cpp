// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/diagnostic.h"
#include "weft/import/booksim_file.h"
#include "weft/import/booksim_parts.h"

namespace weft::experiment {

namespace {

constexpr const char* PatternKind = "workload.pattern.kind";

/// The traffic patterns that have a counterpart, except hotspots.
constexpr const char* Patterns[] = {"uniform", "bitcomp", "bitrev", "transpose", "shuffle", "tornado", "neighbor"};

/// The element of the list \p value that belongs to the first class of traffic; empty if there is none.
std::string first_of_list(const std::string& value) {
  const std::vector<std::string> elements = parse_booksim_list(value);
  return elements.empty() ? "" : elements.front();
}

/// In BookSim2, all packets go to a hotspot, chosen by rate.
void import_hotspots(imported_settings& in, const booksim_call& traffic, converted_configuration& out) {
  const std::vector<std::string> arguments = parse_booksim_list(traffic.inside);
  if (traffic.inside.empty() || arguments.empty())
    return in.error("traffic", "BookSim2 selects a hotspot at random; expected its number, as in hotspot(5)");
  out.set(PatternKind, "hotspot");
  out.set("workload.pattern.hotspots", fmt::format("[{}]", fmt::join(parse_booksim_list(arguments[0]), ", ")));
  out.set("workload.pattern.share", "1");
  out.set("workload.pattern.to_self", "true");
  if (arguments.size() < 2) return;
  const std::vector<std::string> rates = parse_booksim_list(arguments[1]);
  if (std::adjacent_find(rates.begin(), rates.end(), std::not_equal_to<>()) != rates.end())
    in.lack("traffic", "all hotspots get the same share");
}

void import_pattern(imported_settings& in, converted_configuration& out) {
  const std::string value = in.use("traffic").value;
  const booksim_call traffic = parse_booksim_call(first_of_list(value));
  if (traffic.name == "hotspot") return import_hotspots(in, traffic, out);
  if (std::find(std::begin(Patterns), std::end(Patterns), traffic.name) == std::end(Patterns))
    return in.error("traffic", not_converted("traffic", PatternKind, traffic.name));
  out.set(PatternKind, counterpart(PatternKind, traffic.name));
  if (traffic.name == "uniform") out.set("workload.pattern.to_self", "true");
  if (!traffic.inside.empty()) in.lack("traffic", "Weft computes the pattern from the shape of the network");
  if (traffic.name != "uniform" && in.use("topology").value == "cmesh")
    in.lack("traffic", "Weft computes the pattern from the coordinates of routers, BookSim2 from the numbers of nodes");
}

/// The numbers in the list of the setting \p name. Of several classes, only the first has a counterpart.
std::vector<double> numbers_of(imported_settings& in, const std::string& name) {
  std::vector<double> all;
  for (const std::string& text : parse_booksim_list(first_of_list(in.use(name).value))) {
    const auto value = parse_number<double>(text);
    if (!value || *value < 0) in.error(name, fmt::format("{}: expected numbers, got {}", name, in_quotes(text)));
    all.push_back(value.value_or(1));
  }
  return all;
}

/// Sets the lengths of packets. \return their mean
double import_lengths(imported_settings& in, converted_configuration& out) {
  const char* const key = in.has("const_flits_per_packet") ? "const_flits_per_packet" : "packet_size";
  const std::vector<double> lengths = numbers_of(in, key);
  std::vector<double> weights = numbers_of(in, "packet_size_rate");
  if (lengths.empty()) return 1;
  if (lengths.size() == 1) {
    out.set("workload.length.flits", lengths.front());
    return lengths.front();
  }
  weights.resize(lengths.size(), weights.empty() ? 1 : weights.back());
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < lengths.size(); ++i) choices.push_back(fmt::format("{:g}: {:g}", lengths[i], weights[i]));
  out.set("workload.length.kind", "weighted");
  out.set("workload.length.choices", fmt::format("{{{}}}", fmt::join(choices, ", ")));
  return std::inner_product(lengths.begin(), lengths.end(), weights.begin(), 0.0) /
         std::max(1e-9, std::accumulate(weights.begin(), weights.end(), 0.0));
}

/// Sets the process of \p load, in flits. In BookSim2, a node that is off becomes on with the probability alpha, and
/// one that is on becomes off with the probability beta; r1 is the rate of packets while on.
void import_injection(imported_settings& in, double load, double mean_length, converted_configuration& out) {
  const booksim_call process = parse_booksim_call(in.use("injection_process").value);
  out.set("workload.injection.load", load);
  if (process.name == "bernoulli") {
    for (const char* const name : {"burst_alpha", "burst_beta", "burst_r1"})
      in.lack(name, "BookSim2 uses it only with injection_process = on_off");
    return;
  }
  if (process.name != "on_off")
    return in.error("injection_process",
                    not_converted("injection process", "workload.injection.process", process.name));
  const std::vector<std::string> arguments = parse_booksim_list(process.inside);
  const auto parameter = [&](std::size_t index, const char* name) {
    if (process.inside.empty() || index >= arguments.size()) return in.number(name);
    if (const auto given = parse_number<double>(arguments[index])) return *given;
    in.error("injection_process", fmt::format("expected a number, got {}", in_quotes(arguments[index])));
    return 1.0;
  };
  const double r1 = parameter(2, "burst_r1"), rate = load / mean_length;
  double alpha = parameter(0, "burst_alpha"), beta = parameter(1, "burst_beta");
  if (beta < 0) beta = alpha * (r1 - rate) / rate;
  if (alpha < 0) alpha = beta * rate / (r1 - rate);
  const double peak = r1 >= 0 ? r1 * mean_length : load * (alpha + beta) / alpha;
  if (!(peak > 0 && beta > 0 && alpha > 0 && beta <= 1))
    return in.error("injection_process", "burst_alpha, burst_beta and burst_r1 do not describe bursts");
  out.set("workload.injection.process", "on_off");
  out.set("workload.injection.peak", peak);
  out.set("workload.injection.mean_burst", 1 / beta);
}

}  // namespace

void import_booksim_workload(imported_settings& in, converted_configuration& out) {
  if (in.whole("classes") > 1)
    in.error("classes", "several classes of traffic have no counterpart in Weft; import one class at a time");
  import_pattern(in, out);
  if (first_of_list(in.use("use_read_write").value) != "0")
    in.error("use_read_write",
             "requests with replies at a rate have no counterpart in Weft; its request_reply is a closed loop");
  for (const char* const name :
       {"read_request_size", "read_reply_size", "write_request_size", "write_reply_size", "write_fraction"})
    in.lack(name, "BookSim2 uses it only with use_read_write = 1");
  in.lack("max_outstanding_requests", "BookSim2 uses it only with sim_type = batch");
  const double mean_length = import_lengths(in, out);
  const std::vector<double> rates = numbers_of(in, "injection_rate");
  const double rate = rates.empty() ? 0 : rates.front();
  import_injection(in, in.flag("injection_rate_uses_flits") ? rate : rate * mean_length, mean_length, out);
}

}  // namespace weft::experiment
