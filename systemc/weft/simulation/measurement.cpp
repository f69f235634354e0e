// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/measurement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/lsb_cut.h"
#include "weft/core/network_observer.h"

namespace weft::experiment {

namespace {

void add_to(packet_class& c, cycle_t latency, const flight& f) {
  ++c.count;
  c.latency_sum += latency;
  c.compressed += f.form != codec::Raw;
}

constexpr std::size_t MostIntervals = 1 << 20;

/// Merges each pair of adjacent intervals.
void merge_intervals(compression_metrics& c) {
  std::vector<packet_class> merged((c.over_time.size() + 1) / 2);
  for (std::size_t i = 0; i < c.over_time.size(); ++i) {
    packet_class& both = merged[i / 2];
    both.count += c.over_time[i].count;
    both.latency_sum += c.over_time[i].latency_sum;
    both.compressed += c.over_time[i].compressed;
  }
  c.over_time = std::move(merged);
  c.interval *= 2;
}

}  // namespace

measurement::measurement(const packet_source& source, const measurement_options& options, event_log* log)
    : m_source(source),
      m_options(options),
      m_log(log),
      m_first(options.warmup),
      m_end(end_of_window()),
      m_expected((options.payload_bits + 63) / 64),
      m_waiting(options.nodes),
      m_flits_waiting(options.nodes),
      m_injected_by(options.nodes),
      m_all(m_first, options.nodes, options.hurst),
      m_carried_batches(m_first, options.hurst),
      m_accepted_of(options.nodes),
      m_is_source(options.nodes),
      m_pairs(options.keep_pairs ? std::size_t{options.nodes} * options.nodes : 0) {
  constexpr cycle_t Intervals = 50;
  start_groups();
  m_compression.interval = options.measure == 0 ? 1000 : (options.measure + Intervals - 1) / Intervals;
}

cycle_t measurement::end_of_window() const {
  return m_first == Never || m_options.measure == 0 ? Never : m_first + m_options.measure;
}

void measurement::open_window(cycle_t first) {
  m_first = first;
  m_end = end_of_window();
  m_carried_batches = batch_series(first, m_options.hurst);
  start_groups();
}

void measurement::start_groups() {
  m_all = packet_group(m_first, m_options.nodes, m_options.hurst);
  m_by_traffic.assign(m_options.traffics.size(), m_all);
  m_by_class.assign(m_options.classes, m_all);
}

template <class... Arguments>
void measurement::fail(const char* text, const Arguments&... arguments) {
  if (m_error.empty()) m_error = fmt::format(fmt::runtime(text), arguments...);
}

void measurement::created(const packet& p) {
  if (p.flits == 0 || m_flights.contains(p.id)) return fail("cycle {}: packet {} was created twice", p.created, p.id);
  m_flights.insert(p);
  m_is_source[p.source] = true;
  m_flits_waiting[p.source] += p.flits;
  m_totals.flits_created += p.flits;
  ++m_totals.packets_queued;
  if (p.created > m_newest.cycle) m_newest = {p.created, 0, 0};
  if (p.created == m_newest.cycle) {
    ++m_newest.packets;
    m_newest.flits += p.flits;
  }
  if (!in_window(p.created)) return;
  m_all.created(p.created, p.flits);
  if (has_groups()) note_created(p);
}

void measurement::note_created(const packet& p) {
  for_groups_of(p, [&p](packet_group& group) { group.created(p.created, p.flits); });
}

traffic_totals measurement::totals_before(cycle_t end) const {
  traffic_totals totals = m_totals;
  if (m_newest.cycle < end) return totals;
  totals.flits_created -= m_newest.flits;
  totals.packets_queued -= m_newest.packets;
  return totals;
}

void measurement::sent(packet_id id, node_id node, cycle_t cycle) {
  flight* const f = m_flights.find(id);
  if (!f || f->sent != Never || node != f->what.source)
    return fail("cycle {}: node {} sent packet {}, which was not in its source queue", cycle, node, id);
  f->sent = cycle;
  m_flits_waiting[node] -= f->what.flits;
  --m_totals.packets_queued;
  std::int64_t& waiting = m_waiting[node];
  m_compression.most_waiting = std::max(m_compression.most_waiting, ++waiting);
}

void measurement::injected(const flit_event& event, const header& head) {
  ++m_flits_injected;
  ++m_injected_by[event.node];
  if (m_log) m_log->add(flit_passage::Inject, event);
  flight* const f = m_flights.find(event.id);
  if (f && event.sequence == 0 && f->flits_injected == 0) {
    f->injected = event.cycle;
    f->travels = head.flits;
    f->form = head.codec;
    f->cut = head.cut;
    --m_waiting[f->what.source];
  }
  if (!f || event.node != f->what.source || event.sequence != f->flits_injected || f->flits_injected == f->travels)
    return fail("cycle {}: node {} injected flit {} of packet {}, which was not its next flit to send", event.cycle,
                event.node, event.sequence, event.id);
  ++f->flits_injected;
}

void measurement::ejected(const flit_event& event, const std::uint64_t*) {
  ++m_flits_ejected;
  if (m_log) m_log->add(flit_passage::Eject, event);
  if (in_window(event.cycle)) {
    ++m_flits_carried;
    m_carried_batches.add(event.cycle, 1, event.sequence != 0);
  }
  flight* const f = m_flights.find(event.id);
  if (!f || f->flits_ejected >= f->flits_injected)
    return fail("cycle {}: node {} received flit {} of packet {}, which was not in flight", event.cycle, event.node,
                event.sequence, event.id);
  if (event.node != f->what.destination)
    return fail("cycle {}: node {} received flit {} of packet {}, which is for node {}", event.cycle, event.node,
                event.sequence, event.id, f->what.destination);
  if (event.sequence != f->flits_ejected)
    return fail("cycle {}: node {} received flit {} of packet {}, expected flit {}", event.cycle, event.node,
                event.sequence, event.id, f->flits_ejected);
  ++f->flits_ejected;
  f->ejected = event.cycle;
}

void measurement::received(const flit_event& event, const std::uint64_t* payload) {
  flight* const f = m_flights.find(event.id);
  if (!f || event.node != f->what.destination || event.sequence != f->flits_received ||
      f->flits_received == f->what.flits)
    return fail("cycle {}: node {} received flit {} of packet {}, which was not the next flit to receive", event.cycle,
                event.node, event.sequence, event.id);
  accept(*f, event.cycle, 1, event.sequence != 0);
  check_payload(*f, event, payload);
  ++f->flits_received;
  if (event.sequence == 0) f->head_received = event.cycle;
}

/// Counts \p flits flits of a message as accepted by their node. \param are_part whether the head was accepted before
void measurement::accept(const flight& f, cycle_t cycle, std::uint32_t flits, bool are_part) {
  m_totals.flits_received += flits;
  if (!in_window(cycle)) return;
  m_all.accepted(cycle, flits, are_part);
  m_accepted_of[f.what.source] += flits;
  if (has_groups()) note_accepted(f.what, cycle, flits, are_part);
}

void measurement::note_accepted(const packet& p, cycle_t cycle, std::uint32_t flits, bool are_part) {
  for_groups_of(p, [=](packet_group& group) { group.accepted(cycle, flits, are_part); });
}

/// Computes the payload that a flit must have on arrival: the payload from the source, in which LSB-cut may have
/// truncated doubles.
void measurement::expect_payload(const flight& f, std::uint32_t sequence) {
  const unsigned bits = m_options.payload_bits;
  m_source.payload(f.what, sequence, bits, m_expected.data());
  if (f.form != codec::LsbCut) return;
  const auto as_received = [&](std::uint64_t x) { return after_cut(x, f.cut, m_options.exact_cut); };
  if (bits >= 64) {
    for (std::uint64_t& x : m_expected) x = as_received(x);
    return;
  }
  // A flit contains half a double. If the number of flits is odd, the last flit has no counterpart and travels
  // unchanged.
  const std::uint32_t lower = sequence & ~1U;
  if (lower + 1 == f.what.flits) return;
  std::uint64_t half[2];
  for (std::uint32_t i = 0; i < 2; ++i) m_source.payload(f.what, lower + i, bits, &half[i]);
  m_expected[0] = as_received(half[1] << 32 | half[0]) >> (32 * (sequence - lower)) & 0xffff'ffff;
}

void measurement::check_payload(const flight& f, const flit_event& event, const std::uint64_t* payload) {
  expect_payload(f, event.sequence);
  if (std::equal(m_expected.begin(), m_expected.end(), payload)) return;
  const std::vector<std::uint64_t> got(payload, payload + m_expected.size());
  fail(
      "cycle {}: node {} received flit {} of packet {} with payload {:#018x} instead of {:#018x} (words, low "
      "first)",
      event.cycle, event.node, event.sequence, event.id, fmt::join(got, " "), fmt::join(m_expected, " "));
}

void measurement::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  flight* const f = m_flights.find(p.id);
  if (f && m_options.assumed_size && f->form != codec::Raw) {
    f->flits_received = f->what.flits;
    f->head_received = cycle;
    accept(*f, cycle, f->what.flits, false);
  }
  if (!f || f->flits_received != f->what.flits || f->flits_ejected != f->travels)
    return fail("cycle {}: packet {} was reported as delivered, with {} of {} flits received", cycle, p.id,
                f ? f->flits_received : 0, p.flits);
  if (m_options.keep_answers) m_answers.push_back({p.id, f->sent, f->head_received, cycle, routers});
  const cycle_t latency = cycle - f->what.created;
  m_last_delivered = m_last_delivered == Never ? cycle : std::max(m_last_delivered, cycle);
  ++m_totals.packets_delivered;
  m_totals.latency_sum += latency;
  if (in_window(f->what.created)) {
    const cycle_t network_latency = f->ejected - f->injected;
    m_all.delivered(f->what.created, latency, network_latency);
    if (has_groups()) note_delivered(f->what, latency, network_latency);
    note_compression(*f, latency, cycle);
    if (breaks_down()) note_parts(*f, cycle);
    if (m_options.keep_pairs) {
      pair_metrics& pair = m_pairs[std::size_t{f->what.source} * m_options.nodes + f->what.destination];
      ++pair.packets;
      pair.latency_sum += latency;
    }
    for (packet_class* c : {&m_by_length[f->what.flits], &m_by_routers[routers]}) add_to(*c, latency, *f);
  }
  if (in_window(f->sent)) m_compression.waiting_cycles += f->injected - f->sent;
  m_flights.erase(p.id);
}

