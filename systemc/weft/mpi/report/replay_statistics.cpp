// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/report/replay_statistics.h"

#include <fmt/format.h>

#include "weft/report/energy_statistics.h"
#include "weft/report/format.h"
#include "weft/report/other_statistics.h"
#include "weft/report/statistic_views.h"

namespace weft::experiment {

namespace {

bool is_complete(const replay_digest& d) { return d.summary.result.how == outcome::Complete; }

using replay_table = statistic_table<replay_digest>;
using replay_row = std::optional<row_text>;

void add_replay_identity(replay_table& t) {
  t.add("weft", "", "version of Weft", [](const replay_digest&) { return version(); });
  t.add("name", "", "name of the experiment, `output.name`", [](const replay_digest& d) {
     return d.summary.config.output.name;
   }).in_csv("name");
  t.add("seed", "", "`simulation.seed`", [](const replay_digest& d) {
     return d.summary.config.simulation.seed;
   }).in_csv("seed");
  t.add("program", "", "name of the recorded program", [](const replay_digest& d) {
     return d.summary.work.program().name;
   }).in_csv("program");
  t.add("rank_count", "", "number of ranks of the program",
        [](const replay_digest& d) { return d.summary.work.program().ranks.size(); })
      .in_csv("ranks")
      .not_in_json();
  t.add("compression", "", "`nic.compression.mode`",
        [](const replay_digest& d) { return to_json(d.summary.config).at(pointer_to("nic.compression.mode")); })
      .in_csv("compression")
      .not_in_json();
  t.add("outcome", "",
        "`complete` if every rank completed its last call and every message arrived, `undelivered` if a call has no "
        "partner, `deadlock` if packets block each other in the network, `interrupted` if the run was stopped",
        [](const replay_digest& d) { return name_of(d.summary.result.how); })
      .in_csv("outcome");
  t.add("complete", "", "whether the outcome is `complete`", [](const replay_digest& d) { return is_complete(d); });
  t.add("warnings", "", "warnings about the metrics, one sentence each; they are also printed on the terminal",
        [](const replay_digest& d) { return warnings_of(d.summary); });
  t.add("explanation", "", "why the replay is not complete, line by line, with the ranks and calls concerned",
        [](const replay_digest& d) { return d.summary.result.explanation; });
  t.add("configuration", "",
        "the value of every key that affects the results, including defaults. Paths are relative to the result file. "
        "`weft replay` accepts this file as a configuration",
        [](const replay_digest& d) { return to_json_in(d.summary.config.result_file(".json"), d.summary.config); });
}

/// \p metric if the program has ended; otherwise null.
template <typename Number>
json if_complete(const replay_digest& d, Number metric) {
  return is_complete(d) ? json(metric) : json();
}

void add_replay_time(replay_table& t) {
  t.add("makespan", "cycles", "time until the last rank has completed its last call; null if a rank did not",
        [](const replay_digest& d) { return if_complete(d, d.summary.work.traffic().makespan()); })
      .in_csv("makespan")
      .on_terminal(row_block::Time, "makespan", [](const replay_digest& d) -> replay_row {
        if (!is_complete(d)) return std::nullopt;
        const double clock = d.summary.config.simulation.clock.value_or(1);
        const cycle_t cycles = d.summary.work.traffic().makespan();
        return row_text{grouped(cycles), fmt::format("cycles, {:.3f} µs at {:g} GHz",
                                                     static_cast<double>(cycles) / clock / 1000, clock)};
      });
  t.section("critical_path", "cycles",
            "the chain of computing and messages that ends with the last call of the rank that ended last, traced back "
            "through the messages for which ranks waited. `computing` and `network` add up to the makespan. All "
            "members are null if the makespan is null");
  t.add("critical_path.computing", "", "time that ranks on this path computed", [](const replay_digest& d) {
     return if_complete(d, d.path.computing);
   }).in_csv("path_computing");
  t.add("critical_path.network", "",
        "time in the network on this path: from the beginning of a message until the rank that waited for it continues",
        [](const replay_digest& d) { return if_complete(d, d.path.network); })
      .in_csv("path_network");
  t.add("critical_path.messages", "messages", "number of messages on this path",
        [](const replay_digest& d) { return if_complete(d, d.path.messages); })
      .in_csv("path_messages")
      .on_terminal(row_block::Time, "critical path", [](const replay_digest& d) -> replay_row {
        if (!is_complete(d)) return std::nullopt;
        return row_text{grouped(d.path.network), fmt::format("cycles of {} messages in the network, {} of computing",
                                                             grouped(d.path.messages), grouped(d.path.computing))};
      });
}

void add_replay_traffic(replay_table& t) {
  t.add("bytes", "bytes", "number of bytes of the messages that arrived",
        [](const replay_digest& d) { return d.summary.work.traffic().data_bytes(); })
      .in_csv("bytes")
      .on_terminal(row_block::Traffic, "data", [](const replay_digest& d) -> replay_row {
        const replay_traffic& traffic = d.summary.work.traffic();
        return row_text{grouped(traffic.data_bytes()), fmt::format("bytes, in {} packets", grouped(traffic.packets()))};
      });
  t.add("packets", "packets", "number of packets, including the requests and answers that precede long messages",
        [](const replay_digest& d) { return d.summary.work.traffic().packets(); })
      .in_csv("packets");
  t.add("flits", "flits", "number of flits of all packets before compression",
        [](const replay_digest& d) { return d.summary.work.traffic().flits(); })
      .in_csv("flits")
      .on_terminal(row_block::Traffic, "flits", [](const replay_digest& d) -> replay_row {
        return row_text{grouped(d.summary.work.traffic().flits()), "as they were created"};
      });
  t.add("flit_hops", "flits", "number of flits on all channels between routers and to nodes, counted after compression",
        [](const replay_digest& d) { return d.flit_hops; })
      .in_csv("flit_hops")
      .on_terminal(row_block::Traffic, "flit hops", [](const replay_digest& d) -> replay_row {
        return row_text{grouped(d.flit_hops), "flits on channels, as they travelled"};
      });
  t.add("changed_flits", "flits", "number of flits that LSB-cut changed", [](const replay_digest& d) {
     return d.summary.work.traffic().changed_flits();
   }).in_csv("changed_flits");
  t.add("mapping_cost", "byte hops",
        "sum over all pairs of ranks: bytes that they exchange times the hops between their nodes",
        [](const replay_digest& d) { return d.summary.work.mapping_cost(); })
      .in_csv("mapping_cost");
  t.add("uncovered", "calls", "number of calls whose data are not in the trace",
        [](const replay_digest& d) { return d.summary.work.program().uncovered; })
      .in_csv("uncovered")
      .on_terminal(row_block::Traffic, "not covered", [](const replay_digest& d) -> replay_row {
        if (d.summary.work.program().uncovered == 0) return std::nullopt;
        return row_text{grouped(d.summary.work.program().uncovered), "calls whose data the trace does not have"};
      });
}

json ranks_json(const replay_digest& d) {
  json list = json::array();
  const std::vector<replay_rank_metrics>& ranks = d.ranks;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    list.push_back({{"node", d.summary.work.nodes()[r]},
                    {"computing", ranks[r].computing},
                    {"receiving", ranks[r].receiving},
                    {"sending", ranks[r].sending},
                    {"end", ranks[r].end ? json(*ranks[r].end) : json()},
                    {"messages", ranks[r].messages},
                    {"bytes", ranks[r].bytes},
                    {"compressed", ranks[r].compressed},
                    {"flits", ranks[r].flits},
                    {"flits_saved", ranks[r].flits_saved}});
  return list;
}

void add_replay_parts(replay_table& t) {
  t.add("busiest_link", "flits",
        "the channel between routers that carried the most flits: its ends `from` and `to`, each a `router` and a "
        "`port`, and the number of `flits`",
        [](const replay_digest& d) {
          return json{{"from", d.link.from_port}, {"to", d.link.to_port}, {"flits", d.link.flits}};
        })
      .in_csv({{"busiest_link", "/flits"}})
      .on_terminal(row_block::Network, "busiest link", [](const replay_digest& d) -> replay_row {
        if (d.link.flits == 0) return std::nullopt;
        return row_text{grouped(d.link.flits), fmt::format("flits, {} -> {}", d.link.from, d.link.to)};
      });
  t.add("flits_saved", "flits",
        "number of flits saved by the compressors: created flits minus flits that left the NICs",
        [](const replay_digest& d) { return d.flits_saved; })
      .in_csv("flits_saved");
  t.add("compressed_messages", "messages", "number of messages with at least one packet that left the NIC compressed",
        [](const replay_digest& d) { return d.compressed; })
      .in_csv("compressed_messages")
      .on_terminal(row_block::Traffic, "compressed", [](const replay_digest& d) -> replay_row {
        if (!d.summary.config.nic.compression.enabled()) return std::nullopt;
        return row_text{grouped(d.compressed), fmt::format("messages, {} flits saved", grouped(d.flits_saved))};
      });
  t.add("ranks", "",
        "for each rank: its `node`; the cycles that it spent computing (`computing`), waiting for messages "
        "(`receiving`) and waiting until its messages were sent (`sending`); the cycle in which it ended (`end`); the "
        "number of `messages` and `bytes` that it sent, including collectives; how many of these messages left the NIC "
        "`compressed`; the number of `flits` of all its packets before compression, including requests and answers; "
        "and how many of these flits compression saved (`flits_saved`). If a rank did not complete its last call "
        "within `cycles`, its `end` is null and its other members cover the time until then",
        ranks_json);
  t.add("channels", "",
        "for each connected output port, including ejection ports: the same members as in `channels` of a run, with "
        "the `utilisation` over `cycles`",
        [](const replay_digest& d) {
          return channels_json(d.summary.work.graph(), d.summary.result.counts, d.summary.result.cycles);
        });
  t.add("cycles", "cycles",
        "number of cycles that the metrics cover: the makespan or, if it is null, the time until all ranks had stopped",
        [](const replay_digest& d) { return d.summary.result.cycles; })
      .in_csv("cycles")
      .on_terminal(row_block::Time, "cycles", [](const replay_digest& d) -> replay_row {
        if (is_complete(d)) return std::nullopt;
        return row_text{grouped(d.summary.result.cycles), "cycles until all had stopped"};
      });
}

/// The energy of a replay; nothing if output.energy selects no technology.
std::optional<energy_view> energy_of_replay(const replay_digest& d) {
  const replay_result& result = d.summary.result;
  if (!result.energy) return std::nullopt;
  const replay_traffic& traffic = d.summary.work.traffic();
  return energy_view{*result.energy, d.summary.work.graph(), result.counts, static_cast<double>(traffic.flits()),
                     d.summary.config.flit.payload_bits};
}

replay_table make_replay_table() {
  replay_table t;
  add_replay_identity(t);
  add_replay_time(t);
  add_replay_traffic(t);
  add_replay_parts(t);
  add_energy<replay_digest>(t, energy_of_replay);
  return t;
}

}  // namespace

replay_digest::replay_digest(const replay_summary& of)
    : summary(of),
      link(busiest_link(summary.work.graph(), summary.result.counts)),
      ranks(summary.result.how == outcome::Complete ? summary.work.traffic().ranks()
                                                    : summary.work.traffic().ranks_until(summary.result.cycles)) {
  if (summary.result.how == outcome::Complete) path = summary.work.traffic().critical_path();
  for (const channel_count& count : summary.result.counts) flit_hops += count.flits;
  for (const replay_rank_metrics& rank : ranks) {
    compressed += rank.compressed;
    flits_saved += rank.flits_saved;
  }
}

std::vector<std::string> warnings_of(const replay_summary& r) {
  std::vector<std::string> warnings;
  const std::string threads = r.work.program().order_of_threads();
  if (!threads.empty()) warnings.push_back(threads + ", so a thread may wait for another one that it did not wait for");
  if (r.work.traffic().order() == collective_order::Direct)
    warnings.push_back(
        "collectives go directly from rank to rank: by the usual algorithms, calls in the recorded order would wait "
        "for each other forever");
  return warnings;
}

const statistic_table<replay_digest>& replay_statistics() {
  static const replay_table all = make_replay_table();
  return all;
}

const statistic_declarations& replay_declarations() {
  static const statistic_declarations declarations = replay_statistics().declarations();
  return declarations;
}

}  // namespace weft::experiment
