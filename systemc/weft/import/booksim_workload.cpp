// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
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

constexpr const char* OnlyReadWrite = "BookSim2 uses it only with use_read_write = 1";

/// The traffic patterns that have a counterpart, except hotspots.
constexpr const char* Patterns[] = {"uniform", "bitcomp", "bitrev", "transpose", "shuffle", "tornado", "neighbor"};

/// A class of traffic. Of BookSim2's lists with an element for each class, a class beyond the end has the last one.
struct traffic_class {
  std::size_t number = 0;
  std::string section;  ///< of its keys in Weft: "workload", or "workload.traffics.class0"

  std::string key(const std::string& name) const { return section + "." + name; }
  /// Its element of the list \p value; empty if there is none.
  std::string element_of(const std::string& value) const {
    const std::vector<std::string> elements = parse_booksim_list(value);
    return elements.empty() ? "" : elements[std::min(number, elements.size() - 1)];
  }
};

/// In BookSim2, all packets go to a hotspot, chosen by rate.
void import_hotspots(imported_settings& in, const traffic_class& of, const booksim_call& traffic,
                     converted_configuration& out) {
  const std::vector<std::string> arguments = parse_booksim_list(traffic.inside);
  if (traffic.inside.empty() || arguments.empty())
    return in.error("traffic", "BookSim2 selects a hotspot at random; expected its number, as in hotspot(5)");
  out.set(of.key("pattern.kind"), "hotspot", {"traffic"});
  out.set(of.key("pattern.hotspots"), fmt::format("[{}]", fmt::join(parse_booksim_list(arguments[0]), ", ")),
          {"traffic"});
  out.set(of.key("pattern.share"), "1", {"traffic"});
  out.set(of.key("pattern.to_self"), "true", {"traffic"});
  if (arguments.size() < 2) return;
  const std::vector<std::string> rates = parse_booksim_list(arguments[1]);
  if (std::adjacent_find(rates.begin(), rates.end(), std::not_equal_to<>()) != rates.end())
    in.differ("traffic", "in Weft, all hotspots get the same share of the packets, whatever their rates");
}

void import_pattern(imported_settings& in, const traffic_class& of, converted_configuration& out) {
  const booksim_call traffic = parse_booksim_call(of.element_of(in.use("traffic").value));
  if (traffic.name == "hotspot") return import_hotspots(in, of, traffic, out);
  if (std::find(std::begin(Patterns), std::end(Patterns), traffic.name) == std::end(Patterns))
    return in.is_wrong("traffic") ? void()
                                  : in.error("traffic", fmt::format("{}; expected one of {}, hotspot(N)",
                                                                    not_converted("traffic", PatternKind, traffic.name),
                                                                    fmt::join(Patterns, ", ")));
  out.set(of.key("pattern.kind"), counterpart(PatternKind, traffic.name), {"traffic", "topology", "k", "n"});
  if (traffic.name == "uniform") out.set(of.key("pattern.to_self"), "true", {"traffic"});
  if (!traffic.inside.empty()) in.differ("traffic", "Weft computes the pattern from the shape of the network");
  const std::string topology = in.use("topology").value;
  if (traffic.name != "uniform" && (topology == "cmesh" || topology == "flatfly"))
    in.differ("traffic",
              "Weft computes the pattern from the coordinates of routers, BookSim2 from the numbers of nodes");
}

