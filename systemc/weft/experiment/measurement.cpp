#include "weft/experiment/measurement.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::experiment {

measurement::measurement(const packet_source& source, const measurement_options& options, event_log* log)
    : m_source(source),
      m_options(options),
      m_log(log),
      m_first(options.warmup),
      m_end(options.measure == 0 ? Never : options.warmup + options.measure),
      m_expected((options.payload_bits + 63) / 64),
      m_latency_batches(m_first, options.measure),
      m_network_batches(m_first, options.measure),
      m_offered_batches(m_first, options.measure),
      m_accepted_batches(m_first, options.measure) {}

template <class... Arguments>
void measurement::fail(const char* text, const Arguments&... arguments) {
  if (m_error.empty()) m_error = fmt::format(fmt::runtime(text), arguments...);
}

void measurement::created(const packet& p) {
  if (p.flits == 0 || m_flights.find(p.id)) return fail("cycle {}: packet {} was created twice", p.created, p.id);
  m_flights.insert(p);
  m_flits_waiting += p.flits;
  if (!in_window(p.created)) return;
  ++m_measured;
  m_flits_offered += p.flits;
  m_offered_batches.add(p.created, p.flits);
}

void measurement::injected(const flit_event& event) {
  ++m_flits_injected;
  if (m_log) m_log->add(event_log::kind::Inject, event);
  flight* const f = m_flights.find(event.id);
  if (!f || event.node != f->what.source || event.sequence != f->sent || f->sent == f->what.flits)
    return fail("cycle {}: node {} injected flit {} of packet {}, which was not its next to send", event.cycle,
                event.node, event.sequence, event.id);
  ++f->sent;
  if (event.sequence > 0) return;
  f->injected = event.cycle;
  m_flits_waiting -= f->what.flits;
}

void measurement::ejected(const flit_event& event, const std::uint64_t* payload) {
  ++m_flits_ejected;
  if (m_log) m_log->add(event_log::kind::Eject, event);
  if (in_window(event.cycle)) {
    ++m_flits_accepted;
    m_accepted_batches.add(event.cycle, 1);
  }
  flight* const f = m_flights.find(event.id);
  if (!f || f->received >= f->sent)
    return fail("cycle {}: node {} received flit {} of packet {}, which was not on its way", event.cycle, event.node,
                event.sequence, event.id);
  if (event.node != f->what.destination)
    return fail("cycle {}: node {} received flit {} of packet {}, which is for node {}", event.cycle, event.node,
                event.sequence, event.id, f->what.destination);
  if (event.sequence != f->received)
    return fail("cycle {}: node {} received flit {} of packet {}, expected flit {}", event.cycle, event.node,
                event.sequence, event.id, f->received);
  check_payload(*f, event, payload);
  ++f->received;
  if (event.sequence == 0) f->head_delivered = event.cycle;
}

void measurement::check_payload(const flight& f, const flit_event& event, const std::uint64_t* payload) {
  m_source.payload(f.what, event.sequence, m_options.payload_bits, m_expected.data());
  if (std::equal(m_expected.begin(), m_expected.end(), payload)) return;
  const std::vector<std::uint64_t> got(payload, payload + m_expected.size());
  fail(
      "cycle {}: node {} received flit {} of packet {} with payload {:#018x} instead of {:#018x} (words, low "
      "first)",
      event.cycle, event.node, event.sequence, event.id, fmt::join(got, " "), fmt::join(m_expected, " "));
}

void measurement::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  const flight* const f = m_flights.find(p.id);
  if (!f || f->received != f->what.flits)
    return fail("cycle {}: packet {} was called delivered, with {} of {} flits received", cycle, p.id,
                f ? f->received : 0, p.flits);
  if (m_options.keep_answers) m_answers.push_back({p.id, f->injected, f->head_delivered, cycle, routers});
  if (in_window(f->what.created)) {
    const cycle_t latency = cycle - f->what.created;
    const cycle_t network_latency = cycle - f->injected;
    m_latency.add(latency);
    m_network_latency.add(network_latency);
    m_latency_batches.add(f->what.created, latency);
    m_network_batches.add(f->what.created, network_latency);
    for (packet_class* c : {&m_by_length[f->what.flits], &m_by_routers[routers]}) {
      ++c->count;
      c->latency_sum += latency;
    }
  }
  m_flights.erase(p.id);
}

void measurement::close_window(cycle_t end) { m_end = std::min(m_end, std::max(end, m_first)); }

double measurement::mean_routers() const {
  std::uint64_t sum = 0;
  for (const auto& [routers, c] : m_by_routers) sum += routers * c.count;
  return static_cast<double>(sum) / static_cast<double>(m_latency.count());
}

double measurement::mean_length() const {
  return static_cast<double>(m_flits_offered) / static_cast<double>(m_measured);
}

rate measurement::rate_of(std::uint64_t flits, const batch_means& batches) const {
  const auto cycles = static_cast<double>(m_end - m_first);
  const auto nodes = static_cast<double>(m_options.nodes);
  if (m_end == m_first) return {};
  rate r;
  r.mean = static_cast<double>(flits) / cycles / nodes;
  if (const auto half = batches.half_width_of_rate(m_end)) r.half_width = *half / nodes;
  return r;
}

}  // namespace weft::experiment
