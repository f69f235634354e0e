// SPDX-License-Identifier: Apache-2.0
#include "weft/python/stepped_experiment.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "weft/python/arrays.h"
#include "weft/python/interruptible.h"
#include "weft/report/json_text.h"
#include "weft/report/results.h"

namespace weft::python {

using namespace experiment;

namespace {

/// \throws input_error unless \p value is from \p least to \p most
void check_range(const char* name, const char* what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value < least || value > most)
    throw input_error({diagnostic{std::string("argument ") + name,
                                  fmt::format("expected {} from {} to {}, got {}", what, least, most, value)}});
}

}  // namespace

additions stepped_experiment::additions_of() {
  additions added;
  added.observer = &m_recorder;
  added.extend = [this](std::unique_ptr<packet_source> workload) {
    const configuration& c = *m_configuration;
    auto source = std::make_unique<hand_source>(std::move(workload), static_cast<std::uint32_t>(c.nodes()),
                                                c.workload.payload, c.simulation.seed);
    m_by_hand = source.get();
    return source;
  };
  return added;
}

stepped_experiment::stepped_experiment(shared_configuration c)
    : m_configuration(std::move(c)),
      m_experiment(*m_configuration, nullptr, {}, {}, additions_of()),
      m_window_first(m_configuration->simulation.warmup.value_or(Never)),
      m_window_end(m_configuration->simulation.measure == 0 ? Never
                                                            : m_window_first + m_configuration->simulation.measure) {}

void stepped_experiment::step(cycle_t cycles, const run_hooks& hooks) {
  const cycle_t end = now() + cycles;
  const auto progress = [this] { return run_progress{run_phase::Measure, now(), 0, 0}; };
  while (now() < end) {
    if (now() == m_window_first) {
      m_at_first = model().channel_counts();
      m_activity_at_first = m_experiment.counts();
    }
    if (now() == m_window_end) {
      m_at_end = model().channel_counts();
      m_activity_at_end = m_experiment.counts();
    }
    cycle_t next = end;
    for (const cycle_t mark : {m_window_first, m_window_end})
      if (mark > now()) next = std::min(next, mark);
    if (!m_slices.run_to(model(), next, hooks, progress)) return;
    if (!measured().error().empty()) throw std::runtime_error("corrupt: " + measured().error());
  }
}

packet_id stepped_experiment::inject(const packet& p) {
  const configuration& c = *m_configuration;
  if (m_by_hand == nullptr)
    throw input_error({diagnostic{"argument source",
                                  "requests wait for replies in this workload, so no other packets can be created; "
                                  "expected another workload.injection"}});
  const std::uint64_t last = graph().nodes.size() - 1;
  check_range("source", "a node", p.source, 0, last);
  check_range("destination", "a node", p.destination, 0, last);
  check_range("flits", "a length", p.flits, 1, hand_source::MaxFlits);
  check_range("message_class", "a class", p.message_class, 0, c.router.classes - 1);
  check_range("cycle", "a cycle", p.created, now() + 1, Never - 1);
  if (std::vector<diagnostic> faults = check_longest_packet(c, p.flits); !faults.empty())
    throw input_error(std::move(faults));
  const packet_id id = m_by_hand->add(p);
  model().reschedule_source(p.source);
  return id;
}

std::vector<std::uint64_t> stepped_experiment::buffered() {
  const std::vector<std::uint32_t> flits = model().buffered();
  std::vector<std::uint64_t> sums;
  std::size_t at = 0;
  for (const router_info& router : graph().routers) {
    const std::size_t end = at + std::size_t{router.ports} * m_configuration->router.vcs;
    std::uint64_t sum = 0;
    for (; at < end; ++at) sum += flits.at(at);
    sums.push_back(sum);
  }
  return sums;
}

std::vector<channel_count> stepped_experiment::counts_of_window() {
  std::vector<channel_count> counts = now() > m_window_end ? m_at_end : model().channel_counts();
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i].flits -= m_at_first.empty() ? counts[i].flits : m_at_first[i].flits;
  return counts;
}