/// The numbers of the class \p of in the list of the setting \p name.
std::vector<double> numbers_of(imported_settings& in, const traffic_class& of, const std::string& name) {
  const std::string value = in.use(name).value;
  const simulator_key* const key = in.find(name);
  const double least = key ? key->least : 0, most = key ? key->most : std::numeric_limits<double>::infinity();
  std::vector<double> all;
  for (const std::string& text : parse_booksim_list(of.element_of(value))) {
    const auto number = parse_number<double>(text);
    const bool is_wrong = !number || !(*number >= least && *number <= most);
    if (is_wrong && !in.is_wrong(name))
      in.error(name, fmt::format("{}: expected numbers of at least {:g}, got {}", name, least, in_quotes(text)));
    all.push_back(number.value_or(1));
  }
  if (all.empty()) in.error(name, fmt::format("{}: expected numbers, got {}", name, in_quotes(value)));
  const std::size_t classes = in.whole("classes"), elements = parse_booksim_list(value).size();
  if (elements > classes)
    in.lack_unexpectedly(
        name, fmt::format("{} elements for as many classes of traffic, of which BookSim2 uses the first{}, because "
                          "classes is {}; a list in a list, as in {{{{1,5}}}}, gives several values to one class",
                          elements, classes == 1 ? "" : fmt::format(" {}", classes), classes));
  return all;
}

/// The key that gives the lengths of packets.
const char* key_of_lengths(const imported_settings& in) {
  return in.has("const_flits_per_packet") ? "const_flits_per_packet" : "packet_size";
}

/// Sets the lengths of packets. \return their mean
double import_lengths(imported_settings& in, const traffic_class& of, converted_configuration& out) {
  const char* const key = key_of_lengths(in);
  const std::vector<double> lengths = numbers_of(in, of, key);
  std::vector<double> weights = numbers_of(in, of, "packet_size_rate");
  if (lengths.empty()) return 1;
  if (lengths.size() == 1) {
    out.set(of.key("length.flits"), lengths.front(), {key});
    return lengths.front();
  }
  weights.resize(lengths.size(), weights.empty() ? 1 : weights.back());
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < lengths.size(); ++i) choices.push_back(fmt::format("{:g}: {:g}", lengths[i], weights[i]));
  out.set(of.key("length.kind"), "weighted", {key});
  out.set(of.key("length.choices"), fmt::format("{{{}}}", fmt::join(choices, ", ")), {key, "packet_size_rate"});
  return std::inner_product(lengths.begin(), lengths.end(), weights.begin(), 0.0) /
         std::max(1e-9, std::accumulate(weights.begin(), weights.end(), 0.0));
}

/// The rate of packets. \param mean_length of a packet in flits
double import_rate(imported_settings& in, const traffic_class& of, double mean_length) {
  const std::vector<double> rates = numbers_of(in, of, "injection_rate");
  const double given = rates.empty() ? 0 : rates.front();
  const bool is_in_flits = in.flag("injection_rate_uses_flits");
  const double rate = is_in_flits ? given / std::max(1.0, mean_length) : given;
  if (rate > 1 && !in.is_wrong("injection_rate"))
    in.error("injection_rate",
             fmt::format("injection_rate: expected a number from 0 to {:g} ({} per node and cycle, at "
                         "most one packet), got {:g}",
                         is_in_flits ? mean_length : 1, is_in_flits ? "flits" : "packets", given));
  return rate;
}

/// The parameters of the process on_off. A node that is off becomes on with the probability alpha, and one that is on
/// becomes off with the probability beta; r1 is the rate of packets while on. A negative number is not given.
struct on_off_parameters {
  double alpha = 0, beta = 0, r1 = 0;
};

/// The parameters in the brackets of \p process, or those of their own keys.
on_off_parameters on_off_parameters_of(imported_settings& in, const booksim_call& process) {
  const std::vector<std::string> arguments = parse_booksim_list(process.inside);
  const auto parameter = [&](std::size_t index, const char* name) {
    if (process.inside.empty() || index >= arguments.size()) return in.number(name);
    in.lack(name, "BookSim2 uses the number in the brackets of injection_process");
    if (const auto given = parse_number<double>(arguments[index]); given && *given <= 1) return *given;
    in.error("injection_process",
             fmt::format("injection_process: expected a number of at most 1, got {}", in_quotes(arguments[index])));
    return 0.5;
  };
  on_off_parameters p;
  p.alpha = parameter(0, "burst_alpha");
  p.beta = parameter(1, "burst_beta");
  p.r1 = parameter(2, "burst_r1");
  return p;
}

