// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/collective_builder.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/communication/collective_algorithms.h"

namespace weft {

collective_builder::collective_builder(std::string name, std::uint32_t nodes) {
  m_made.name = std::move(name);
  m_made.nodes = nodes;
}

datum_id collective_builder::add_datum(node_id owner, std::uint32_t flits) {
  m_made.data.push_back({owner, flits});
  return static_cast<datum_id>(m_made.data.size() - 1);
}

void collective_builder::begin() {
  m_known.assign(m_made.nodes * m_made.data.size(), Unknown);
  for (datum_id d = 0; d < m_made.data.size(); ++d) arrival_of(m_made.data[d].owner, d) = Own;
}

step_id collective_builder::step(const std::string& name) {
  const auto found = std::find(m_made.steps.begin(), m_made.steps.end(), name);
  const auto number = static_cast<step_id>(found - m_made.steps.begin());
  if (found == m_made.steps.end()) m_made.steps.push_back(name);
  return number;
}

void collective_builder::make_room(std::uint64_t messages, std::uint64_t operands) const {
  if (m_made.messages.size() + messages > MaxCollectiveMessages ||
      m_made.operands.size() + operands > MaxCollectiveOperands) {
    throw std::invalid_argument(
        fmt::format("{}: more than {} messages, or more than {} data in messages; use fewer sources, fewer packets or "
                    "a smaller network",
                    m_made.name, MaxCollectiveMessages, MaxCollectiveOperands));
  }
}

message_id collective_builder::add(node_id source, node_id destination, step_id step, payload_form form,
                                   const std::vector<datum_id>& operands, const std::vector<message_id>& after) {
  make_room(1, operands.size());
  return m_made.add(source, destination, step, form, operands, after);
}

void collective_builder::run(std::vector<broadcast_job>& jobs, const std::vector<step_id>& levels) {
  std::vector<std::size_t> next(jobs.size(), 0);
  for (broadcast_job& job : jobs) job.arrivals.assign(job.grid->size(), NoMessage);
  std::uint32_t level = 0;
  for (bool more = true; more; ++level) {
    more = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      broadcast_job& job = jobs[j];
      const std::vector<tree_send>& sends = *job.sends;
      for (; next[j] < sends.size() && sends[next[j]].level == level; ++next[j]) {
        const tree_send& s = sends[next[j]];
        const message_id before = job.arrivals[s.from];
        job.arrivals[s.to] =
            add(job.grid->nodes[s.from], job.grid->nodes[s.to], levels[std::min<std::size_t>(level, levels.size() - 1)],
                job.form, job.operands, before == NoMessage ? job.after : std::vector<message_id>{before});
      }
      more = more || next[j] < sends.size();
    }
  }
}

void collective_builder::add_received(node_id node, datum_id datum, message_id message) {
  assert(message < Unknown);
  arrival_of(node, datum) = message;
}

void collective_builder::add_received(node_id node, received_chain chain) {
  const auto number = static_cast<std::uint32_t>(m_chains.size());
  for (const datum_id d : chain.data) arrival_of(node, d) = number | InChain;
  m_chains.push_back(std::move(chain));
}

void collective_builder::add_received(const broadcast_job& job) {
  for (std::uint32_t p = 0; p < job.grid->size(); ++p) {
    if (job.arrivals[p] != NoMessage) add_received(job.grid->nodes[p], job.operands.front(), job.arrivals[p]);
  }
}

std::vector<message_id> collective_builder::after(node_id node, const std::vector<datum_id>& operands) const {
  std::vector<message_id> messages;
  for (const datum_id d : operands) {
    const std::uint32_t known = m_known[std::size_t{node} * m_made.data.size() + d];
    assert(known != Unknown);
    if (known == Own) continue;
    if ((known & InChain) == 0) {
      messages.push_back(known);
      continue;
    }
    const received_chain& chain = m_chains[known & ~InChain];
    const auto at = static_cast<std::size_t>(std::find(chain.data.begin(), chain.data.end(), d) - chain.data.begin());
    messages.push_back(chain.opener);
    for (std::size_t i = std::min(at, chain.plain); i < std::max(at, chain.plain); ++i) {
      messages.push_back(chain.coded[i]);
    }
  }
  std::sort(messages.begin(), messages.end());
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  return messages;
}

}  // namespace weft
