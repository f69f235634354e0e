// SPDX-License-Identifier: Apache-2.0
#include "weft/command/result_files.h"

#include <iostream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "weft/file/read_bytes.h"
#include "weft/report/thermal_files.h"
#include "weft/workload/packet_list.h"

namespace weft::experiment {

namespace {

/// Calls \p make. Reports a write error at the keys that determine the name of the file.
template <class Make>
auto with_output_errors(const configuration& c, Make make) {
  try {
    return make();
  } catch (const output_error& e) {
    throw configuration_error({{c.where({"output.directory", "output.name"}), e.what()}});
  }
}

void open(std::unique_ptr<output_file>& file, bool is_requested, const configuration& c, const char* suffix) {
  if (is_requested) file = open_result(c, suffix);
}

/// Opens the file \p file that the option \p option names.
std::unique_ptr<output_file> open_named(const char* option, const std::string& file) {
  try {
    return std::make_unique<output_file>(file);
  } catch (const output_error& e) {
    throw configuration_error({{fmt::format("{} {}", option, file), e.what()}});
  }
}

}  // namespace

void write_text(const char* option, const std::string& file, const std::string& text) {
  if (file == "-") {
    std::cout << text;
    return;
  }
  const std::unique_ptr<output_file> out = open_named(option, file);
  out->write(text);
  out->commit();
}

std::string content_of(const std::string& option, const std::string& file) {
  try {
    return file == "-" ? read_standard_input() : read_bytes(file);
  } catch (const file_error& e) {
    throw configuration_error({{option + " " + file, e.what()}});
  }
}

std::unique_ptr<output_file> open_result(const configuration& c, const char* suffix) {
  return with_output_errors(c, [&] { return std::make_unique<output_file>(c.result_file(suffix)); });
}

std::unique_ptr<result_lock> lock_results(const configuration& c) {
  return with_output_errors(c, [&] { return std::make_unique<result_lock>(c.result_file("")); });
}

result_files::result_files(const configuration& c, const std::vector<file_argument>& inputs,
                           const std::string& json_file)
    : m_json_file(json_file) {
  const bool has_option = !json_file.empty();
  if (has_option) m_configuration = to_json_in(json_file, c);
  if (has_option && json_file != "-") m_json = open_named("--json", json_file);
  open(m_json, c.output.json && !has_option, c, ".json");
  open(m_csv, c.output.csv && !has_option, c, ".csv");
  open(m_events, c.output.event_log, c, ".events");
  open(m_answers, c.output.answers, c, ".answers");
  open(m_vcd, !c.output.vcd.empty(), c, ".vcd");
  open(m_floor_plan, c.output.energy.thermal, c, ".flp");
  open(m_power, c.output.energy.thermal, c, ".ptrace");
  std::vector<file_argument> outputs;
  if (has_option) outputs.push_back({"--json", json_file});
  for (const auto* file : {&m_json, &m_csv, &m_events, &m_answers, &m_vcd, &m_floor_plan, &m_power})
    if (*file && (!has_option || file != &m_json)) outputs.push_back(result_argument((*file)->file()));
  check_outputs(outputs, inputs);
  if (!has_option || outputs.size() > 1) m_lock = lock_results(c);
  if (m_events) m_log.emplace([this](std::string_view text) { m_events->write(text); });
}

run_hooks result_files::while_writable(run_hooks hooks) const {
  hooks.stop = [this, stop = std::move(hooks.stop)] { return stop() || (m_log && m_log->has_failed()); };
  return hooks;
}

std::vector<std::string> result_files::write(const run_summary& r) {
  if (m_answers) {
    std::ostringstream text;
    write_answers(text, r.measured.answers());
    m_answers->write(text.str());
  }
  if (m_floor_plan) m_floor_plan->write(floor_plan(r.graph, r.config.output.energy.pitch));
  if (m_power) m_power->write(power_trace(r));
  return write_all([&r] { return to_json(r); }, [&r] { return to_csv(r); });
}

std::vector<std::string> result_files::write_all(const std::function<json()>& make_json,
                                                 const std::function<std::string()>& make_csv) {
  if (m_log) m_log->finish();
  if (m_json || is_on_standard_output()) {
    json result = make_json();
    if (!m_json_file.empty()) result["configuration"] = m_configuration;
    if (m_json)
      m_json->write(to_text(result));
    else
      std::cout << to_text(result);
  }
  if (m_csv) m_csv->write(make_csv());
  std::vector<std::string> names;
  for (auto* file : {&m_json, &m_csv, &m_events, &m_answers, &m_vcd, &m_floor_plan, &m_power}) {
    if (!*file) continue;
    (*file)->commit();
    names.push_back((*file)->file().string());
  }
  return names;
}

}  // namespace weft::experiment