network_counts stepped_experiment::activity_of_window() {
  if (m_activity_at_first.channels.empty()) return {};
  network_counts all = now() > m_window_end ? m_activity_at_end : m_experiment.counts();
  all -= m_activity_at_first;
  return all;
}

stepped_experiment::result_so_far stepped_experiment::result() {
  measurement copy = measured();
  copy.close_window(std::max(now(), copy.window_first()));
  run_result r;
  const bool is_over = now() >= m_window_end && copy.measured_under_way() == 0;
  r.how = !is_over ? outcome::Interrupted : copy.measured() == 0 ? outcome::Empty : outcome::Complete;
  r.cycles = now();
  r.window_counts = counts_of_window();
  r.energy = energy_of(m_experiment.cost(), activity_of_window(), copy.window_end() - copy.window_first());
  for (node_id n = 0; n < graph().nodes.size(); ++n)
    r.nodes.push_back({model().queued(n), model().received_in_window(n)});
  const run_summary summary{*m_configuration, graph(), copy, r, 0};
  return {to_text(to_json(summary)), to_csv(summary)};
}

namespace {

py::dict totals_of(stepped_experiment& s) {
  const traffic_totals t = s.measured().totals_before(s.now());
  py::dict all;
  all["flits_created"] = t.flits_created;
  all["flits_received"] = t.flits_received;
  all["packets_delivered"] = t.packets_delivered;
  all["packets_queued"] = t.packets_queued;
  all["packets_under_way"] = s.measured().packets_under_way();
  all["latency_sum"] = t.latency_sum;
  return all;
}

packet_id inject(stepped_experiment& s, node_id source, node_id destination, std::uint32_t flits, cycle_t cycle,
                 std::uint32_t message_class) {
  packet p;
  p.source = source;
  p.destination = destination;
  p.flits = flits;
  p.created = cycle;
  p.message_class = static_cast<std::uint8_t>(std::min(message_class, 255U));
  return s.inject(p);
}

void record(stepped_experiment& s, bool flits, bool creations, bool deliveries) {
  s.events().flits = flits;
  s.events().creations = creations;
  s.events().deliveries = deliveries;
}

std::vector<std::uint64_t> queued(stepped_experiment& s) {
  std::vector<std::uint64_t> all;
  for (node_id n = 0; n < s.graph().nodes.size(); ++n) all.push_back(s.model().queued(n));
  return all;
}

py::tuple result_of(stepped_experiment& s) {
  stepped_experiment::result_so_far r;
  {
    const py::gil_scoped_release unlocked;
    r = s.result();
  }
  return py::make_tuple(r.json, r.csv);
}

}  // namespace

void add_stepped_experiment(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(flit_row, cycle, ejected, node, vc, packet, sequence);
  PYBIND11_NUMPY_DTYPE(creation_row, cycle, packet, source, destination, flits);
  PYBIND11_NUMPY_DTYPE(delivery_row, cycle, packet, source, destination, flits, created, routers);
  PYBIND11_NUMPY_DTYPE(channel_count, router, port, flits);
  using stepped = stepped_experiment;
  py::class_<stepped>(m, "Stepped")
      .def(py::init([](const shared_configuration& c) {
        const py::gil_scoped_release unlocked;
        return std::make_unique<stepped>(c);
      }))
      .def("step", [](stepped& s,
                      cycle_t cycles) { run_interruptible([&](const run_hooks& hooks) { s.step(cycles, hooks); }); })
      .def("inject", &inject)
      .def("record", &record)
      .def("take_flits", [](stepped& s) { return to_array(s.events().take_flits(s.now())); })
      .def("take_creations", [](stepped& s) { return to_array(s.events().take_creations(s.now())); })
      .def("take_deliveries", [](stepped& s) { return to_array(s.events().take_deliveries(s.now())); })
      .def("now", &stepped::now)
      .def("queued", [](stepped& s) { return to_array(queued(s)); })
      .def("buffered", [](stepped& s) { return to_array(s.buffered()); })
      .def("channel_counts", [](stepped& s) { return to_array(s.model().channel_counts()); })
      .def("totals", &totals_of)
      .def("result", &result_of);
}

}  // namespace weft::python
