// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/chakra_file.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft::schedule {
namespace {

using nlohmann::json;

constexpr int SendNode = 5, ReceiveNode = 6;  // Chakra's NodeType

/// The trace of one node under construction.
struct trace {
  json nodes = json::array();
  std::map<chunk_id, std::vector<std::size_t>> brought_by;  // receives of each chunk
  std::map<node_id, std::size_t> last_to;                   // last send to each neighbor

  std::size_t add(int type, const chunk_send& send, std::size_t step, std::size_t tag, std::uint64_t bytes,
                  const std::vector<std::size_t>& waits_for) {
    const std::size_t id = nodes.size();
    nodes.push_back(
        {{"Id", id},
         {"Name", fmt::format("{} chunk {} step {}", type == SendNode ? "send" : "receive", send.chunk, step + 1)},
         {"NodeType", type},
         {"is_cpu_op", false},
         {"runtime", 0},
         {"data_deps", waits_for},
         {"tensor_size", bytes},
         {"comm_type", 0},
         {"comm_priority", 0},
         {"comm_size", bytes},
         {"comm_src", send.from},
         {"comm_dst", send.to},
         {"comm_tag", tag}});
    return id;
  }
};

}  // namespace

std::vector<std::string> chakra_traces(const forwarding_problem& p, const forwarding_algorithm& a,
                                       std::uint64_t bytes) {
  std::vector<trace> traces(p.graph.nodes);
  std::size_t tag = 0;
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    std::vector<std::pair<const chunk_send*, std::size_t>> sent;
    for (const chunk_send& send : a.steps[s].sends) {
      trace& t = traces[send.from];
      std::vector<std::size_t> waits_for = t.brought_by[send.chunk];
      const auto before = t.last_to.find(send.to);
      if (before != t.last_to.end()) waits_for.push_back(before->second);
      t.last_to[send.to] = t.add(SendNode, send, s, tag, bytes, waits_for);
      sent.emplace_back(&send, tag++);
    }
    for (const auto& [send, its_tag] : sent) {
      trace& t = traces[send->to];
      t.brought_by[send->chunk].push_back(t.add(ReceiveNode, *send, s, its_tag, bytes, {}));
    }
  }
  std::vector<std::string> texts;
  for (const trace& t : traces) texts.push_back(json{{"workload_graph", t.nodes}}.dump() + "\n");
  return texts;
}

}  // namespace weft::schedule
