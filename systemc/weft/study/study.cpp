// SPDX-License-Identifier: Apache-2.0
#include "weft/study/study.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/keys.h"
#include "weft/report/format.h"
#include "weft/study/sha256.h"

namespace weft::experiment {

namespace {

/// The row of an infeasible point, which has its settings in place of a configuration.
stored_point infeasible_point(const sweep_point& point, point_result result) {
  json settings = json::object();
  for (const setting& s : point) settings[s.key] = s.value;  // as written, because the values may be invalid
  const std::string text = compact_text(settings);
  return {sha256(fmt::format("weft {}\n{}\n{}\n", version(), text, result.error)), version(), text, std::move(result)};
}

work_result simulate_point(const study_context& context, configuration c) {
  if (context.on_subprocess_start) context.on_subprocess_start();
  c.simulation.runs_at_once = context.jobs;
  return {0, packed(run_point(std::move(c), context.rtl, context.hooks))};
}

}  // namespace

std::size_t study::add(const sweep_point& point) {
  const std::size_t number = m_rows.size();
  m_rows.push_back({point, {}});
  m_planned.emplace_back();
  if (m_context.hooks.stop()) return number;
  try {
    const auto config = std::make_shared<const configuration>(m_context.load(point));
    m_planned.back().id = id_of(*config);
    if (auto stored = m_store.find(m_planned.back().id)) {
      m_rows.back().result = *std::move(stored);
    } else if (const auto duplicate = m_awaited.find(m_planned.back().id); duplicate != m_awaited.end()) {
      m_planned[duplicate->second].duplicates.push_back(number);
      return number;
    } else {
      m_awaited[m_planned.back().id] = number;
      m_planned.back().config = config;
      m_to_run.push_back(number);
      return number;
    }
  } catch (const configuration_error& e) {
    m_rows.back().result = without_result("infeasible", e.what());
    m_store.put(infeasible_point(point, m_rows.back().result));
  }
  m_to_report.push_back(number);
  return number;
}

std::size_t study::done() const {
  return static_cast<std::size_t>(
      std::count_if(m_rows.begin(), m_rows.end(), [](const study_row& r) { return !r.result.outcome.empty(); }));
}

work_result study::work_on(std::size_t number) const { return simulate_point(m_context, *m_planned[number].config); }

void study::finish(std::size_t number, const work_result& result) {
  study_row& row = m_rows[number];
  const point_result came = unpacked(result.text);
  if (is_final(came)) {
    row.result = came;
    m_store.put({m_planned[number].id, version(), compact_text(to_json(*m_planned[number].config)), came});
  } else if (!m_context.hooks.stop()) {
    row.result = came;
    if (m_context.failed)
      m_context.failed(row, result.status > 128 ? fmt::format("killed by signal {}", result.status - 128) : came.error);
  }
  m_planned[number].config.reset();
  m_awaited.erase(m_planned[number].id);
  for (const std::size_t duplicate : m_planned[number].duplicates) m_rows[duplicate].result = row.result;
  if (row.result.outcome.empty()) return;  // interrupted
  ++m_ran;
  if (m_context.progress) m_context.progress(m_ran, m_ran + m_awaited.size());
}

void study::run(const std::function<void(std::size_t)>& on_done) {
  const auto report_done = [&] {
    while (!m_to_report.empty()) {
      const std::size_t number = m_to_report.front();
      m_to_report.pop_front();
      on_done(number);
    }
  };
  work_list list;
  list.next = [&]() -> std::optional<std::size_t> {
    report_done();
    if (m_to_run.empty()) return std::nullopt;
    const std::size_t number = m_to_run.front();
    m_to_run.pop_front();
    return number;
  };
  list.work = [&](std::size_t number) { return work_on(number); };
  list.done = [&](std::size_t number, const work_result& result) {
    finish(number, result);
    if (m_rows[number].result.outcome.empty()) return;
    m_to_report.push_back(number);
    m_to_report.insert(m_to_report.end(), m_planned[number].duplicates.begin(), m_planned[number].duplicates.end());
  };
  list.stop = m_context.hooks.stop;
  run_all(m_context.jobs, list, m_context.others);
  if (m_context.ended) m_context.ended();
  report_done();
}

std::string packed(const sweep_point& point) {
  json list = json::array();
  for (const setting& s : point) list.push_back({s.key, s.value, s.place, s.layer});
  return compact_text(list);
}

work_result work_on_packed(const study_context& context, const std::string& point) {
  sweep_point settings;
  for (const json& s : json::parse(point)) settings.push_back({s[0], s[1], s[2], s[3]});
  return simulate_point(context, context.load(settings));
}

}  // namespace weft::experiment
