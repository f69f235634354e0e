// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/application_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/workload/error.h"
#include "weft/workload/rates.h"
#include "weft/workload/text_lines.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

class graph_reader {
 public:
  graph_reader(std::string_view text, const std::string& name, std::uint32_t nodes)
      : m_lines(text, name, "lines 'source destination rate' with names of tasks, and lines 'task node'"),
        m_name(name),
        m_nodes(nodes) {}

  application_graph read() {
    std::string_view line;
    while (m_lines.next(line)) {
      std::vector<std::string_view> tokens;
      for (auto token = take_token(line); !token.empty(); token = take_token(line)) tokens.push_back(token);
      if (!tokens.empty() && read_line(tokens)) m_lines.accept();
    }
    m_lines.throw_if_any();
    if (m_graph.edges.empty())
      throw workload_error(fmt::format("{}: the graph has no edge with a rate above 0; expected at least one", m_name));
    if (m_graph.tasks.size() > m_nodes)
      throw workload_error(fmt::format("{}: the graph has {} tasks, but the network has {} nodes; use a larger network",
                                       m_name, m_graph.tasks.size(), m_nodes));
    set_places();
    return std::move(m_graph);
  }

 private:
  /// A line `task node`, until all tasks are known.
  struct placement {
    std::string task;
    node_id node = 0;
    std::size_t line = 0;
  };

  bool read_line(const std::vector<std::string_view>& tokens) {
    if (tokens.size() == 2) return read_place(tokens[0], tokens[1]);
    if (tokens.size() == 3) return read_edge(tokens[0], tokens[1], tokens[2]);
    return wrong(
        fmt::format("expected 'source destination rate' or 'task node' with blanks between them, found {} column{}",
                    tokens.size(), tokens.size() == 1 ? "" : "s"));
  }

  bool read_place(std::string_view task, std::string_view text) {
    const std::optional<std::uint64_t> node = number_in<std::uint64_t>(text);
    if (!node || *node >= m_nodes)
      return wrong(fmt::format("column 2 (node): expected a node from 0 to {}, found {}{}", m_nodes - 1,
                               in_quotes(std::string(text)), node ? "" : "; a line with two tasks also has a rate"));
    m_placements.push_back({std::string(task), static_cast<node_id>(*node), m_lines.line()});
    return true;
  }

  bool read_edge(std::string_view from, std::string_view to, std::string_view text) {
    if (from == to)
      return wrong(fmt::format("task {} sends to itself; leave the line out", in_quotes(std::string(to))));
    const std::optional<double> rate = rate_in(text);
    if (!rate) return wrong(fmt::format("column 3 (rate): {}", expected_rate(text)));
    const application_graph::edge edge{task_called(from), task_called(to), *rate};
    const auto [earlier, is_new] = m_lines_of.emplace(std::pair(edge.from, edge.to), m_lines.line());
    if (!is_new)
      return wrong(fmt::format("task {} already has a rate to task {}, in line {}; give each pair one rate",
                               in_quotes(std::string(from)), in_quotes(std::string(to)), earlier->second));
    if (edge.rate > 0) m_graph.edges.push_back(edge);
    return true;
  }

  std::uint32_t task_called(std::string_view name) {
    const auto [task, is_new] = m_tasks.emplace(std::string(name), static_cast<std::uint32_t>(m_graph.tasks.size()));
    if (is_new) m_graph.tasks.emplace_back(name);
    return task->second;
  }

  void set_places() {
    m_graph.places.resize(m_graph.tasks.size());
    std::map<node_id, std::string> on;  // the task on each node
    for (const placement& p : m_placements) {
      const auto task = m_tasks.find(p.task);
      const auto reject = [&](const std::string& message) { m_lines.wrong_at(p.line, message); };
      if (task == m_tasks.end()) {
        reject(fmt::format("task {} sends and receives nothing; give it an edge or leave the line out",
                           in_quotes(p.task)));
        continue;
      }
      std::optional<node_id>& place = m_graph.places[task->second];
      if (place)
        reject(fmt::format("task {} is already on node {}; place each task once", in_quotes(p.task), *place));
      else if (const auto other = on.find(p.node); other != on.end())
        reject(fmt::format("node {} already has the task {}; a node has one task", p.node, in_quotes(other->second)));
      place = p.node;
      on.emplace(p.node, p.task);
    }
    m_lines.throw_if_any();
  }

  bool wrong(const std::string& message) {
    m_lines.wrong(message);
    return false;
  }

  text_lines m_lines;
  std::string m_name;
  std::uint32_t m_nodes;
  application_graph m_graph;
  std::map<std::string, std::uint32_t> m_tasks;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_lines_of;  ///< the line of each edge
  std::vector<placement> m_placements;
};

}  // namespace

application_graph read_application_graph(const std::filesystem::path& file, std::uint32_t nodes) {
  const std::string text = read_file(file);
  return graph_reader(text, file.string(), nodes).read();
}

}  // namespace weft
