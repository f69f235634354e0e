// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/replay/chakra.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <protozero/exception.hpp>

#include "weft/workload/error.h"
#include "weft/workload/replay/chakra_nodes.h"
#include "weft/workload/replay/collective_steps.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

/// By CollectiveCommType of the form.
constexpr std::array CollectiveFunctions = {
    mpi_function::Allreduce, mpi_function::Reduce,        mpi_function::Allgather,
    mpi_function::Gather,    mpi_function::Scatter,       mpi_function::Bcast,
    mpi_function::Alltoall,  mpi_function::ReduceScatter, mpi_function::ReduceScatterBlock,
    mpi_function::Barrier};

/// Makes messages of the graphs. Each node has one message that is over when the node is: a send itself, of all others
/// one that stays in the rank.
class graph_converter {
 public:
  graph_converter(const std::vector<std::string>& texts, const std::vector<std::string>& names) : m_names(names) {
    m_program.ranks.resize(texts.size());
    for (std::uint32_t rank = 0; rank < texts.size(); ++rank) read_rank(rank, texts[rank]);
  }

  replay_program convert() {
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank)
      for (const chakra_node& n : m_ranks[rank].nodes) make_message(rank, n);
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank)
      for (const chakra_node& n : m_ranks[rank].nodes) make_waits(rank, n);
    match_receives();
    for (auto& [group, by_rank] : m_collectives) carry_out(group, by_rank);
    if (m_program.messages.empty()) throw workload_error(m_names.front() + ": has no nodes");
    if (const std::vector<std::uint32_t> circle = waiting_circle(m_program.messages); !circle.empty())
      wrong(m_program.messages[circle.front()].source,
            fmt::format("node {} waits for itself, over {} others", m_program.messages[circle.front()].id,
                        circle.size() - 1));
    return std::move(m_program);
  }

 private:
  struct rank_graph {
    std::vector<chakra_node> nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> last;  ///< of each node, by id: the message that ends it
  };
  /// Of a receive or a collective that is to be matched.
  struct open_node {
    const chakra_node* node;
    std::uint32_t begin;  ///< message that waits for what the node waits for
    std::uint32_t end;    ///< that ends it
  };
  using channel = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  ///< source, destination, tag
  using rank_nodes = std::map<std::uint32_t, std::vector<open_node>>;

  [[noreturn]] void wrong(std::uint32_t rank, const std::string& what) const {
    throw workload_error(m_names[rank] + ": " + what);
  }

  void read_rank(std::uint32_t rank, const std::string& text) {
    try {
      m_ranks.push_back({read_chakra_nodes(text), {}});
    } catch (const protozero::exception& e) {
      wrong(rank, fmt::format("is no Chakra trace, or damaged: {}", e.what()));
    }
  }

  std::uint32_t add(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, const chakra_node& of) {
    listed_message m;
    m.id = of.id;
    m.source = from;
    m.destination = to;
    m.bytes = bytes;
    m.stays = from == to;
    m.waits_first = true;
    m_program.messages.push_back(m);
    return static_cast<std::uint32_t>(m_program.messages.size() - 1);
  }

  std::uint32_t peer_of(std::uint32_t rank, const chakra_node& n, const std::optional<std::uint64_t>& peer,
                        const char* name) const {
    if (!peer || *peer >= m_ranks.size())
      wrong(rank, fmt::format("node {} has {} {}; expected a rank from 0 to {}", n.id, name,
                              peer ? std::to_string(*peer) : "missing", m_ranks.size() - 1));
    return static_cast<std::uint32_t>(*peer);
  }

  std::uint64_t bytes_of(std::uint32_t rank, const chakra_node& n) const {
    constexpr std::uint64_t MostBytes = std::uint64_t{1} << 40;
    if (!n.bytes || *n.bytes > MostBytes)
      wrong(rank, fmt::format("node {} has comm_size {}; expected 0 to 2^40 bytes", n.id,
                              n.bytes ? std::to_string(*n.bytes) : "missing"));
    return *n.bytes;
  }

  void make_message(std::uint32_t rank, const chakra_node& n) {
    rank_graph& graph = m_ranks[rank];
    std::uint32_t last = 0;
    if (n.is(chakra_node_type::Send)) {
      const std::uint32_t to = peer_of(rank, n, n.destination, "comm_dst");
      last = add(rank, to, bytes_of(rank, n), n);
      m_sends[{rank, to, n.tag.value_or(0)}].push_back(last);
    } else {
      last = add(rank, rank, 0, n);
      if (n.is(chakra_node_type::Receive)) {
        m_receives[{peer_of(rank, n, n.source, "comm_src"), rank, n.tag.value_or(0)}].push_back({&n, last, last});
      } else if (n.is(chakra_node_type::Collective)) {
        m_collectives[n.group][rank].push_back({&n, last, 0});
        last = add(rank, rank, 0, n);
        m_collectives[n.group][rank].back().end = last;
      } else {
        constexpr std::uint64_t NanosecondsInMicrosecond = 1000, Longest = 1'000'000'000'000;
        const std::uint64_t takes = n.microseconds > 0 ? n.microseconds : n.runtime.value_or(0);
        if (takes > Longest)
          wrong(rank, fmt::format("node {} takes {} microseconds; expected 0 to {}", n.id, takes, Longest));
        m_program.messages[last].computing = NanosecondsInMicrosecond * takes;
      }
    }
    if (!graph.last.emplace(n.id, last).second) wrong(rank, fmt::format("node {} is there twice", n.id));
  }

  /// What a node waits for, its first message waits for.
  void make_waits(std::uint32_t rank, const chakra_node& n) {
    const rank_graph& graph = m_ranks[rank];
    const std::uint32_t own = graph.last.at(n.id);
    std::vector<std::uint32_t>& after = m_program.messages[n.is(chakra_node_type::Collective) ? own - 1 : own].after;
    for (const std::uint64_t id : n.after) {
      const auto found = graph.last.find(id);
      if (found == graph.last.end())
        wrong(rank, fmt::format("node {} waits for node {}, which is not there", n.id, id));
      after.push_back(found->second);
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
  }

  void match_receives() {
    for (const auto& [where, receives] : m_receives) m_sends[where];  // so that each has its sends, none too
    for (const auto& [where, sends] : m_sends) {
      const auto& [from, to, tag] = where;
      const std::vector<open_node>& receives = m_receives[where];
      if (sends.size() != receives.size())
        wrong(from, fmt::format("sends to rank {} with tag {}: {}, but receives of them: {}", to, tag, sends.size(),
                                receives.size()));
      for (std::size_t i = 0; i < sends.size(); ++i) m_program.messages[receives[i].end].after.push_back(sends[i]);
    }
  }

  /// The collectives of one group: the first of each rank together, then the second…
  void carry_out(const std::string& group, const rank_nodes& by_rank) {
    std::vector<std::uint32_t> members;
    if (group.empty()) {
      members.resize(m_ranks.size());
      std::iota(members.begin(), members.end(), 0U);
    } else {
      for (const auto& [rank, nodes] : by_rank) members.push_back(rank);
    }
    const std::vector<open_node>& of_first = by_rank.begin()->second;
    for (const std::uint32_t rank : members) {
      const auto found = by_rank.find(rank);
      const std::size_t has = found == by_rank.end() ? 0 : found->second.size();
      if (has != of_first.size())
        wrong(rank, fmt::format("collectives of {}: {}, but of rank {}: {}",
                                group.empty() ? "all ranks" : "group '" + group + "'", has, by_rank.begin()->first,
                                of_first.size()));
    }
    for (std::size_t i = 0; i < of_first.size(); ++i) {
      std::vector<open_node> together;
      for (const std::uint32_t rank : members) together.push_back(by_rank.at(rank)[i]);
      carry_out(members, together);
    }
  }

  void carry_out(const std::vector<std::uint32_t>& members, const std::vector<open_node>& together) {
    const chakra_node& first = *together.front().node;
    std::vector<std::vector<collective_step>> steps;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const chakra_node& n = *together[i].node;
      if (n.operation != first.operation || n.root != first.root)
        wrong(members[i], fmt::format("node {} is a collective with another comm_type or root than node {} of rank {}",
                                      n.id, first.id, members.front()));
      steps.push_back(steps_in(members, members[i], n));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sent;  // by source and destination
    std::vector<std::vector<std::uint32_t>> own(members.size());                         // sends of each, in order
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const collective_step& s : steps[i])
        if (s.what == collective_step::kind::Send) {
          own[i].push_back(add(members[i], s.peer, s.bytes, *together[i].node));
          sent[{members[i], s.peer}].push_back(own[i].back());
        }
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::map<std::uint32_t, std::size_t> received;  // so far, by source
      std::size_t sends = 0;
      std::vector<std::uint32_t> before{together[i].begin}, now;
      for (const collective_step& s : steps[i]) {
        if (s.what == collective_step::kind::Send) {
          now.push_back(own[i][sends++]);
          m_program.messages[now.back()].after = before;
        } else if (s.what == collective_step::kind::Receive) {
          now.push_back(sent.at({s.peer, members[i]}).at(received[s.peer]++));
        } else if (!now.empty()) {
          before = std::exchange(now, {});
        }
      }
      m_program.messages[together[i].end].after = now.empty() ? before : now;
    }
  }

  /// What \p rank does in a collective of \p members: what a call of MPI would.
  std::vector<collective_step> steps_in(const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                        const chakra_node& n) const {
    if (!n.operation || *n.operation >= CollectiveFunctions.size())
      wrong(rank, fmt::format("node {} has comm_type {}; expected 0 to {}", n.id,
                              n.operation ? std::to_string(*n.operation) : "missing", CollectiveFunctions.size() - 1));
    replay_call call;
    call.function = CollectiveFunctions[*n.operation];
    const bool is_barrier = call.function == mpi_function::Barrier;
    const bool in_parts = call.function == mpi_function::Scatter || call.function == mpi_function::Alltoall;
    replay_collective more;
    more.send_bytes = is_barrier ? 0 : bytes_of(rank, n) / (in_parts ? members.size() : 1);
    more.receive_bytes = more.send_bytes;
    if (n.root) {
      if (std::find(members.begin(), members.end(), *n.root) == members.end())
        wrong(rank, fmt::format("node {} has root {}, which takes no part", n.id, *n.root));
      more.root = static_cast<std::int64_t>(*n.root);
    }
    return steps_of(call, more, members, rank);
  }

  const std::vector<std::string>& m_names;
  std::vector<rank_graph> m_ranks;
  replay_program m_program;
  std::map<channel, std::vector<std::uint32_t>> m_sends;
  std::map<channel, std::vector<open_node>> m_receives;
  std::map<std::string, rank_nodes> m_collectives;  ///< by group
};