/// Sets the process that creates \p rate packets of \p mean_length flits.
void import_injection(imported_settings& in, const traffic_class& of, double rate, double mean_length,
                      converted_configuration& out) {
  const booksim_call process = parse_booksim_call(of.element_of(in.use("injection_process").value));
  const converted_configuration::sources of_load = {"injection_rate", key_of_lengths(in), "injection_rate_uses_flits"};
  const double load = rate * mean_length;
  out.set(of.key("injection.load"), load, of_load);
  if (process.name == "bernoulli") {
    for (const char* const name : {"burst_alpha", "burst_beta", "burst_r1"})
      in.lack(name, "BookSim2 uses it only with injection_process = on_off");
    return;
  }
  if (process.name != "on_off")
    return in.error("injection_process",
                    not_converted("injection process", "workload.injection.process", process.name) +
                        "; expected bernoulli or on_off");
  auto [alpha, beta, r1] = on_off_parameters_of(in, process);
  const int negative = (alpha < 0 ? 1 : 0) + (beta < 0 ? 1 : 0) + (r1 < 0 ? 1 : 0);
  if (negative != 1)
    return in.error("injection_process",
                    fmt::format("on_off: expected exactly one negative number among burst_alpha, burst_beta and "
                                "burst_r1, which BookSim2 computes from the other two, got {:g}, {:g} and {:g}",
                                alpha, beta, r1));
  if (beta < 0) beta = alpha * (r1 - rate) / rate;
  if (alpha < 0) alpha = beta * rate / (r1 - rate);
  if (r1 < 0) r1 = rate * (alpha + beta) / alpha;
  if (!(alpha > 0 && alpha <= 1 && beta > 0 && beta <= 1 && r1 > 0 && r1 <= 1))
    return in.error("injection_process",
                    fmt::format("on_off: expected burst_alpha, burst_beta and burst_r1 above 0 and up to 1; at this "
                                "injection_rate they are {:g}, {:g} and {:g}",
                                alpha, beta, r1));
  const converted_configuration::sources of_bursts = {"injection_process", "burst_alpha", "burst_beta", "burst_r1",
                                                      "injection_rate"};
  out.set(of.key("injection.process"), "on_off", {"injection_process"});
  out.set(of.key("injection.peak"), r1 * mean_length, of_bursts);
  out.set(of.key("injection.mean_burst"), 1 / beta, of_bursts);
}

}  // namespace

void import_booksim_workload(imported_settings& in, converted_configuration& out) {
  constexpr std::uint64_t MostClasses = 64;
  const std::uint64_t classes = in.whole("classes");
  if (classes > MostClasses)
    return in.error("classes", fmt::format("classes: expected at most {}, got {}", MostClasses, classes));
  if (classes > 1)
    in.differ("classes",
              "each class becomes a traffic; in BookSim2, the packets of each class wait in a queue of their own, and "
              "their flits may alternate on the channel from the node");
  if (traffic_class().element_of(in.use("use_read_write").value) != "0")
    in.error("use_read_write",
             "requests with replies at a rate have no counterpart in Weft; its request_reply is a closed loop; "
             "expected 0");
  for (const char* const name : {"read_request", "read_reply", "write_request", "write_reply"})
    for (const char* const end : {"_size", "_begin_vc", "_end_vc", "_subnet"})
      in.lack(name + std::string(end), OnlyReadWrite);
  in.lack("write_fraction", OnlyReadWrite);
  in.lack("max_outstanding_requests", "BookSim2 uses it only with sim_type = batch");
  for (std::size_t i = 0; i < classes; ++i) {
    const traffic_class of{i, classes == 1 ? "workload" : fmt::format("workload.traffics.class{}", i)};
    import_pattern(in, of, out);
    const double mean_length = import_lengths(in, of, out);
    import_injection(in, of, import_rate(in, of, mean_length), mean_length, out);
  }
}

}  // namespace weft::experiment
