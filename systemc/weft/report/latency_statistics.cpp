// SPDX-License-Identifier: Apache-2.0
/// Declares statistics of `weft run`: latency of packets, network latency, and round trips of requests.
#include <algorithm>

#include <fmt/format.h>

#include "weft/report/format.h"
#include "weft/report/run_assessment.h"
#include "weft/report/run_details.h"
#include "weft/workload/workload.h"

namespace weft::experiment {

namespace {

json bins_json(const histogram& h) {
  if (h.count() == 0) return {};
  const histogram::bins bins = h.equal_bins(50);
  std::vector<std::uint64_t> edges;
  for (std::size_t i = 0; i <= bins.counts.size(); ++i) edges.push_back(bins.first + i * bins.width);
  return {{"edges", edges}, {"counts", bins.counts}};
}

std::vector<csv_column> distribution_columns(const std::string& name) {
  std::vector<csv_column> columns = {
      {name + "_mean", "/mean"}, {name + "_half_width", "/half_width"}, {name + "_min", "/min"}};
  for (const double p : Percentiles) {
    std::string column = fmt::format("{}_p{:g}", name, p);
    std::replace(column.begin(), column.end(), '.', '_');  // makes it a valid name in R as well
    columns.push_back({column, fmt::format("/percentiles/{:g}", p)});
  }
  columns.push_back({name + "_max", "/max"});
  return columns;
}

interval round_trip_interval(const run_summary& r) {
  const interval of_packets = latency_interval(r);
  return of_packets.half_width ? r.measured.round_trip_interval() : of_packets;
}

}  // namespace

json distribution_json(const histogram& h, const interval& around) {
  const auto if_any = [&h](auto value) { return h.count() == 0 ? json() : json(value); };
  json j = {{"count", h.count()}, {"mean", if_any(h.mean())}};
  j = add_interval(std::move(j), around);
  j["min"] = if_any(h.min());
  for (const double p : Percentiles) j["percentiles"][fmt::format("{:g}", p)] = if_any(h.percentile(p));
  j["max"] = if_any(h.max());
  return j;
}

void add_latency(statistic_table<run_summary>& t) {
  t.section("latency", "cycles",
            "distributions over the measured packets, each with `count`, `mean`, the `half_width` of the 95 % interval "
            "of the mean, `min`, `percentiles` (50, 90, 95, 99, 99.9) and `max`");
  t.add("latency.packet", "",
        "packet latency: time from the creation of a packet, when it enters the source queue, to the delivery of its "
        "tail",
        [](const run_summary& r) { return distribution_json(r.measured.latency(), latency_interval(r)); })
      .in_csv(distribution_columns("latency"))
      .on_terminal_as_distribution("packet");
  t.add("latency.network", "",
        "network latency: time from the entry of a packet's head into the network to the exit of its tail",
        [](const run_summary& r) {
          return distribution_json(r.measured.network_latency(), network_latency_interval(r));
        })
      .in_csv(distribution_columns("network_latency"))
      .on_terminal_as_distribution("network");
  t.add("latency.round_trip", "",
        "round-trip time from the creation of a request to the delivery of its reply, over the replies delivered in "
        "the window; only if `workload.injection.process` is `request_reply`",
        [](const run_summary& r) { return distribution_json(r.measured.round_trips(), round_trip_interval(r)); })
      .in_json_if([](const run_summary& r) { return reacts(r.config.workload); })
      .in_csv(distribution_columns("round_trip"))
      .on_terminal_as_distribution("round trip");
  t.add("latency.histogram", "packets",
        "histogram of the packet latency: `counts` has the number of packets in each of at most 50 bins of equal "
        "width, and `edges` has the limits of the bins in cycles, one more than there are bins. A latency equal to an "
        "edge belongs to the bin above it",
        [](const run_summary& r) { return bins_json(r.measured.latency()); });
  t.add("latency.network_histogram", "packets", "histogram of the network latency, with the same members",
        [](const run_summary& r) { return bins_json(r.measured.network_latency()); });
}

}  // namespace weft::experiment
