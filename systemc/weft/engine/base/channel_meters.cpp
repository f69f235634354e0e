// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/base/channel_meters.h"

#include <algorithm>

namespace weft::engine {

channel_meters::channel_meters(const topology& graph, unsigned vcs, const packet_pool& packets,
                               const payload_on_wires& payload)
    : m_vcs(vcs),
      m_packets(packets),
      m_payload(payload),
      m_flit_words(payload.flit_words()),
      m_stride(HeaderWords + m_flit_words) {
  std::size_t channels = 0;
  for (const router_info& r : graph.routers) {
    m_first.push_back(channels);
    channels += r.ports;
  }
  m_first.push_back(channels);
  for (const node_attachment& node : graph.nodes) channels += node.ports.size();
  m_last.resize(channels * m_stride);
  m_totals.resize(channels);
  m_sequence.resize(channels * vcs);
}

void channel_meters::inject(nic_port port, unsigned vc, packet_handle packet, bool tail, cycle_t from) {
  const std::size_t channel = from_nic(port);
  const std::uint32_t sequence = m_sequence[channel * m_vcs + vc];
  if (packet >= m_contents.size()) m_contents.resize(packet + std::size_t{1});
  contents& content = m_contents[packet];
  if (sequence == 0) {
    const packet_record& p = m_packets[packet];
    content.payload.resize(std::size_t{p.travels} * m_flit_words);
    content.header = pack_header({true, false, 0, codec_error::None, p.head(), 0});
  }
  m_payload.flit(packet, sequence, &content.payload[std::size_t{sequence} * m_flit_words]);
  enter(channel, vc, packet, tail, from);
}

/// Removes the flits from the list that are on the wires by now.
void channel_meters::tidy() {
  const auto earlier = [](const early_flit& a, const early_flit& b) { return a.from < b.from; };
  const cycle_t newest = std::max_element(m_early.begin(), m_early.end(), earlier)->from;
  const auto is_old = [newest](const early_flit& f) { return f.from + MostEarly < newest; };
  m_early.erase(std::remove_if(m_early.begin(), m_early.end(), is_old), m_early.end());
  m_tidy_at = std::max(MostListed, 2 * m_early.size());
}

std::vector<channel_activity> channel_meters::up_to(cycle_t now) const {
  std::vector<channel_activity> all = m_totals;
  for (const early_flit& f : m_early)
    if (f.from > now) all[f.channel] -= f.added();
  return all;
}

}  // namespace weft::engine
