// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/collective_plans.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"

namespace weft {

namespace {

constexpr std::uint32_t NoRank = ~std::uint32_t{0};

std::optional<collective_algorithm> algorithm_named(const std::string& name) {
  if (name == "usual") return std::nullopt;
  const auto at = std::find(CollectiveAlgorithmNames.begin(), CollectiveAlgorithmNames.end(), name);
  if (at == CollectiveAlgorithmNames.end())
    throw std::invalid_argument(
        fmt::format("expected 'usual' or an algorithm of `weft collective`, got {}; choose one of {}", in_quotes(name),
                    fmt::join(CollectiveAlgorithmNames, ", ")));
  return static_cast<collective_algorithm>(at - CollectiveAlgorithmNames.begin());
}

collective_operation operation_of_kind(replayed_collective what) {
  using kind = replayed_collective;
  switch (what) {
    case kind::Gather:
      return collective_operation::Gather;
    case kind::Scatter:
    case kind::AllToAll:
      return collective_operation::Scatter;
    case kind::Reduce:
      return collective_operation::Reduce;
    case kind::AllReduce:
      return collective_operation::AllReduce;
    case kind::Broadcast:
    case kind::AllGather:
      break;
  }
  return collective_operation::Broadcast;
}

bool is_personal(replayed_collective what) {
  return what == replayed_collective::Scatter || what == replayed_collective::AllToAll;
}

/// Returns the receiver of each datum of a scatter.
std::vector<std::uint32_t> receivers_of(const collective& made, const std::vector<std::uint32_t>& rank_at) {
  std::vector<std::uint32_t> list(made.data.size(), NoRank);
  for (const collective_goal& goal : made.goals)
    for (const datum_id d : goal.data) list[d] = rank_at[goal.node];
  return list;
}

}  // namespace

std::vector<collective_choice> parse_choices(const std::string& text) {
  std::vector<collective_choice> list;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::istringstream words(part);
    std::string name, from, size, more;
    words >> name >> from >> size >> more;
    const std::optional<std::uint64_t> bytes = from.empty() ? 0 : parse_number<std::uint64_t>(size);
    const bool in_order = list.empty() ? bytes == 0 : bytes && *bytes > list.back().from;
    if (name.empty() || !more.empty() || !bytes || (!from.empty() && from != "from") || !in_order)
      throw std::invalid_argument(
          fmt::format("expected an algorithm, and optionally others for greater sizes, as in `recursive_doubling, ring "
                      "from 4096`, got {}",
                      in_quotes(text)));
    list.push_back({*bytes, algorithm_named(name)});
  }
  if (list.empty()) throw std::invalid_argument("expected 'usual' or an algorithm of `weft collective`, got ''");
  return list;
}

std::optional<replayed_collective> collective_of(mpi_function f) {
  using kind = replayed_collective;
  switch (f) {
    case mpi_function::Bcast:
      return kind::Broadcast;
    case mpi_function::Gather:
    case mpi_function::Gatherv:
      return kind::Gather;
    case mpi_function::Scatter:
    case mpi_function::Scatterv:
      return kind::Scatter;
    case mpi_function::Allgather:
    case mpi_function::Allgatherv:
      return kind::AllGather;
    case mpi_function::Alltoall:
    case mpi_function::Alltoallv:
    case mpi_function::Alltoallw:
      return kind::AllToAll;
    case mpi_function::Reduce:
      return kind::Reduce;
    case mpi_function::Allreduce:
      return kind::AllReduce;
    default:
      return std::nullopt;
  }
}

datum_place datum_of(const replay_call& call, const replay_collective& more, std::size_t receiver) {
  if (!is_personal(collective_of(call.function).value_or(replayed_collective::Broadcast))) return {0, more.send_bytes};
  if (more.sends.empty()) return {more.send_bytes * receiver, more.send_bytes};
  if (receiver >= more.sends.size()) return {};
  const auto own = more.sends.begin() + static_cast<std::ptrdiff_t>(receiver);
  return {std::accumulate(more.sends.begin(), own, std::uint64_t{0}), *own};
}

struct collective_plans::plan {
  std::vector<std::unique_ptr<planned_message>> messages;
  std::map<std::uint32_t, std::vector<collective_action>> actions;  ///< by rank
};

collective_plans::collective_plans(const replay_program& program, const replay_parameters& parameters,
                                   collective_network network, std::vector<node_id> nodes,
                                   const replayed_schedule* scheduled)
    : m_program(program),
      m_group(parameters.group),
      m_network(std::move(network)),
      m_nodes(std::move(nodes)),
      m_scheduled(scheduled),
      m_calls(program.ranks.size()) {
  for (const std::string& text : parameters.collectives) m_choices.push_back(parse_choices(text));
  for (std::size_t rank = 0; rank < program.ranks.size(); ++rank)
    for (const replay_call& call : program.ranks[rank].calls)
      if (call.kind == call_kind::Collective) m_calls[rank][call.communicator].push_back(&call);
  for (std::uint32_t rank = 0; rank < m_calls.size(); ++rank)
    for (const auto& [communicator, calls] : m_calls[rank])
      for (std::uint32_t number = 1; number <= calls.size(); ++number)
        if (const auto key = key_of(rank, communicator, number); key && m_plans.count(*key) == 0)
          m_plans.emplace(*key, make(*key));
}