void measurement::note_delivered(const packet& p, cycle_t latency, cycle_t network_latency) {
  for_groups_of(p, [&](packet_group& group) { group.delivered(p.created, latency, network_latency); });
}

void measurement::answered(std::size_t traffic, cycle_t requested, cycle_t cycle) {
  if (!in_window(cycle)) return;
  if (!m_by_traffic.empty()) m_by_traffic[traffic].answered(requested, cycle);
  m_all.answered(requested, cycle);
}

void measurement::waited(packet_id id, const router_waits& waits, cycle_t left) {
  flight* const f = m_flights.find(id);
  if (!f) return fail("cycle {}: packet {} left the last router, but was not in flight", left, id);
  f->waits = waits;
  f->left = left;
}

void measurement::note_parts(const flight& f, cycle_t delivered) {
  const cycle_t arrived = f.injected + 1 + m_options.node_channels[f.what.source];  // head reaches the first router
  const cycle_t behind = f.travels - 1;
  m_parts.source_queue += f.sent - f.what.created;
  m_parts.injection += arrived - f.sent + f.waits.nic;
  m_parts.vc_allocation += f.waits.vc_allocation;
  m_parts.switch_allocation += f.waits.switch_allocation;
  m_parts.credit_wait += f.waits.credit;
  m_parts.pipeline += f.left - arrived - f.waits.sum() - behind;
  m_parts.serialisation += behind;
  m_parts.ejection += delivered - f.left;
}

