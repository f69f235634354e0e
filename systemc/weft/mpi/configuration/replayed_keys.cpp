// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/replayed_keys.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "weft/file/read_bytes.h"
#include "weft/mpi/replay/collective_plans.h"
#include "weft/mpi/replay/replay_program.h"
#include "weft/mpi/trace/truncation_rules.h"

namespace weft::experiment {

namespace {

std::string key_of_collective(std::size_t i) {
  return std::string("workload.replay.collectives.") + ReplayedCollectiveNames[i];
}

/// The options that the selected collective algorithms use.
struct algorithm_needs {
  bool group = false;
  bool schedule = false;
};

/// The options that the algorithms in \p replay use. \throws std::invalid_argument as parse_choices()
algorithm_needs needs_of(const replay_parameters& replay) {
  algorithm_needs needs;
  for (const std::string& text : replay.collectives)
    for (const collective_choice& choice : parse_choices(text)) {
      needs.group |= choice.algorithm && has_groups(*choice.algorithm);
      needs.schedule |= choice.algorithm == collective_algorithm::Schedule;
    }
  return needs;
}

/// Whether \p rule applies only to MPI calls, because only they have tags and functions.
bool is_of_calls(const truncation_rule& rule) { return rule.tag || rule.function; }

bool has_calls(const configuration& c) { return !c.workload.program || *c.workload.program == program_kind::Mpi; }

class replayed_keys_checker {
 public:
  explicit replayed_keys_checker(const configuration& c) : m_configuration(c), m_parameters(c.workload.replay) {}

  std::vector<diagnostic> check() {
    check_collectives();
    check_replay_truncation();
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
            fmt::format("workload.trace: {} {}, but a trace is read more than once; write it to a file first",
                        trace.string(), why));
  }

  void check_collectives() {
    for (std::size_t i = 0; i < m_parameters.collectives.size(); ++i) {
      try {
        parse_choices(m_parameters.collectives[i]);
      } catch (const std::invalid_argument& e) {
        error(key_of_collective(i), fmt::format("{}: {}", key_of_collective(i), e.what()));
      }
    }
    if (!m_errors.empty() || !has_calls(m_configuration)) return;  // reported by the table of keys
    const algorithm_needs needs = needs_of(m_parameters);
    if (!needs.group) reject("workload.replay.collectives.group", "uses an algorithm with groups");
    if (!needs.schedule) reject("workload.replay.collectives.schedule", "uses the algorithm `schedule`");
  }

  /// Rejects \p key, because no collective uses it. It is not an error if a sweep or the command line selects an
  /// algorithm that makes a key of the file ineffective.
  void reject(const char* key, const char* takes) {
    bool overridden = false;
    for (std::size_t i = 0; i < m_parameters.collectives.size(); ++i)
      overridden |= m_configuration.overrides(key_of_collective(i), key);
    if (m_configuration.given_by(key) != origin::kind::Default && !overridden)
      error(key, fmt::format("{} has no effect, because no collective {}; leave it out", key, takes));
  }

  void check_replay_truncation() {
    try {
      std::vector<truncation_rule> rules;
      for (const std::string& text : m_parameters.truncation_rules) rules.push_back(parse_truncation_rule(text));
      check_truncation_rules(rules,
                             has_calls(m_configuration) ? std::optional(truncation_point::Sender) : std::nullopt);
    } catch (const std::invalid_argument& e) {
      error("workload.replay.cuts", fmt::format("workload.replay.cuts: {}", e.what()));
    }
  }

  const configuration& m_configuration;
  const replay_parameters& m_parameters;
  std::vector<diagnostic> m_errors;
};

}  // namespace

std::optional<program_kind> program_kind_of(const configuration& c) { return kind_of_program(c.workload.trace); }

void drop_unused_replayed_keys(configuration& c) {
  replay_parameters& replay = c.workload.replay;
  try {
    const algorithm_needs needs = needs_of(replay);
    if (!needs.group) replay.group.clear();
    if (!needs.schedule) replay.schedule.clear();
    const auto unfit = [](const std::string& rule) { return is_of_calls(parse_truncation_rule(rule)); };
    if (!has_calls(c) && c.overrides("workload.trace", "workload.replay.cuts"))
      replay.truncation_rules.erase(
          std::remove_if(replay.truncation_rules.begin(), replay.truncation_rules.end(), unfit),
          replay.truncation_rules.end());
  } catch (const std::invalid_argument&) {  // reported by check_replayed_keys()
  }
}

std::vector<diagnostic> check_replayed_keys(const configuration& c) { return replayed_keys_checker(c).check(); }

}  // namespace weft::experiment