collective_plans::~collective_plans() = default;

const replay_call* collective_plans::call_of(std::uint32_t rank, std::uint32_t communicator,
                                             std::uint32_t number) const {
  const auto found = m_calls[rank].find(communicator);
  return found == m_calls[rank].end() || found->second.size() < number ? nullptr : found->second[number - 1];
}

const replay_collective& collective_plans::more_of(std::uint32_t rank, const replay_call& call) const {
  return m_program.ranks[rank].collectives[call.more];
}

/// Returns the key of the plan for a call. The size at the root, or at the first member if there is no root, determines
/// the algorithm, because ranks may not know the sizes of other ranks.
std::optional<collective_plans::plan_key> collective_plans::key_of(std::uint32_t rank, std::uint32_t communicator,
                                                                   std::uint32_t number) const {
  const replay_call& own = *call_of(rank, communicator, number);
  const std::vector<std::uint32_t>& members = m_program.communicators[communicator].members;
  const std::optional<replayed_collective> what = collective_of(own.function);
  if (!what || members.size() < 2) return std::nullopt;
  const std::int64_t root = more_of(rank, own).root;
  const std::uint32_t decides = root == AnyRank ? members.front() : static_cast<std::uint32_t>(root);
  const replay_call* const call = call_of(decides, communicator, number);
  const std::uint64_t bytes = call == nullptr ? datum_bytes(own.function, more_of(rank, own))
                                              : datum_bytes(call->function, more_of(decides, *call));
  std::optional<collective_algorithm> last;
  for (const collective_choice& one : m_choices[static_cast<std::size_t>(*what)])
    if (bytes >= one.from) last = one.algorithm;
  if (!last) return std::nullopt;
  return plan_key{*what, *last, communicator, root};
}

const std::vector<collective_action>* collective_plans::actions(std::uint32_t rank, std::uint32_t communicator,
                                                                std::uint32_t number) const {
  const std::optional<plan_key> key = key_of(rank, communicator, number);
  if (!key) return nullptr;
  static const std::vector<collective_action> Nothing;
  const auto& all = m_plans.at(*key).actions;
  const auto found = all.find(rank);
  return found == all.end() ? &Nothing : &found->second;
}

collective_plans::content collective_plans::content_of(const planned_message& m, std::uint32_t rank,
                                                       std::uint32_t communicator, std::uint32_t number) const {
  if (m.form == payload_form::Sum) {  // partial results are unknown; the rank's own contribution represents them
    const replay_call& own = *call_of(rank, communicator, number);
    return {more_of(rank, own).send_bytes, own.payload, 0};
  }
  content c;
  std::string whole;
  bool known = true;
  for (const planned_message::part& one : m.parts) {
    const replay_call* const call = call_of(one.owner, communicator, number);
    if (call == nullptr) continue;
    const datum_place place = datum_of(*call, more_of(one.owner, *call), one.receiver);
    const bool joins = m.form != payload_form::Xor;
    c.bytes = joins ? c.bytes + place.bytes : std::max(c.bytes, place.bytes);
    known = known && call->payload != nullptr;
    if (!known) continue;
    c.payload = call->payload;
    c.payload_at = place.at;
    if (m.parts.size() == 1) return c;
    std::string bytes = call->payload->substr(std::min<std::uint64_t>(place.at, call->payload->size()), place.bytes);
    bytes.resize(place.bytes);
    if (joins) {
      whole += bytes;
      continue;
    }
    whole.resize(std::max(whole.size(), bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) whole[i] = static_cast<char>(whole[i] ^ bytes[i]);
  }
  c.payload = known ? std::make_shared<const std::string>(std::move(whole)) : nullptr;
  c.payload_at = 0;
  return c;
}

collective_plans::plan collective_plans::make(const plan_key& key) const {
  const auto& [what, algorithm, communicator, root] = key;
  const std::vector<std::uint32_t>& members = m_program.communicators[communicator].members;
  const bool personal = is_personal(what);
  const auto by_node = [&] {
    std::vector<std::uint32_t> ranks(m_network.nodes, NoRank);
    for (const std::uint32_t rank : members) ranks[m_nodes[rank]] = rank;
    return ranks;
  };
  try {
    if (algorithm == collective_algorithm::Schedule) {
      check_scheduled(key);
      return planned(m_scheduled->messages, by_node(), members, personal);
    }
    // If the ranks fill the grid of the network, the algorithms use the grid; otherwise they use a list of the ranks
    // and their distances.
    const bool fill = !m_network.shape.empty() && members.size() == m_network.nodes;
    const std::vector<std::uint32_t> rank_at = fill ? by_node() : members;
    collective_network apart{static_cast<std::uint32_t>(members.size()), {}, false, {}};
    if (!fill)
      for (const std::uint32_t from : members)
        for (const std::uint32_t to : members)
          apart.hops.push_back(static_cast<std::uint16_t>(m_network.distance(m_nodes[from], m_nodes[to])));
    collective_parameters p;
    p.operation = operation_of_kind(what);
    p.algorithm = algorithm;
    if (has_groups(algorithm)) {
      if (m_group.empty())
        throw std::invalid_argument(
            "needs groups; set workload.replay.collectives.group to the side lengths of a group");
      p.group = m_group;
    }
    const auto at = std::find(rank_at.begin(), rank_at.end(), static_cast<std::uint32_t>(root)) - rank_at.begin();
    const std::vector<node_id> at_root{static_cast<node_id>(at)};
    if (what == replayed_collective::Broadcast || what == replayed_collective::Scatter) p.sources = at_root;
    if (what == replayed_collective::Gather || what == replayed_collective::Reduce) p.receivers = at_root;
    return planned(make_collective(p, fill ? m_network : apart), rank_at, members, personal);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("workload.replay.collectives.{}: of {} ranks: {}",
                                            ReplayedCollectiveNames[static_cast<std::size_t>(what)], members.size(),
                                            e.what()));
  }
}

