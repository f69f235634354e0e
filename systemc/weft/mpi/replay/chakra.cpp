// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/chakra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/mpi/replay/chakra_nodes.h"
#include "weft/mpi/replay/collective_actions.h"
#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

/// The MPI functions for the values of CollectiveCommType in the format.
constexpr std::array CollectiveFunctions = {
    mpi_function::Allreduce, mpi_function::Reduce,        mpi_function::Allgather,
    mpi_function::Gather,    mpi_function::Scatter,       mpi_function::Bcast,
    mpi_function::Alltoall,  mpi_function::ReduceScatter, mpi_function::ReduceScatterBlock,
    mpi_function::Barrier};

std::int64_t number_of(mpi_function f) {
  return std::find(CollectiveFunctions.begin(), CollectiveFunctions.end(), f) - CollectiveFunctions.begin();
}

/// Converts the graphs of all ranks to messages. Each node ends with one message: a send ends with the message itself,
/// any other node with a local message.
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
    if (m_program.messages.empty())
      throw workload_error(m_names.front() + ": the trace has no nodes; expected at least one");
    if (const std::vector<std::uint32_t> circle = waiting_circle(m_program.messages); !circle.empty())
      wrong(m_program.messages[circle.front()].source,
            fmt::format("node {} waits for itself; its cycle contains {}", m_program.messages[circle.front()].id,
                        weft::number_of(circle.size() - 1, "other node")));
    m_left_out.warn_all();
    return std::move(m_program);
  }

 private:
  struct rank_graph {
    std::vector<chakra_node> nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> last;  ///< for each node id, the message that ends the node
  };
  /// A send, receive or collective that is not matched yet.
  struct open_node {
    const chakra_node* node;
    std::uint32_t begin;  ///< the message that waits for the dependencies of the node
    std::uint32_t end;    ///< message that ends the node
  };
  using channel = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  ///< source, destination, tag
  using rank_nodes = std::map<std::uint32_t, std::vector<open_node>>;

  [[noreturn]] void wrong(std::uint32_t rank, const std::string& what) const {
    throw workload_error(m_names[rank] + ": " + what);
  }

  void leave_out(std::uint32_t rank, const chakra_node& n, const std::string& what) {
    m_left_out.add(what, fmt::format("{}: byte {}", m_names[rank], n.byte));
  }

  void read_rank(std::uint32_t rank, const std::string& text) {
    m_ranks.push_back({read_chakra_nodes(text, m_names[rank], m_left_out), {}});
  }

  std::uint32_t add(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, const chakra_node& of) {
    if (bytes > MostListedBytes)
      wrong(from,
            fmt::format("node {} has a message of {} bytes; expected at most 2^30; divide the message", of.id, bytes));
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

  static std::string text_of(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "missing";
  }

  std::uint32_t peer_of(std::uint32_t rank, const chakra_node& n, const std::optional<std::int64_t>& peer,
                        const char* name) const {
    if (!peer || *peer < 0 || static_cast<std::uint64_t>(*peer) >= m_ranks.size())
      wrong(rank, fmt::format("node {} has {} {}; expected a rank from 0 to {}", n.id, name, text_of(peer),
                              m_ranks.size() - 1));
    return static_cast<std::uint32_t>(*peer);
  }

  /// Checks that a send or receive names its own rank as its own end, if it names one.
  void expect_own(std::uint32_t rank, const chakra_node& n, const std::optional<std::int64_t>& end,
                  const char* name) const {
    if (end && *end != rank)
      wrong(rank, fmt::format("node {} has {} {}; expected {}, the rank in the file's name; rename the file", n.id,
                              name, *end, rank));
  }

  std::uint64_t bytes_of(std::uint32_t rank, const chakra_node& n) const {
    constexpr std::int64_t MostBytes = std::int64_t{1} << 40;
    if (!n.bytes || *n.bytes < 0 || *n.bytes > MostBytes)
      wrong(rank, fmt::format("node {} has comm_size {}; expected 0 to 2^40 bytes", n.id, text_of(n.bytes)));
    return static_cast<std::uint64_t>(*n.bytes);
  }

  void make_message(std::uint32_t rank, const chakra_node& n) {
    rank_graph& graph = m_ranks[rank];
    std::uint32_t last = 0;
    if (n.is(chakra_node_type::Send)) {
      const std::uint32_t to = peer_of(rank, n, n.destination, "comm_dst");
      expect_own(rank, n, n.source, "comm_src");
      last = add(rank, to, bytes_of(rank, n), n);
      m_sends[{rank, to, n.tag.value_or(0)}].push_back({&n, last, last});
    } else {
      last = add(rank, rank, 0, n);
      if (n.is(chakra_node_type::Receive)) {
        expect_own(rank, n, n.destination, "comm_dst");
        m_receives[{peer_of(rank, n, n.source, "comm_src"), rank, n.tag.value_or(0)}].push_back({&n, last, last});
      } else if (n.is(chakra_node_type::Collective)) {
        m_collectives[n.group][rank].push_back({&n, last, 0});
        last = add(rank, rank, 0, n);
        m_collectives[n.group][rank].back().end = last;
      } else {
        m_program.messages[last].computing = computing_of(rank, n);
      }
    }
    if (!graph.last.emplace(n.id, last).second)
      wrong(rank, fmt::format("node {} occurs twice, the second time at byte {}; expected each id once", n.id, n.byte));
  }

  /// Returns the computation time of a node in nanoseconds.
  std::uint64_t computing_of(std::uint32_t rank, const chakra_node& n) {
    if (n.is(chakra_node_type::Invalid)) {
      leave_out(rank, n, "a node of type 0 (INVALID_NODE) is skipped: it takes no time");
      return 0;
    }
    constexpr std::int32_t LastType = 10;  // later node types (storage, batches, checkpoints) take time as well
    if (n.type < 1 || n.type > LastType)
      wrong(rank,
            fmt::format("node {}, at byte {}, has the type {}; expected 1 to {}", n.id, n.byte, n.type, LastType));
    constexpr double NanosecondsInMicrosecond = 1000, Longest = 1e12;
    if (n.microseconds == 0 && !n.runtime && n.counts_operations)
      leave_out(rank, n, "a node gives num_ops but neither duration_micros nor runtime, and takes no time");
    if (n.microseconds > 0 && n.runtime && std::abs(*n.runtime - static_cast<double>(n.microseconds)) >= 1)
      leave_out(rank, n, "a node gives duration_micros and another runtime, which is not read");
    const double takes = n.microseconds > 0 ? static_cast<double>(n.microseconds) : n.runtime.value_or(0);
    if (!(takes >= 0 && takes <= Longest))
      wrong(rank, fmt::format("node {} takes {} microseconds; expected 0 to {}", n.id, takes, Longest));
    return static_cast<std::uint64_t>(std::llround(NanosecondsInMicrosecond * takes));
  }

  /// Makes the first message of a node wait for the dependencies of the node.
  void make_waits(std::uint32_t rank, const chakra_node& n) {
    const rank_graph& graph = m_ranks[rank];
    const std::uint32_t own = graph.last.at(n.id);
    std::vector<std::uint32_t>& after = m_program.messages[n.is(chakra_node_type::Collective) ? own - 1 : own].after;
    for (const std::uint64_t id : n.after) {
      const auto found = graph.last.find(id);
      if (found == graph.last.end())
        wrong(rank, fmt::format("node {} waits for node {}, which does not exist", n.id, id));
      after.push_back(found->second);
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
  }

  void match_receives() {
    for (const auto& [where, receives] : m_receives) m_sends[where];  // ensures an entry for each, even without sends
    for (const auto& [where, sends] : m_sends) {
      const std::vector<open_node>& receives = m_receives[where];
      if (sends.size() != receives.size()) no_partner(where, sends, receives);
      for (std::size_t i = 0; i < sends.size(); ++i) {
        const chakra_node &from = *sends[i].node, &to = *receives[i].node;
        const auto& [source, destination, tag] = where;
        if (to.bytes && to.bytes != from.bytes)
          wrong(destination, fmt::format("node {} of rank {} receives {} bytes, but node {} of rank {} sends {} to it; "
                                         "expected the same comm_size",
                                         to.id, destination, *to.bytes, from.id, source, *from.bytes));
        m_program.messages[receives[i].end].after.push_back(sends[i].end);
      }
    }
  }

  [[noreturn]] void no_partner(const channel& where, const std::vector<open_node>& sends,
                               const std::vector<open_node>& receives) const {
    const auto& [source, destination, tag] = where;
    const bool sent = sends.size() > receives.size();
    const std::uint32_t rank = sent ? source : destination, other = sent ? destination : source;
    const chakra_node& alone = *(sent ? sends[receives.size()] : receives[sends.size()]).node;
    wrong(rank, fmt::format("node {} {} rank {} with tag {}, but no node of {} {} it; there are {} such sends "
                            "and {} such receives, expected equal numbers",
                            alone.id, sent ? "sends to" : "receives from", other, tag, m_names[other],
                            sent ? "receives" : "sends", sends.size(), receives.size()));
  }

  /// Converts the collectives of one group. It matches the first collective of each rank, then the second, and so on.
  void carry_out(const std::string& group, const rank_nodes& by_rank) {
    std::vector<std::uint32_t> members;
    if (group.empty()) {
      members.resize(m_ranks.size());
      std::iota(members.begin(), members.end(), 0U);
    } else {
      for (const auto& [rank, nodes] : by_rank) members.push_back(rank);
    }
    const auto& [first, of_first] = *by_rank.begin();
    for (const std::uint32_t rank : members) {
      const auto found = by_rank.find(rank);
      const std::size_t has = found == by_rank.end() ? 0 : found->second.size();
      if (has == of_first.size()) continue;
      const bool lacks = has < of_first.size();
      wrong(rank, fmt::format("{1} collectives of {0} here, but {3} at rank {2}; node {4} of rank {5} has no partner",
                              group.empty() ? "all ranks" : "group " + in_quotes(group), has, first, of_first.size(),
                              (lacks ? of_first[has] : found->second[of_first.size()]).node->id, lacks ? first : rank));
    }
    for (std::size_t i = 0; i < of_first.size(); ++i) {
      std::vector<open_node> together;
      for (const std::uint32_t rank : members) together.push_back(by_rank.at(rank)[i]);
      carry_out(members, together);
    }
  }

  void carry_out(const std::vector<std::uint32_t>& members, const std::vector<open_node>& together) {
    const chakra_node& first = *together.front().node;
    std::vector<std::vector<collective_action>> actions;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const chakra_node& n = *together[i].node;
      expect_same(members[i], n, members.front(), first);
      actions.push_back(actions_in(members, members[i], n));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sent;  // by source and destination
    std::vector<std::vector<std::uint32_t>> own(members.size());                         // by member: sends, in order
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const collective_action& s : actions[i])
        if (s.what == collective_action::kind::Send) {
          own[i].push_back(add(members[i], s.peer, s.bytes, *together[i].node));
          sent[{members[i], s.peer}].push_back(own[i].back());
        }
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::map<std::uint32_t, std::size_t> received;  // number received so far, by source
      std::size_t sends = 0;
      std::vector<std::uint32_t> before{together[i].begin}, now;
      for (const collective_action& s : actions[i]) {
        if (s.what == collective_action::kind::Send) {
          now.push_back(own[i][sends++]);
          m_program.messages[now.back()].after = before;
        } else if (s.what == collective_action::kind::Receive) {
          now.push_back(sent.at({s.peer, members[i]}).at(received[s.peer]++));
        } else if (!now.empty()) {
          before = std::exchange(now, {});
        }
      }
      m_program.messages[together[i].end].after = now.empty() ? before : now;
    }
  }

  /// Checks that all nodes of a collective agree. In a barrier, sizes are ignored. In an all-to-all, each rank
  /// contributes its own size, as in MPI_Alltoallv.
  void expect_same(std::uint32_t rank, const chakra_node& n, std::uint32_t first_rank, const chakra_node& first) const {
    const auto expect = [&](const char* name, const std::optional<std::int64_t>& is,
                            const std::optional<std::int64_t>& should) {
      if (is != should)
        wrong(rank, fmt::format("node {} of rank {} has {} {}, but node {} of rank {}, in the same collective, {}; "
                                "expected the same in all ranks",
                                n.id, rank, name, text_of(is), first.id, first_rank, text_of(should)));
    };
    expect("comm_type", n.operation, first.operation);
    expect("root", n.root, first.root);
    if (n.operation != number_of(mpi_function::Alltoall) && n.operation != number_of(mpi_function::Barrier))
      expect("comm_size", n.bytes, first.bytes);
  }

  /// Returns the actions of \p rank in a collective of \p members, like the actions of an MPI call.
  std::vector<collective_action> actions_in(const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                            const chakra_node& n) const {
    if (!n.operation || *n.operation < 0 || *n.operation >= static_cast<std::int64_t>(CollectiveFunctions.size()))
      wrong(rank, fmt::format("node {} has comm_type {}; expected 0 to {}", n.id, text_of(n.operation),
                              CollectiveFunctions.size() - 1));
    replay_call call;
    call.function = CollectiveFunctions[static_cast<std::size_t>(*n.operation)];
    const bool is_barrier = call.function == mpi_function::Barrier;
    replay_collective more;
    more.send_bytes = more.receive_bytes = is_barrier ? 0 : bytes_of(rank, n);
    if (call.function == mpi_function::Scatter || call.function == mpi_function::Alltoall)
      more.sends = parts_of(more.send_bytes, members.size());
    if (call.function == mpi_function::ReduceScatter || call.function == mpi_function::ReduceScatterBlock)
      more.receives = parts_of(more.send_bytes, members.size());
    if (n.root) {
      if (std::find(members.begin(), members.end(), *n.root) == members.end())
        wrong(rank,
              fmt::format("node {} has root {}; expected a rank that takes part in the collective", n.id, *n.root));
      more.root = *n.root;
    }
    return actions_of(call, more, members, rank, collective_order::Usual);
  }

  /// Divides bytes into parts. If they do not divide evenly, the first parts have one byte more.
  static std::vector<std::uint64_t> parts_of(std::uint64_t bytes, std::size_t count) {
    std::vector<std::uint64_t> parts(count, bytes / count);
    for (std::size_t i = 0; i < bytes % count; ++i) ++parts[i];
    return parts;
  }

  const std::vector<std::string>& m_names;
  omissions m_left_out;
  std::vector<rank_graph> m_ranks;
  replay_program m_program;
  std::map<channel, std::vector<open_node>> m_sends, m_receives;
  std::map<std::string, rank_nodes> m_collectives;  ///< by group
};

}  // namespace

replay_program parse_chakra(const std::vector<std::string>& ranks, const std::vector<std::string>& names) {
  return graph_converter(ranks, names).convert();
}

replay_program read_chakra(const std::filesystem::path& file) {
  std::vector<std::string> texts, names;
  for (const std::filesystem::path& one : chakra_files(file)) {
    names.push_back(one.string());
    texts.push_back(read_file(one));
  }
  replay_program program = parse_chakra(texts, names);
  program.name = file.stem().stem().string();
  return program;
}

}  // namespace weft
