// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/schedule.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace weft::schedule {
namespace {

std::vector<node_id> all_nodes(std::size_t nodes) {
  std::vector<node_id> all(nodes);
  std::iota(all.begin(), all.end(), node_id{0});
  return all;
}

void sort_and_check(const char* what, std::vector<node_id>& list, const step_network& network) {
  if (list.empty()) throw std::invalid_argument(fmt::format("{}: none, expected at least one node", what));
  std::sort(list.begin(), list.end());
  const auto twice = std::adjacent_find(list.begin(), list.end());
  if (twice != list.end()) throw std::invalid_argument(fmt::format("{}: node {} is named twice", what, *twice));
  if (list.back() >= network.nodes()) {
    throw std::invalid_argument(
        fmt::format("{}: there is no node {}, expected 0 to {}", what, list.back(), network.nodes() - 1));
  }
}

}  // namespace

std::size_t size_of(const step& s) {
  std::size_t most = 0;
  for (const transfer& t : s) most = std::max(most, t.payload.size());
  return most;
}

std::size_t step_schedule::occupancy() const {
  std::size_t sum = 0;
  for (const step& s : steps) sum += size_of(s);
  return sum;
}

std::vector<demand> demands_of(const collective& requested) {
  std::vector<demand> demands;
  for (const node_id from : requested.senders) {
    for (const node_id to : requested.receivers) {
      if (from == to) continue;
      demands.push_back({{from, requested.what == operation::Scatter ? to : message::Everyone}, to});
    }
  }
  return demands;
}

std::vector<node_id> participants_of(const collective& requested) {
  std::vector<node_id> all;
  std::set_union(requested.senders.begin(), requested.senders.end(), requested.receivers.begin(),
                 requested.receivers.end(), std::back_inserter(all));
  return all;
}

collective one_to_all(operation what, node_id root, std::size_t nodes) {
  collective requested{what, {root}, all_nodes(nodes)};
  return requested;
}

collective all_to_all(operation what, std::size_t nodes) { return {what, all_nodes(nodes), all_nodes(nodes)}; }

std::string name_of(const collective& requested, std::size_t nodes) {
  const char last = requested.what == operation::Broadcast ? 'B' : 'S';
  const bool to_all = requested.receivers.size() == nodes;
  if (to_all && requested.senders.size() == nodes) return std::string("AA") + last;
  if (to_all && requested.senders.size() == 1) return std::string("OA") + last;
  return std::string("MN") + last;
}

collective checked(collective requested, const step_network& network) {
  sort_and_check("senders", requested.senders, network);
  sort_and_check("receivers", requested.receivers, network);
  if (demands_of(requested).empty()) {
    throw std::invalid_argument(fmt::format(
        "node {} is the only sender and the only receiver: there is nothing to send", requested.senders.front()));
  }
  return requested;
}

}  // namespace weft::schedule