void collective_plans::check_scheduled(const plan_key& key) const {
  const auto& [what, algorithm, communicator, root] = key;
  if (m_scheduled == nullptr)
    throw std::invalid_argument("schedule: no file is given; set workload.replay.collectives.schedule");
  std::vector<node_id> all;
  for (const std::uint32_t rank : m_program.communicators[communicator].members) all.push_back(m_nodes[rank]);
  std::sort(all.begin(), all.end());
  const bool from_root = what == replayed_collective::Broadcast || what == replayed_collective::Scatter;
  const bool to_all = from_root || what == replayed_collective::AllGather || what == replayed_collective::AllToAll;
  const std::vector<node_id> sources = from_root ? std::vector{m_nodes[static_cast<std::size_t>(root)]} : all;
  const auto covers = [](std::vector<node_id> has, const std::vector<node_id>& needed) {
    std::sort(has.begin(), has.end());
    return has == needed;
  };
  if (!to_all || m_scheduled->operation != operation_of_kind(what) || !covers(m_scheduled->sources, sources) ||
      !covers(m_scheduled->receivers, all))
    throw std::invalid_argument(fmt::format("schedule: the file is for another collective ({} from nodes {} to {})",
                                            CollectiveOperationNames[static_cast<std::size_t>(m_scheduled->operation)],
                                            fmt::join(m_scheduled->sources, ","),
                                            fmt::join(m_scheduled->receivers, ",")));
}

/// Makes the plan. Each rank processes the messages in their order: it posts its receives, and it sends a message when
/// the dependencies of the message have arrived. All ranks use the same order, and a message waits only for earlier
/// messages, so there is no deadlock.
collective_plans::plan collective_plans::planned(const collective& made, const std::vector<std::uint32_t>& rank_at,
                                                 const std::vector<std::uint32_t>& members, bool personal) const {
  const std::vector<std::uint32_t> receivers = personal ? receivers_of(made, rank_at) : std::vector<std::uint32_t>();
  const auto member = [&members](std::uint32_t rank) {
    return static_cast<std::uint32_t>(std::find(members.begin(), members.end(), rank) - members.begin());
  };
  plan result;
  std::map<std::uint32_t, std::uint32_t> posted;             // number of sends and receives so far, by rank
  std::vector<std::uint32_t> arrives(made.messages.size());  // by message, its index among its receiver's actions
  for (message_id m = 0; m < made.messages.size(); ++m) {
    const collective_message& message = made.messages[m];
    const std::uint32_t from = rank_at[message.source], to = rank_at[message.destination];
    if (from == NoRank || to == NoRank)
      throw std::invalid_argument(fmt::format("a message goes from node {} to node {}, but one of them has no rank",
                                              message.source, message.destination));
    auto carries = std::make_unique<planned_message>();
    carries->form = message.form;
    for (const datum_id* d = made.operands_begin(m); d != made.operands_end(m); ++d)
      carries->parts.push_back({rank_at[made.data[*d].owner], personal ? member(receivers[*d]) : 0});
    std::vector<collective_action>& sender = result.actions[from];
    for (const message_id* d = made.dependencies_begin(m); d != made.dependencies_end(m); ++d)
      sender.push_back(collective_action::await(arrives[*d]));
    sender.push_back(collective_action::planned(collective_action::kind::Send, to, m, carries.get()));
    ++posted[from];
    arrives[m] = posted[to]++;
    result.actions[to].push_back(collective_action::planned(collective_action::kind::Receive, from, m, carries.get()));
    result.messages.push_back(std::move(carries));
  }
  for (auto& [rank, actions] : result.actions)
    for (std::uint32_t i = 0; i < posted[rank]; ++i) actions.push_back(collective_action::await(i));
  return result;
}

}  // namespace weft