constexpr std::string_view Ending = ".et";

/// NAME of NAME.RANK.et; none if there is no such RANK.
std::optional<std::string> name_of_trace(const std::filesystem::path& file) {
  const std::filesystem::path stem = file.stem();
  const std::string rank = stem.extension().string();
  if (rank.size() < 2 || rank.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
  return stem.stem().string();
}

}  // namespace

bool is_chakra(const std::filesystem::path& file) { return file.extension() == Ending; }

replay_program parse_chakra(const std::vector<std::string>& ranks, const std::vector<std::string>& names) {
  return graph_converter(ranks, names).convert();
}

std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& file) {
  const std::optional<std::string> name = name_of_trace(file);
  if (!name) throw workload_error(file.string() + ": expected a file of a Chakra trace to be named NAME.RANK.et");
  const auto of_rank = [&](std::size_t rank) {
    return file.parent_path() / fmt::format("{}.{}{}", *name, rank, Ending);
  };
  std::vector<std::filesystem::path> files;
  while (std::filesystem::exists(of_rank(files.size()))) files.push_back(of_rank(files.size()));
  if (std::find(files.begin(), files.end(), file) == files.end())
    throw workload_error(fmt::format("{}: the trace has no file of rank {}: expected {} there", file.string(),
                                     files.size(), of_rank(files.size()).filename().string()));
  return files;
}

replay_program read_chakra(const std::filesystem::path& file) {
  std::vector<std::string> texts, names;
  for (const std::filesystem::path& one : chakra_files(file)) {
    names.push_back(one.string());
    texts.push_back(read_file(one));
  }
  replay_program program = parse_chakra(texts, names);
  program.name = *name_of_trace(file);
  return program;
}

}  // namespace weft