void measurement::note_compression(const flight& f, cycle_t latency, cycle_t delivered) {
  compression_metrics& c = m_compression;
  ++c.packets;
  c.flits_created += f.what.flits;
  c.flits_travelled += f.travels;
  while ((f.what.created - m_first) / c.interval >= MostIntervals) merge_intervals(c);
  const std::size_t interval = (f.what.created - m_first) / c.interval;
  if (interval >= c.over_time.size()) c.over_time.resize(interval + 1);
  add_to(c.over_time[interval], latency, f);
  if (f.form == codec::Raw) return;
  ++c.compressed;
  c.send_cycles += f.injected - f.sent;
  c.receive_cycles += delivered - f.ejected;
}

double measurement::mean_waiting() const {
  const double time = static_cast<double>(m_end - m_first) * static_cast<double>(m_options.nodes);
  return time == 0 ? 0 : static_cast<double>(m_compression.waiting_cycles) / time;
}

void measurement::close_window(cycle_t end) {
  if (m_first == Never) m_first = end;  // the window never began
  m_end = std::min(m_end, std::max(end, m_first));
}

double measurement::mean_routers() const {
  std::uint64_t sum = 0;
  for (const auto& [routers, c] : m_by_routers) sum += routers * c.count;
  return static_cast<double>(sum) / static_cast<double>(latency().count());
}

double measurement::mean_length() const {
  return static_cast<double>(m_all.flits_offered()) / static_cast<double>(measured());
}

}  // namespace weft::experiment
