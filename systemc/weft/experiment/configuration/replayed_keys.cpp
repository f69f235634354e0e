// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/configuration/replayed_keys.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "weft/file/read_bytes.h"
#include "weft/trace/cut_rules.h"
#include "weft/workload/replay/collective_plans.h"

namespace weft::experiment {

namespace {

std::string key_of_collective(std::size_t i) {
  return std::string("workload.replay.collectives.") + ReplayedCollectiveNames[i];
}

/// What the algorithms take that collectives are to be carried out by.
struct algorithm_needs {
  bool group = false;
  bool schedule = false;
};

/// \throws std::invalid_argument as parse_choices()
algorithm_needs needs_of(const replay_parameters& asked) {
  algorithm_needs needs;
  for (const std::string& text : asked.collectives)
    for (const collective_choice& choice : parse_choices(text)) {
      needs.group |= choice.algorithm && has_groups(*choice.algorithm);
      needs.schedule |= choice.algorithm == collective_algorithm::Schedule;
    }
  return needs;
}

/// Whether \p rule is for calls of MPI, which alone have tags and functions.
bool is_of_calls(const cut_rule& rule) { return rule.tag || rule.function; }

bool has_calls(const configuration& c) { return !c.workload.program || *c.workload.program == program_kind::Mpi; }

class replayed_keys_checker {
 public:
  explicit replayed_keys_checker(const configuration& c) : m_configuration(c), m_asked(c.workload.replay) {}

  std::vector<diagnostic> check() {
    check_collectives();
    check_cuts();
    check_trace();
    return std::move(m_errors);
  }

 private:
  void error(const std::string& key, const std::string& message) {
    m_errors.push_back({m_configuration.where(key), message});
  }

  void check_trace() {
    const std::filesystem::path& trace = m_configuration.workload.trace;
    if (const std::string why = why_read_once(trace); !why.empty())
      error("workload.trace",
            fmt::format("workload.trace: {} {}: a trace is read more than once; write it to a file first",
                        trace.string(), why));
  }

  void check_collectives() {
    for (std::size_t i = 0; i < m_asked.collectives.size(); ++i) {
      try {
        parse_choices(m_asked.collectives[i]);
      } catch (const std::invalid_argument& e) {
        error(key_of_collective(i), fmt::format("{}: {}", key_of_collective(i), e.what()));
      }
    }
    if (!m_errors.empty() || !has_calls(m_configuration)) return;  // the table of keys says that none has an effect
    const algorithm_needs needs = needs_of(m_asked);
    if (!needs.group) refuse("workload.replay.collectives.group", "takes an algorithm in groups");
    if (!needs.schedule) refuse("workload.replay.collectives.schedule", "is carried out by `schedule`");
  }

  /// A sweep, or the command line, may choose an algorithm that puts keys of the file out of use, as with all keys.
  void refuse(const char* key, const char* takes) {
    bool overridden = false;
    for (std::size_t i = 0; i < m_asked.collectives.size(); ++i)
      overridden |= m_configuration.overrides(key_of_collective(i), key);
    if (m_configuration.given_by(key) != origin::kind::Default && !overridden)
      error(key, fmt::format("{} has no effect: no collective {}; leave it out", key, takes));
  }

  void check_cuts() {
    try {
      std::vector<cut_rule> rules;
      for (const std::string& text : m_asked.cuts) rules.push_back(parse_cut_rule(text));
      check_cut_rules(rules, has_calls(m_configuration) ? std::optional(trace_cut::Sender) : std::nullopt);
    } catch (const std::invalid_argument& e) {
      error("workload.replay.cuts", fmt::format("workload.replay.cuts: {}", e.what()));
    }
  }

  const configuration& m_configuration;
  const replay_parameters& m_asked;
  std::vector<diagnostic> m_errors;
};

}  // namespace

void drop_unused_replayed_keys(configuration& c) {
  replay_parameters& asked = c.workload.replay;
  try {
    const algorithm_needs needs = needs_of(asked);
    if (!needs.group) asked.group.clear();
    if (!needs.schedule) asked.schedule.clear();
    const auto unfit = [](const std::string& rule) { return is_of_calls(parse_cut_rule(rule)); };
    if (!has_calls(c) && c.overrides("workload.trace", "workload.replay.cuts"))
      asked.cuts.erase(std::remove_if(asked.cuts.begin(), asked.cuts.end(), unfit), asked.cuts.end());
  } catch (const std::invalid_argument&) {  // check_replayed_keys() says so
  }
}

std::vector<diagnostic> check_replayed_keys(const configuration& c) { return replayed_keys_checker(c).check(); }

}  // namespace weft::experiment
